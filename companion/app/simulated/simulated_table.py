"""The simulated table: pieces on simulated readers as the table source of a host.

Laws: nothing is pretended. Pieces are moved on the simulated readers, by people and by bots alike,
and only what the readers see counts. Everything here runs on the thread of the event loop.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import NamedTuple

import msgspec

from companion.app.default_players import PERSONS_SEAT
from companion.app.simulated.room import SimulatedRoom
from companion.bots.bot import Bot
from companion.core.bot_pace import Pace
from companion.core.cards import Box
from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Started
from companion.core.i18n import Message
from companion.core.sensor_events import ReaderCondition
from companion.games import find_game, game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.host.health import BoxHealth
from companion.host.table_source import MOST_SEATS, EvidenceFilter, TablePoller
from companion.journal import Journal
from companion.pieces.pieces import Pieces
from companion.seating.seats import Seats
from companion.setup.replacement import ReplaceRequest
from companion.table.history import History
from companion.table.table import Table
from companion.tracking.game_tracking import tap_places
from hardware.assembly import WARM_UP


class Lineup(NamedTuple):
    """Default players, seed of the shuffle, the seat that waits for a person, pace of the bots.

    No seat waits where `persons_seat` is 0.
    """

    players: Sequence[str]
    seed: object
    persons_seat: int = PERSONS_SEAT
    pace: Pace = "human"


class SimulatedTable:
    """The pieces of one box on simulated readers, and a bot for each of its seats."""

    simulated = True
    unwired: Message | None = None

    def __init__(
        self,
        rules: AnyRulebook,
        journal: Journal,
        room: SimulatedRoom,
        lineup: Lineup,
        seats: Seats,
    ) -> None:
        self._room, self._seed, self._seats = room, lineup.seed, seats
        self.tabletop = room.tabletop
        self.wiring, self._boxes = self.tabletop.wiring.name, 0
        self._unpack_box(rules)
        memory = room.recall_table(rules.box.game)
        if memory is not None and not _is_same_box(memory["pieces"]["things"], rules.box):
            memory = None  # The box has changed since: its pieces are taken anew.
        if memory is not None:
            self.pieces.restore(memory["pieces"])
            for bot, held in zip(self._all_bots, memory["bots"], strict=True):
                bot.recall(held)
        deck = Deck(self.pieces.things)
        self.table = Table(rules, journal, deck, time.time, self._tap_places, self._has_one_reader)
        self.resumed = memory is not None and self.table.resume()
        self._followed = self.table.history
        lamps = max(self.tabletop.wiring.lamps, default=0)
        tabletop = self.tabletop
        self._poller = TablePoller(self.table, tabletop.sense, tabletop.light, lamps)
        tabletop.pass_time(WARM_UP * 1.5)
        self.poll()

    def _unpack_box(self, rules: AnyRulebook) -> None:
        """Make the pieces of a box and bots that know its game; no two are shuffled alike."""
        seed = f"{self._seed}{f' {self._boxes}' if self._boxes else ''}"
        self._boxes += 1
        self.tabletop.taps = self._tap_places(rules.box.game)
        game = find_game(rules.box.game)
        self.pieces = Pieces(game.pieces, rules, self.tabletop, Random(f"{seed} pieces"))
        seats = range(1, MOST_SEATS + 1)
        self._all_bots = [Bot(seat, Random(f"{seed} {seat}"), rules.box) for seat in seats]
        self._unswept: list[str] = []

    def _tap_places(self, game: str) -> frozenset[int]:
        """Return the places of a game whose reader lies beside the pile."""
        tracking, modes = find_game(game).rulebook.tracking, self.tabletop.wiring.modes
        return tap_places(tracking, modes, self._has_one_reader())

    def _has_one_reader(self) -> bool:
        """Return whether the one reader of this table serves all places by turns."""
        return self.tabletop.wiring.by_turns

    def close(self) -> None:
        """Release the simulated wires."""
        self.tabletop.close()

    # The turn.

    def filter_evidence(self, evidence_filter: EvidenceFilter) -> None:
        """Pass to the game only what this filter returns, from now on."""
        self._poller.filter_evidence(evidence_filter)

    def poll(self) -> None:
        """Tidy up as people do, pass on what was sensed, and let the pieces follow the game."""
        self._sweep_one_piece()
        with self.pieces.busy:
            self._put_back_left_pieces()
            self.pieces.finish_returns()
        self.pass_on_evidence()
        if self.table.history is not self._followed:
            self._follow_game()

    def pass_on_evidence(self) -> None:
        """Pass on the evidence since the last call, then set every lamp."""
        self._poller.poll()

    def _sweep_one_piece(self) -> None:
        """Draw the next piece over the first reader that is well."""
        if not self._unswept:
            return
        well = [found.place for found in self.reader_conditions() if found.word == "well"]
        tag = self._unswept.pop(0)
        for place in well[:1]:
            self.tabletop.lay_tag(tag, place)
            self.tabletop.lift_tags(tag)

    def _put_back_left_pieces(self) -> None:
        """Put back the pieces held by people who have left."""
        for seat in self.pieces.seats_holding():
            if seat not in self._seats.taken_seats():
                self.pieces.put_back(seat)
                self.save_and_notify()

    def _follow_game(self) -> None:
        """Have the pieces mean what the game has; take off what the rules no longer have there."""
        rules, history = self.table.rules, self.table.history
        before, self._followed = self._followed, history
        if history.state is not None:
            lies, public = rules.expected_cards(history.state), rules.public_view(history.state)
            with self.pieces.busy:
                self.pieces.follow_events(_events_since(before, history), lies, public)
                self.pieces.clear_up(lies, public)
            self.save_and_notify()
            self.pass_on_evidence()

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
        bots = [bot.remember() for bot in self._all_bots]
        game = self.table.rules.box.game
        self._room.save_table({"game": game, "pieces": self.pieces.save(), "bots": bots})

    def save_and_notify(self) -> None:
        """Save the pieces, and show them to all; the readers find out by themselves."""
        self.save_pieces()
        self.table.notify_watchers()

    # What the host decides.

    @property
    def deck(self) -> Deck:
        """The tags of all pieces."""
        return Deck(self.pieces.things)

    def change_box(self, rules: AnyRulebook) -> Refusal | None:
        """Unpack the box of this game."""
        self.put_away()
        self._unpack_box(rules)
        return self.table.choose_box(rules, self.deck)

    def lay_out(self, started: Started) -> None:
        """Lay the cards as this game begins; one reader hears them once it has begun."""
        with self.pieces.busy:
            self.pieces.lay_out_game(started.players, **msgspec.structs.asdict(started))
        self.save_pieces()
        if not self._has_one_reader():
            self.pass_on_evidence()

    def put_away(self) -> None:
        """Put all pieces into the box."""
        with self.pieces.busy:
            self.pieces.put_away()
        self.save_pieces()
        self.pass_on_evidence()

    def start_sweep(self) -> None:
        """Draw the pieces over a reader, one each poll."""
        self._unswept = list(self.pieces.things)

    def stop_sweep(self) -> None:
        """Stop drawing pieces over a reader."""
        self._unswept = []

    # Health.

    def replace_sticker(self, _request: ReplaceRequest) -> Refusal | None:
        """Refuse: simulated pieces carry their tags for good."""
        text = "This table is simulated: its cards need no new stickers."
        return refusal("simulated", "T.host", text)

    def other_decks(self) -> Mapping[str, Deck]:
        """Return no decks: the pieces of one box alone are at a simulated table."""
        return {}

    def read_boxes(self) -> tuple[BoxHealth, ...]:
        """Return all boxes as enrolled: every simulated piece has its tag."""
        boxes = [make_rulebook(game).box for game in game_names()]
        totals = [sum(box.tagged_pieces().values()) for box in boxes]
        return tuple(
            BoxHealth(box.game, box.title, "", total, total)
            for box, total in zip(boxes, totals, strict=True)
        )

    def reader_conditions(self) -> Sequence[ReaderCondition]:
        """Return the condition of every reader."""
        return self.tabletop.conditions()

    def stuck_buttons(self) -> Sequence[int]:
        """Return the seats whose button stays down."""
        return self.tabletop.stuck_buttons()

    def read_clock(self) -> float:
        """Return the seconds of the clock of the simulated readers."""
        return self.tabletop.world.now

    def count_visits(self) -> int:
        """Return the number of visits to the wires."""
        return self.tabletop.steps()


def _events_since(before: History, history: History) -> list[Event]:
    """Return the events since then; all of them if another game has begun."""
    known = len(before.moments)
    is_same = history.moments[:known] == before.moments
    return [moment.event for moment in history.moments[known if is_same else 0 :]]


def _is_same_box(things: Mapping[str, str], box: Box) -> bool:
    """Return whether these are the pieces of a box, whatever tags they bear."""
    return Counter(things.values()) == Counter(box.tagged_pieces())
