"""The speed of this machine, for `companion doctor --speed`: how soon a change is on every page.

Laws: what is measured is a table of its own on loopback, in a folder that is deleted; the owner's
table is neither asked nor stopped. Beside each figure stands the least that could do the same on
this very machine, so that a slow card is not taken for a slow companion.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.app.speed.client import TIMEOUT_MS, Client, Heard, find_client
from companion.app.speed.figures import (
    answer_ms,
    client_ms,
    cpu_ms,
    first_ms,
    last_ms,
    median_of,
    missed_by,
    news_size,
    slowest_of,
)
from companion.app.speed.measure import Audience, measure_table
from companion.app.speed.played_game import PlayedGame, load_tapped_games
from companion.core.i18n import N_, Language, Message, message
from companion.games import make_rulebook

PAUSE_MS = 100
"""Longer than on a desk: a small Pi may need as long between two parts of one change."""
AUDIENCES = (Audience(6, pause_ms=PAUSE_MS), Audience(64, pause_ms=PAUSE_MS))
REQUESTS = 40
COLUMNS = (
    N_("game"), N_("pages"), N_("answer"), N_("first page"), N_("last page"),
    N_("1 of 100 later than"), N_("CPU"), N_("bare Tornado"), N_("ratio"),
)  # fmt: skip
FACTS = (
    "game", "pages", "answer_ms", "first_ms", "last_ms", "slowest_ms", "cpu_ms", "bare_ms", "ratio",
)  # fmt: skip
"""What the columns are called for programs."""
Say = Callable[[Message], None]


class SpeedRow(NamedTuple):
    """A game before an audience: what was heard of our table, and of the bare one."""

    title: str
    audience: Audience
    ours: Heard
    bare: Heard

    def render_cells(self) -> list[str]:
        """Return the cells, one for each of COLUMNS; all but the first are right-aligned."""
        last, bare = median_of(self.ours, last_ms), median_of(self.bare, last_ms)
        waits = [median_of(self.ours, figure) for figure in (answer_ms, first_ms)]
        waits += [last, slowest_of([self.ours], last_ms), median_of(self.ours, cpu_ms), bare]
        return [
            self.title, str(self.audience.viewers), *(f"{wait:.1f}" for wait in waits),
            f"{last / bare:.1f}",
        ]  # fmt: skip


class SpeedReport(NamedTuple):
    """All rows, and the client that measured them."""

    rows: Sequence[SpeedRow]
    client: Client

    @property
    def missed(self) -> int:
        """How many changes did not reach every page in time."""
        return sum(missed_by(row.ours) for row in self.rows)

    @property
    def exit_status(self) -> int:
        return 1 if self.missed else 0

    def render_table(self, words: Language) -> str:
        """Return the report as text: a row for each measurement, then what the figures mean."""
        cells = [[words(Message(column)) for column in COLUMNS]]
        cells += [row.render_cells() for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if n else cell.ljust(width)
                for n, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in cells
        ]
        return "\n".join([*lines, "", *map(words, self._remarks())]) + "\n"

    def list_facts(self) -> dict[str, object]:
        """Return the report as plain data, for programs."""
        told = (row.render_cells() for row in self.rows)
        rows = [
            dict(zip(FACTS, [title, *map(float, cells)], strict=True)) for title, *cells in told
        ]
        own = max(client_ms(row.ours) for row in self.rows)
        return {"rows": rows, "missed": self.missed, "client_ms": round(own, 1)}

    def _remarks(self) -> Iterator[Message]:
        yield message(
            "Milliseconds since the tap, the middle one of {n} changes. Up to half of the pages are"
            " phones, one for each seat; the others are table screens in three languages.",
            n=REQUESTS,
        )
        yield message(
            "Everything ran on this machine: the way through the Wi-Fi, and what a phone needs to"
            " show it, come on top."
        )
        yield message(
            "Bare Tornado: the last page, if the same change is written to the card and sent to as"
            " many by a server that does nothing else."
        )
        own = max(client_ms(row.ours) for row in self.rows)
        yield message(
            "The client that measured is written in {language}; it took up to {ms} ms of the"
            " processor for each change.",
            language=self.client.language,
            ms=f"{own:.1f}",
        )
        if self.missed:
            yield message(
                "Changes that did not reach every page within {seconds} seconds: {n}.",
                n=self.missed,
                seconds=TIMEOUT_MS // 1000,
            )


def check_speed(
    say: Say, audiences: Sequence[Audience] = AUDIENCES, requests: int = REQUESTS
) -> SpeedReport:
    """Measure the recorded games without readers before these audiences; say which is measured.

    Raise Malformed if a table or a viewer cannot be served.
    """
    with tempfile.TemporaryDirectory() as folder:
        client = find_client(Path(folder))
        games = list(load_tapped_games(requests))
        rows = [_measure_row(say, client, game, each) for each in audiences for game in games]
        return SpeedReport(rows, client)


def _measure_row(say: Say, client: Client, game: PlayedGame, audience: Audience) -> SpeedRow:
    title = make_rulebook(game.game).box.title
    text = "Measuring {game} with {n} pages …"
    say(message(text, game=title, n=audience.viewers))
    ours = measure_table("ours", client, game, audience)
    bare = measure_table("bare", client, game, audience, news_size(ours))
    return SpeedRow(title, audience, ours, bare)
