"""A simulated table put together: its pieces on simulated readers, host, bots, hands and faults."""

import time
from collections.abc import Callable
from pathlib import Path

from companion.app.build_host import build_host
from companion.app.simulated.bot_driver import BotDriver
from companion.app.simulated.hands import FaultInjector, PieceHands
from companion.app.simulated.simulated_table import Lineup, SimulatedTable
from companion.games.rulebook import AnyRulebook
from companion.host.run_on_loop import RunOnLoop, run_here
from companion.identity import IdentityStore
from companion.journal import Journal
from companion.pieces.switches import Pace
from companion.seating.seats import Seats
from hardware.simulator.hands_on_table import SimulatedTabletop


class Simulation:
    """The parts of one simulated table; pages ask its hands, bots and faults.

    What lies on it outlives the program in the folder of its `memory`. `restart` is called with the
    pace of the bots when the plug is pulled on a page.
    """

    def __init__(  # noqa: PLR0913
        self,
        rules: AnyRulebook,
        journal: Journal,
        tabletop: SimulatedTabletop,
        lineup: Lineup,
        seats: Seats,
        identity: IdentityStore | None = None,
        *,
        memory: Path | None = None,
        run_on_loop: RunOnLoop = run_here,
        clock: Callable[[], float] = time.monotonic,
        restart: Callable[[Pace], None] = lambda _pace: None,
    ) -> None:
        self.source = source = SimulatedTable(rules, journal, tabletop, lineup, seats, memory)
        self.host = host = build_host(source, journal, seats, identity, run_on_loop, clock)
        self.bots = bots = BotDriver(host, source, lineup)
        self.hands = PieceHands(host, source)
        self.faults = FaultInjector(host, tabletop, lambda: restart(bots.pace))
