"""The physical table: the wires and the decks in a data folder as the table source of a host.

Law: a reader without a deck has nothing to say. Until the box is enrolled, cards are tapped on the
phones, which is a normal way to play; and so it is where no wire can be opened.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path

from companion.app.settings import deck_path
from companion.app.wires import TableWires, find_taps
from companion.core.cards import Box
from companion.core.deck import Deck
from companion.core.errors import Malformed, NotWritten, Refusal, refusal
from companion.core.events import Started
from companion.core.i18n import message
from companion.core.sensor_events import Arrived, Lamp
from companion.games import find_game, game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.host.health import BoxHealth
from companion.host.table_source import MOST_SEATS, Poller
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.setup.deck_file import load_deck, save_deck
from companion.setup.stickers import choose_old_mark, find_new_sticker, refuse_not_enrolled
from companion.table.permissions import check_no_open_game
from companion.table.table import Table
from hardware.wiring import Wiring


class PhysicalTable:
    """The table that wires and the decks in a folder describe."""

    simulated = False

    def __init__(
        self,
        rules: AnyRulebook,
        journal: Journal,
        folder: Path,
        wires: TableWires,
        seats: Seats,
    ) -> None:
        self.wires, self.folder, self._seats = wires, folder, seats
        self.deck = self._load_deck(rules)
        """The stickers of the box on the table; None if it is not enrolled."""
        self.table = Table(
            rules,
            journal,
            self.deck,
            time.time,
            lambda game: find_taps(wires.wiring, game),
            lambda: wires.wiring.by_turns,
        )
        self.table.resume()
        self.lamp_override: Callable[[int, Lamp], Lamp] = lambda _seat, lamp: lamp
        """Returns a seat's lamp as shown, from the lamp of the game."""
        self.lamp_signal = self.lamp_override
        """The same, unless the override says otherwise."""
        self.poller = Poller(self.table, wires.sense, self._set_lamp, MOST_SEATS)
        self._follow_wires()

    def poll(self) -> None:
        """Pass on the evidence since the last call, then set every lamp."""
        self.poller.poll()
        if self.wires.trouble != self.unwired:
            self._follow_wires()

    def _set_lamp(self, seat: int, lamp: Lamp) -> None:
        self.wires.light(seat, self.lamp_override(seat, self.lamp_signal(seat, lamp)))

    # Boxes.

    def _load_deck(self, rules: AnyRulebook) -> Deck | None:
        path = deck_path(rules.box.game, self.folder)
        return load_deck(path, rules.box) if path.exists() else None

    def change_box(self, rules: AnyRulebook) -> Refusal | None:
        """Put the box of this game on the table, with its deck as it is on disk now."""
        try:
            deck = self._load_deck(rules)
        except Malformed:
            text = "The deck of {title} cannot be read; type: companion enrol {game} --check"
            box = rules.box
            return refusal("bad_deck", "T.host", text, title=box.title, game=box.game)
        if deck == self.deck and rules.box == self.table.rules.box:
            return None  # The last game stays on every screen.
        refused = self.table.choose_box(rules, deck)
        if refused is None:
            self.deck = deck
        return refused

    def replace_sticker(self, piece: str, at_place: bool) -> Refusal | None:
        """Give the new sticker on the readers to a piece; on disk first, then in the game."""
        table, box, deck = self.table, self.table.rules.box, self.deck
        if deck is None:
            return refuse_not_enrolled(box.title)
        if piece not in deck.things.values():
            text = "No {piece} is enrolled in {title}: choose a piece of this box."
            return refusal("no_such_piece", "T.host", text, piece=piece, title=box.title)
        lying = [one for one in table.reports.current_evidence() if isinstance(one, Arrived)]
        found = find_new_sticker(deck, lying, self.other_decks())
        if isinstance(found, Refusal):
            return found
        under_way = None if table.history.is_over else table.history.state
        known = table.tracker.picture.tags if under_way is not None else {}
        homes = {mark: tag.home for mark, tag in known.items() if tag.home}
        place = found.place if at_place else None
        old, in_game = choose_old_mark(deck, piece, lying, homes, place)
        new, game = deck.mark(found.tag), under_way.id if in_game and under_way is not None else ""
        changed = deck.with_replacement(old, new, game)
        try:
            save_deck(deck_path(box.game, self.folder), changed, box, date.today().isoformat())
        except NotWritten as failed:
            return Refusal(failed.code, "T.host", failed.say)
        self.deck = changed
        table.change_sticker(changed, old, new, found.place, in_game=in_game)
        return None

    def other_decks(self) -> dict[str, Deck]:
        """Return the decks of the other boxes that can be read, by title."""
        found = dict[str, Deck]()
        for name in game_names():
            box = find_game(name).standard_box()
            if name != self.table.rules.box.game:
                with suppress(Malformed):
                    found[box.title] = load_deck(deck_path(name, self.folder), box)
        return found

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """Return the state of every box; a deck that cannot be read counts as none."""
        return tuple(self._read_box(make_rulebook(game).box) for game in game_names())

    def _read_box(self, box: Box) -> BoxHealth:
        path, stickers = deck_path(box.game, self.folder), 0
        with suppress(Malformed, OSError):
            if path.exists():
                stickers = len(load_deck(path, box).things)
        return BoxHealth(box.game, box.title, stickers, sum(box.tagged_pieces().values()))

    def lay_out(self, _started: Started) -> None:
        """Do nothing: people lay the cards."""

    def put_away(self) -> None:
        """Do nothing: people put the cards away."""

    def start_sweep(self) -> None:
        """Do nothing: people draw the cards over a reader."""

    # Wires.

    def rewire(self, wiring: Wiring) -> Refusal | None:
        """Open other wires, if no game is in progress, and read all places again."""
        table = self.table
        refused = check_no_open_game(table.history)
        if refused is not None:
            return refused
        fault = self.wires.rewire(wiring)
        table.reports.clear()
        table.choose_box(table.rules, self.deck)
        self._follow_wires()
        return None if fault is None else Refusal("no_wires", "T.host", fault)

    def _follow_wires(self) -> None:
        """Set the facts that depend on the wires: whether a tap takes a seat, and the fault on
        screen."""
        wires = self.wires
        self.wiring = Path(wires.wiring.learnt_from).stem
        self._seats.open_house = not wires.has_buttons
        self.unwired = wires.trouble
        text = "The table runs without its wires: tap everything on the phones. {use}"
        self.table.report_fault(None if self.unwired is None else message(text, use=self.unwired))
