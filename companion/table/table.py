"""One live table: the only writer of its journal.

    a request or a reading -> an event -> the next state -> a line in the journal -> watchers

Laws: every request, from a phone, a button, a bot or the simulator, passes the same checks and is
refused or written; the next state is worked out before the line is written, so that no event is on
disk that a game cannot apply, and counts only once it is on disk; a request that is made twice
counts once; watchers learn that something changed, and fetch their own view of it.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from copy import copy

from msgspec.structs import replace

from companion.core.deck import Deck
from companion.core.errors import Refusal
from companion.core.events import Deciding, Event, Opened, Sealed, Started, to_json
from companion.core.i18n import Message
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.core.sweep import Revealing
from companion.core.table_events import (
    AMENDMENTS,
    Counted,
    PlaceChosen,
    Settled,
)
from companion.games.counting import count_difference
from companion.games.game_state import GameState, only_hands_differ
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalFailed
from companion.journal.line import NotedEvent, journal_entries
from companion.table import permissions
from companion.table.corrections import resolve_mismatch
from companion.table.faults import GameGuard, TableFaults
from companion.table.game_failure import GameFailed
from companion.table.games_played import GamesPlayed
from companion.table.history import History, apply_event
from companion.table.idempotency import GrantedRequests
from companion.table.lamps_and_buttons import lamp_state, wish_of_press
from companion.table.permissions import Author
from companion.table.recovery import granted_requests, resume_history
from companion.table.telling import Brought, Clock, TellingClock
from companion.table.view import TABLE_VIEWER, TableViews, View, build_first_views
from companion.tracking.laying import refuse_choice
from companion.tracking.mismatches import Doubts, check_agreed_cards, find_mismatches
from companion.tracking.picture import InferredEvent
from companion.tracking.readers import ReaderReports
from companion.tracking.tracker import Tracker

Prepared = tuple[Sequence[NotedEvent], History, Brought | None]
"""Events that are about to be written, the game as it will stand then, and what is told of it."""
LOG = logging.getLogger("companion.table")
SECRET = (Sealed, Opened)
"""Refusals of these are not logged: they would tell that a hand was closed again."""


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
        self._journal = journal
        self.faults = TableFaults(journal, clock)
        self.guard = GameGuard(self._show_game_fault, lambda: self.rules.box)
        self._ask = self.guard.ask
        self._brought: Brought | None = None
        self.telling = TellingClock(find_newest=lambda: self._brought, guard=self.guard)
        self._requests = GrantedRequests()
        self._lay_box(rules, deck)
        self._lock = threading.RLock()
        self.played = GamesPlayed(journal, self._lock, lambda: self.history)
        self._watchers: list[Callable[[], None]] = []

    @property
    def state(self) -> GameState | None:
        """Return the state of the game; None before the first one."""
        return self.history.state

    @property
    def version(self) -> int:
        """Return how many changes everyone may have noticed."""
        return self.history.at

    @property
    def seats(self) -> int:
        """Return how many seats are played from; 0 before the first game."""
        return len(self.state.players) if self.state is not None else 0

    @property
    def is_busy(self) -> bool:
        """Return whether a change is being written: then a view has to wait for the disk."""
        is_free = self._lock.acquire(blocking=False)
        if is_free:
            self._lock.release()
        return not is_free

    def watch(self, callback: Callable[[], None]) -> None:
        """Call this after every change, in the thread that made it."""
        self._watchers.append(callback)

    def notify_watchers(self) -> None:
        for callback in self._watchers:
            try:
                callback()
            except Exception:  # What is on disk has happened, even if a watcher missed it.
                LOG.exception(log_line("watcher_failed"))

    def close(self) -> None:
        """Close the journal while no request uses it; what comes later is not written."""
        with self._lock:
            self._journal.close()

    def choose_box(self, rules: AnyRulebook, deck: Deck | None) -> Refusal | None:
        """Change the box, if no game is under way; keep what lies on the readers."""
        with self._lock:
            refused = permissions.check_no_open_game(self.history)
            if refused is None:
                self._lay_box(rules, deck)
                self.notify_watchers()
            return refused

    def _lay_box(self, rules: AnyRulebook, deck: Deck | None) -> None:
        """Begin without a game; feed the tracker with what the readers told last."""
        self.rules, self._deck = rules, deck
        self.history = History(rules)
        self.faults.game_fault = None
        taps = self._find_taps(rules.box.game)
        self.tracker = Tracker(rules, deck or Deck({}), taps, self._has_one_reader())
        self._doubts = Doubts()
        self._views = TableViews()
        self._readings_applied = False
        """Whether all that the readers told is applied to the game as it stands."""
        for evidence in self.reports.current_evidence() if deck else ():
            self.tracker.process(evidence, None)

    def change_sticker(self, deck: Deck, old: str, new: str, place: int, *, in_game: bool) -> None:
        """Go on with a deck, on disk already, in which a new tag has come for another one."""
        with self._lock:
            self._deck = deck
            self.tracker.change_sticker(deck, old, new, place, in_game)
            self._apply_readings()
            self.notify_watchers()

    def start(self, event: Started, author: Author) -> Refusal | None:
        """Begin a game where none is under way; only the host may."""
        with self._lock:
            return self.guard.refuse_failure("start", lambda: self._start(event, author))

    def _start(self, event: Started, author: Author) -> Refusal | None:
        try:
            refused = self._ask(
                "start", lambda: permissions.check_start(self.history, event, author)
            ) or self.played.refuse_used_id(event, self.rules)
        except JournalFailed as failed:
            return self._refuse_unwritten(failed)
        if refused is None:
            self._ask("start", lambda: build_first_views(self.rules, event))
        noted = NotedEvent(event, 0, self.tracker.left_pieces())
        return refused or self._write_events([noted], author)

    def resume(self) -> bool:
        """Resume the newest game of the journal; return whether there was one. One that its rules
        cannot resume stays there as it is."""
        with self._lock:
            try:
                self.history = self._ask("resume", self._resume)
            except GameFailed as failed:
                self._lay_box(self.rules, self._deck)
                self._show_game_fault(failed.refusal.say)
            self._requests.restore_granted(granted_requests(self._journal))
            return self.history.state is not None

    def _resume(self) -> History:
        history = resume_history(self.rules, self._journal, self._deck, self.tracker)
        if history.state is not None:
            found = find_mismatches(self.rules, history.state, self.tracker.picture)
            self._doubts = Doubts(tuple(found))
        return history

    def request(
        self, event: Event, author: Author, version: int | None = None, key: str = ""
    ) -> Refusal | None:
        """Check and write an event: refused with a reason, or on disk and applied.

        `version` is that of the view on which it was asked; `key` names this request, so that a
        second copy of it counts as the first.
        """
        with self._lock:
            refused = self.guard.refuse_failure(
                "request", lambda: self._check_and_write(event, author, version, key)
            )
        if refused is not None and not isinstance(event, SECRET):
            LOG.info(log_line("request_refused", code=refused.code, rule=refused.rule))
        return refused

    def _check_and_write(
        self, event: Event, author: Author, version: int | None, key: str
    ) -> Refusal | None:
        done, refused = self._requests.check_key(author, key, event)
        if done or refused is not None:
            return refused
        noted = self._ask("request", lambda: self._check_request(event, author, version))
        return noted if isinstance(noted, Refusal) else self._write_events(noted, author, key)

    def _check_request(
        self, event: Event, author: Author, version: int | None
    ) -> Sequence[NotedEvent] | Refusal:
        """Return the events that a request comes to, or why it is refused."""
        refused = (
            self._requests.check_stale(self.history, event, author, version)
            or permissions.check_request(self.history, event, author)
            or permissions.check_hidden_card(self.history, event, author)
            or permissions.check_seat(self.history, event, author)
            or check_agreed_cards(self.rules, self.state, self._doubts.mismatches, event)
            or self._check_choice(event)
        )
        if refused is not None:
            return refused
        if not isinstance(event, Settled):
            return [NotedEvent(event)]
        return resolve_mismatch(self.history, self.tracker, self._doubts.mismatches, event, author)

    def _check_choice(self, event: Event) -> Refusal | None:
        if not isinstance(event, PlaceChosen):
            return None
        return refuse_choice(self.rules, self.state, self.tracker.picture, event.place)

    def sense(self, evidence: Evidence) -> Refusal | None:
        """Process a reading or a press; return why what it implies was refused."""
        with self._lock:
            if isinstance(evidence, ButtonPressed):
                return self.guard.refuse_failure("press", lambda: self._handle_press(evidence))
            self.reports.record(evidence)
            if self._deck is None:
                return None
            return self._apply_readings(evidence)

    def _apply_readings(self, evidence: Evidence | None = None) -> Refusal | None:
        """Apply every event that the readings imply; the rest become to-dos."""
        return self.guard.refuse_failure(
            "reading", lambda: self._ask("reading", lambda: self._apply_all_readings(evidence))
        )

    def _apply_all_readings(self, evidence: Evidence | None) -> Refusal | None:
        if evidence is not None:
            self.tracker.process(evidence, None if self.history.is_over else self.state)
        refused = None
        fact = None if self.history.is_over else self.tracker.next_event(self.state)
        while fact is not None and refused is None:
            refused = self._apply_fact(fact)
            fact = self.tracker.next_event(self.state)
        told, is_over = self._doubts, self.history.is_over
        self._doubts = self.tracker.find_doubts(self.state, is_over=is_over)
        self._readings_applied = refused is None and self.tracker.is_settled
        if self._doubts.differ_from(told):
            self.notify_watchers()
        return refused

    def _apply_fact(self, fact: InferredEvent) -> Refusal | None:
        via = f"reader {fact.place}" if fact.place else permissions.TABLE_DEVICE
        author, tags = Author(0, via), tuple(filter(None, (fact.tag,)))
        refused = permissions.check_request(self.history, fact.event, author)
        return refused or self._write_events([NotedEvent(fact.event, fact.place, tags)], author)

    def _handle_press(self, press: ButtonPressed) -> Refusal | None:
        """Ask for what a press means; where it means nothing, wake the seat's phone."""
        if press.seat > self.seats:
            return None
        event = self._ask("press", lambda: wish_of_press(self.history, self.tracker, press))
        if event is not None:
            return self.request(event, Author(press.seat, f"button {press.seat}"))
        self._views.wake(press.seat)
        self.notify_watchers()
        return None

    def lamp_state(self, seat: int) -> Lamp:
        """Return what the lamp of a seat shows; it is off if the game does not say."""
        with self._lock:
            gaps = self._doubts.mismatches
            return self.guard.show("lamp", lambda: lamp_state(self.history, gaps, seat)) or "off"

    def view(self, seat: int = 0, viewer: str = TABLE_VIEWER) -> View | None:
        """Return what a seat may know now, or the table screen, or a spectator; None before the
        first game, for a seat that is not played from, and if the game fails."""
        with self._lock:
            if self.state is None or seat > self.seats:
                return None
            return self.guard.show("view", lambda: self._build_view(seat, viewer))

    def _build_view(self, seat: int, viewer: str) -> View:
        picture, faults = self.tracker.picture, self.faults.messages()
        self._views.refresh(self.history, self._doubts.mismatches, picture, faults)
        return self._views.view(seat, viewer)

    def _show_game_fault(self, said: Message) -> None:
        self.faults.game_fault = self.faults.game_fault or said  # The first one, until it is over.
        if self.faults.has_changed():
            self.notify_watchers()

    def report_fault(self, fault: Message | None) -> None:
        """Show another fault on every screen; None when it is over."""
        with self._lock:
            self.faults.other_fault = fault
            if self.faults.has_changed():
                self.notify_watchers()

    def run_maintenance(self) -> None:
        """Check old lines of the journal, and retry a write that failed."""
        with self._lock:
            if self.faults.run_maintenance():
                self.notify_watchers()
            if self.faults.is_retry_due:
                self._apply_readings()

    def _write_events(
        self, noted: Sequence[NotedEvent], author: Author, key: str = ""
    ) -> Refusal | None:
        """Write all events or none; apply them only once they are on disk, then notify."""
        before, via, first = self.history, author.via, noted[0].event
        game = first if isinstance(first, Started) else before.state
        assert game is not None
        now, mark = self.faults.read_clock(), self._requests.scoped_key(author, key)
        box = self.rules.box.game
        tracker = copy(self.tracker)  # All that it holds is only ever replaced.
        try:
            noted, after, brought = self._ask("apply", lambda: self._prepare(noted, via, now))
            entries = journal_entries(box, game.id, noted, via, now, mark)
            self._journal.append_all(entries, after.is_over)
        except GameFailed:
            self.tracker = tracker
            raise
        except JournalFailed as failed:
            self.tracker = tracker
            return self._refuse_unwritten(failed)
        self.faults.report_success()
        self._take_over(after, brought)
        self._requests.record_granted(self.history, mark, to_json(noted[-1].event))
        if not self._readings_applied:
            self._apply_readings()
        if game is first or before.at != self.history.at:  # Not if a hand was closed again.
            self.notify_watchers()
        return None

    def _refuse_unwritten(self, failed: JournalFailed) -> Refusal:
        self.faults.report_failure(failed.say)
        if self.faults.has_changed():
            self.notify_watchers()
        return Refusal("not_written", self.rules.start_rule, failed.say)

    def _prepare(self, noted: Sequence[NotedEvent], via: str, now: float) -> Prepared:
        """Work out all that follows from these events; only the picture of the tracker changes."""
        noted = [self._complete(one) for one in noted]
        history, brought = self.history, self._brought
        for event, place, tags in noted:
            before = History(self.rules) if isinstance(event, Started) else history
            history = apply_event(before, event, via, now)
            brought = _note_verdict(brought, before, event, history)
            self._follow_event(before, history, event, place, tags)
        return noted, history, brought

    def _complete(self, noted: NotedEvent) -> NotedEvent:
        """Return an event with what the table knows of it besides what was asked."""
        event = noted.event
        if isinstance(event, Revealing | Deciding):
            event = self.tracker.add_covered(event, self.state, noted.tags)
        elif isinstance(event, Counted):
            owned = self.rules.corrections.count_own(self.state, event.seat)
            event = replace(event, more=count_difference(owned, event))
        return noted._replace(event=event)

    def _follow_event(
        self, before: History, after: History, event: Event, place: int, tags: tuple[str, ...]
    ) -> None:
        if isinstance(event, Started):
            self.tracker.reset_game()
        if not (isinstance(event, Sealed) and only_hands_differ(before.state, after.state)):
            self._readings_applied = False  # Only a seal can move no card.
        if not self._readings_applied:
            self.tracker.follow_event(after.state, event, place, tags)

    def _take_over(self, after: History, brought: Brought | None) -> None:
        """Go on from what is on disk."""
        self._brought = brought  # First, or a screen could be ahead of its telling.
        self.history = after
        if after.cleared:
            self._lay_box(self.rules, self._deck)


def _note_verdict(
    brought: Brought | None, before: History, event: Event, after: History
) -> Brought | None:
    """Return the verdict that is to be told after this event, if there is one. What an undo or a
    correction brings is shown at once, and so is everything while the judge is called."""
    verdict = getattr(after.state, "verdict", None)
    is_new = verdict is not getattr(before.state, "verdict", None)
    if verdict is None or after.frozen or (is_new and isinstance(event, AMENDMENTS)):
        return None
    return Brought(before, after) if is_new else brought
