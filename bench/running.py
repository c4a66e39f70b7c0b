"""A companion that runs for a while and prints what it weighed.

`--sim` has eight simulated readers, `--idle` a game under way and readers without news.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.app.default_players import NAMES
from companion.app.event_loop import StopEvent, serve_until_stopped
from companion.app.systemd import SystemdNotifier
from companion.core.deck import Deck
from companion.games import make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.host.table_source import TablePoller
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import Author
from companion.table.table import Table
from web.app import create_app
from web.context import AppContext
from web.server.server import Server
from web.server.sockets import bind_sockets


def main() -> None:
    """Run; the last line is the weight in MiB and the share of a core."""
    how, folder, seconds = sys.argv[1], Path(sys.argv[2]), float(sys.argv[3])
    journal = Journal(folder / "journal.sqlite3")
    rules = make_rulebook("bankueberfall")
    if how == "--sim":
        table, turn = _simulate_table(rules, journal)
    else:
        table = Table(rules, journal, Deck({}), time.time)
        table.start(rules.start_event(id="idle", players=NAMES[:3]), Author(0, "table"))
        turn = TablePoller(table, list, lambda _seat, _lamp: None, 5).poll
    asyncio.run(_serve_turns(table, turn, seconds))
    journal.close()


def _simulate_table(rules: AnyRulebook, journal: Journal) -> tuple[Table, Callable[[], None]]:
    """Return a simulated table, and what is done in each turn of its loop."""
    from companion.app.simulated.room import SimulatedRoom  # noqa: PLC0415  A real table has none.
    from companion.app.simulated.simulated_table import Lineup  # noqa: PLC0415
    from companion.app.simulated.simulation import build_simulation  # noqa: PLC0415

    company = Lineup(NAMES[:3], 1, 0)
    evening = build_simulation(rules, journal, SimulatedRoom(), company, Seats(open_house=True))
    evening.bots.deal_again()
    return evening.host.table, evening.source.poll


async def _serve_turns(table: Table, turn: Callable[[], None], seconds: float) -> None:
    sockets = bind_sockets(8400)
    app = create_app(AppContext(table, Seats(open_house=True)))
    loop, begun = asyncio.get_running_loop(), list[float]()
    loop.call_later(1.0, lambda: begun.append(time.process_time()))
    loop.call_later(1.0 + seconds, lambda: os.kill(os.getpid(), 15))
    service = SystemdNotifier(time.monotonic)
    server = partial(Server, app, sockets)
    await serve_until_stopped(server, [turn], service, lambda: None, StopEvent())
    share = (time.process_time() - begun[0]) / seconds
    print(json.dumps([_resident_mebibytes(), share]))


def _resident_mebibytes() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


if __name__ == "__main__":
    main()
