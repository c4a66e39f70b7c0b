"""The history of a game: its moments in order, and the state that they lead to.

Laws: a history is the fold of its moments, so folding them again leads to the same state. An undo
or a correction folds the game again without its target, or with what happened instead; a later
moment that no longer fits is dropped, and is named. What a seat has seen it has seen: the cards
that it knew before an undo it knows afterwards.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import reduce
from typing import NamedTuple

import msgspec

from companion.core.errors import Malformed, Refusal
from companion.core.events import (
    Entered,
    Event,
    EventTypes,
    Opened,
    Sealed,
    Started,
    from_fields,
)
from companion.core.json_values import JsonObject
from companion.core.pseudonyms import hide_names
from companion.core.table_events import (
    AMENDMENTS,
    REPLAYED,
    Cleared,
    Corrected,
    Counted,
    Ended,
    Found,
    Frozen,
    Paused,
    Thawed,
    Undone,
)
from companion.games.commit_reveal import is_closed_again
from companion.games.counting import refuse_counted
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.table.balance_diff import Change, compare_balances
from companion.table.card_origins import Origin, Origins, find_origin, match_cards, update_origins

replace = msgspec.structs.replace


class Moment(msgspec.Struct, frozen=True):
    """One event in its place: the version of the game that it made, its device, its time.

    A hand that is closed again belongs to the moment at which it was first closed, so that no
    viewer notices that it was; a signature of the end belongs to the last moment.
    """

    at: int
    event: Event
    via: str
    when: float = 0.0


class History(msgspec.Struct, frozen=True):
    """A game as its moments leave it.

    `at` counts the changes that everyone may notice, `take_backs` the undos and corrections that
    took back hands which had been open. `turned_up` holds the cards among which one was turned up
    when all hands were open, and `last_turn_up` the last moment of that, whatever was undone since.
    """

    rules: AnyRulebook
    state: GameState | None = None
    at: int = 0
    moments: tuple[Moment, ...] = ()
    struck: frozenset[int] = frozenset()
    replacements: Mapping[int, Event] = {}
    dropped: tuple[int, ...] = ()
    frozen: int = 0
    paused: bool = False
    ended: bool = False
    cleared: bool = False
    change: Change | None = None
    take_backs: int = 0
    card_origins: Origins = {}
    pointed_origins: Mapping[int, Origin | None] = {}
    turned_up: frozenset[Origin] = frozenset()
    last_turn_up: int = 0

    @property
    def is_over(self) -> bool:
        """Return whether nothing more can be played."""
        return self.state is None or self.ended or self.state.phase == "over"

    def moment_at(self, at: int) -> Moment | None:
        """Return the moment of this number."""
        return next((moment for moment in self.moments_from(at) if moment.at == at), None)

    def moments_from(self, at: int) -> tuple[Moment, ...]:
        """Return the last moments, all of this number and above among them: each stands as far
        along as its number says, or further, as a hand that is closed again keeps its first one."""
        return self.moments[max(at - 1, 0) :]


def apply_event(history: History, event: Event, via: str = "", when: float = 0.0) -> History:
    """Return the history with one more event of any kind."""
    if isinstance(event, AMENDMENTS):
        return _apply_amendment(history, Moment(history.at + 1, event, via, when))
    again = is_closed_again(history.state, event)
    at = _find_first_closing(history, event) if again else history.at + 1
    state = history.rules.apply(history.state, event)
    moments = (*history.moments, Moment(at, event, via, when))
    points = {at: find_origin(history.card_origins, event)} if hasattr(event, "slot") else {}
    turned_up = _turned_up_by(history, event)
    return replace(
        history,
        state=state,
        at=max(at, history.at),
        moments=moments,
        card_origins=_update_origins(history.rules, history.card_origins, state, event, at),
        pointed_origins={**history.pointed_origins, **points}
        if points
        else history.pointed_origins,
        turned_up=history.turned_up | turned_up,
        last_turn_up=at if turned_up else history.last_turn_up,
    )


def _turned_up_by(history: History, event: Event) -> frozenset[Origin]:
    """Return the cards among which this event turns one up, after all hands are open."""
    if history.state is None or not history.rules.turns_up(history.state, event):
        return frozenset()
    return deciding_cards(history)


def deciding_cards(history: History) -> frozenset[Origin]:
    """Return the cards that decide the round under way, by their origins."""
    place = 0 if history.state is None else history.rules.deciding_place(history.state)
    return frozenset(history.card_origins.get(place, ()))


def are_hands_final(history: History) -> bool:
    """Return whether one of the cards that decide this round has been turned up before."""
    return not deciding_cards(history).isdisjoint(history.turned_up)


def _update_origins(
    rules: AnyRulebook, before: Origins, state: GameState | None, event: Event, at: int
) -> Origins:
    return {} if state is None else update_origins(before, rules.expected_cards(state), event, at)


def build_history(rules: AnyRulebook, events: Iterable[tuple[Event, str, float]]) -> History:
    """Fold a whole game from its events, each with its device and its time."""
    return reduce(lambda history, moment: apply_event(history, *moment), events, History(rules))


def hide_players(history: History, seats: Collection[int] = ()) -> History:
    """Fold a game again without the names of these seats, or of all, and without the reasons that
    people typed."""
    told = ((hide_names(one.event, seats), one.via, one.when) for one in history.moments)
    return build_history(history.rules, told)


def event_union(rules: AnyRulebook) -> EventTypes:
    """Return the union of all event types that the record of this game may hold."""
    union = rules.event_types
    for kind in AMENDMENTS:
        union = union | kind
    return union


def _find_first_closing(history: History, event: Event) -> int:
    """Return the number of the moment at which this hand was first closed this round."""
    number = history.at
    for moment in reversed(history.moments):
        same = isinstance(moment.event, Sealed) and moment.event.seat == event.seat  # type: ignore[attr-defined]
        if same and moment.at not in history.struck:
            number = moment.at
            break
    return number


# Amendments.


def _apply_amendment(history: History, moment: Moment) -> History:
    event = moment.event
    noted = replace(history, at=moment.at, moments=(*history.moments, moment))
    match event:
        case Frozen():
            return replace(noted, frozen=event.seat)
        case Undone() | Corrected() | Found() | Counted():
            return _record_change(history, fold_history(noted), moment)
        case Thawed():
            return replace(noted, frozen=0, paused=False)
    return replace(
        noted,
        paused=noted.paused or isinstance(event, Paused),
        ended=noted.ended or isinstance(event, Ended),
        cleared=isinstance(event, Cleared),
    )


def _record_change(before: History, after: History, moment: Moment) -> History:
    """Keep what seats had seen, and compute what the change came to."""
    event = moment.event
    change = Change(
        moment.at,
        str(event.__struct_config__.tag),
        getattr(event, "target", 0) or getattr(event, "place", 0),
        moment.via,
        getattr(event, "reason", ""),
        compare_balances(before.rules, before.state, after.state),
        tuple(at for at in after.dropped if at not in before.dropped),
    )
    if before.state is not None and after.state is not None:
        still = match_cards(before.card_origins, after.card_origins)
        after = replace(after, state=after.rules.keep_seen(before.state, after.state, still))
    taken_back = not standing_openings(before) <= standing_openings(after)
    return replace(after, change=change, take_backs=before.take_backs + taken_back)


def standing_openings(history: History) -> frozenset[int]:
    """Return the moments at which a hand opened or was entered, without those taken back."""
    gone = {*history.struck, *history.dropped}
    opened = (m.at for m in history.moments if isinstance(m.event, (Opened, Entered)))
    return frozenset(at for at in opened if at not in gone)


class ReplayedMoment(NamedTuple):
    """A moment as the log now has it: the event, whether it stands, the history after it."""

    moment: Moment
    event: Event
    stands: bool
    after: History


def replay_moments(history: History, before: int | None = None) -> Iterator[ReplayedMoment]:
    """Yield the moments that count one by one, as the newest undo or correction has each.

    Stop before the moment numbered `before`.
    """
    struck, instead = _effective_amendments(history)
    after = replace(history, state=None, card_origins={}, struck=struck, replacements=instead)
    for moment in history.moments:
        if before is not None and moment.at >= before:
            return
        event = instead.get(moment.at, moment.event)
        if moment.at in struck or (
            isinstance(event, AMENDMENTS) and not isinstance(event, REPLAYED)
        ):
            continue
        stands = _still_fits(after, event, moment)
        if stands:
            after = _apply_again(after, event, moment.at)
        yield ReplayedMoment(moment, event, stands, after)


def fold_history(history: History, before: int | None = None) -> History:
    """Fold all moments again, as the newest undo or correction of each has it.

    Stop before the moment numbered `before`. A hand that was closed again is dropped as a whole or
    not at all.
    """
    struck, instead = _effective_amendments(history)
    after, stands = replace(history, state=None, card_origins={}), dict[int, bool]()
    for told in replay_moments(history, before):
        after, at = told.after, told.moment.at
        stands[at] = told.stands or stands.get(at, False)
    dropped = tuple(at for at, stood in stands.items() if not stood)
    return replace(after, struck=struck, replacements=instead, dropped=dropped)


def _still_fits(before: History, event: Event, moment: Moment) -> bool:
    """Return whether this can still happen; not if another card lies where it pointed."""
    state, rules = before.state, before.rules
    as_noted = event is moment.event
    if as_noted and find_origin(before.card_origins, event) != before.pointed_origins.get(
        moment.at
    ):
        return False
    return refuse_here(rules, state, event) is None


def refuse_here(rules: AnyRulebook, state: GameState | None, event: Event) -> Refusal | None:
    """Return why this cannot have happened in this state, be it of the game or of the table."""
    if isinstance(event, Found) and state is not None:
        return rules.corrections.refuse_found(state, event)
    if isinstance(event, Counted) and state is not None:
        return refuse_counted(rules.corrections.count_own(state, event.seat), event)
    return rules.refuse(state, event)


def _apply_again(history: History, event: Event, at: int) -> History:
    rules, state = history.rules, history.state
    match event:
        case Found():
            state = rules.corrections.apply_found(state, event)
        case Counted():
            state = rules.corrections.apply_counted(state, event)
        case _:
            state = rules.apply(state, event)
    return replace(
        history,
        state=state,
        card_origins=_update_origins(rules, history.card_origins, state, event, at),
    )


def _effective_amendments(history: History) -> tuple[frozenset[int], dict[int, Event]]:
    """Return what is struck and what happened instead; skip struck amendments."""
    struck, instead = set[int](), dict[int, Event]()
    for moment in reversed(history.moments):
        if moment.at in struck:
            continue
        if isinstance(moment.event, Undone):
            struck.add(moment.event.target)
        elif isinstance(moment.event, Corrected):
            for target, fields in correction_pairs(moment.event):
                event = corrected_event(history, target, fields)
                if event is not None:
                    instead.setdefault(target, event)
    return frozenset(struck), instead


def correction_pairs(event: Corrected) -> Iterator[tuple[int, JsonObject]]:
    """Yield every moment that a correction changes, with what happened then instead."""
    yield event.target, event.instead
    for one in event.also:
        yield one.target, one.instead


def corrected_event(history: History, target: int, instead: JsonObject) -> Event | None:
    """Return the event that a correction describes; None if it describes none.

    The name of a card that it leaves out stays as it was noted: the card may lie face down.
    """
    moment = history.moment_at(target)
    card = getattr(moment.event, "card", None) if moment else None
    noted = {} if card is None else {"card": card}
    is_found = moment is not None and isinstance(moment.event, Found)
    kinds = Found if is_found else history.rules.event_types
    try:
        found: Event = from_fields({**noted, **instead}, kinds)
    except Malformed:
        return None
    return found


def started_event(history: History) -> Started | None:
    """Return the event with which the game began."""
    first = history.moments[0].event if history.moments else None
    return first if isinstance(first, Started) else None
