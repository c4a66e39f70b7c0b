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

import msgspec

from companion.core.deck import Deck
from companion.core.errors import Malformed, Refusal, refusal
from companion.core.events import Entered, Event, Opened, Started, to_json
from companion.core.i18n import Message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.core.table_events import Settled
from companion.games.rulebook import Rulebook
from companion.journal import Journal, JournalEntry, JournalFailed
from companion.records.format import Record
from companion.records.store import make_record
from companion.table import permissions
from companion.table.corrections import NotedEvent, apply_settlement, resolve_mismatch
from companion.table.faults import Faults
from companion.table.history import History, apply_event
from companion.table.idempotency import GrantedRequests
from companion.table.lamps_and_buttons import event_for_press, lamp_state
from companion.table.look_back import LookBack, check_look_back, find_last_verdict, look_back_at
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.resume import granted_requests, past_events
from companion.table.view import TABLE_VIEWER, PublicViewCache, View, open_view, seat_view
from companion.tracking import InferredEvent, Mismatch, find_doubt, make_todo
from companion.tracking.tracker import Tracker, ReaderReports

Clock = Callable[[], float]
replace = msgspec.structs.replace


class Table:
    """One game at one table; without a deck nobody knows what the readers tell."""

    def __init__(self, rules: Rulebook, journal: Journal, deck: Deck | None, clock: Clock) -> None:
        self.reports = ReaderReports()
        self._journal = journal
        self._faults = Faults(journal, clock)
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
            if not self.history.is_over:
                return refusal("under_way", self.rules.start_rule, "A game is under way.")
            self._lay_box(rules, deck)
            self.notify_watchers()
            return None

    def _lay_box(self, rules: Rulebook, deck: Deck | None) -> None:
        """Nothing is played yet with this box; its eyes hear all that the readers told last."""
        self.rules, self._deck = rules, deck
        self.history = History(rules)
        self.tracker = Tracker(rules, deck or Deck({}))
        self._mismatches: list[Mismatch] = []
        self._unheard_places: frozenset[int] | None = None
        """The places at which no reader counts in this game, as everyone was told last."""
        self._public_views = PublicViewCache()
        self._wake_calls: dict[int, int] = {}
        for evidence in self.reports.current_evidence() if deck else ():
            self.tracker.process(evidence, None)

    # Games begin, and are taken up again.

    def start(self, event: Started, author: Author) -> Refusal | None:
        """Begin a game where none is under way; only the host does."""
        with self._lock:
            if author != HOST_AUTHOR:
                return refusal("not_yours", self.rules.start_rule, "This is not yours to do.")
            if not self.history.is_over:
                return refusal("under_way", self.rules.start_rule, "A game is under way.")
            refused = self.rules.refuse(None, event) or self._check_unused_id(event)
            if refused is not None:
                return refused
            return self._write_events([NotedEvent(event, 0, ())], author)

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
                self._update_tracker(event, place, tags)
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
            stale = self._requests.check_stale(self.history, event, author, version)
            refused = stale or permissions.check_request(self.history, event, author)
            refused = (
                refused
                or permissions.check_hidden_card(self.history, event, author)
                or self._check_agreed_cards(event)
            )
            if refused is not None:
                return refused
            if isinstance(event, Settled):
                return self._settle_mismatch(event, author, key)
            return self._write_events([NotedEvent(event, 0, ())], author, key)

    def _check_agreed_cards(self, event: Event) -> Refusal | None:
        """No hand opens while it is not agreed which cards lie there."""
        if not isinstance(event, Opened | Entered):
            return None
        gap = find_doubt(self.rules, self.state, self._mismatches)
        if gap is None:
            return None
        text = "First agree on what lies there. {title}"
        return refusal("in_doubt", "T.todo", text, title=make_todo(self.rules, gap).say)

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
        self._wake_calls[press.seat] = self._wake_calls.get(press.seat, 0) + 1
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
            if not self.history.is_over:
                text = "The game goes on: its record would tell what lies face down."
                return refusal("under_way", "T.host", text)
            try:
                newest = self._journal.newest_game()
                if newest is None:
                    return refusal("not_started", "T.host", "No game has been started yet.")
                return make_record(self._journal, newest)
            except (Malformed, JournalFailed) as failed:
                return Refusal("not_proven", "T.host", failed.say)

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
            found = (self.history, self._mismatches, self.tracker.picture, self.fault_messages())
            public, table = self._public_views.public_view(*found)
            if not seat:
                return open_view(self.rules, self.state, self.version, viewer, table, public)
            table = replace(table, woken=self._wake_calls.get(seat, 0))
            return seat_view(self.rules, self.state, self.version, seat, public, table)

    def look_back(self, at: int = 0) -> LookBack | Refusal | None:
        """The game at a moment, as everyone could see it; without one, where the last verdict came.

        None if there is no such moment, or no verdict yet.
        """
        with self._lock:
            history = self.history
        if history.state is None or not at:
            return find_last_verdict(history)
        return check_look_back(history) or look_back_at(history, at)

    def fault_messages(self) -> tuple[Message, ...]:
        """What is wrong with journal, clock or wires, for every screen."""
        return self._faults.messages()

    def report_fault(self, fault: Message | None) -> None:
        """Say on every screen what else is wrong, until there is nothing."""
        with self._lock:
            self._faults.other_fault = fault
            if self._faults.has_changed():
                self.notify_watchers()

    @property
    def write_fault(self) -> Message | None:
        """Why nothing can be written; None while all is well."""
        return self._faults.write_fault

    @property
    def checked_at(self) -> float | None:
        """When the journal was proven to its last old line; None while that goes on."""
        return self._faults.checked_at

    def run_maintenance(self) -> None:
        """Now and then: what waited for a full disk happens, old lines are checked."""
        with self._lock:
            if self._faults.run_maintenance():
                self.notify_watchers()
            if self._faults.is_retry_due:
                self._apply_readings()

    # The one way round.

    def _write_events(
        self, noted: Sequence[NotedEvent], author: Author, key: str = ""
    ) -> Refusal | None:
        """To disk first, all of it or nothing; only what is there has happened and is told."""
        before, via = self.history, author.via
        begins = isinstance(noted[0].event, Started)
        now, mark = self._faults.read_clock(), self._requests.scoped_key(author, key)
        try:
            self._journal.append_all(self._journal_entries(noted, via, now, mark))
        except JournalFailed as failed:
            return self._refuse_unwritten(failed)
        self._faults.report_success()
        for event, place, tags in noted:
            self._apply_written(event, via, now, place, tags)
        self._requests.record_granted(self.history, mark, to_json(noted[-1].event))
        self._apply_readings()
        if begins or before.at != self.history.at:  # A hand closed again is nobody's business.
            self.notify_watchers()
        return None

    def _journal_entries(
        self, noted: Sequence[NotedEvent], via: str, now: float, mark: str
    ) -> list[JournalEntry]:
        """The lines of what is to be noted; the last one bears the key of the request."""
        first, last = noted[0].event, noted[-1]
        game, id = self.rules.box.game, first.id if isinstance(first, Started) else self.state.id
        return [
            JournalEntry(
                (game, id, now, via, to_json(each.event)),
                mark if each is last else "",
                ",".join(each.tags),
            )
            for each in noted
        ]

    def _refuse_unwritten(self, failed: JournalFailed) -> Refusal:
        self._faults.report_failure(failed.say)
        if self._faults.has_changed():
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
        self._update_tracker(event, place, tags)
        if self.history.is_over:
            self._journal.write_anchor()
        if self.history.cleared:
            self._lay_box(self.rules, self._deck)

    def _update_tracker(self, event: Event, place: int, tags: tuple[str, ...]) -> None:
        """Have the eyes look at the game as it stands after this event."""
        if isinstance(event, Settled):
            apply_settlement(self.tracker, event, tags)
        self.tracker.update(self.state, place, () if isinstance(event, Settled) else tags)
