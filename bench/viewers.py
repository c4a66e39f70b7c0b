"""Viewers, measured from outside: from a request to its answer, and to the first and last viewer.

`python -m bench.viewers [VIEWERS …]` prints it for these numbers of viewers; `make bench` compares
it with the bars. Ours has the real pages of as many phones as the game has seats, and of table
screens in three languages. Beside it in the same run, in turns: bare Tornado that writes a line
with SQLite as our journal does, and sends as many bytes to as many; and boardgame.io, which writes
nothing. The client is a C program, for boardgame.io one in node.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.boardgame import BoardgamePeer, NotInstalled, install_peer
from bench.measure import Figure
from bench.speed.client import Client, Heard, build_client
from bench.speed.figures import (
    RequestFigure,
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
from bench.speed.measure import Audience, measure_table
from bench.speed.played_game import PlayedGame, make_played_game
from companion.games import game_names, make_rulebook
from tests.worlds.rulebook_players import Dice, Evening

REQUESTS, RUNS = 60, 3
AUDIENCES = (Audience(6), Audience(64), Audience(256), Audience(64, 16))
CROWD, CROWD_REQUESTS = Audience(1000), 30

OURS, BARE, OTHER = "ours", "bare Tornado", "boardgame.io"
LAST_BARS = {AUDIENCES[0]: 2.0, AUDIENCES[1]: 1.3, AUDIENCES[2]: 1.2, AUDIENCES[3]: 1.5}
ANSWER_BARS = {AUDIENCES[0]: 1.5, AUDIENCES[2]: 1.5}
CPU_BARS = {AUDIENCES[0]: 4.0, AUDIENCES[1]: 6.0, AUDIENCES[2]: 12.0}
CROWD_BAR = 120.0
SLOWEST = 4.0
"""How much longer the slowest of a hundred may take than the middle one."""


class Runs(NamedTuple):
    """All runs of one game before one audience, at one table."""

    game: str
    audience: Audience
    who: str
    heard: list[Heard]

    def medians(self, of: RequestFigure) -> list[float]:
        """Return the median of each run, over the requests that all were to hear of."""
        return [median_of(heard, of) for heard in self.heard]

    @property
    def missed(self) -> int:
        """How many events did not reach every viewer in time."""
        return sum(map(missed_by, self.heard))

    def row(self) -> str:
        """Return the runs as a row of the table: medians, then the spread of the last viewer."""
        figures = [statistics.median(self.medians(of)) for of in (answer_ms, first_ms, last_ms)]
        lasts, cpu = self.medians(last_ms), statistics.median(self.medians(cpu_ms))
        own = statistics.median(map(client_ms, self.heard))
        stalled = f" ({self.audience.stalled} stalled)" if self.audience.stalled else ""
        encoded = "compressed" if self.heard[0].compressed else "identity"
        return (
            f"{self.game:<14} {f'{self.audience.viewers}{stalled}':<15} {self.who:<13}"
            + "".join(f"{figure:>8.2f}" for figure in figures)
            + f"   {min(lasts):>6.2f} – {max(lasts):<6.2f} {cpu:>7.2f} {own:>7.2f}"
            + f" {news_size(self.heard[-1]):>7} {self.missed:>7}  {encoded}"
        )


HEAD = (
    f"{'game':<14} {'viewers':<15} {'':<13}{'answer':>8}{'first':>8}{'last':>8}"
    f"   {'last, spread':^15} {'CPU':>7} {'client':>7} {'bytes':>7} {'missed':>7}"
)


def play_game(game: str, requests: int) -> PlayedGame:
    """Return a game of as many players as it can have, without readers."""
    seats = make_rulebook(game).box.players.most
    events = Evening(game, Dice(Random(3)), seats, readers=False).play().events
    return make_played_game(game, events, requests)


class Meters(NamedTuple):
    """The client, and boardgame.io where it is installed."""

    client: Client
    boardgame: BoardgamePeer | None


def measure_in_turns(meters: Meters, game: PlayedGame, audience: Audience, runs: int) -> list[Runs]:
    """Measure ours and its peers one after another, so many times."""
    ours, bare, other = (Runs(game.game, audience, who, []) for who in (OURS, BARE, OTHER))
    for _ in range(runs):
        ours.heard.append(measure_table("ours", meters.client, game, audience))
        size = news_size(ours.heard[-1])
        bare.heard.append(measure_table("bare", meters.client, game, audience, size))
        if meters.boardgame is not None:
            heard = meters.boardgame.measure(audience, len(ours.heard[-1].counted), size)
            other.heard.append(heard)
    return [each for each in (ours, bare, other) if each.heard]


def figures() -> Iterator[Figure]:
    """Measure every game before every audience; each figure is of the game that does worst."""
    with tempfile.TemporaryDirectory() as folder:
        meters = _prepare_meters(Path(folder))
        for audience in AUDIENCES:
            games = [_print_runs(meters, game, audience) for game in game_names()]
            yield from _make_figures(audience, games)
        yield from _crowd_figures(meters)


@cache
def _games(game: str, requests: int) -> PlayedGame:
    return play_game(game, requests)


def _print_runs(
    meters: Meters, game: str, audience: Audience, requests: int = REQUESTS, runs: int = RUNS
) -> list[Runs]:
    measured = measure_in_turns(meters, _games(game, requests), audience, runs)
    print(*(each.row() for each in measured), sep="\n", flush=True)
    return measured


def _make_figures(audience: Audience, games: Sequence[Sequence[Runs]]) -> Iterator[Figure]:
    who = f"{audience.viewers} viewers" + (", a quarter stalled" if audience.stalled else "")
    last = max(map(last_ratio, games))
    yield Figure(f"request to the last of {who}, p50", last, "× bare", LAST_BARS[audience], False,
                 BARE, last)  # fmt: skip
    if audience in ANSWER_BARS:
        answer = max(_ratio(runs, answer_ms) for runs in games)
        yield Figure(f"request to its answer, {who}, p50", answer, "× bare", ANSWER_BARS[audience],
                     False, BARE, answer)  # fmt: skip
    if audience in CPU_BARS:
        cpu = max(statistics.median(ours.medians(cpu_ms)) for ours, *_ in games)
        yield Figure(f"CPU of an event, {who}", cpu, "ms", CPU_BARS[audience], False, BARE,
                     max(_ratio(runs, cpu_ms) for runs in games))  # fmt: skip
    slow, peers = (max(_slowest(runs[n]) for runs in games) for n in (0, 1))
    yield Figure(f"… {who}, p99 by p50", slow, "×", SLOWEST, False, BARE, slow / peers)
    yield _missed_figure(who, [runs[0] for runs in games])


def last_ratio(runs: Sequence[Runs]) -> float:
    """Return our time until the last viewer, as a multiple of the bare table's."""
    return _ratio(runs, last_ms)


def _ratio(runs: Sequence[Runs], of: RequestFigure) -> float:
    """Return the median of what ours took by what the bare one took in the same turn."""
    ours, bare = runs[0].medians(of), runs[1].medians(of)
    return statistics.median(each / peer for each, peer in zip(ours, bare, strict=True))


def _slowest(runs: Runs) -> float:
    return slowest_of(runs.heard, last_ms) / statistics.median(runs.medians(last_ms))


def _missed_figure(who: str, ours: Sequence[Runs]) -> Figure:
    missed, all_of_them = (
        sum(runs.missed for runs in ours),
        sum(len(heard.counted) for runs in ours for heard in runs.heard),
    )
    return Figure(f"events that did not reach all {who}", missed, "events", 0, False,
                  "all events", missed / all_of_them)  # fmt: skip


def _crowd_figures(meters: Meters) -> Iterator[Figure]:
    measured = [_print_runs(meters, game, CROWD, CROWD_REQUESTS, 1) for game in game_names()]
    last = max(statistics.median(runs[0].medians(last_ms)) for runs in measured)
    yield Figure(f"request to the last of {CROWD.viewers} viewers, p50", last, "ms", CROWD_BAR,
                 False, BARE, max(map(last_ratio, measured)))  # fmt: skip
    yield _missed_figure(f"{CROWD.viewers} viewers", [runs[0] for runs in measured])


def _prepare_meters(folder: Path) -> Meters:
    """Compile the client, install the peer, and print what measures."""
    client, boardgame = build_client(folder), None
    if client is None:
        sys.exit("To measure viewers needs a C compiler: apt install gcc libc6-dev zlib1g-dev")
    print(describe_client(client))
    try:
        boardgame = install_peer()
    except NotInstalled as missing:
        print(missing)
    print(HEAD)
    return Meters(client, boardgame)


def describe_client(client: Client) -> str:
    """Return the measuring client's description, and that of the columns."""
    lacks = "" if client.inflates else ", without zlib, so streams come uncompressed"
    return (
        f"Client: C{lacks}. Milliseconds since the request was sent, medians of "
        "each run, then of the runs; CPU of the table's process and of the client for each event; "
        "bytes of a change for each viewer. Phones of all seats (of half the viewers at most), "
        "the others table screens in en, fr, de. Journals on a disk. boardgame.io: no journal; "
        "its client is node; its answer is the news that its player is sent."
    )


def main() -> None:
    """Print the rows for the numbers of viewers that were given."""
    parser = argparse.ArgumentParser(prog="python -m bench.viewers", description=__doc__)
    add = parser.add_argument
    add("viewers", nargs="*", type=int, default=[6, 64, 256], help="6 64 256 by default")
    add("--games", nargs="+", choices=list(game_names()), default=list(game_names()))
    add("--runs", type=int, default=RUNS)
    add("--requests", type=int, default=REQUESTS)
    add("--stalled", type=int, default=0, metavar="N", help="every Nth viewer reads nothing")
    add("--encodings", default="gzip, deflate", help="what the viewers accept; or: identity")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        meters = _prepare_meters(Path(folder))
        for viewers in asked.viewers:
            stalled = viewers // asked.stalled if asked.stalled else 0
            audience = Audience(viewers, stalled, asked.encodings)
            for game in asked.games:
                measured = _print_runs(meters, game, audience, asked.requests, asked.runs)
                print(f"{'':<30}ratio{'':<9}" + "".join(
                    f"{_ratio(measured, of):>8.2f}" for of in (answer_ms, first_ms, last_ms)
                ), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
