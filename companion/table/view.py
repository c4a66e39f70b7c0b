"""Views: one viewer's knowledge; nothing else leaves the Pi.

Laws: a view is built from nothing for one viewer: a seat, the table screen, or a spectator. The
public part and the status are the same objects for everyone until something changes; a seat's own
part, what it may do, and how often its button called come on top. Of a moment in the log only the
gaps of its own sentence are shown; of a to-do the place and what to do; of a change what each
player gives back or gets.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.events import Event, Opened, Resealed, Sealed, Started
from companion.core.i18n import N_, Message, seat_key
from companion.core.table_events import AMENDMENTS, REPLAYED, Corrected, Counted, Found, Undone
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook, May
from companion.table.history import HANDS, History, Moment
from companion.table.outcomes import ChangeSummary, Evening, describe_change, tell_evening
from companion.tracking.laying import Listening, describe_laying, describe_listening
from companion.tracking.mismatches import Mismatch, Todo, make_todo
from companion.tracking.picture import Picture

SHOWN_ENTRIES = 8
"""Most entries in the log of a view."""


class LogEntry(msgspec.Struct, frozen=True):
    """A moment of the game as everyone may know it, and the device it came from.

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


class LiveStatus(msgspec.Struct, frozen=True, omit_defaults=True):
    """Freeze, pause, to-dos, trouble, places played by hand, the last moments, the last change, for
    which place the one reader waits, how a card is laid where the reader lies beside its place,
    which places these are, whether one reader serves all of them by turns, and the whole evening
    once the game is over."""

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


QUIET_STATUS = LiveStatus()
"""The status of a table where nothing goes on besides the game."""


class View(msgspec.Struct, frozen=True):
    """A game as one viewer may know it. `at` counts the events it rests on; `names` are those of
    the seats, for programs: all else speaks of seats."""

    at: int
    public: Any
    seat: int = 0
    mine: Any = None
    may: Sequence[May] = ()
    table: LiveStatus = QUIET_STATUS
    names: tuple[str, ...] = ()

    @property
    def shows_end(self) -> bool:
        """Return whether the end of the game is shown: on every screen at once, or on none."""
        return self.table.evening is not None


def make_view(
    rules: AnyRulebook,
    state: GameState | None,
    at: int,
    seat: int = 0,
    table: LiveStatus = QUIET_STATUS,
    public: object = None,
) -> View:
    """Return the view of a seat, or with seat 0 that of the table screen or a spectator; `public`
    may be handed in when it is built already."""
    public = public or rules.public_view(state)
    if not seat:
        return View(at, public, table=table)
    mine, may = rules.private_view(state, seat), rules.list_options(state, seat)
    return View(at, public, seat, mine, may, table)


def check_first_views(rules: AnyRulebook, event: Started) -> None:
    """Encode all views of a new game; raise an error if one cannot be shown."""
    state = rules.apply(None, event)
    assert state is not None
    _check_public(rules.public_view(state), state)
    for seat in range(len(state.players) + 1):
        msgspec.json.encode(make_view(rules, state, 1, seat))


def _check_public(public: Any, state: GameState | None) -> None:
    """Raise if a game makes no public view of its state."""
    names = [player.name for player in state.players] if state is not None else []
    if [seat.name for seat in public.seats] != names:
        raise TypeError("seats")


class SharedViews:
    """The views of a table, each shared part built once for all viewers until it changes.

    The public part, the log and the last change are built once per event; to-dos and faults when
    they change.
    """

    def __init__(self) -> None:
        self._history: History | None = None
        self._public: object = None
        self._logged = QUIET_STATUS
        self._inputs: tuple[object, ...] = ()
        self._status = QUIET_STATUS
        self._wake_calls: dict[int, int] = {}

    def wake(self, seat: int) -> None:
        """Count a press that only wakes the phone of a seat."""
        self._wake_calls[seat] = self._wake_calls.get(seat, 0) + 1

    def refresh(
        self,
        history: History,
        mismatches: Sequence[Mismatch],
        picture: Picture,
        faults: tuple[Message, ...],
    ) -> None:
        """Rebuild the outdated public part and status."""
        if history is not self._history:
            public, logged = history.rules.public_view(history.state), table_status(history)
            _check_public(public, history.state)
            self._public, self._logged = public, logged
            self._history, self._inputs = history, ()
        inputs = (mismatches, picture, faults)
        if inputs != self._inputs:
            rules, state = history.rules, history.state
            assert state is not None
            self._status = msgspec.structs.replace(
                self._logged,
                todos=tuple(make_todo(rules, state, gap) for gap in mismatches),
                trouble=faults,
                listening=describe_listening(rules, state, picture) if picture.one_reader else None,
                laying=describe_laying(rules, state, picture) if picture.taps else None,
                tapped=tuple(sorted(picture.taps)),
                by_turns=picture.one_reader,
                by_hand=tuple(
                    place for place in rules.expected_cards(state) if not picture.is_heard(place)
                ),
            )
            self._inputs = inputs

    def view(self, seat: int) -> View:
        """Return the view of a seat, or with seat 0 that of the table screen or a spectator."""
        assert self._history is not None
        rules, state, at = self._history.rules, self._history.state, self._history.at
        status = msgspec.structs.replace(self._status, woken=self._wake_calls.get(seat, 0))
        return make_view(rules, state, at, seat, status, self._public)


# The log.


def table_status(history: History) -> LiveStatus:
    """Return the status that follows from the history alone: stops, the last moments and change."""
    return LiveStatus(
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
    undoable = not history.cleared and not reason_against(history, moment, is_undo=True)
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
        rules, state = history.rules, history.state
        public = rules.public_view(state) if state is not None else None
        facts["use"] = rules.tracking.name_place(public, getattr(event, "place", 0))
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
    if word in DEVICE_NAMES:
        return Message(DEVICE_NAMES[word], {"n": n})
    return Message(UNKNOWN_DEVICE, {"use": via})


# What can be struck out, or could have been something else.

SEALED_EVENTS = (Sealed, Opened, Resealed)
"""Events of proven or void hands: no correction says that it was sealed or opened otherwise."""
UNDOABLE = (Undone, Corrected, *REPLAYED)
"""The amendments that changed something of the game."""


def reason_against(history: History, moment: Moment, is_undo: bool) -> str:
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
    """Return whether a hand opened after this one closed, before all were closed again."""
    for moment in history.moments:
        if moment.at > target and isinstance(moment.event, Opened):
            return True
        anew = isinstance(moment.event, Resealed) and moment.at not in history.struck
        if moment.at > target and anew:
            return False
    return False


def is_correctable(event: Event) -> bool:
    """Return whether such an event could have said something else."""
    if isinstance(event, (*HANDS, Found)):
        return True
    if isinstance(event, (Started, *SEALED_EVENTS, *AMENDMENTS)):
        return False
    return not {*event.__struct_fields__} <= {"seat"}


def can_correct(history: History, moment: Moment) -> bool:
    """Return whether the log offers to correct this moment as things stand."""
    event = history.event_of(moment)
    return is_correctable(event) and (
        not isinstance(event, HANDS) or was_hand_seen(history, moment.at)
    )


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
