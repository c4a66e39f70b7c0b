"""The table: from a card in the field to the new view, from a request to its durable answer.

Also what the companion weighs while it is idle.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from bench.journal import bare_seconds_per_line
from bench.measure import Figure, python_command
from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import Simulation, build_simulation
from companion.core.deck import Deck
from companion.core.events import Sealed
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import Author
from companion.table.table import Table
from hardware.simulator.hands_on_table import StillClock

GAMES = ("bankueberfall", "banque_fatale", "robby_solo") * 2
REQUESTS = 300
IDLE_SECONDS = 8.0


def figures() -> Iterator[Figure]:
    """Measure a card, a request and an idle evening."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        p99 = _placement_ms(folder)
        yield Figure("a card from the field to the new view, p99", p99, "ms", 350, False,
                     "one round of eight readers", p99 / 136)  # fmt: skip
        ours, bare = (
            _request_seconds(folder / "asked.sqlite3"),
            bare_seconds_per_line(folder / "bare.sqlite3"),
        )
        yield Figure("a request granted and durable, p50", ours * 1000, "ms", 5.0, False,
                     "a bare insert", ours / bare)  # fmt: skip
        mebibytes, _ = _run_companion("--sim")
        bare_python = _bare_weight()
        yield Figure("the companion with eight simulated readers", mebibytes, "MiB", 60, False,
                     "a bare Python", mebibytes / bare_python)  # fmt: skip
        _, share = _run_companion("--idle")
        yield Figure("the companion idle, of one core, without simulator", share * 100, "%", 3.0,
                     False, "a whole core", share)  # fmt: skip


def _placement_ms(folder: Path) -> float:
    """Return the table's own time from laying a card to the new view of all, in milliseconds."""
    took = list[float]()
    for seed, game in enumerate(GAMES):
        with closing(Journal(folder / f"{seed}.sqlite3")) as journal:
            evening = build_simulation(
                make_rulebook(game),
                journal,
                SimulatedRoom(clock=StillClock()),
                Lineup(NAMES[:4], seed, 0),
                Seats(open_house=True),
            )
            took += _play_evening(evening)
            evening.source.close()
    return statistics.quantiles(took, n=100)[98] * 1000


def _play_evening(evening: Simulation) -> list[float]:
    world, top = evening.source.tabletop.world, evening.source.tabletop
    laid, took = [0.0], list[float]()
    put = top.put_tag

    def timed(tag: str, place: int) -> None:
        laid[0] = world.now
        put(tag, place)

    def told() -> None:
        moment = evening.host.table.history.moments[-1]
        if moment.via.startswith("reader") and laid[0]:
            evening.host.table.view()
            took.append(world.now - laid[0])
            laid[0] = 0.0

    top.put_tag = timed  # type: ignore[method-assign]
    evening.host.table.watch(told)
    evening.bots.deal_again()
    while not evening.host.table.history.is_over:
        if not evening.bots.play_one():
            top.pass_time(0.1)
            evening.source.poll()
    return took


def _request_seconds(path: Path) -> float:
    """Return the seconds from a phone's request to its answer, on disk and published."""
    rules, took = make_rulebook("bankueberfall"), list[float]()
    kinds = {row.event_name: row.event for row in rules.rows}
    with closing(Journal(path)) as journal:
        table = Table(rules, journal, Deck({}), time.time)
        table.start(rules.start_event(id="asked", players=NAMES[:3]), Author(0, "table"))
        table.request(kinds["tile_turned"](seat=1, tile="rob"), Author(1, "phone 1"))
        table.request(kinds["bank_chosen"](seat=1, bank=2), Author(1, "phone 1"))

        def look() -> None:
            table.view(1)

        table.watch(look)
        for n in range(REQUESTS):
            sealed = Sealed(1, f"{n:064x}")
            begun = time.perf_counter()
            refused = table.request(sealed, Author(1, "phone 1"), table.version, f"key-{n}")
            took.append(time.perf_counter() - begun)
            assert refused is None, refused
    return statistics.median(took)


def _run_companion(how: str) -> tuple[float, float]:
    """Return the weight in MiB of a running companion, and its share of a core."""
    with tempfile.TemporaryDirectory() as folder:
        command = python_command("-m", "bench.running", how, folder, str(IDLE_SECONDS))
        told = subprocess.run(command, capture_output=True, check=True).stdout
    mebibytes, share = msgspec.json.decode(told.splitlines()[-1])
    return mebibytes, share


def _bare_weight() -> float:
    """Return the weight of a bare Python."""
    show = "print([l for l in open('/proc/self/status') if l.startswith('VmRSS')][0].split()[1])"
    told = subprocess.run([sys.executable, "-c", show], capture_output=True, check=True)
    return int(told.stdout) / 1024
