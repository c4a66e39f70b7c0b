"""Activity log and status of the table besides the game, as everyone may see it.

Law: built up from nothing. Of a moment only the gaps of its own sentence are shown; of a to-do the
place and what to do; of a change what each player gives back or gets. All of it is the same for
every viewer, except how often the button of the viewer's own seat called.
"""

from collections.abc import Iterator

import msgspec

from companion.core.events import Event, Started
from companion.core.i18n import N_, Message, seat_key
from companion.core.table_events import Counted
from companion.table.evening import Evening, tell_evening
from companion.table.history import Change, Difference, History, Moment
from companion.table.undo import can_correct, can_undo
from companion.tracking.laying import Listening
from companion.tracking.mismatches import Todo

SHOWN_ENTRIES = 8
"""Most entries in the log of a view."""


class LogEntry(msgspec.Struct, frozen=True):
    """A moment of the game as everyone may know it, and through what it came.

    `undoable` says whether the table can strike it out as things stand, `correctable` whether
    something else could have happened instead.
    """

    at: int
    say: Message
    via: str
    struck: bool = False
    corrected: bool = False
    undoable: bool = False
    correctable: bool = False


class ChangeSummary(msgspec.Struct, frozen=True):
    """What an undo or a correction came to, in words."""

    at: int
    target: int
    via: str
    reason: str
    says: tuple[Message, ...]
    differences: tuple[Difference, ...]


class TableStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """Freeze, pause, to-dos, trouble, places played by hand, the last moments, the last change,
    for which place the one reader waits, how a card is laid
    where the reader lies beside its place, which places these are, whether one reader serves all of
    them by turns, and the whole evening once the game is over."""

    frozen: int = 0
    paused: bool = False
    ended: bool = False
    todos: tuple[Todo, ...] = ()
    trouble: tuple[Message, ...] = ()
    by_hand: tuple[int, ...] = ()
    log: tuple[LogEntry, ...] = ()
    change: ChangeSummary | None = None
    woken: int = 0
    listening: Listening | None = None
    laying: Message | None = None
    tapped: tuple[int, ...] = ()
    by_turns: bool = False
    evening: Evening | None = None

    @property
    def is_stopped(self) -> bool:
        """Return whether nothing may be played just now."""
        return bool(self.frozen or self.paused or self.ended)


def table_status(history: History) -> TableStatus:
    """Return the status that follows from the history alone: stops, the last moments and change."""
    return TableStatus(
        history.frozen,
        history.paused,
        history.ended,
        log=tuple(log_entries(history, SHOWN_ENTRIES)),
        change=describe_change(history.change) if history.change else None,
        evening=tell_evening(history) if history.is_over else None,
    )


def log_entries(history: History, limit: int | None = None) -> list[LogEntry]:
    """Return the moments that everyone may know of in order, the last `limit` or all.

    A hand that is closed again adds nothing: its moment has an entry, and is no newer for it.
    """
    first = 1 if limit is None else history.at - limit + 1
    found: dict[int, Moment] = {}
    for moment in history.moments:
        if moment.at >= first:
            found.setdefault(moment.at, moment)
    return [_log_entry(history, found[at]) for at in sorted(found)]


def _log_entry(history: History, moment: Moment) -> LogEntry:
    event = history.event_of(moment)
    undoable = can_undo(history, moment)
    return LogEntry(
        moment.at,
        describe_event(history, event),
        moment.via,
        struck=not history.stands(moment),
        corrected=moment.at in history.replacements,
        undoable=undoable,
        correctable=undoable and can_correct(history, moment),
    )


DRAWN = N_("The game begins. By lot, {who} goes first.")


def describe_event(history: History, event: Event) -> Message:
    """Return the event's own sentence with the facts for its gaps and no others.

    What it says at `{use}` is the name of its place.
    """
    if isinstance(event, Started) and event.drawn:
        return Message(DRAWN, {"who": [seat_key(event.first)]})
    gaps = [gap for gap in event.__struct_fields__ if f"{{{gap}}}" in event.sentence]
    facts: dict[str, object] = {gap: getattr(event, gap) for gap in gaps}
    if "{who}" in event.sentence:
        seat = getattr(event, "seat", 0)
        facts["who"] = [seat_key(seat)] if seat >= 1 else []
    if "{colour}" in event.sentence and "colour" not in facts:
        facts["colour"] = getattr(event, "bank", "")
    if isinstance(event, Counted):
        facts["things"] = history.rules.corrections.word_counted(event.owns)
    if "{use}" in event.sentence:
        facts["use"] = history.rules.tracking.name_place(getattr(event, "place", 0))
    return Message(event.sentence, facts)


DEVICE_NAMES = {
    "table": N_("the table"),
    "reader": N_("reader {n}"),
    "phone": N_("phone {n}"),
    "button": N_("button {n}"),
    "bot": N_("bot {n}"),
}
"""Names of devices by the first word of an event's `via`."""
UNKNOWN_DEVICE = N_("“{use}”")


def describe_device(via: str) -> Message:
    """Return the name of the device in `via`; quote one that is not known."""
    word, _, n = via.partition(" ")
    return (
        Message(DEVICE_NAMES[word], {"n": n})
        if word in DEVICE_NAMES
        else Message(UNKNOWN_DEVICE, {"use": via})
    )


# Who owes whom.

GIVES, GETS = N_("{who} gives back {use}."), N_("{who} gets {use}.")
FEWER, MORE = (
    N_("{who} has {use} less than was noted."),
    N_("{who} has {use} more than was noted."),
)
"""A count pays nothing: it notes what is there."""
COUNTED = str(Counted.__struct_config__.tag)


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
