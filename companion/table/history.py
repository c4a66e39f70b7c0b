"""The history of a game: its moments in order, and the state that they lead to.

Laws: a history is the fold of its moments. An undo or a correction folds the game again without its
target, or with what happened instead; a later moment that no longer fits is dropped, and is named.
A card that a correction names otherwise is named so wherever a later moment speaks of it; a moment
that pointed at a card does not fit once another card lies there, or a look would pass to that one.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Malformed, Refusal
from companion.core.events import Event, EventTypes, Sealed, Started, from_fields
from companion.core.sweep import Revealing
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

replace = msgspec.structs.replace


class Moment(msgspec.Struct, frozen=True):
    """One event in its place: the version of the game that it made, its device, its time.

    A hand that is closed again belongs to the moment at which it was first closed, so that no
    viewer notices that it was.
    """

    at: int
    event: Event
    via: str
    when: float = 0.0


Spot = tuple[int, int]
"""A place, and the number of a card there."""

Laid = Mapping[int, tuple[int, ...]]
"""The moments that laid the cards of each place, in the order in which they lie."""


class History(msgspec.Struct, frozen=True):
    """A game as its moments leave it.

    `at` counts the changes that everyone may notice; `decided_at` is the moment that brought the
    newest verdict. `laid` are the moments that laid the cards of each place, and `pointed` says of
    a moment that points at a card by which moment that card was laid.
    """

    rules: AnyRulebook
    state: GameState | None = None
    at: int = 0
    moments: tuple[Moment, ...] = ()
    decided_at: int = 0
    laid: Laid = {}
    pointed: Mapping[int, int] = {}
    struck: frozenset[int] = frozenset()
    replacements: Mapping[int, Event] = {}
    dropped: tuple[int, ...] = ()
    frozen: int = 0
    paused: bool = False
    ended: bool = False
    cleared: bool = False
    change: Change | None = None

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

    def stands(self, moment: Moment) -> bool:
        """Return whether a moment is neither struck out nor dropped."""
        return moment.at not in self.struck and moment.at not in self.dropped


def apply_event(history: History, event: Event, via: str = "", when: float = 0.0) -> History:
    """Return the history with one more event of any kind."""
    if isinstance(event, AMENDMENTS):
        return _apply_amendment(history, Moment(history.at + 1, event, via, when))
    again = is_closed_again(history.state, event)
    at = _find_first_closing(history, event) if again else history.at + 1
    state = history.rules.apply(history.state, event)
    return replace(
        history,
        state=state,
        at=max(at, history.at),
        moments=(*history.moments, Moment(at, event, via, when)),
        decided_at=at if _brings_verdict(history.state, state) else history.decided_at,
        laid=lay_cards(history.rules, history.laid, state, event, at),
        pointed={**history.pointed, at: _find_pointed(history.laid, event)}
        if hasattr(event, "slot")
        else history.pointed,
    )


def _find_first_closing(history: History, event: Any) -> int:
    """Return the number of the moment at which this hand was first closed this round."""
    for moment in reversed(history.moments):
        closed = moment.event
        if isinstance(closed, Sealed) and closed.seat == event.seat and history.stands(moment):
            return moment.at
    return history.at


def _apply_amendment(history: History, moment: Moment) -> History:
    event = moment.event
    noted = replace(history, at=moment.at, moments=(*history.moments, moment))
    match event:
        case Frozen():
            return replace(noted, frozen=event.seat)
        case Undone() | Corrected() | Found() | Counted():
            after = fold_history(noted)
            return replace(after, change=_compare(history, after, moment))
        case Thawed():
            return replace(noted, frozen=0, paused=False)
    return replace(
        noted,
        paused=noted.paused or isinstance(event, Paused),
        ended=noted.ended or isinstance(event, Ended),
        cleared=isinstance(event, Cleared),
    )


def _compare(before: History, after: History, moment: Moment) -> Change:
    """Return what an undo or a correction came to."""
    event = moment.event
    return Change(
        moment.at,
        str(event.__struct_config__.tag),
        getattr(event, "target", 0) or getattr(event, "place", 0),
        moment.via,
        getattr(event, "reason", ""),
        compare_balances(before.rules, before.state, after.state),
        tuple(at for at in after.dropped if at not in before.dropped),
    )


def build_history(rules: AnyRulebook, events: Iterable[tuple[Event, str, float]]) -> History:
    """Fold a whole game from its events, each with its device and its time."""
    return reduce(lambda history, moment: apply_event(history, *moment), events, History(rules))


def event_union(rules: AnyRulebook) -> EventTypes:
    """Return the union of all event types that the record of this game may hold."""
    union = rules.event_types
    for kind in AMENDMENTS:
        union = union | kind
    return union


def started_event(history: History) -> Started | None:
    """Return the event with which the game began."""
    first = history.moments[0].event if history.moments else None
    return first if isinstance(first, Started) else None


# The fold.


class ReplayedMoment(NamedTuple):
    """A moment as the log now has it: the event, whether it stands, the game before and after, and
    which moments have laid the cards that lie there then."""

    moment: Moment
    event: Event
    stands: bool
    before: GameState | None
    after: GameState | None
    laid: Laid

    @property
    def spots(self) -> list[Spot]:
        """Return the spots of the cards that this moment lays, finds or names."""
        return find_spots(self.laid, self.event, self.moment.at)


def fold_history(history: History) -> History:
    """Fold all moments again, as the newest undo or correction of each has it.

    A hand that was closed again is dropped as a whole or not at all.
    """
    struck, _ = _effective_amendments(history)
    stands, instead = dict[int, bool](), dict[int, Event]()
    last, decided_at = None, 0
    for last in replay_moments(history):
        at = last.moment.at
        stands[at] = last.stands or stands.get(at, False)
        if last.event is not last.moment.event:
            instead[at] = last.event
        if _brings_verdict(last.before, last.after):
            decided_at = at
    return replace(
        history,
        state=last.after if last is not None else None,
        laid=last.laid if last is not None else {},
        decided_at=decided_at,
        struck=struck,
        replacements=instead,
        dropped=tuple(at for at, stood in stands.items() if not stood),
    )


def replay_moments(history: History, until: int | None = None) -> Iterator[ReplayedMoment]:
    """Yield the moments that count one by one, as the newest undo or correction has each.

    Stop before the moment numbered `until`.
    """
    rules = history.rules
    laid: Laid = {}
    state: GameState | None = None
    struck, instead = _effective_amendments(history)
    renamed = list[_Renaming]()
    for moment in history.moments:
        if until is not None and moment.at >= until:
            return
        if moment.at in struck or (
            isinstance(moment.event, AMENDMENTS) and not isinstance(moment.event, REPLAYED)
        ):
            continue
        at, before = moment.at, state
        renamed = [one for one in renamed if one.holds(laid)]
        event = instead.get(at) or _rename(renamed, rules, moment.event)
        moved = at not in instead and _find_pointed(laid, event) != history.pointed.get(at, 0)
        stands = not moved and refuse_here(rules, state, event) is None
        if stands:
            state = apply_here(rules, state, event)
            laid = lay_cards(rules, laid, state, event, at)
        page = ReplayedMoment(moment, event, stands, before, state, laid)
        if at in instead:
            renamed += _find_renamings(rules, page)
        yield page


def _brings_verdict(before: GameState | None, after: GameState | None) -> bool:
    verdict = getattr(after, "verdict", None)
    return verdict is not None and verdict is not getattr(before, "verdict", None)


def refuse_here(rules: AnyRulebook, state: GameState | None, event: Event) -> Refusal | None:
    """Return why this cannot have happened in this state, be it of the game or of the table."""
    if isinstance(event, Found) and state is not None:
        return rules.corrections.refuse_found(state, event)
    if isinstance(event, Counted) and state is not None:
        return refuse_counted(rules.corrections.count_own(state, event.seat), event)
    return rules.refuse(state, event)


def apply_here(rules: AnyRulebook, state: GameState | None, event: Event) -> GameState | None:
    """Return the game after an event of the game or of the table."""
    after: GameState | None
    match event:
        case Found():
            after = rules.corrections.apply_found(state, event)
        case Counted():
            after = rules.corrections.apply_counted(state, event)
        case _:
            after = rules.apply(state, event)
    return after


def _effective_amendments(history: History) -> tuple[frozenset[int], dict[int, Event]]:
    """Return what is struck and what happened instead; skip struck amendments."""
    struck, instead = set[int](), dict[int, Event]()
    for moment in reversed(history.moments):
        if moment.at in struck:
            continue
        if isinstance(moment.event, Undone):
            struck.add(moment.event.target)
        elif isinstance(moment.event, Corrected):
            event = corrected_event(history, moment.event)
            if event is not None:
                instead.setdefault(moment.event.target, event)
    return frozenset(struck), instead


def corrected_event(history: History, correction: Corrected) -> Event | None:
    """Return the event that a correction describes; None if it describes none.

    The name of a card that it leaves out stays as it was noted: the card may lie face down.
    """
    moment = history.moment_at(correction.target)
    card = getattr(moment.event, "card", None) if moment else None
    noted = {} if card is None else {"card": card}
    is_found = moment is not None and isinstance(moment.event, Found)
    kinds = Found if is_found else history.rules.event_types
    try:
        found: Event = from_fields({**noted, **correction.instead}, kinds)
    except Malformed:
        return None
    return found


# Cards: which moment laid each, and what it is called.


def lay_cards(
    rules: AnyRulebook, laid: Laid, state: GameState | None, event: Event, at: int
) -> Laid:
    """Return by which moments the cards were laid that lie there after an event."""
    lies = {} if state is None else rules.expected_cards(state)
    found = {}
    for place, cards in lies.items():
        is_anew = isinstance(event, Found) and event.place == place
        kept = () if is_anew else laid.get(place, ())[: len(cards)]
        found[place] = (*kept, *(at,) * (len(cards) - len(kept)))
    return found


def _find_pointed(laid: Laid, event: Event) -> int:
    """Return the moment that laid the card which an event points at by bank and slot, or 0."""
    slot, lying = getattr(event, "slot", 0), laid.get(getattr(event, "bank", 0), ())
    return lying[slot - 1] if 1 <= slot <= len(lying) else 0


def find_spots(laid: Laid, event: Event, at: int) -> list[Spot]:
    """Return the spots of the cards that a moment lays, finds or names."""
    if isinstance(event, Found):
        return [(event.place, slot) for slot in range(1, len(event.cards) + 1)]
    spots = [
        (place, slot)
        for place, lying in laid.items()
        for slot, by in enumerate(lying, 1)
        if by == at
    ]
    return spots or [(getattr(event, "bank", 0), getattr(event, "slot", 0))]


class _Renaming(NamedTuple):
    """Two names of a card, and where it lies; everywhere where each name is of one card."""

    names: Mapping[object, object]
    spot: Spot | None
    bank: object

    def holds(self, laid: Laid) -> bool:
        """Return whether a card still lies there."""
        if self.spot is None:
            return True
        place, slot = self.spot
        return 1 <= slot <= len(laid.get(place, ()))


def _find_renamings(rules: AnyRulebook, page: ReplayedMoment) -> Iterator[_Renaming]:
    everywhere, now = rules.has_unique_cards, page.event
    if isinstance(now, Revealing) and not everywhere:
        return
    for (old, new), spot in zip(_name_pairs(page.moment.event, now), page.spots, strict=False):
        if old != new and None not in (old, new):
            names = {old: new, new: old} if everywhere else {old: new}
            yield _Renaming(names, None if everywhere else spot, getattr(now, "bank", None))


def _name_pairs(was: Event, now: Event) -> Iterable[tuple[object, object]]:
    if isinstance(was, Found) and isinstance(now, Found):
        return zip(was.cards, now.cards, strict=False)
    return [(getattr(was, "card", None), getattr(now, "card", None))]


def _rename(renamed: list[_Renaming], rules: AnyRulebook, event: Event) -> Event:
    """Return an event as the corrections before it name its card; a card that one of them names is
    shown only once in a sweep."""
    for one in renamed:
        card = getattr(event, "card", None)
        if rules.has_unique_cards and isinstance(event, Found):
            cards = tuple(one.names.get(each, each) for each in event.cards)
            event = replace(event, cards=cards) if cards != event.cards else event
        elif card in one.names and (one.spot is None or _shows(event, one.bank)):
            event = replace(event, card=one.names[card])
            if one.spot is not None:
                renamed.remove(one)
                return event
    return event


def _shows(event: Event, bank: object) -> bool:
    return isinstance(event, Revealing) and getattr(event, "bank", None) == bank
