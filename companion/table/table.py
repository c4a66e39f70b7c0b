"""The table: the one writer, and the one way round.

    a request or a reading -> an event -> a line in the journal -> the next state -> everyone told

Laws: whatever asks — a phone, a button, a bot, the simulator — comes through the same door and is
refused there or written; what is written is on disk before anybody hears of it; a request that is
made twice counts once; watchers are told that something changed, and fetch their own view of it.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Any

from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.events import Event, Started, to_json
from companion.core.i18n import Message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.core.table_events import Settled
from companion.games.rulebook import Rulebook
from companion.journal import Journal, JournalFailed
from companion.records.format import Record
from companion.records.store import make_last_record
from companion.table import permissions
from companion.table.corrections import check_agreed_cards, resolve_mismatch, update_tracker
from companion.table.faults import Faults
from companion.table.history import History, apply_event
from companion.table.idempotency import GrantedRequests
from companion.table.lamps_and_buttons import event_for_press, lamp_state
from companion.table.look_back import LookBack, look_back
from companion.table.permissions import Author
from companion.table.resume import NotedEvent, granted_requests, journal_entries, past_events
from companion.table.view import TABLE_VIEWER, TableViews, View
from companion.tracking import InferredEvent, Mismatch
from companion.tracking.tracker import Tracker, ReaderReports

Clock = Callable[[], float]


class Table:
    """One game at one table; without a deck nobody knows what the readers tell."""

    def __init__(self, rules: Rulebook, journal: Journal, deck: Deck | None, clock: Clock) -> None:
        self.reports = ReaderReports()
        self._journal = journal
        self.faults = Faults(journal, clock)
        self._requests = GrantedRequests()
        self._lay_box(rules, deck)
        self._lock = threading.RLock()
        self._watchers: list[Callable[[], None]] = []

    @property
    def state(self) -> Any:
        """The game as it stands; None before the first one."""
        return self.history.state

    @property
    def version(self) -> int:
        """The version of the game: how many changes everyone may have noticed."""
        return self.history.at

    @property
    def seats(self) -> int:
        """How many seats are played from; 0 before the first game."""
        return len(self.state.players) if self.state is not None else 0

    def watch(self, callback: Callable[[], None]) -> None:
        """Have this called after every change, by whichever thread made it."""
        self._watchers.append(callback)

    def notify_watchers(self) -> None:
        """Have everyone who watches look again."""
        for told in self._watchers:
            try:
                told()
            except Exception:  # What is on disk has happened, whoever may have missed it.
                logging.exception("Somebody who watches the table could not be told.")

    # Boxes are laid on the table.

    def choose_box(self, rules: Rulebook, deck: Deck | None) -> Refusal | None:
        """Lay another box on the table, where no game is under way; what lies there lies on."""
        with self._lock:
            refused = permissions.check_no_open_game(self.history)
            if refused is None:
                self._lay_box(rules, deck)
                self.notify_watchers()
            return refused

    def _lay_box(self, rules: Rulebook, deck: Deck | None) -> None:
        """Nothing is played yet with this box; its eyes hear all that the readers told last."""
        self.rules, self._deck = rules, deck
        self.history = History(rules)
        self.tracker = Tracker(rules, deck or Deck({}))
        self._mismatches: list[Mismatch] = []
        self._unheard_places: frozenset[int] | None = None
        """The places at which no reader counts in this game, as everyone was told last."""
        self._views = TableViews()
        for evidence in self.reports.current_evidence() if deck else ():
            self.tracker.process(evidence, None)

    # Games begin, and are taken up again.

    def start(self, event: Started, author: Author) -> Refusal | None:
        """Begin a game where none is under way; only the host does."""
        with self._lock:
            refused = permissions.check_start(self.history, event, author)
            refused = refused or self._check_unused_id(event)
            return refused or self._write_events([NotedEvent(event)], author)

    def _check_unused_id(self, event: Started) -> Refusal | None:
        """Each game has an id of its own, or old seals would fit again."""
        try:
            used = self._journal.has_game(event.id)
        except JournalFailed as failed:
            return self._refuse_unwritten(failed)
        text = "A game of this id is in the journal already."
        return refusal("id", self.rules.start_rule, text) if used else None

    def resume(self) -> bool:
        """Take up the newest game of the journal where it stood; whether there was one."""
        with self._lock:
            moments = past_events(self.rules, self._journal)
            for event, via, when, place, tags in moments:
                self.history = apply_event(self.history, event, via, when)
                update_tracker(self.tracker, self.state, event, place, tags)
            if moments:
                self._requests.restore_granted(granted_requests(self._journal, self.state.id))
                self._mismatches = self.tracker.find_mismatches(self.state)
            return bool(moments)

    # Requests.

    def request(
        self, event: Event, author: Author, version: int | None = None, key: str = ""
    ) -> Refusal | None:
        """Ask for something to happen: refused with a reason, or on disk and done.

        `version` is that of the view on which it was asked; `key` names this very request, so that
        a second copy of it counts as the first.
        """
        with self._lock:
            done, refused = self._requests.check_key(author, key, event)
            if done or refused is not None:
                return refused
            refused = (
                self._requests.check_stale(self.history, event, author, version)
                or permissions.check_request(self.history, event, author)
                or permissions.check_hidden_card(self.history, event, author)
                or check_agreed_cards(self.history, self._mismatches, event)
            )
            if refused is not None:
                return refused
            if isinstance(event, Settled):
                return self._settle_mismatch(event, author, key)
            return self._write_events([NotedEvent(event)], author, key)

    # The cards.

    def sense(self, evidence: Evidence) -> Refusal | None:
        """Take a piece of evidence for what it means, if it means anything."""
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
        """Have all happen that the table shows; what is left over is to do."""
        refused = None
        fact = None if self.history.is_over else self.tracker.next_event(self.state)
        while fact is not None and refused is None:
            refused = self._apply_fact(fact)
            fact = self.tracker.next_event(self.state)
        gaps = [] if self.history.is_over else self.tracker.find_mismatches(self.state)
        picture = self.tracker.picture
        deaf = None if self.history.is_over else picture.blind | picture.by_hand
        changed = gaps != self._mismatches or (
            self._unheard_places is not None and deaf != self._unheard_places
        )
        self._mismatches, self._unheard_places = gaps, deaf
        if changed:
            self.notify_watchers()
        return refused

    def _apply_fact(self, fact: InferredEvent) -> Refusal | None:
        author, tags = Author(0, f"reader {fact.place}"), tuple(filter(None, (fact.tag,)))
        refused = permissions.check_request(self.history, fact.event, author)
        return refused or self._write_events([NotedEvent(fact.event, fact.place, tags)], author)

    def _settle_mismatch(self, event: Settled, author: Author, key: str) -> Refusal | None:
        """A to-do is settled the way the table chose."""
        noted = resolve_mismatch(self.history, self.tracker, self._mismatches, event, author)
        return noted if isinstance(noted, Refusal) else self._write_events(noted, author, key)

    # Buttons and lamps.

    def _handle_press(self, press: ButtonPressed) -> Refusal | None:
        """Ask for what a press means; where it means nothing it wakes the phone of its seat."""
        if press.seat > self.seats:
            return None
        event = event_for_press(self.history, press)
        if event is not None:
            return self.request(event, Author(press.seat, f"button {press.seat}"))
        self._views.wake(press.seat)
        self.notify_watchers()
        return None

    def lamp_state(self, seat: int) -> Lamp:
        """What the lamp of a seat shows: off, your turn, your seal is missing, put it right."""
        with self._lock:
            return lamp_state(self.history, self._mismatches, seat)

    # Views.

    def last_record(self) -> Record | Refusal:
        """The record of the game that was played last, once it tells nothing that lies hidden."""
        with self._lock:
            if self.history.is_over:
                return make_last_record(self._journal)
            text = "The game goes on: its record would tell what lies face down."
            return refusal("under_way", "T.host", text)

    def has_record(self) -> bool:
        """Whether a game was played here that can be told to the end."""
        with self._lock:
            return self.history.is_over and self._journal.newest_game() is not None

    def view(self, seat: int = 0, viewer: str = TABLE_VIEWER) -> View | None:
        """What a seat may know now, or the table screen, or a spectator.

        None before the first game, and for a seat from which nobody plays.
        """
        with self._lock:
            if self.state is None or seat > self.seats:
                return None
            picture, faults = self.tracker.picture, self.faults.messages()
            self._views.refresh(self.history, self._mismatches, picture, faults)
            return self._views.view(seat, viewer)

    def look_back(self, at: int = 0) -> LookBack | Refusal | None:
        """The game at a moment, as everyone could see it; without one, where the last verdict came.

        None if there is no such moment, or no verdict yet.
        """
        with self._lock:
            history = self.history
        return look_back(history, at)

    def report_fault(self, fault: Message | None) -> None:
        """Say on every screen what else is wrong, until there is nothing."""
        with self._lock:
            self.faults.other_fault = fault
            if self.faults.has_changed():
                self.notify_watchers()

    def run_maintenance(self) -> None:
        """Now and then: what waited for a full disk happens, old lines are checked."""
        with self._lock:
            if self.faults.run_maintenance():
                self.notify_watchers()
            if self.faults.is_retry_due:
                self._apply_readings()

    # The one way round.

    def _write_events(
        self, noted: Sequence[NotedEvent], author: Author, key: str = ""
    ) -> Refusal | None:
        """To disk first, all of it or nothing; only what is there has happened and is told."""
        before, via, first = self.history, author.via, noted[0].event
        id = first.id if isinstance(first, Started) else self.state.id
        now, mark = self.faults.read_clock(), self._requests.scoped_key(author, key)
        try:
            self._journal.append_all(journal_entries(self.rules, id, noted, via, now, mark))
        except JournalFailed as failed:
            return self._refuse_unwritten(failed)
        self.faults.report_success()
        for event, place, tags in noted:
            self._apply_written(event, via, now, place, tags)
        self._requests.record_granted(self.history, mark, to_json(noted[-1].event))
        self._apply_readings()
        if isinstance(first, Started) or before.at != self.history.at:  # Not if closed again.
            self.notify_watchers()
        return None

    def _refuse_unwritten(self, failed: JournalFailed) -> Refusal:
        self.faults.report_failure(failed.say)
        if self.faults.has_changed():
            self.notify_watchers()
        return Refusal("not_written", self.rules.start_rule, failed.say)

    def _apply_written(
        self, event: Event, via: str, now: float, place: int, tags: tuple[str, ...]
    ) -> None:
        """What is on disk leads to the game as it is now."""
        begins = isinstance(event, Started)
        if begins:
            self.tracker.reset_game()
        self.history = apply_event(History(self.rules) if begins else self.history, event, via, now)
        update_tracker(self.tracker, self.state, event, place, tags)
        if self.history.is_over:
            self._journal.write_anchor()
        if self.history.cleared:
            self._lay_box(self.rules, self._deck)
