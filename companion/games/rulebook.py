"""The rule book of a game: its phases as a table, and the operations on its state.

Laws:
1. What may happen is a table. A row says: in this phase, this event, by this one, under this
   rule, leads to one of these phases. Nothing else may happen, and the table can be printed.
2. `refuse` is asked before anything is written. `apply` is pure and total: an event that fits no
   row, or that its row refuses, leaves the game as it was.
3. A row offers its choices to the seat that may act, and every choice offered is granted. One of
   the active seat is offered to no other, and refused to it.
4. `public_view` and `private_view` build the visible fields, one by one, from nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from string import Formatter
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from companion.core.cards import Box
from companion.core.commitment import HandChoice
from companion.core.errors import Refusal, refusal
from companion.core.events import (
    Event,
    EventTypes,
    Opened,
    Passed,
    Resealed,
    Sealed,
    Started,
    from_fields,
)
from companion.core.i18n import N_, Facts, Message
from companion.core.sweep import Sweep
from companion.games.correction_rules import Corrections
from companion.games.disputes import NO_DISPUTES, Disputes
from companion.games.game_state import GameState, S
from companion.games.open_table import Field, find_face_down, make_views
from companion.games.start import refuse_start
from companion.tracking.game_tracking import GameTracking, track_drawn_cards

Who = Literal["active", "each", "anyone", "table", "reader"]
"""Whose event it is: the seat at turn, every seat once, any seat, all together, a reader."""

Choice = Mapping[str, Any]
Choices = Sequence[Choice]
"""The ways to fill an event's fields besides `seat`, each field with its value, a tuple of
values to choose from; () where there is nothing to do."""

E = TypeVar("E", bound=Event)

Hints = tuple[str, str]
"""For beginners: the situation, and a piece of strategy."""


class May(msgspec.Struct, frozen=True):
    """An action open to a seat now: the event, its rule, the prompt, the fields to choose, and
    whether it is done with pieces on the table."""

    do: str
    rule: str
    prompt: str
    choices: Choices
    with_pieces: bool = False


def never_refuse(_state: object, _event: object) -> Refusal | None:
    return None


def offer_as_it_is(_state: object, _seat: int) -> Choices:
    """Offer an event without a choice, unless its row refuses it."""
    return ({},)


SOME_SEAL = "0" * 64
"""Closes the hand of a seat that is asked about before it has closed one."""


def refuse_unoffered(
    choices: Callable[[S, int], Choices],
    rule: str,
    code: str = "not_offered",
    text: str = N_("That cannot be chosen now."),
) -> Callable[[S, Event], Refusal | None]:
    """Return a function that refuses events outside these choices. The text of the refusal may
    contain fields of the event."""

    def refuse(state: S, event: Event) -> Refusal | None:
        everyone = range(1, len(state.players) + 1)
        seats = [getattr(event, "seat", 0)] if hasattr(event, "seat") else everyone
        if any(_is_choice(choice, event) for seat in seats for choice in choices(state, seat)):
            return None
        facts = msgspec.structs.asdict(event)
        return refusal(code, rule, text, **{name: facts[name] for name in find_gaps(text)})

    return refuse


def find_gaps(text: str) -> set[str]:
    """Return the names of the facts that a sentence names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _is_choice(choice: Choice, event: Event) -> bool:
    """Return whether an event fills a choice: every field has its value, or one of its values."""
    found = ((getattr(event, field, None), value) for field, value in choice.items())
    return all(has in value if isinstance(value, tuple) else has == value for has, value in found)


class Row(msgspec.Struct, Generic[S, E], frozen=True):
    """One row of the phase table."""

    phase: str
    event: type[E]
    who: Who
    rule: str
    next_phases: tuple[str, ...]
    prompt: str
    change: Callable[[S, E], S]
    refuse: Callable[[S, E], Refusal | None] = never_refuse
    choices: Callable[[S, int], Choices] = lambda _state, _seat: ()
    """Offers to seats; by default they cannot make this event."""
    hand_choice: Callable[[S, int], HandChoice] | None = None
    """For hands that open: the possible values of a seat's hand."""

    @property
    def event_name(self) -> str:
        return str(self.event.__struct_config__.tag)

    def offered_choices(self, state: S, seat: int) -> Choices:
        """Return the choices of a seat; none of an event as it is that would be refused."""
        if self.choices is offer_as_it_is:
            known = {"seat": seat, "seal": SOME_SEAL}
            fields = (name for name in self.event.__struct_fields__ if name in known)
            if self.refuse(state, self.event(**{name: known[name] for name in fields})):
                return ()
        return self.choices(state, seat)


AnyRow = Row[Any, Any]


def passing_row(
    phase: str, rule: str, next_phases: tuple[str, ...], prompt: str, go_on: Callable[[S], S]
) -> Row[S, Passed]:
    """Make the row of a step that the seat at turn may skip."""

    def change(state: S, _event: Passed) -> S:
        return go_on(state)

    return Row(phase, Passed, "active", rule, next_phases, prompt, change, choices=offer_as_it_is)


class Rulebook(ABC, Generic[S]):
    """One game and its box.

    A game is a subclass: its event of starting, its rows, the ids of the rules by which it begins
    and ends, and the functions below.
    """

    version: ClassVar[int] = 1
    """Counted up by a game whenever an old record would be judged otherwise than before."""
    start_event: ClassVar[type[Started]] = Started
    rows: ClassVar[tuple[AnyRow, ...]]
    now: ClassVar[Mapping[str, str]] = {}
    """One sentence for everyone on each phase; “sweep” while a place is swept,
    of which {n} of {total} cards were shown; “skipped …” after a phase that was passed over."""
    table_fields: ClassVar[Sequence[Field]] = ()
    """Public fields of the table besides `places` (all cards of `expected_cards`), `verdict` and
    `score`; a field of such a name stands in for it."""
    open_fields: ClassVar[Sequence[Field]] = ()
    """Public fields of a player."""
    own_fields: ClassVar[Sequence[Field] | None] = None
    """Private fields of a player; by default all of them."""
    corrections: ClassVar[Corrections[Any]] = Corrections()
    disputes: ClassVar[Disputes] = NO_DISPUTES
    tracking: ClassVar[GameTracking[Any]]
    """Meaning of the readers' evidence; by default a card that comes is the one awaited."""
    derives_tracking: ClassVar[bool] = True
    """Whether the tracking follows from the rows, because no class of this game has written one."""
    hints: ClassVar[Mapping[str, Hints]] = {}
    """By phase; those of `start` stand in for the first phase, until the first round is decided."""
    start_rule: ClassVar[str]
    end_rule: ClassVar[str]
    cards_come_again: ClassVar[bool] = False
    """Whether a card that was laid can come again: shuffled back, or taken up into a hand."""
    score_unit: ClassVar[str] = "points"
    """The fact as which a total of the score is worded: “coins”, “money”, …"""
    verdict_name: ClassVar[str] = N_("Round {round}")
    """The subject of a sentence about a verdict; its facts are `round` and those of `now_facts`."""

    def __init_subclass__(cls) -> None:
        if "tracking" in vars(cls):
            cls.derives_tracking = False
        elif cls.derives_tracking and "rows" in vars(cls):
            cls.tracking = track_drawn_cards(cls.rows)

    def __init__(self, box: Box) -> None:
        self.box: Box = box
        self.has_unique_cards = all(n == 1 for n in box.tagged_pieces().values())
        """Whether the name of a card is that of one card alone."""
        self._row = {(row.phase, row.event): row for row in self.rows}
        self._phase: dict[str, list[AnyRow]] = {}
        for row in self.rows:
            self._phase.setdefault(row.phase, []).append(row)

    @abstractmethod
    def initial_state(self, event: Any) -> S:
        """Return the game after set-up; annotated with its kind of state."""

    def refuse_start(self, event: Event) -> Refusal | None:
        """Return the reason a game cannot start like this."""
        return refuse_start(self.box, event, self.start_rule)

    def describe_phase(self, state: S) -> Message:
        """Return the phase in one sentence for everyone."""
        who, sweep = [state.players[state.active - 1].name], self.current_sweep(state)
        if sweep is not None:
            counted = {"n": len(sweep.shown), "total": len(sweep.believed)}
            return Message(self.now["sweep"], {**counted, **self.now_facts(state)})
        if state.phase not in self.now:
            raise LookupError(f"`now` has no sentence for the phase “{state.phase}”.")
        return Message(self.now[state.phase], {"who": who, **self.now_facts(state)})

    def describe_skipped(self, state: S) -> Message | None:
        """Return the reason the turn passed with the newest move, if it did."""
        return Message(self.now[f"skipped {state.skipped}"]) if state.skipped else None

    def now_facts(self, state: S) -> Facts:
        """Return the facts in the sentence of this phase, besides `who` is at turn; by default the
        fields of the state by their names."""
        gaps = find_gaps(self.now[state.phase])
        return {name: getattr(state, name) for name in gaps if hasattr(state, name)}

    def hand_choice(self, state: S, seat: int) -> HandChoice | None:
        """Return the choice of a seat's hand while hands close and open; None if the game does not
        say."""
        has_hands = any((state.phase, event) in self._row for event in (Sealed, Opened))
        choosing = (row.hand_choice for row in self.rows if has_hands and row.hand_choice)
        return next((choose(state, seat) for choose in choosing), None)

    def keeps_hands_closed(self, phase: str) -> bool:
        """Return whether every hand is closed in a phase: the table may have them closed again, and
        it is not the one in which they close."""
        return phase != "seal" and (phase, Resealed) in self._row

    def awaited_seats(self, state: S) -> tuple[int, ...]:
        """Return the seats that the game waits for, as the first row of the phase says: all where
        anyone may act; where each acts once, those that are still offered it; else the one at
        turn."""
        if state.phase == "over":
            return ()
        row = next(iter(self._phase.get(state.phase, ())), None)
        seats: Iterable[int] = range(1, len(state.players) + 1)
        if row is not None and row.who == "anyone":
            return tuple(seats)
        if row is not None and row.who == "each":
            seats = state.hands.unclosed_seats() if state.phase == "seal" else seats
            awaited = tuple(seat for seat in seats if row.offered_choices(state, seat))
            return awaited or (state.active,)
        return (state.active,)

    def public_view(self, state: S) -> Any:
        """Return the public part of the view: an `open_table.Public`."""
        now, waiting = self.describe_phase(state), self.awaited_seats(state)
        lying = self.expected_cards(state)
        skipped = self.describe_skipped(state)
        return make_views(type(self)).show_table(state, now, skipped, waiting, lying)

    def private_view(self, state: S, seat: int) -> Any:
        """Return the part of the view that only this seat may see: an `open_table.Own`."""
        return make_views(type(self)).show_own(state, seat, self.hand_choice(state, seat))

    def expected_cards(self, _state: S) -> dict[int, tuple[str | None, ...]]:
        """Return the cards that should lie at each place; None for a card without a name."""
        return {}

    # What is told of a game once it is over.

    def count_fortunes(self, state: S) -> Mapping[str, int]:
        """Return everyone's score if the game ended with this state, by name: that of its
        corrections, or nothing if they count none. It is told only when the game is over."""
        score = self.corrections.score
        return {} if score is None else score(state).totals

    def name_verdict(self, before: S) -> Message:
        """Return the name of the verdict that follows this state."""
        facts = {**self.now_facts(before), "round": before.hands.round}
        gaps = find_gaps(self.verdict_name)
        return Message(self.verdict_name, {name: facts[name] for name in facts if name in gaps})

    def button_event(self, state: S, seat: int) -> Event | None:
        """Return the event of a short press of the button; None if there is more to choose."""
        for row in self._phase.get(state.phase, ()):
            choices = _offer_choices(row, state, seat) if row.event.on_button else ()
            if len(choices) == 1 and not any(isinstance(v, tuple) for v in choices[0].values()):
                return self.make_event(seat, row.event_name, choices[0])
        return None

    # What the table puts right.

    def face_down(self, state: S) -> tuple[tuple[int, int], ...]:
        """Return place and slot of every card that lies face down, as everyone sees the places."""
        lying = self.expected_cards(state)
        return find_face_down(make_views(type(self)).show_places(state, lying))

    def current_sweep(self, state: S) -> Sweep | None:
        """Return the sweep of a place that the game waits for; None if there is none."""
        return state.sweep if state.sweeping else None

    def places_at_stake(self, _state: S) -> tuple[int, ...]:
        """Return the places on whose cards the verdict at hand depends."""
        return ()

    @property
    def event_types(self) -> EventTypes:
        """Return the union of all events of this game, for reading a record."""
        union: EventTypes = self.start_event
        for event in dict.fromkeys(row.event for row in self.rows):
            union = union | event
        return union

    @classmethod
    def make_event(cls, seat: int, name: str, fields: Mapping[str, object]) -> Event:
        """Make an event by its name, of this seat if it is a seat's; raise Malformed, or KeyError
        if the game has no such event."""
        kind = {row.event_name: row.event for row in cls.rows}[name]
        seated = {"seat": seat} if "seat" in kind.__struct_fields__ else {}
        return from_fields({"event": name, **seated, **fields}, kind)

    def find_row(self, state: S, event: type[Event]) -> AnyRow | None:
        """Return the row that this event falls under now."""
        return self._row.get((state.phase, event))

    def make_start_event(self, id: str, players: int, **more: Any) -> Started:
        """Make the first event for this many players, every house rule written out."""
        house_rules = self.box.default_house_rules() | more.pop("house_rules", {})
        return self.start_event(id=id, players=players, house_rules=house_rules, **more)

    def refuse(self, state: S | None, event: Event) -> Refusal | None:
        """Return the reason this may not happen now, or None. Before the start, `state` is None."""
        if state is None:
            return self._by_other_rules(event) or self.refuse_start(event)
        row = self._row.get((state.phase, type(event)))
        if row is not None:
            return _refuse_event(row, state, event)
        rows = self._phase.get(state.phase)
        rule, now = rows[0].rule if rows else self.end_rule, self.describe_phase(state)
        return refusal("wrong_phase", rule, "That cannot be done now. {title}", title=now)

    def _by_other_rules(self, event: Event) -> Refusal | None:
        if getattr(event, "rules", self.version) == self.version:
            return None
        text = "{title} is played by version {n} of its rules here."
        return refusal("rules", self.start_rule, text, title=self.box.title, n=self.version)

    def apply(self, state: S | None, event: Event) -> S | None:
        """Return the game after this event; unchanged if no row grants it."""
        if state is None:
            return None if self.refuse(None, event) else self.initial_state(event)
        row = self._row.get((state.phase, type(event)))
        if row is None or _refuse_event(row, state, event) is not None:
            return state
        changed: S = row.change(state, event)
        return changed

    def replay(self, events: Iterable[Event]) -> S | None:
        """Return the state after these events, applied one by one."""
        return reduce(self.apply, events, None)

    def list_options(self, state: S, seat: int) -> list[May]:
        """Return all options of this seat now."""
        found = []
        for row in self._phase.get(state.phase, ()):
            choices = _offer_choices(row, state, seat)
            if choices:
                pieces = row.event.with_pieces
                found.append(May(row.event_name, row.rule, row.prompt, choices, pieces))
        return found


AnyRulebook = Rulebook[Any]
"""The rule book of a game known to the caller as `GameState` only."""


def _refuse_event(row: AnyRow, state: GameState, event: Event) -> Refusal | None:
    """Return the reason an event cannot be; some events are for the active seat only."""
    if row.who == "active" and getattr(event, "seat", state.active) != state.active:
        who = [state.players[state.active - 1].name]
        text = "It is not your turn, but that of {who}."
        return refusal("not_your_turn", row.rule, text, who=who)
    return row.refuse(state, event)


def _offer_choices(row: AnyRow, state: GameState, seat: int) -> Choices:
    """Return the choices of a seat; none for events of the active seat, if it is another."""
    if row.who == "active" and seat != state.active:
        return ()
    return row.offered_choices(state, seat)


def no_such_seat(state: GameState, seat: int, rule: str) -> Refusal | None:
    """Refuse an empty seat."""
    if 1 <= seat <= len(state.players):
        return None
    return refusal("no_such_seat", rule, "No one plays at seat {seat}.", seat=seat)


def left_of(seat: int, seats: int) -> int:
    """Return the next seat clockwise."""
    return seat % seats + 1
