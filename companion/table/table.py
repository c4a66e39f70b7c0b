"""One live table: the only writer of its journal.

    a request or a reading -> an event -> a line in the journal -> the next state -> watchers

Laws: every request, from a phone, a button, a bot or the simulator, passes the same checks and is
refused or written; what is written is on disk before any watcher is notified; a request that is
made twice counts once; watchers learn that something changed, and fetch their own view of it.
"""

import logging
import threading
from collections.abc import Callable, Sequence

from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.events import Deciding, Event, Opened, Sealed, Started, to_json
from companion.core.i18n import Message
from companion.core.log_lines import log_line
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.core.sweep import Revealing
from companion.core.table_events import AMENDMENTS, PlaceChosen, Settled
from companion.games.game_state import GameState, only_hands_differ
from companion.games.rulebook import AnyRulebook
from companion.journal import Journal, JournalFailed
from companion.journal.line import NotedEvent, journal_entries
from companion.table import agreement, permissions
from companion.table.corrections import resolve_mismatch
from companion.table.faults import TableFaults
from companion.table.games_played import GamesPlayed
from companion.table.history import History, apply_event
from companion.table.idempotency import GrantedRequests
from companion.table.lamps_and_buttons import event_for_press, lamp_state
from companion.table.permissions import Author
from companion.table.recovery import granted_requests, newest_tags, past_events
from companion.table.telling import Brought, TellingClock
from companion.table.view import TABLE_VIEWER, TableViews, View
from companion.tracking.mismatches import Mismatch, check_agreed_cards
from companion.tracking.picture import InferredEvent
from companion.tracking.tracker import ReaderReports, Tracker

Clock = Callable[[], float]
LOG = logging.getLogger("companion.table")
SECRET = (Sealed, Opened)
"""Refusals of these are not logged: they would tell that a hand was closed again."""


def no_taps(_game: str) -> frozenset[int]:
    """Return no place: every reader lies under its place."""
    return frozenset()


def no_one_reader() -> bool:
    """Return that no reader serves all places by turns."""
    return False


class Table:
    """One game at one table; without a deck, readings of tags have no meaning."""

    def __init__(
        self,
        rules: AnyRulebook,
        journal: Journal,
        deck: Deck | None,
        clock: Clock,
        find_taps: Callable[[str], frozenset[int]] = no_taps,
        has_one_reader: Callable[[], bool] = no_one_reader,
    ) -> None:
        self._find_taps, self._has_one_reader = find_taps, has_one_reader
        self.reports = ReaderReports()
        self._journal = journal
        self.faults = TableFaults(journal, clock)
        self._brought: Brought | None = None
        self.telling = TellingClock(find_newest=lambda: self._brought)
        self._requests = GrantedRequests()
        self._proposal: agreement.Proposal | None = None
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
        taps = self._find_taps(rules.box.game)
        self.tracker = Tracker(rules, deck or Deck({}), taps, self._has_one_reader())
        self._mismatches: list[Mismatch] = []
        self._is_tap_missed = False
        self._unheard_places: frozenset[int] | None = None
        """Places whose reader does not count, as the watchers were told last."""
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
            refused = permissions.check_start(self.history, event, author)
            refused = refused or self._check_unused_id(event)
            left = self.tracker.pieces_left()
            return refused or self._write_events([NotedEvent(event, 0, left)], author)

    def _check_unused_id(self, event: Started) -> Refusal | None:
        """Refuse an id that was used before, or old seals would fit again."""
        try:
            used = self._journal.has_game(event.id)
        except JournalFailed as failed:
            return self._refuse_unwritten(failed)
        text = "A game of this id is in the journal already."
        return refusal("id", self.rules.start_rule, text) if used else None

    def resume(self) -> bool:
        """Resume the newest game of the journal; return whether there was one."""
        with self._lock:
            moments = past_events(self.rules, self._journal)
            for event, via, when, place, tags in moments:
                self.history = apply_event(self.history, event, via, when)
                self.tracker.follow_event(
                    self.state, event, place, newest_tags(tags, self._deck, self.state)
                )
            self._requests.restore_granted(granted_requests(self._journal))
            if self.history.state is not None:
                self._mismatches = self.tracker.find_mismatches(self.state)
            return bool(moments)

    def request(
        self, event: Event, author: Author, version: int | None = None, key: str = ""
    ) -> Refusal | None:
        """Check and write an event: refused with a reason, or on disk and applied.

        `version` is that of the view on which it was asked; `key` names this request, so that a
        second copy of it counts as the first.
        """
        refused = self._check_and_write(event, author, version, key)
        if refused is not None and not isinstance(event, SECRET):
            LOG.info(log_line("request_refused", code=refused.code, rule=refused.rule))
        return refused

    def _check_and_write(
        self, event: Event, author: Author, version: int | None, key: str
    ) -> Refusal | None:
        with self._lock:
            done, refused = self._requests.check_key(author, key, event)
            if done or refused is not None:
                return refused
            refused = (
                self._requests.check_stale(self.history, event, author, version)
                or permissions.check_request(self.history, event, author)
                or permissions.check_hidden_card(self.history, event, author)
                or permissions.check_final_hands(self.history, event)
                or check_agreed_cards(self.rules, self.state, self._mismatches, event)
                or self._check_place_chosen(event)
                or self._check_stalling(event, author)
            )
            if refused is not None:
                return refused
            if isinstance(event, Settled):
                return self._settle_mismatch(event, author, key)
            return self._write_events([NotedEvent(event)], author, key)

    def _check_place_chosen(self, event: Event) -> Refusal | None:
        """Refuse a place at which the one reader of this table cannot wait for a card."""
        if not isinstance(event, PlaceChosen):
            return None
        return self.tracker.refuse_choice(event.place, self.state)

    def _check_stalling(self, event: Event, author: Author) -> Refusal | None:
        """Refuse what one seat could hold up the table with; note what it asks of all seats."""
        if not isinstance(event, agreement.Stalling):
            return permissions.check_reseals(self.history, event)
        if not agreement.needs_everyone(self.history, event, author):
            return None
        self._proposal = agreement.join_proposal(self._proposal, self.history, event, author.seat)
        refused = agreement.refuse_alone(self._proposal, self.history)
        if refused is not None:
            self.notify_watchers()
        return refused

    def _settle_mismatch(self, event: Settled, author: Author, key: str) -> Refusal | None:
        noted = resolve_mismatch(self.history, self.tracker, self._mismatches, event, author)
        return noted if isinstance(noted, Refusal) else self._write_events(noted, author, key)

    def sense(self, evidence: Evidence) -> Refusal | None:
        """Process a reading or a press; return why what it implies was refused."""
        with self._lock:
            if isinstance(evidence, ButtonPressed):
                return self._handle_press(evidence)
            self.reports.record(evidence)
            if self._deck is None:
                return None
            self._journal.note_reading(evidence.at, self.tracker.encode_evidence(evidence))
            fact = self.tracker.process(evidence, None if self.history.is_over else self.state)
            refused = self._apply_fact(fact) if fact is not None else None
            return self._apply_readings() or refused

    def _apply_readings(self) -> Refusal | None:
        """Apply every event that the readings imply; the rest become to-dos."""
        refused = None
        fact = None if self.history.is_over else self.tracker.next_event(self.state)
        while fact is not None and refused is None:
            refused = self._apply_fact(fact)
            fact = self.tracker.next_event(self.state)
        gaps = [] if self.history.is_over else self.tracker.find_mismatches(self.state)
        picture = self.tracker.picture
        deaf = None if self.history.is_over else picture.blind | picture.by_hand
        missed = picture.is_tap_missed
        changed = (
            gaps != self._mismatches
            or missed != self._is_tap_missed
            or (self._unheard_places is not None and deaf != self._unheard_places)
        )
        self._is_tap_missed = missed
        self._mismatches, self._unheard_places = gaps, deaf
        self._readings_applied = refused is None and self.tracker.is_settled
        if changed:
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
        event = event_for_press(self.history, press) or self._next_choice(press)
        if event is not None:
            return self.request(event, Author(press.seat, f"button {press.seat}"))
        self._views.wake(press.seat)
        self.notify_watchers()
        return None

    def _next_choice(self, press: ButtonPressed) -> PlaceChosen | None:
        """Return the next place for which the one reader could wait, if this seat is to lay a card
        and nothing else."""
        waiting = self.rules.awaited_seats(self.state) if not self.history.is_over else ()
        if press.held or self.history.paused or press.seat not in waiting:
            return None
        return self.tracker.next_choice(self.state)

    def lamp_state(self, seat: int) -> Lamp:
        with self._lock:
            return lamp_state(self.history, self._mismatches, seat)

    def view(self, seat: int = 0, viewer: str = TABLE_VIEWER) -> View | None:
        """Return what a seat may know now, or the table screen, or a spectator.

        None before the first game, and for a seat that is not played from.
        """
        with self._lock:
            if self.state is None or seat > self.seats:
                return None
            picture, faults = self.tracker.picture, self.faults.messages()
            proposal = self._proposal
            self._views.refresh(self.history, self._mismatches, picture, faults, proposal)
            return self._views.view(seat, viewer)

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
        noted = [self._with_covered(one) for one in noted]
        now, mark = self.faults.read_clock(), self._requests.scoped_key(author, key)
        box = self.rules.box.game
        try:
            self._journal.append_all(journal_entries(box, game.id, noted, via, now, mark))
        except JournalFailed as failed:
            return self._refuse_unwritten(failed)
        self.faults.report_success()
        for event, place, tags in noted:
            self._apply_written(event, via, now, place, tags)
        self._requests.record_granted(self.history, mark, to_json(noted[-1].event))
        if not self._readings_applied:
            self._apply_readings()
        if game is first or before.at != self.history.at:  # Not if a hand was closed again.
            self.notify_watchers()
        return None

    def _with_covered(self, noted: NotedEvent) -> NotedEvent:
        """Return an event with what the readers know of the cards that it reveals."""
        event, tracker = noted.event, self.tracker
        if isinstance(event, Revealing):
            return noted._replace(event=tracker.note_covered(event, self.state, noted.tags))
        if isinstance(event, Deciding):
            return noted._replace(event=tracker.note_decided(event, self.state))
        return noted

    def _refuse_unwritten(self, failed: JournalFailed) -> Refusal:
        self.faults.report_failure(failed.say)
        if self.faults.has_changed():
            self.notify_watchers()
        return Refusal("not_written", self.rules.start_rule, failed.say)

    def _apply_written(
        self, event: Event, via: str, now: float, place: int, tags: tuple[str, ...]
    ) -> None:
        """Apply an event that is on disk."""
        begins = isinstance(event, Started)
        if begins:
            self.tracker.reset_game()
        before = History(self.rules) if begins else self.history
        after = apply_event(before, event, via, now)
        self._note_verdict(
            before, event, after
        )  # First, or a screen could be ahead of its telling.
        self.history = after
        if not (isinstance(event, Sealed) and only_hands_differ(before.state, after.state)):
            self._readings_applied = False  # Only a seal can move no card.
        if not self._readings_applied:
            self.tracker.follow_event(after.state, event, place, tags)
        if self.history.is_over:
            self._journal.write_anchor()
        if self.history.cleared:
            self._lay_box(self.rules, self._deck)

    def _note_verdict(self, before: History, event: Event, after: History) -> None:
        """Note a verdict that is to be told. What an undo or a correction brings is shown at once,
        and so is everything while the judge is called."""
        verdict = getattr(after.state, "verdict", None)
        is_new = verdict is not getattr(before.state, "verdict", None)
        if verdict is None or after.frozen or (is_new and isinstance(event, AMENDMENTS)):
            self._brought = None
        elif is_new:
            self._brought = Brought(before, after)
