"""One live table: the only writer of its journal.

    check -> event -> next state -> line in the journal -> watchers

Laws: every request, from a phone, a button, a bot or the simulator, passes the same checks and is
refused or written; the next state is worked out before the line is written, so that no event is on
disk that a game cannot apply, and counts only once it is on disk; a request that is made twice
counts once; watchers learn that something changed, and fetch their own view of it.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from copy import copy
from typing import TypeVar

from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Event, Opened, Sealed, Started
from companion.core.i18n import Message
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.core.table_events import PlaceChosen, Settled
from companion.games.game_state import GameState, only_hands_differ
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalFailed
from companion.journal.line import NotedEvent, journal_entries
from companion.table import permissions
from companion.table.devices import lamp_state, resolve_mismatch, wish_of_press
from companion.table.faults import GameGuard, TableFaults
from companion.table.history import History, apply_event
from companion.table.permissions import Author
from companion.table.recovery import resume_history
from companion.table.telling import Clock, TellingClock
from companion.table.view import SharedViews, View, check_first_views
from companion.tracking.evidence import ReaderReports
from companion.tracking.laying import refuse_choice
from companion.tracking.mismatches import Mismatch, check_agreed_cards, find_mismatches
from companion.tracking.picture import InferredEvent
from companion.tracking.tracker import Tracker

LOG = logging.getLogger("companion.table")
SECRET = (Sealed, Opened)
"""Refusals of these are not logged: they would tell that a hand was closed again."""
T = TypeVar("T")


class Table:
    """One game at one table; without a deck, readings of tags have no meaning."""

    def __init__(
        self,
        rules: AnyRulebook,
        journal: Journal,
        deck: Deck | None,
        clock: Clock,
        find_taps: Callable[[str], frozenset[int]] = lambda _game: frozenset(),
        has_one_reader: Callable[[], bool] = lambda: False,
    ) -> None:
        """Without `find_taps` every reader lies under its place, and none serves all by turns."""
        self._find_taps, self._has_one_reader = find_taps, has_one_reader
        self.reports = ReaderReports()
        self._journal, self._clock = journal, clock
        self.faults = TableFaults(journal, clock)
        self.guard = GameGuard(self._show_game_fault, rules.box)
        self.telling = TellingClock()
        self._lock = threading.RLock()
        self._watchers: list[Callable[[], None]] = []
        self._lay_box(rules, deck)

    def _lay_box(self, rules: AnyRulebook, deck: Deck | None) -> None:
        """Begin without a game; feed the tracker with the readers' last reports."""
        self.rules, self._deck, self.guard.box = rules, deck, rules.box
        self.history = History(rules)
        self.faults.game_fault = None
        taps = self._find_taps(rules.box.game)
        self.tracker = Tracker(rules, deck or Deck({}), taps, self._has_one_reader())
        self._gaps: tuple[Mismatch, ...] = ()
        self._told_doubts = self._find_doubts()
        """Doubts about the table, as watchers know them."""
        self._views = SharedViews()
        self._readings_applied = False
        """Whether all that the readers told is applied to the game as it stands."""
        for evidence in self.reports.current_evidence() if deck else ():
            self.tracker.process(evidence, None)

    @property
    def state(self) -> GameState | None:
        """Return the state of the game; None before the first one."""
        return self.history.state

    @property
    def version(self) -> int:
        """Return the number of changes that everyone may have noticed."""
        return self.history.at

    @property
    def seats(self) -> int:
        """Return the number of seats played from; 0 before the first game."""
        return len(self.state.players) if self.state is not None else 0

    # What may be asked for.

    def start(self, event: Started, author: Author) -> Refusal | None:
        """Begin a game where none is under way; only the host may."""
        return self._run("start", self._start, event, author)

    def _start(self, event: Started, author: Author) -> Refusal | None:
        refused = permissions.check_start(self.history, event, author)
        refused = refused or permissions.check_new_id(self._journal, event, self.rules)
        if refused is None:
            check_first_views(self.rules, event)
            self._write([NotedEvent(event)], author)
        return refused

    def request(
        self, event: Event, author: Author, version: int | None = None, key: str = ""
    ) -> Refusal | None:
        """Check and write an event: refused with a reason, or on disk and applied.

        `version` is that of the view it answers; `key` names this request, so that a second copy of
        it counts as the first.
        """
        refused = self._run("request", self._request, event, author, version, key)
        if refused is not None and not isinstance(event, SECRET):
            LOG.info(log_line("request_refused", code=refused.code, rule=refused.rule))
        return refused

    def _request(
        self, event: Event, author: Author, version: int | None, key: str
    ) -> Refusal | None:
        is_done, refused = permissions.check_repeated(self._journal, author, key, event)
        if is_done or refused is not None:
            return refused
        noted = self._check(event, author, version)
        if isinstance(noted, Refusal):
            return noted
        self._write(noted, author, permissions.scope_key(author, key))
        return None

    def _check(
        self, event: Event, author: Author, version: int | None
    ) -> Sequence[NotedEvent] | Refusal:
        """Return the events that a request comes to, or why it is refused."""
        history, gaps = self.history, self._gaps
        refused = (
            permissions.check_stale(history, event, author, version)
            or permissions.check_request(history, event, author)
            or permissions.check_hidden_card(history, event, author)
            or permissions.check_seat(history, event, author)
            or check_agreed_cards(self.rules, self.state, gaps, event)
        )
        if refused is None and isinstance(event, PlaceChosen):
            picture = self.tracker.picture
            refused = refuse_choice(self.rules, self.state, picture, event.place)
        if refused is not None:
            return refused
        if isinstance(event, Settled):
            return resolve_mismatch(history, self.tracker, gaps, event, author)
        return [NotedEvent(permissions.complete_event(history, event))]

    def sense(self, evidence: Evidence) -> Refusal | None:
        """Process a reading or a press; return the refusal of the event it implies, if any."""
        if isinstance(evidence, ButtonPressed):
            return self._run("press", self._press, evidence)
        with self._lock:
            self.reports.record(evidence)
            if self._deck is None:
                return None
            refused = self._run("reading", self._apply_readings, evidence)
            self._notify_of_doubts()
            return refused

    def _press(self, press: ButtonPressed) -> Refusal | None:
        """Make the request of a press; where it has none, wake the seat's phone."""
        if press.seat > self.seats:
            return None
        event = wish_of_press(self.history, self.tracker, press)
        if event is not None:
            return self.request(event, Author(press.seat, f"button {press.seat}"))
        self._views.wake(press.seat)
        self.notify_watchers()
        return None

    def _apply_readings(self, evidence: Evidence | None = None) -> Refusal | None:
        """Apply every event that the readings imply; the rest become to-dos."""
        if evidence is not None:
            self.tracker.process(evidence, None if self.history.is_over else self.state)
        refused = None
        fact = None if self.history.is_over else self.tracker.next_event(self.state)
        while fact is not None and refused is None:
            refused = self._apply_fact(fact)
            fact = self.tracker.next_event(self.state)
        self._gaps = self._find_gaps(self.history)
        self._readings_applied = refused is None
        return refused

    def _apply_fact(self, fact: InferredEvent) -> Refusal | None:
        via = f"reader {fact.place}" if fact.place else permissions.TABLE_DEVICE
        author, tags = Author(0, via), tuple(filter(None, (fact.tag,)))
        refused = permissions.check_request(self.history, fact.event, author)
        if refused is None:
            self._write([NotedEvent(fact.event, fact.place, tags)], author)
        return refused

    # From an event to the watchers.

    def _run(
        self, asked: str, call: Callable[..., Refusal | None], *args: object
    ) -> Refusal | None:
        """Run a call that has the table for itself. A failure of its game or of the disk is shown
        on every screen and refused."""
        with self._lock:
            try:
                return call(*args)
            except JournalFailed as failed:
                self.faults.note_failure(failed.say)
                self._notify_of_faults()
                return Refusal("not_written", self.rules.start_rule, failed.say)
            except Exception as error:  # noqa: BLE001 -- Whatever a game raises.
                return self.guard.refuse(asked, error)

    def _write(self, noted: Sequence[NotedEvent], author: Author, key: str = "") -> None:
        """Write all events or none, and go on from them once they are on disk; raise JournalFailed,
        or the game's own error, before anything has changed."""
        before, tracker, now = self.history, self.tracker, self._clock()
        self.tracker = copy(tracker)  # All that it holds is only ever replaced.
        try:
            after = self._next_history(noted, author.via, now)
            assert after.state is not None
            game, id = self.rules.box.game, after.state.id
            entries = journal_entries(game, id, noted, author.via, now, key)
            self._journal.append_all(entries, after.is_over)
        except BaseException:
            self.tracker = tracker
            raise
        self.telling.follow(before, after)  # First, or a screen is ahead of it.
        self.history = after
        if self.faults.write_failure or self.faults.game_fault:
            self.faults.note_success()
            self._notify_of_faults()
        if after.cleared:
            self._lay_box(self.rules, self._deck)
        if not self._readings_applied:
            self._run("reading", self._apply_readings)
        is_new_game = isinstance(noted[0].event, Started)
        if is_new_game or before.at != self.history.at:  # Not if a hand was closed again.
            self._told_doubts = self._find_doubts()
            self.notify_watchers()
        self._notify_of_doubts()

    def _next_history(self, noted: Sequence[NotedEvent], via: str, now: float) -> History:
        """Return the game after these events; only the picture of the tracker changes."""
        after = self.history
        for event, place, tags in noted:
            before = History(self.rules) if isinstance(event, Started) else after
            after = apply_event(before, event, via, now)
            if isinstance(event, Started):
                self.tracker.reset_game()
            if not (isinstance(event, Sealed) and only_hands_differ(before.state, after.state)):
                self._readings_applied = False  # Only a seal can move no card.
            if not self._readings_applied:
                self.tracker.follow_event(after.state, event, place, tags)
        return after

    def watch(self, callback: Callable[[], None]) -> None:
        """Call this after every change, in the thread that made it."""
        self._watchers.append(callback)

    def notify_watchers(self) -> None:
        for callback in self._watchers:
            try:
                callback()
            except Exception:  # What is on disk has happened, even if a watcher missed it.
                LOG.exception(log_line("watcher_failed"))

    # What is shown.

    def view(self, seat: int = 0) -> View | None:
        """Return the view of a seat, of the table screen, or of a spectator; None before the first
        game, for a seat that is not played from, and if the game fails."""
        with self._lock:
            if self.state is None or seat > self.seats:
                return None
            try:
                picture, faults = self.tracker.picture, self.faults.said
                self._views.refresh(self.history, self._gaps, picture, faults)
                return self._views.view(seat)
            except Exception as error:  # noqa: BLE001 -- Whatever a game raises.
                self.guard.refuse("view", error)
                return None

    def lamp_state(self, seat: int) -> Lamp:
        """Return the state of a seat's lamp; it is off if the game does not say."""
        with self._lock:
            try:
                return lamp_state(self.history, self._gaps, seat)
            except Exception as error:  # noqa: BLE001 -- Whatever a game raises.
                self.guard.refuse("lamp", error)
                return "off"

    @property
    def is_busy(self) -> bool:
        """Return whether a change is being written: then a view has to wait for the disk."""
        is_free = self._lock.acquire(blocking=False)
        if is_free:
            self._lock.release()
        return not is_free

    def read_journal(self, read: Callable[[Journal], T]) -> T:
        """Read in the journal, never while a line is being written."""
        with self._lock:
            return read(self._journal)

    def report_fault(self, fault: Message | None) -> None:
        """Show another fault on every screen; None when it is over."""
        with self._lock:
            self.faults.other_fault = fault
            self._notify_of_faults()

    def _show_game_fault(self, said: Message) -> None:
        self.faults.game_fault = self.faults.game_fault or said  # The first one, until it is over.
        self._notify_of_faults()

    def _find_gaps(self, history: History) -> tuple[Mismatch, ...]:
        """Return the differences between the table and a game that is under way."""
        state = None if history.is_over else history.state
        return tuple(find_mismatches(self.rules, state, self.tracker.picture))

    def _find_doubts(self) -> object:
        """Return all doubts about the table; between games no reader is doubtful."""
        picture = self.tracker.picture
        unheard = None if self.history.is_over else picture.deaf | picture.by_hand
        return self._gaps, picture.is_tap_missed, unheard

    def _notify_of_doubts(self) -> None:
        doubts = self._find_doubts()
        if doubts != self._told_doubts:
            self._told_doubts = doubts
            self.notify_watchers()

    def _notify_of_faults(self) -> None:
        if self.faults.has_changed():
            self.notify_watchers()

    # The box, and the file.

    def choose_box(self, rules: AnyRulebook, deck: Deck | None) -> Refusal | None:
        """Change the box, if no game is in progress; keep the tags on the readers."""
        with self._lock:
            refused = permissions.check_no_open_game(self.history)
            if refused is None:
                self._lay_box(rules, deck)
                self.notify_watchers()
            return refused

    def change_sticker(self, deck: Deck, old: str, new: str, place: int, *, in_game: bool) -> None:
        """Go on with a deck, on disk already, with a new tag in place of another one."""
        with self._lock:
            self._deck = deck
            self.tracker.change_sticker(deck, old, new, place, in_game)
            self._run("reading", self._apply_readings)
            self.notify_watchers()

    def resume(self) -> bool:
        """Resume the newest game of the journal; return whether there was one. One that its rules
        cannot resume stays there as it is."""
        with self._lock:
            try:
                journal, deck, tracker = self._journal, self._deck, self.tracker
                history = resume_history(self.rules, journal, deck, tracker)
                self._gaps = self._find_gaps(history)
                self.history = history
            except Exception as error:  # noqa: BLE001 -- Whatever a game raises.
                self._lay_box(self.rules, self._deck)
                self.guard.refuse("resume", error)
            return self.history.state is not None

    def run_maintenance(self) -> None:
        """Check old lines of the journal, and retry a write that failed."""
        with self._lock:
            if self.faults.run_maintenance():
                self.notify_watchers()
            if self.faults.is_retry_due:
                self._run("reading", self._apply_readings)
                self._notify_of_doubts()

    def close(self) -> None:
        """Close the journal while no request uses it; later requests are not written."""
        with self._lock:
            self._journal.close()
