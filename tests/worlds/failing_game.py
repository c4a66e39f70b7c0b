"""A game of another package that fails where it is told to, at a simulated table with its pages."""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from shutil import copytree
from typing import Any

from companion.app.build_table import HostedTable
from companion.app.loop import Step
from companion.games import find_game
from companion.journal import Journal
from companion.seating.seats import Seats
from tests.worlds.installed_games import installed, write_game
from tests.worlds.left_open import closed_later
from tests.worlds.simulated_hands import deal, presence_profile, simulated
from tests.worlds.visitor import UNHURRIED
from web.app import create_app
from web.context import AppContext

NUMBERS = count(1)
"""Pages keep what they looked up of a game by its name, so each has another one."""
SECRET = "four coins in the left hand"
SENTENCES = {
    "en": "The rules of Robby Solo failed; nothing was changed.",
    "fr": "Erreur dans les règles de Robby Solo\u202f; rien n’a été changé.",
    "de": "In den Regeln von Robby Solo steckt ein Fehler; nichts wurde geändert.",
}
NOT_SHOWN = {
    "en": "The rules of Robby Solo failed; it cannot be shown as it stands.",
    "fr": "Erreur dans les règles de Robby Solo\u202f; impossible d’afficher où en est la partie.",
    "de": "In den Regeln von Robby Solo steckt ein Fehler; der Stand lässt sich nicht anzeigen.",
}
MORE = """
from ipaddress import ip_address

import msgspec

FAILS = set()


def failing(where, call):
    def ask(*args, **more):
        if where in FAILS:
            ip_address("SECRET")  # Raises a ValueError in a file that is not the game's.
        if where + " answers nonsense" in FAILS:
            return 7
        return call(*args, **more)
    return ask


RULEBOOK = (
    "apply", "refuse", "list_options", "public_view", "private_view", "expected_cards",
    "awaited_seats", "describe_phase", "button_event",
)
for name in RULEBOOK:
    setattr({Name}Rulebook, name, failing(name, getattr(OURS.rulebook, name)))

TRACKING = OURS.rulebook.tracking
{Name}Rulebook.tracking = TRACKING._replace(
    infer_events=failing("infer_events", TRACKING.infer_events),
    receiving_places=failing("receiving_places", TRACKING.receiving_places),
)


PIECES = OURS.pieces._replace(
    moves={
        do: move._replace(to=failing("make_move", move.to))
        for do, move in OURS.pieces.moves.items()
    },
    clear=failing("clear_up", OURS.pieces.clear),
)
MORE = {
    "screens": msgspec.structs.replace(OURS.screens, board=failing("show", OURS.screens.board)),
    "bot": {phase: failing("bot", act) for phase, act in OURS.bot.items()}, "rules": OURS.rules,
}
"""


class FailingTable:
    """A simulated table with bots, at which the game fails where `fails` says so."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.others: list[Step] = []
        """Other steps of the program than the table's own."""
        self.fails: set[str] = importlib.import_module(f"{name}_game").FAILS
        self.open()
        deal(self.evening)

    def open(self) -> None:
        """Start the companion; it takes up what is in the folder."""
        self.journal = closed_later(Journal(self.folder / "journal.sqlite3"))
        seats, memory = Seats(open_house=True), self.folder
        self.evening = simulated(
            self.journal, self.name, seats, wiring=presence_profile(), air="ideal", memory=memory
        )
        self.evening.bots.pace = "fast"
        self.table: Any = self.evening.host.table
        self.context = AppContext(self.table, seats, self.evening, self.evening.host)
        self.app = create_app(self.context, limits=UNHURRIED)

    def close(self) -> None:
        """Stop the companion."""
        self.evening.source.wires.close()
        self.table.close()

    def turn(self, times: int = 1) -> None:
        """Take turns of the event loop, as the running program does."""
        for _ in range(times):
            for step in HostedTable(self.evening.host, self.evening).list_steps(*self.others):
                step()

    def turn_until(self, reached: Callable[[Any], bool]) -> None:
        """Take turns until the state of the game is like this."""
        for _ in range(3_000):
            if reached(self.table.state):
                return
            self.turn()
        raise AssertionError(f"never reached, in {self.table.state.phase}")

    @property
    def lines(self) -> int:
        """How many lines the journal holds."""
        return len(list(self.journal.read_lines(self.table.state.id)))


@contextmanager
def failing_table(folder: Path, **templates: str) -> Iterator[FailingTable]:
    """Play a game of the package `fog-games`, which fails on demand; `templates` are its own."""
    package, name = folder / "package", f"fog{next(NUMBERS)}"
    package.mkdir(parents=True)
    more = MORE.replace("{Name}", name.capitalize()).replace("SECRET", SECRET)
    module = write_game(package, name, more=more)
    code = (module / "__init__.py").read_text("utf-8")
    (module / "__init__.py").write_text(
        code.replace("pieces=OURS.pieces", "pieces=PIECES"), "utf-8"
    )
    copytree(find_game("robby_solo").folder / "templates", module / "templates")
    for file, template in templates.items():
        (module / "templates" / file).write_text(template, "utf-8")
    with installed("fog-games", {name: f"{name}_game:GAME"}, package):
        table = FailingTable(folder, name)
        try:
            yield table
        finally:
            table.fails.clear()
            table.close()
