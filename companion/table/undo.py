"""Undo and correction: which moments may be struck out, and which may be said anew.

Laws: a moment that changed nothing of the game cannot be undone, nor can one that a hand was open
after, because what was seen stays seen. A correction is of the same kind as what it corrects, and
is granted only where the rules grant it at the state before the moment. A hand that was opened is
corrected to a value that the table enters, once everyone has seen all hands of its round.
"""

from companion.core.errors import Refusal, refusal
from companion.core.events import Entered, Event, Opened, Resealed, Sealed, Started
from companion.core.i18n import N_
from companion.core.table_events import (
    AMENDMENTS,
    Cleared,
    Corrected,
    Ended,
    Found,
    Frozen,
    Paused,
    PlaceChosen,
    Settled,
    Thawed,
    Undone,
)
from companion.table.history import (
    History,
    Moment,
    corrected_event,
    correction_pairs,
    fold_history,
    refuse_here,
)

SEALED_EVENTS = (Sealed, Opened, Resealed)
"""What a hand held is proven or void: no correction says that it was sealed or opened otherwise."""
HANDS = (Opened, Entered)
"""What a hand held; the table may enter something else for it, which is not proven."""
MOST_ALSO = 12
"""So many moments besides its target one correction changes at most."""
NOT_UNDOABLE = (Frozen, Paused, Thawed, Settled, PlaceChosen, Ended, Cleared)
"""Events that changed nothing of the game cannot be undone."""
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
    at = moment.at
    if at in history.struck or at in history.dropped:
        return "struck"
    if isinstance(moment.event, NOT_UNDOABLE) or (at == 1 and is_undo):
        return "not_undone"
    if isinstance(moment.event, Sealed) and _was_seen(history, at):
        return "seen"
    return ""


def _was_seen(history: History, target: int) -> bool:
    """Return whether a hand opened after this one closed, before all were closed anew."""
    for moment in history.moments_from(target + 1):
        if moment.at > target and isinstance(moment.event, Opened):
            return True
        anew = isinstance(moment.event, Resealed) and moment.at not in history.struck
        if moment.at > target and anew:
            return False
    return False


def check_correction(history: History, event: Corrected) -> Refusal | None:
    """Refuse what is no correction of its moment, or could not have happened there."""
    refused = check_target(history, event)
    if refused is not None:
        return refused
    if len(event.also) > MOST_ALSO:
        return _refuse_unlike()
    for target, fields in correction_pairs(event):
        refused = _check_pair(history, target, corrected_event(history, target, fields))
        if refused is not None:
            return refused
    instead = corrected_event(history, event.target, event.instead)
    assert instead is not None
    return refuse_here(history.rules, fold_history(history, event.target).state, instead)


def _check_pair(history: History, target: int, instead: Event | None) -> Refusal | None:
    """Refuse what a moment cannot say instead, in whatever state of the game."""
    moment = history.moment_at(target)
    if moment is None or instead is None:
        return _refuse_unlike()
    is_entered = isinstance(moment.event, HANDS) and isinstance(instead, Entered)
    if is_entered and getattr(moment.event, "seat", 0) == instead.seat:  # type: ignore[attr-defined]
        return None if was_hand_seen(history, target) else _refuse_unseen()
    if type(instead) is not type(moment.event):
        return _refuse_unlike()
    if isinstance(instead, (Entered, *SEALED_EVENTS)):
        text = "A sealed choice cannot be corrected: have everyone seal again instead."
        return refusal("sealed", "T.correct", text)
    if _changes_players(moment.event, instead):
        text = "A correction of the start leaves the game’s id and its players as they are."
        return refusal("start", "T.correct", text)
    return None


def _refuse_unlike() -> Refusal:
    text = "A correction says what happened instead, with all its fields, and of the same kind."
    return refusal("not_alike", "T.correct", text)


def _refuse_unseen() -> Refusal:
    text = "A revealed choice can be corrected once everyone has revealed theirs."
    return refusal("unseen", "T.correct", text)


def changes_hand(history: History, event: Event) -> bool:
    """Return whether a correction says that a hand held something else."""
    moment = history.moment_at(event.target) if isinstance(event, Corrected) else None
    return moment is not None and isinstance(moment.event, HANDS)


def was_hand_seen(history: History, at: int) -> bool:
    """Return whether all hands of a round are open since the one that opened at this moment."""
    for moment in history.moments_from(at + 1):
        if moment.at <= at or moment.at in history.struck or moment.at in history.dropped:
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
    event = history.replacements.get(moment.at, moment.event)
    return is_correctable(event) and (
        not isinstance(event, HANDS) or was_hand_seen(history, moment.at)
    )
