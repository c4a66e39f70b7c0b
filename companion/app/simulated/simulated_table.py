"""The simulated table: pieces on simulated readers as the table source of a host.

Laws: nothing is pretended. Pieces are moved on the simulated readers, by people and by bots alike,
and only what the readers see counts. Everything here runs on the thread of the event loop. A table
and its phones do not vanish when the Pi loses its power: what people hold, what lies where and what
a phone keeps of a closed hand is saved whole, or stays as it was before.
"""

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.app.default_players import PERSONS_SEAT
from companion.app.simulated.pieces import Pieces
from companion.app.wires import find_taps
from companion.bots.bot import Bot
from companion.core.cards import Box
from companion.core.deck import Deck
from companion.core.durable_files import write_file
from companion.core.errors import NotWritten, Refusal, refusal
from companion.core.events import Event, Started
from companion.core.i18n import Message
from companion.games import find_game, game_names
from companion.games.layout import FINGERS, Heap, Pace
from companion.games.rulebook import AnyRulebook
from companion.host.health import BoxHealth
from companion.host.table_source import MOST_SEATS, Poller
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.history import History
from companion.table.table import Table
from hardware.assembly import WARM_UP
from hardware.clock import Clock
from hardware.simulator.air.calibration import choose_air
from hardware.simulator.hands_on_table import SimulatedTabletop
from hardware.wiring import DEFAULT, Wiring


class Lineup(NamedTuple):
    """Default players, seed of the shuffle, the seat that waits for a person, pace of the bots.

    No seat waits where `persons_seat` is 0.
    """

    players: Sequence[str]
    seed: object
    persons_seat: int = PERSONS_SEAT
    pace: Pace = "human"


def build_tabletop(
    wiring: str | Wiring = DEFAULT, clock: Clock = time, air: str = "physics", poses: object = 0
) -> SimulatedTabletop:
    """Return the simulated readers of a wiring, in this air."""
    chosen = choose_air(air)
    tabletop = SimulatedTabletop(wiring, clock, chosen.air, poses)
    if chosen.host_ns is not None:
        tabletop.world.bus.host_ns = chosen.host_ns
    return tabletop


class SimulatedTable:
    """The pieces of one box on simulated readers, and a bot for each of its seats.

    In the folder of its memory there is one file for each box that was played on it.
    """

    simulated = True
    unwired: Message | None = None

    def __init__(
        self,
        rules: AnyRulebook,
        journal: Journal,
        tabletop: SimulatedTabletop,
        lineup: Lineup,
        seats: Seats,
        memory: Path | None = None,
    ) -> None:
        self._folder, self._seed, self._seats = memory, lineup.seed, seats
        self.tabletop = self.wires = tabletop
        self._find_taps = partial(find_taps, tabletop.wiring)
        self.wiring, self._boxes = tabletop.wiring.name, 0
        self._unpack_box(rules)
        saved = self._load_table(rules.box)
        if saved is not None:
            self.pieces.restore(saved["pieces"])
            for bot, held in zip(self._all_bots, saved["bots"], strict=True):
                bot.recall(held)
        by_turns = lambda: tabletop.wiring.by_turns  # noqa: E731
        self.table = Table(rules, journal, self.deck, time.time, self._find_taps, by_turns)
        self.resumed = saved is not None and self.table.resume()
        self._followed = self.table.history
        lamps = max(tabletop.wiring.lamps, default=0)
        self.poller = Poller(self.table, tabletop.sense, tabletop.light, lamps)
        tabletop.pass_time(WARM_UP * 1.5)
        self.poll()

    def _unpack_box(self, rules: AnyRulebook) -> None:
        """Make the pieces of a box and bots that know its game; no two are shuffled alike."""
        seed = f"{self._seed}{f' {self._boxes}' if self._boxes else ''}"
        self._boxes += 1
        self.tabletop.taps = self._find_taps(rules.box.game)
        game = find_game(rules.box.game)
        self.pieces = Pieces(game.pieces, rules, self.tabletop, Random(f"{seed} pieces"))
        self.deck = Deck(self.pieces.things)
        seats = range(1, MOST_SEATS + 1)
        self._all_bots = [Bot(seat, Random(f"{seed} {seat}"), rules.box) for seat in seats]
        self._unswept: list[str] = []

    # The turn.

    def poll(self) -> None:
        """Tidy up as people do, pass on sensor events, and let the pieces follow the game."""
        self._sweep_one_piece()
        with self.pieces.busy:
            for seat in self.pieces.fingers.keys() - self._seats.taken_seats():
                self.pieces.put_down(seat, Heap(FINGERS, seat))  # Whoever held that has left.
                self.save_and_notify()
        self.poller.poll()
        if self.table.history is not self._followed:
            self._follow_game()

    def _sweep_one_piece(self) -> None:
        """Draw the next piece over the first reader that is well."""
        if not self._unswept:
            return
        well = [found.place for found in self.wires.conditions() if found.word == "well"]
        tag = self._unswept.pop(0)
        for place in well[:1]:
            self.tabletop.lay_tag(tag, place)
            self.tabletop.lift_tags(tag)

    def _follow_game(self) -> None:
        """Match the pieces to the game's cards; remove those the rules no longer have there."""
        rules, history = self.table.rules, self.table.history
        before, self._followed = self._followed, history
        if history.state is not None:
            lies, public = rules.expected_cards(history.state), rules.public_view(history.state)
            with self.pieces.busy:
                self.pieces.follow_game(_events_since(before, history), lies, public)
            self.save_and_notify()
            self.poller.poll()

    # The pieces and the bots.

    @property
    def game_bots(self) -> list[Bot]:
        """A bot for every seat of this game."""
        return self._all_bots[: self.table.seats]

    def move_pieces(self, seat: int, do: str, fields: dict[str, object]) -> bool:
        """Move pieces as an event says; return whether the readers took notice."""
        before = self.table.version
        with suppress(LookupError), self.pieces.busy:  # What is not there cannot be moved.
            self.pieces.make_move(seat, do, **fields)
        self.save_pieces()
        self.poll()
        return self.table.version > before

    def save_pieces(self) -> None:
        """Save the pieces, and the bots' memory, so that they outlive the program."""
        if self._folder is None:
            return
        saved = {"pieces": self.pieces.save(), "bots": [bot.remember() for bot in self._all_bots]}
        file = self._folder / memory_name(self.table.rules.box.game)
        with suppress(NotWritten):  # A full disk does not stop the game.
            write_file(file, json.dumps(saved).encode())

    def _load_table(self, box: Box) -> dict[str, Any] | None:
        """Return the saved table of a box; None if there is none of these pieces, or it cannot be
        read."""
        try:
            file = (self._folder or Path()) / memory_name(box.game)
            found: dict[str, Any] = json.loads(file.read_text("utf-8"))
            is_same = Counter(found["pieces"]["things"].values()) == Counter(box.tagged_pieces())
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return None
        return found if is_same else None

    def save_and_notify(self) -> None:
        """Save the pieces, and show them to all; the readers find out by themselves."""
        self.save_pieces()
        self.table.notify_watchers()

    # What the host decides.

    def change_box(self, rules: AnyRulebook) -> Refusal | None:
        """Unpack the box of this game."""
        self.put_away()
        self._unpack_box(rules)
        return self.table.choose_box(rules, self.deck)

    def lay_out(self, started: Started) -> None:
        """Lay the cards as this game begins; one reader hears them once it has begun."""
        self._unswept = []
        with self.pieces.busy:
            self.pieces.lay_out_game(started.players, **msgspec.structs.asdict(started))
        self.save_pieces()
        if not self.tabletop.wiring.by_turns:
            self.poller.poll()

    def put_away(self) -> None:
        """Put all pieces into the box."""
        with self.pieces.busy:
            self.pieces.put_away()
        self.save_pieces()
        self.poller.poll()

    def start_sweep(self) -> None:
        """Draw the pieces over a reader, one each poll."""
        self._unswept = list(self.pieces.things)

    # Health.

    def replace_sticker(self, _piece: str, _at_place: bool) -> Refusal | None:
        """Refuse: simulated pieces carry their tags for good."""
        text = "This table is simulated: its cards need no new stickers."
        return refusal("simulated", "T.host", text)

    def other_decks(self) -> Mapping[str, Deck]:
        """Return no decks: the pieces of one box alone are at a simulated table."""
        return {}

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """Return all boxes as enrolled: every simulated piece has its tag."""
        boxes = (find_game(game).standard_box() for game in game_names())
        found = ((box, sum(box.tagged_pieces().values())) for box in boxes)
        return tuple(BoxHealth(box.game, box.title, total, total) for box, total in found)


def _events_since(before: History, history: History) -> list[Event]:
    """Return the events since then; all of them if another game has begun."""
    known = len(before.moments)
    is_same = history.moments[:known] == before.moments
    return [moment.event for moment in history.moments[known if is_same else 0 :]]


def memory_name(game: str) -> str:
    """Return the name of a game's file for its simulated table."""
    return f"simulated-{game}.json"
