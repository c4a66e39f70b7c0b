"""Taking back and saying anew: which moments may be struck out or corrected, and by whom.

Laws: a moment that changed nothing of the game cannot be undone, nor can a closed hand after one
was open: what was seen stays seen. A seat takes back its own last moment until something was shown;
all else is the host's. A correction is of the same kind as what it corrects, and is granted only
where the rules grant it at the state before the moment. A hand that was opened is corrected to a
value that the table enters, once everyone has seen all hands of its round. What a change came to
is said as who gives back or gets how much.
"""

from collections.abc import Iterator

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Entered, Event, Opened, Resealed, Sealed, Started
from companion.core.i18n import N_, Message
from companion.core.table_events import (
    AMENDMENTS,
    REPLAYED,
    Corrected,
    Counted,
    Found,
    Undone,
)
from companion.table.history import (
    Change,
    Difference,
    History,
    Moment,
    corrected_event,
    refuse_here,
    replay_moments,
)

SEALED_EVENTS = (Sealed, Opened, Resealed)
"""What a hand held is proven or void: no correction says that it was sealed or opened otherwise."""
HANDS = (Opened, Entered)
"""What a hand held; the table may enter something else for it, which is not proven."""
UNDOABLE = (Undone, Corrected, *REPLAYED)
"""The amendments that changed something of the game."""
REASONS = {
    "struck": N_("Moment {n} is struck out already."),
    "not_undone": N_("Moment {n} cannot be undone."),
    "seen": N_("The choices of this round have been revealed: have everyone seal again instead."),
}
"""Why a moment cannot be struck out, by the code of the refusal."""
OWNER_FIELDS = frozenset({"seat", "rules"})
"""Fields that are the same whatever happened instead."""


def check_target(history: History, event: Undone | Corrected) -> Refusal | None:
    """Refuse if there is no such moment, or if it cannot be struck out."""
    moment = history.moment_at(event.target)
    if moment is None:
        text = "There is no moment {n} in this game; the last one is {most}."
        return refusal("no_such_moment", "T.undo", text, n=event.target, most=history.at)
    reason = _reason_against(history, moment, isinstance(event, Undone))
    return refusal(reason, "T.undo", REASONS[reason], n=moment.at) if reason else None


def can_undo(history: History, moment: Moment) -> bool:
    """Return whether the host may strike out this moment as things stand."""
    return not history.cleared and not _reason_against(history, moment, is_undo=True)


def _reason_against(history: History, moment: Moment, is_undo: bool) -> str:
    """Return the code of the reason why a moment cannot be struck out; "" if it can.

    All pages ask this of every moment in their log: only a refusal needs the sentence.
    """
    event = moment.event
    if not history.stands(moment):
        return "struck"
    changes_nothing = isinstance(event, AMENDMENTS) and not isinstance(event, UNDOABLE)
    if changes_nothing or (moment.at == 1 and is_undo):
        return "not_undone"
    if isinstance(event, Sealed) and _was_seen(history, moment.at):
        return "seen"
    return ""


def _was_seen(history: History, target: int) -> bool:
    """Return whether a hand opened after this one closed, before all were closed anew."""
    for moment in history.moments:
        if moment.at > target and isinstance(moment.event, Opened):
            return True
        anew = isinstance(moment.event, Resealed) and moment.at not in history.struck
        if moment.at > target and anew:
            return False
    return False


def is_own_last(history: History, at: int, seat: int) -> bool:
    """Return whether a seat may take back a moment alone: it is its own, nothing but closed hands
    has come after it, and no one was shown anything by it."""
    moment = history.moment_at(at)
    if moment is None or moment.event.shows or at <= history.decided_at:
        return False
    later = (one for one in history.moments if one.at > at and history.stands(one))
    is_last = all(isinstance(one.event, (Sealed, *AMENDMENTS)) for one in later)
    return is_last and _is_of_seat(moment, seat)


def _is_of_seat(moment: Moment, seat: int) -> bool:
    """Return whether a moment is a seat's own; what a reader alone states is everyone's."""
    owner = getattr(moment.event, "seat", 0)
    if owner and not isinstance(moment.event, AMENDMENTS):
        return bool(owner == seat)
    device, _, number = moment.via.partition(" ")
    return device == "reader" or number == str(seat)


def check_correction(history: History, event: Corrected) -> Refusal | None:
    """Refuse an event that is no correction of its moment, or could not have happened there."""
    refused = check_target(history, event)
    if refused is not None:
        return refused
    moment, instead = history.moment_at(event.target), corrected_event(history, event)
    assert moment is not None
    if instead is None:
        return _refuse_unlike()
    is_entered = isinstance(moment.event, HANDS) and isinstance(instead, Entered)
    if is_entered and getattr(moment.event, "seat", 0) == instead.seat:  # type: ignore[attr-defined]
        refused = None if was_hand_seen(history, moment.at) else _refuse_unseen()
    elif type(instead) is not type(moment.event):
        refused = _refuse_unlike()
    elif isinstance(instead, (Entered, *SEALED_EVENTS)):
        text = "A sealed choice cannot be corrected: have everyone seal again instead."
        refused = refusal("sealed", "T.correct", text)
    elif _changes_players(moment.event, instead):
        text = "A correction of the start leaves the game’s id and its players as they are."
        refused = refusal("start", "T.correct", text)
    if refused is not None:
        return refused
    before = None
    for page in replay_moments(history, moment.at):
        before = page.after
    return refuse_here(history.rules, before, instead)


def _refuse_unlike() -> Refusal:
    text = "A correction says what happened instead, with all its fields, and of the same kind."
    return refusal("not_alike", "T.correct", text)


def _refuse_unseen() -> Refusal:
    text = "A revealed choice can be corrected once everyone has revealed theirs."
    return refusal("unseen", "T.correct", text)


def was_hand_seen(history: History, at: int) -> bool:
    """Return whether all hands of a round are open since the one that opened at this moment."""
    for moment in history.moments:
        if moment.at <= at or not history.stands(moment):
            continue
        if isinstance(moment.event, Resealed):
            return False
        if isinstance(moment.event, Sealed):  # A hand of the next round.
            return True
    return history.state is not None and history.state.phase != "open"


def _changes_players(was: Event, instead: Event) -> bool:
    return any(getattr(was, f, None) != getattr(instead, f, None) for f in ("id", "players"))


def is_correctable(event: Event) -> bool:
    """Return whether such an event could have said something else."""
    if isinstance(event, (*HANDS, Found)):
        return True
    if isinstance(event, (Started, *SEALED_EVENTS, *AMENDMENTS)):
        return False
    return not {*event.__struct_fields__} <= OWNER_FIELDS


def can_correct(history: History, moment: Moment) -> bool:
    """Return whether the log offers to correct this moment as things stand."""
    event = history.event_of(moment)
    return is_correctable(event) and (
        not isinstance(event, HANDS) or was_hand_seen(history, moment.at)
    )


# Who owes whom.

GIVES, GETS = N_("{who} gives back {use}."), N_("{who} gets {use}.")
FEWER, MORE = (
    N_("{who} has {use} less than was noted."),
    N_("{who} has {use} more than was noted."),
)
"""A count pays nothing: it notes what is there."""
COUNTED = str(Counted.__struct_config__.tag)


class ChangeSummary(msgspec.Struct, frozen=True):
    """What an undo or a correction came to, in words."""

    at: int
    target: int
    via: str
    reason: str
    says: tuple[Message, ...]
    differences: tuple[Difference, ...]


def describe_change(change: Change) -> ChangeSummary:
    """Put a change into words: who gives back what, who gets what, what fell away."""
    less, more = (FEWER, MORE) if change.kind == COUNTED else (GIVES, GETS)
    debts = _describe_debts(change.differences, less, more)
    says = (*debts, *_describe_dropped(change.dropped))
    return ChangeSummary(
        change.at, change.target, change.via, change.reason, says, change.differences
    )


def _describe_debts(differences: tuple[Difference, ...], less: str, more: str) -> Iterator[Message]:
    for one in differences:
        amount = Message(f"{{{one.what}}}", {one.what: abs(one.by)})
        yield Message(more if one.by > 0 else less, {"who": [one.name], "use": amount})


def _describe_dropped(dropped: tuple[int, ...]) -> Iterator[Message]:
    if dropped:
        text = N_("Moments dropped, because they no longer fit: {numbers}.")
        yield Message(text, {"numbers": list(dropped)})
