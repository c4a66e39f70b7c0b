"""A real table: wires, decks, journal and games brought together by the daemon.

Law: a reader without a deck has nothing to say. Until the box is enrolled, cards are tapped on the
phones, which is a normal way to play; and so it is where no wire can be opened.

The daemon's turn: what the table senses goes in, what the lamps show comes out.

Law: one thread takes this turn, over and over; it never waits for anyone. Wires come in as two
plain functions, so that nothing here knows which hardware, or whether any, is behind them.

The shelf: every box there is, and what the decks in a data folder know of it.

Law: a deck is read again only when its file is another one, because somebody looks every two
seconds; one that cannot be read is as if it were not there.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app.settings import deck_path
from companion.app.simulated.bot_driver import MOST_SEATS
from companion.app.wires import TableWires, profile_of
from companion.core.deck import Deck
from companion.core.errors import Malformed, Refusal, refusal
from companion.core.events import Started
from companion.core.i18n import message
from companion.core.sensor_events import Evidence, Lamp, ReaderCondition
from companion.enrol.deck_file import load, made
from companion.games import RULEBOOKS, make_rulebook
from companion.games.new_game import NewGame
from companion.games.rulebook import Rulebook
from companion.host.health import BoxHealth
from companion.host.host import Host
from companion.host.pin import Pin
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.table import Table
from hardware.wiring import Wiring


class TablePoller:
    """Joins a table to its senses and its lamps."""

    def __init__(
        self,
        table: Table,
        sense: Callable[[], Sequence[Evidence]],
        light: Callable[[int, Lamp], None],
        seats: int,
    ) -> None:
        self._table = table
        self._sense = sense
        self._light = light
        self._seats = seats

    def poll(self) -> None:
        """Take in what happened, then set every lamp."""
        for evidence in self._sense():
            self._table.sense(evidence)
        self._table.run_maintenance()
        for seat in range(1, self._seats + 1):
            self._light(seat, self._table.lamp_state(seat))


Mark = tuple[int, int] | None
"""By which a file that was written anew is told from the one before."""


class BoxShelf:
    """The boxes, by the decks in this folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[Mark, BoxHealth]] = {}

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """What is known of every box."""
        return tuple(self._box(game, make_rulebook(game)) for game in RULEBOOKS)

    def _box(self, game: str, rules: Rulebook) -> BoxHealth:
        path = deck_path(game, self._folder)
        mark, known = _mark(path), self._known.get(game)
        if known is None or known[0] != mark:
            known = self._known[game] = (mark, _read(path, rules))
        return known[1]


def _read(path: Path, rules: Rulebook) -> BoxHealth:
    box, stickers, when = rules.box, 0, ""
    try:
        if path.exists():
            stickers, when = len(load(path, box).things), made(path)
    except (Malformed, OSError):
        stickers, when = 0, ""
    return BoxHealth(box.game, box.title, when, stickers, sum(box.tagged_pieces().values()))


def _mark(file: Path) -> Mark:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


class PhysicalTable(Host):
    """The table that wires and the decks in a folder describe."""

    simulated = False

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        rules: Rulebook,
        journal: Journal,
        folder: Path,
        wires: TableWires,
        seats: Seats,
        pin: Pin | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wires, self.folder = wires, folder
        self._deck, self._shelf = self._load(rules), BoxShelf(folder)
        table = Table(rules, journal, self._deck, time.time)
        table.resume()
        super().__init__(table, journal, seats, pin, clock)
        self.shines: Callable[[int, Lamp], Lamp] = lambda _seat, lamp: lamp
        """What a lamp shows instead of what the game would have it show."""
        self.aside: Callable[[], object] = lambda: None
        """Whoever has the table in hand lets go of it: a game is to begin."""
        self._daemon = TablePoller(
            table, lambda: self.heard(wires.sense()), self._light, MOST_SEATS
        )
        self._follow()

    def poll(self) -> None:
        """Take in what happened, then set every lamp."""
        self._daemon.poll()
        if self.wires.trouble != self.unwired:
            self._follow()

    def _light(self, seat: int, lamp: Lamp) -> None:
        self.wires.light(seat, self.shines(seat, lamp))

    # Boxes.

    def _load(self, rules: Rulebook) -> Deck | None:
        path = deck_path(rules.box.game, self.folder)
        return load(path, rules.box) if path.exists() else None

    def deck(self, _rules: Rulebook) -> Deck | None:
        """What is known of the box on the table."""
        return self._deck

    def change_box(self, rules: Rulebook) -> Refusal | None:
        """Have the box of this game on the table, as its deck is on disk now."""
        try:
            deck = self._load(rules)
        except Malformed:
            text = "The deck of {title} cannot be read; type: companion enrol {game} --check"
            box = rules.box
            return refusal("bad_deck", "T.host", text, title=box.title, game=box.game)
        if deck == self._deck and rules.box == self.table.rules.box:
            return None  # The last game stays on every screen.
        refused = self.table.choose_box(rules, deck)
        if refused is None:
            self._deck = deck
        return refused

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """What the decks in the folder say."""
        return self._shelf.read_boxes()

    def _begin(self, wish: NewGame) -> Refusal | None:
        if self.table.history.is_over:
            self.aside()
        return super()._begin(wish)

    def _lay_out(self, _started: Started) -> None:
        """People do that."""

    def _put_away(self) -> None:
        """People do that."""

    # Wires.

    def rewire(self, wiring: Wiring) -> Refusal | None:
        """Have another wiring from now on, where no game is under way; its readers tell anew what
        lies on them."""
        table = self.table
        if not table.history.is_over:
            return refusal("under_way", table.rules.start_rule, "A game is under way.")
        refused = self.wires.rewire(wiring)
        table.reports.forget()
        table.choose_box(table.rules, self._deck)
        self._follow()
        return None if refused is None else Refusal("no_wires", "T.host", refused)

    def _follow(self) -> None:
        """What hangs on the wires: who may sit down by a tap, and what is wrong."""
        wires = self.wires
        self.wiring = Path(profile_of(wires.wiring)).stem
        self.seats.open_house = not wires.has_buttons
        self.unwired = wires.trouble
        text = "The table stands without its wires, and everything is tapped. {use}"
        self.table.report_fault(None if self.unwired is None else message(text, use=self.unwired))

    def count_visits(self) -> int:
        """How many visits the wires have had."""
        return self.wires.count_visits()

    def conditions(self) -> Sequence[ReaderCondition]:
        """The health of every reader."""
        return self.wires.conditions()

    def stuck_buttons(self) -> Sequence[int]:
        """The seats whose button stays down."""
        return self.wires.stuck_buttons()

    def read_clock(self) -> float:
        """What the clock of this machine shows."""
        return time.monotonic()

    def close(self) -> None:
        """Lamps and fields off."""
        self.wires.close()
