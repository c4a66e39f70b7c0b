"""A simulated table with the demo loop, and a clock that only the test moves."""

from collections.abc import Callable
from pathlib import Path

from companion.host.demo import DemoLoop, DemoScene
from companion.host.settings import TableSettings
from companion.journal import Journal
from companion.seating.seats import Seats
from tests.worlds.journal_lines import every_line
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import simulated
from tests.worlds.visitor import UNHURRIED, PlacedMachine, Visitor
from web.app import create_app
from web.context import AppContext


class QuietTable:
    """Nobody is there at first; bots act when the test lets them."""

    def __init__(self, path: Path, language: str = "en", address: str = "") -> None:
        self.now = 1_000.0
        self.path, self.journal = path, closed_later(Journal(path))
        self.seats = Seats(open_house=True)
        self.evening = simulated(self.journal, seats=self.seats, clock=self.clock)
        self.loop = DemoLoop(self.evening.host)
        self.room = AppContext(
            self.evening.host.table,
            self.seats,
            self.evening,
            self.evening.host,
            settings=TableSettings(language=language),
            machine=PlacedMachine(*([address] if address else [])),
            demo=self.loop,
        )
        self.app = create_app(self.room, limits=UNHURRIED)

    def clock(self) -> float:
        return self.now

    def turn(self, seconds: float = 0.0) -> DemoScene | None:
        """So much later the daemon takes its turn; what the demo shows then."""
        self.now += seconds
        self.evening.source.poll()
        self.loop.advance()
        return self.loop.scene

    def until(self, agreed: Callable[[DemoScene], bool]) -> DemoScene:
        """The demo plays on until it shows this."""
        for _ in range(2_000):
            scene = self.turn()
            assert scene is not None, "the demo has ended"
            if agreed(scene):
                return scene
            self.now += scene.lasts
        raise AssertionError("this is never shown")

    def guest(self) -> Visitor:
        """Somebody's phone."""
        return Visitor(self.app)

    def told(self) -> list[str]:
        """The events in the journal."""
        return [line.decode_event(dict)["event"] for line in every_line(self.journal)]

    def shut(self) -> None:
        """Everyone goes home."""
        self.evening.source.wires.close()
        self.evening.host.table.close()
