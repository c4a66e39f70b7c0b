"""A simulated table put together: its table source, host, bots, hands and faults."""

import time
from collections.abc import Callable

from companion.app.build_host import build_host
from companion.app.simulated.bot_driver import BotDriver
from companion.app.simulated.faults import FaultInjector
from companion.app.simulated.hands import PieceHands
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup, SimulatedTable
from companion.core.bot_pace import Pace
from companion.games.rulebook import AnyRulebook
from companion.host.host import Host
from companion.host.run_on_loop import RunOnLoop, run_here
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.seating.seats import Seats
from web.simulation import SimulationControls


class Simulation:
    """The parts of one simulated table.

    `restart` is called with the pace of the bots when the plug is pulled on a page.
    """

    def __init__(
        self,
        source: SimulatedTable,
        host: Host,
        lineup: Lineup,
        restart: Callable[[Pace], None] | None = None,
    ) -> None:
        self.source, self.host = source, host
        self.bots = bots = BotDriver(host, source, lineup)
        pull_plug = None if restart is None else lambda: restart(bots.pace)
        self.hands = PieceHands(host, source)
        self.faults = FaultInjector(host, source.tabletop, pull_plug)
        self.controls = SimulationControls(self.hands, self.bots, self.faults)


def build_simulation(  # noqa: PLR0913
    rules: AnyRulebook,
    journal: Journal,
    room: SimulatedRoom,
    lineup: Lineup,
    seats: Seats,
    identity: IdentityStore | None = None,
    *,
    run_on_loop: RunOnLoop = run_here,
    clock: Callable[[], float] = time.monotonic,
    restart: Callable[[Pace], None] | None = None,
) -> Simulation:
    """Put a simulated table together in this room."""
    source = SimulatedTable(rules, journal, room, lineup, seats)
    host = build_host(source, journal, seats, identity, run_on_loop, clock)
    return Simulation(source, host, lineup, restart)
