"""Viewers, measured from outside: from a request to its answer, and to the first and last viewer.

Ours has the real pages of as many phones as the game has seats, and of table
screens in three languages. Beside it in the same run, in turns: bare Tornado that writes a line
with SQLite as our journal does, and sends as many bytes to as many; and boardgame.io, which writes
nothing. The client is a C program, for boardgame.io one in node.
"""

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.boardgame import BoardgamePeer, NotInstalled, install_peer
from bench.measure import Figure
from bench.speed.client import Client, Heard, build_client
from bench.speed.measure import Audience, measure_table
from bench.speed.played_game import PlayedGame, make_played_game
from companion.games import game_names, make_rulebook
from tests.worlds.rulebook_players import Evening

REQUESTS, RUNS = 60, 3
QUIET_LOAD = 0.5
"""The load of a machine that does nothing else."""
SLOW_DISK_MS = 10
OURS, BARE, OTHER = "ours", "bare Tornado", "boardgame.io"
COLUMNS = ("answer", "first", "last", "cpu")
Bars = dict[str, float]
AUDIENCES: tuple[tuple[Audience, Bars], ...] = (
    (Audience(6), {"last": 3.0, "answer": 1.6, "cpu": 4.0}),
    (Audience(64), {"last": 2.6, "cpu": 3.0}),
    (Audience(256), {"last": 1.4, "answer": 1.0, "cpu": 1.7}),
    (Audience(64, stalled=16), {"last": 2.6}),
    *((Audience(n, sync_ms=SLOW_DISK_MS), {"last": 1.2}) for n in (6, 64, 256)),
)
"""Before whom, and as which multiple of the bare table each may take."""
HEAD = (
    f"{'game':<14} {'viewers':<22} {'':<13}"
    + "".join(f"{each:>8}" for each in COLUMNS)
    + f"   {'last, spread':^15} {'client':>7} {'bytes':>7} {'missed':>7}"
)
ABOUT = """\
Milliseconds since the request was sent, medians of each run, then of the runs; cpu is that of the
table's process for each event. Phones of all seats (of half the viewers at most), the others table
screens in en, fr, de. Journals on a disk. boardgame.io has no journal; its client is node, its
answer the news that its player is sent."""


class Runs(NamedTuple):
    """All runs of one game before one audience, at one table."""

    game: str
    audience: Audience
    who: str
    heard: list[Heard]

    def medians(self, column: str) -> list[float]:
        """Return the milliseconds of a column, the median of each run, over the requests that all
        were to hear of."""
        return [
            statistics.median(getattr(each, column) / 1e6 for each in heard.counted)
            for heard in self.heard
        ]

    @property
    def missed(self) -> int:
        """Number of events that did not reach every viewer in time."""
        return sum(each.reached < heard.viewers for heard in self.heard for each in heard.counted)

    @property
    def news_size(self) -> int:
        """The bytes of a change for one viewer, chunk heads included."""
        heard = self.heard[-1].counted
        return round(statistics.mean(each.bytes / max(each.reached, 1) for each in heard))

    def row(self) -> str:
        """Return the runs as a row of the table."""
        lasts = self.medians("last")
        client = statistics.median(
            heard.client_cpu / 1e6 / len(heard.requests) for heard in self.heard
        )
        return (
            f"{self.game:<14} {self.audience!s:<22} {self.who:<13}"
            + "".join(f"{statistics.median(self.medians(each)):>8.2f}" for each in COLUMNS)
            + f"   {min(lasts):>6.2f} – {max(lasts):<6.2f} {client:>7.2f}"
            + f" {self.news_size:>7} {self.missed:>7}"
        )


def play_game(game: str, requests: int = REQUESTS) -> PlayedGame:
    """Return a game of as many players as it can have, without readers."""
    seats = make_rulebook(game).box.players.most
    events = Evening(game, Random(3), seats, readers=False).play().events
    return make_played_game(game, events, requests)


class Meters(NamedTuple):
    """The client, and boardgame.io where it is installed."""

    client: Client
    boardgame: BoardgamePeer | None

    def measure(self, game: PlayedGame, audience: Audience) -> list[Runs]:
        """Measure ours and its peers in turns, print the rows, and return them, ours first."""
        ours, bare, other = (Runs(game.game, audience, who, []) for who in (OURS, BARE, OTHER))
        for _ in range(RUNS):
            ours.heard.append(measure_table("ours", self.client, game, audience))
            size = ours.news_size
            bare.heard.append(measure_table("bare", self.client, game, audience, size))
            if self.boardgame is not None:
                requests = len(ours.heard[-1].counted)
                other.heard.append(self.boardgame.measure(audience, requests, size))
        measured = [each for each in (ours, bare, other) if each.heard]
        print(*(each.row() for each in measured), sep="\n")
        print(f"{'':<38}{'by bare':<13}" + "".join(
            f"{ratio(measured, each):>8.2f}" for each in COLUMNS
        ), flush=True)  # fmt: skip
        return measured


def ratio(runs: Sequence[Runs], column: str) -> float:
    """Return our median time divided by that of the bare server, measured in the same turn."""
    pairs = zip(runs[0].medians(column), runs[1].medians(column), strict=True)
    return statistics.median(each / peer for each, peer in pairs)


def figures() -> Iterator[Figure]:
    """Measure every game before every audience; each figure is of the game that does worst."""
    with tempfile.TemporaryDirectory() as folder:
        meters = prepare_meters(Path(folder))
        games = [play_game(game) for game in game_names()]
        for audience, bars in AUDIENCES:
            measured = [meters.measure(game, audience) for game in games]
            for column, bar in bars.items():
                worst = max(ratio(runs, column) for runs in measured)
                what = f"request: {column}, {audience} viewers, p50"
                yield Figure(what, worst, "× bare", bar)
            missed = sum(runs[0].missed for runs in measured)
            yield Figure(f"events that did not reach all {audience}", missed, "events", 0)


def prepare_meters(folder: Path) -> Meters:
    """Compile the client, install the peer, and print the head of the table, with warnings."""
    client, boardgame = build_client(folder), None
    if client is None:
        sys.exit("To measure viewers needs a C compiler: apt install gcc libc6-dev zlib1g-dev")
    try:
        boardgame = install_peer()
    except NotInstalled as missing:
        print(missing)
    load = os.getloadavg()[0]
    if load > QUIET_LOAD:
        print(f"Warning: this machine is not quiet (load {load:.1f}); no figure here can be kept.")
    lacks = "" if client.inflates else " The client lacks zlib, so streams come uncompressed."
    print(ABOUT + lacks, HEAD, sep="\n", flush=True)
    return Meters(client, boardgame)
