"""The history of a game: its moments in order, and all that follows from them.

Laws: a history is the fold of its moments, one by one, and there is no other fold. An undo or a
correction folds them again without its target, or with what happened instead; a later moment that
no longer fits is dropped, and is named. A moment that pointed at a card does not fit once another
card lies there, or a look would pass to that one.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.core import table_events
from companion.core.errors import Malformed, Refusal
from companion.core.events import Entered, Event, EventTypes, Opened, Sealed, Started, from_fields
from companion.games.commit_reveal import is_closed_again
from companion.games.correction_rules import Difference, compare_amounts, refuse_counted
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.table.renamed_cards import Renaming, Replacement, Spot, find_renamings, rename

HANDS = (Opened, Entered)
"""Events with the contents of a hand: opened, or entered by the table."""


class Moment(msgspec.Struct, frozen=True):
    """One event in its place: the version of the game that it made, its device, its time; and by
    which moment the card was laid at which it points, if it points at one.

    A hand that is closed again belongs to the moment at which it was first closed, so that no
    viewer notices that it was.
    """

    at: int
    event: Event
    via: str
    when: float = 0.0
    points_at: int = 0


class Change(msgspec.Struct, frozen=True):
    """An undo or a correction: the moment it changed, each player's gain or loss, and the dropped
    moments. Closed hands count in no difference."""

    at: int
    kind: str
    target: int
    via: str
    reason: str
    differences: tuple[Difference, ...]
    dropped: tuple[int, ...]


Laid = Mapping[int, tuple[int, ...]]
"""The moments that laid the cards of each place, the lowest first."""


class History(msgspec.Struct, frozen=True):
    """A game as its moments leave it.

    `at` counts the changes that everyone may notice. At `opened_at` the last hand of the newest
    round opened, at `decided_at` came the newest verdict; `decided` are the states that brought a
    verdict, the oldest first. `laid` are the moments that laid the cards of each place.
    """

    rules: AnyRulebook
    state: GameState | None = None
    at: int = 0
    moments: tuple[Moment, ...] = ()
    opened_at: int = 0
    decided_at: int = 0
    decided: tuple[GameState, ...] = ()
    laid: Laid = {}
    struck: frozenset[int] = frozenset()
    replacements: Mapping[int, Replacement] = {}
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
        return next((moment for moment in self.moments if moment.at == at), None)

    def event_of(self, moment: Moment) -> Event:
        """Return the event of a moment as the newest correction has it."""
        instead = self.replacements.get(moment.at)
        return moment.event if instead is None else instead.event

    def stands(self, moment: Moment) -> bool:
        """Return whether a moment is neither struck out nor dropped."""
        return moment.at not in self.struck and moment.at not in self.dropped


def apply_event(history: History, event: Event, via: str = "", when: float = 0.0) -> History:
    """Return the history with one more event of any kind."""
    again = is_closed_again(history.state, event)
    at = _find_first_closing(history, event) if again else history.at + 1
    moment = Moment(at, event, via, when, _find_pointed(history.laid, event))
    noted = replace(history, at=max(at, history.at), moments=(*history.moments, moment))
    match event:
        case table_events.Undone() | table_events.Corrected():
            return _with_change(noted, _fold_again(noted), moment)
        case table_events.Found() | table_events.Counted():
            return _with_change(noted, _follow(noted, _play(noted, moment, event)), moment)
    if isinstance(event, table_events.AMENDMENTS):
        return _stop_or_go_on(noted, event)
    return _follow(noted, _play(noted, moment, event))


def _stop_or_go_on(noted: History, event: Event) -> History:
    """Return the game as it stands still, goes on, ends or is put away with this event."""
    if isinstance(event, table_events.Thawed):
        return replace(noted, frozen=0, paused=False)
    return replace(
        noted,
        frozen=event.seat if isinstance(event, table_events.Frozen) else noted.frozen,
        paused=noted.paused or isinstance(event, table_events.Paused),
        ended=noted.ended or isinstance(event, table_events.Ended),
        cleared=isinstance(event, table_events.Cleared),
    )


def _find_first_closing(history: History, event: Any) -> int:
    """Return the number of the moment that first closed this hand in this round."""
    for moment in reversed(history.moments):
        closed = moment.event
        if isinstance(closed, Sealed) and closed.seat == event.seat and history.stands(moment):
            return moment.at
    return history.at


def _with_change(before: History, after: History, moment: Moment) -> History:
    """Return the game after an undo or a correction, with the difference."""
    event = moment.event
    change = Change(
        moment.at,
        str(event.__struct_config__.tag),
        getattr(event, "target", 0) or getattr(event, "place", 0),
        moment.via,
        getattr(event, "reason", ""),
        _compare_holdings(before, after),
        tuple(at for at in after.dropped if at not in before.dropped),
    )
    return replace(after, change=change)


def _compare_holdings(before: History, after: History) -> tuple[Difference, ...]:
    """Return the difference of each player's holdings; nothing before the first game."""
    if before.state is None or after.state is None:
        return ()
    count = before.rules.corrections.count_holdings
    return tuple(compare_amounts(count(before.state), count(after.state)))


def build_history(rules: AnyRulebook, events: Iterable[tuple[Event, str, float]]) -> History:
    """Fold a whole game from its events, each with its device and its time."""
    return reduce(lambda history, moment: apply_event(history, *moment), events, History(rules))


def history_at(history: History, at: int) -> History:
    """Return the game as it stood before any moment after this one."""
    past = takewhile(lambda moment: moment.at <= at, history.moments)
    return build_history(history.rules, ((one.event, one.via, one.when) for one in past))


def event_union(rules: AnyRulebook) -> EventTypes:
    """Return the union of all event types that the record of this game may hold."""
    union = rules.event_types
    for kind in table_events.AMENDMENTS:
        union = union | kind
    return union


def started_event(history: History) -> Started | None:
    """Return the first event of the game."""
    first = history.moments[0].event if history.moments else None
    return first if isinstance(first, Started) else None


# The fold.


class ReplayedMoment(NamedTuple):
    """A moment as the log now has it: the event, by which correction if by any, whether it stands,
    the game before and after, and which moments have laid the cards that lie there then."""

    moment: Moment
    event: Event
    made_at: int
    stands: bool
    before: GameState | None
    after: GameState | None
    laid: Laid

    @property
    def spots(self) -> list[Spot]:
        """Return the spots of the cards that this moment lays, finds or names."""
        return _find_spots(self.laid, self.event, self.moment.at)


def look_ahead(history: History, event: Event) -> ReplayedMoment:
    """Return the result of an event if it came next."""
    points_at = _find_pointed(history.laid, event)
    return _play(history, Moment(history.at + 1, event, "", points_at=points_at), event)


def _play(game: History, moment: Moment, event: Event, made_at: int = 0) -> ReplayedMoment:
    """Return the result of a moment in a game if it says `event`, perhaps by the correction
    `made_at`; nothing where it does not fit."""
    rules, state, laid = game.rules, game.state, game.laid
    is_alike = _pointer(event) == _pointer(moment.event)
    moved = is_alike and _find_pointed(laid, event) != moment.points_at
    stands = not moved and refuse_here(rules, state, event) is None
    after = _apply_here(rules, state, event) if stands else state
    laid = _lay_cards(rules, laid, after, event, moment.at) if stands else laid
    return ReplayedMoment(moment, event, made_at, stands, state, after, laid)


def _follow(game: History, page: ReplayedMoment) -> History:
    """Return the game after its next moment.

    A hand that was closed again is dropped as a whole or not at all.
    """
    at = page.moment.at
    if page.made_at:
        instead = Replacement(page.event, page.made_at)
        game = replace(game, replacements={**game.replacements, at: instead})
    if not page.stands:
        is_first = game.moment_at(at) is page.moment
        return replace(game, dropped=(*game.dropped, at)) if is_first else game
    before, after = page.before, page.after
    verdict = None if after is None else after.verdict
    if after is not None and verdict and verdict is not getattr(before, "verdict", None):
        game = replace(game, decided_at=at, decided=(*game.decided, after))
    was_opening = before is not None and before.phase == "open" and isinstance(page.event, HANDS)
    is_last_hand = was_opening and after is not None and after.phase != "open"
    return replace(
        game,
        state=after,
        laid=page.laid,
        opened_at=at if is_last_hand else game.opened_at,
        dropped=tuple(each for each in game.dropped if each != at),
    )


def _fold_again(game: History) -> History:
    """Return the game with all its moments as the newest undo or correction has each."""
    struck, _ = _effective_amendments(game)
    begun = replace(
        game, state=None, laid={}, opened_at=0, decided_at=0, decided=(), struck=struck,
        replacements={}, dropped=(),
    )  # fmt: skip
    return reduce(_follow, replay_moments(game), begun)


def replay_moments(history: History, until: int | None = None) -> Iterator[ReplayedMoment]:
    """Yield the valid moments one by one, after all undos and corrections.

    Stop before the moment numbered `until`.
    """
    struck, corrected = _effective_amendments(history)
    game, renamed = History(history.rules), list[Renaming]()
    for moment in history.moments:
        if until is not None and moment.at >= until:
            return
        if moment.at in struck or (
            isinstance(moment.event, table_events.AMENDMENTS)
            and not isinstance(moment.event, table_events.REPLAYED)
        ):
            continue
        renamed = [one for one in renamed if one.holds(moment.at, game.laid)]
        instead = corrected.get(moment.at) or rename(renamed, game.rules, moment.event)
        page = _play(game, moment, *instead)
        game = replace(game, state=page.after, laid=page.laid)
        if moment.at in corrected:
            renamed += find_renamings(game.rules, moment.event, instead, page.spots)
        yield page


def refuse_here(rules: AnyRulebook, state: GameState | None, event: Event) -> Refusal | None:
    """Return the reason this cannot have happened in this state, be it of the game or of the
    table."""
    if isinstance(event, table_events.Found) and state is not None:
        return rules.corrections.refuse_found(state, event)
    if isinstance(event, table_events.Counted) and state is not None:
        return refuse_counted(rules.corrections.count_own(state, event.seat), event)
    return rules.refuse(state, event)


def _apply_here(rules: AnyRulebook, state: GameState | None, event: Event) -> GameState | None:
    """Return the game after an event of the game or of the table."""
    after: GameState | None
    match event:
        case table_events.Found():
            after = rules.corrections.apply_found(state, event)
        case table_events.Counted():
            after = rules.corrections.apply_counted(state, event)
        case _:
            after = rules.apply(state, event)
    return after


def _effective_amendments(history: History) -> tuple[frozenset[int], dict[int, Replacement]]:
    """Return the struck moments, and the replacement of each moment by its newest correction; skip
    struck amendments."""
    struck, corrected = set[int](), dict[int, Replacement]()
    for moment in reversed(history.moments):
        if moment.at in struck:
            continue
        if isinstance(moment.event, table_events.Undone):
            struck.add(moment.event.target)
        elif isinstance(moment.event, table_events.Corrected):
            event = corrected_event(history, moment.event)
            if event is not None:
                corrected.setdefault(moment.event.target, Replacement(event, moment.at))
    return frozenset(struck), corrected


def corrected_event(history: History, correction: table_events.Corrected) -> Event | None:
    """Return the event that a correction describes; None if it describes none.

    The name of a card that it leaves out stays as it was noted: the card may lie face down.
    """
    moment = history.moment_at(correction.target)
    card = getattr(moment.event, "card", None) if moment else None
    noted = {} if card is None else {"card": card}
    is_found = moment is not None and isinstance(moment.event, table_events.Found)
    kinds = table_events.Found if is_found else history.rules.event_types
    try:
        found: Event = from_fields({**noted, **correction.instead}, kinds)
    except Malformed:
        return None
    return found


# Which moment laid each card.


def _lay_cards(
    rules: AnyRulebook, laid: Laid, state: GameState | None, event: Event, at: int
) -> Laid:
    """Return the moments that laid the cards lying there after an event."""
    lies = {} if state is None else rules.expected_cards(state)
    found = {}
    for place, cards in lies.items():
        is_anew = isinstance(event, table_events.Found) and event.place == place
        kept = () if is_anew else laid.get(place, ())[: len(cards)]
        found[place] = (*kept, *(at,) * (len(cards) - len(kept)))
    return found


def _find_pointed(laid: Laid, event: Event) -> int:
    """Return the moment at which the card at the event's bank and slot was laid, or 0."""
    bank, slot = _pointer(event)
    lying = laid.get(bank, ())
    return lying[slot - 1] if 1 <= slot <= len(lying) else 0


def _pointer(event: Event) -> Spot:
    return (getattr(event, "bank", 0), event.slot) if hasattr(event, "slot") else (0, 0)


def _find_spots(laid: Laid, event: Event, at: int) -> list[Spot]:
    """Return the spots of the cards that a moment lays, finds or names."""
    if isinstance(event, table_events.Found):
        return [(event.place, slot) for slot in range(1, len(event.cards) + 1)]
    spots = [
        (place, slot)
        for place, lying in laid.items()
        for slot, by in enumerate(lying, 1)
        if by == at
    ]
    return spots or [(getattr(event, "bank", 0), getattr(event, "slot", 0))]
