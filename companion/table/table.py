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
from companion.journal import Entry, Journal, JournalFailed
from companion.records.record import Record, record_of
from companion.table import permissions
from companion.table.corrections import Noted, answer, remember
from companion.table.faults import Troubles
from companion.table.history import History, happen
from companion.table.idempotency import Requests
from companion.table.lamps_and_buttons import lamp, meaning
from companion.table.look_back_init import Look, last_verdict, look, refuse
from companion.table.permissions import HOSTED, Author
from companion.table.resume import granted, past
from companion.table.view import TABLE, Shown, View, open_view, seat_view
from companion.tracking import Fact, Gap, in_doubt, todo
from companion.tracking.tracker import Eyes, Reports

Clock = Callable[[], float]
replace = msgspec.structs.replace


class Table:
    """One game at one table; without a deck nobody knows what the readers tell."""

    def __init__(self, rules: Rulebook, journal: Journal, deck: Deck | None, clock: Clock) -> None:
        self.reports = Reports()
        self._journal = journal
        self._troubles = Troubles(journal, clock)
        self._requests = Requests()
        self._lay(rules, deck)
        self._door = threading.RLock()
        self._watchers: list[Callable[[], None]] = []

    @property
    def state(self) -> Any:
        """The game as it stands; None before the first one."""
        return self.history.state

    @property
    def at(self) -> int:
        """The version of the game: how many changes everyone may have noticed."""
        return self.history.at

    @property
    def seats(self) -> int:
        """How many seats are played from; 0 before the first game."""
        return len(self.state.players) if self.state is not None else 0

    def watch(self, told: Callable[[], None]) -> None:
        """Have this called after every change, by whichever thread made it."""
        self._watchers.append(told)

    def tell(self) -> None:
        """Have everyone who watches look again."""
        for told in self._watchers:
            try:
                told()
            except Exception:  # What is on disk has happened, whoever may have missed it.
                logging.exception("Somebody who watches the table could not be told.")

    # Boxes are laid on the table.

    def choose(self, rules: Rulebook, deck: Deck | None) -> Refusal | None:
        """Lay another box on the table, where no game is under way; what lies there lies on."""
        with self._door:
            if not self.history.over:
                return refusal("under_way", self.rules.start_rule, "A game is under way.")
            self._lay(rules, deck)
            self.tell()
            return None

    def _lay(self, rules: Rulebook, deck: Deck | None) -> None:
        """Nothing is played yet with this box; its eyes hear all that the readers told last."""
        self.rules, self._deck = rules, deck
        self.history = History(rules)
        self.eyes = Eyes(rules, deck or Deck({}))
        self._gaps: list[Gap] = []
        self._deaf: frozenset[int] | None = None
        """The places at which no reader counts in this game, as everyone was told last."""
        self._shown = Shown()
        self._woken: dict[int, int] = {}
        for evidence in self.reports.again() if deck else ():
            self.eyes.see(evidence, None)

    # Games begin, and are taken up again.

    def start(self, event: Started, author: Author) -> Refusal | None:
        """Begin a game where none is under way; only the host does."""
        with self._door:
            if author != HOSTED:
                return refusal("not_yours", self.rules.start_rule, "This is not yours to do.")
            if not self.history.over:
                return refusal("under_way", self.rules.start_rule, "A game is under way.")
            refused = self.rules.refuse(None, event) or self._used(event)
            if refused is not None:
                return refused
            return self._write([Noted(event, 0, ())], author)

    def _used(self, event: Started) -> Refusal | None:
        """Each game has an id of its own, or old seals would fit again."""
        try:
            used = self._journal.holds(event.id)
        except JournalFailed as failed:
            return self._not_written(failed)
        text = "A game of this id is in the journal already."
        return refusal("id", self.rules.start_rule, text) if used else None

    def resume(self) -> bool:
        """Take up the newest game of the journal where it stood; whether there was one."""
        with self._door:
            moments = past(self.rules, self._journal)
            for event, via, when, place, tags in moments:
                self.history = happen(self.history, event, via, when)
                self._follow(event, place, tags)
            if moments:
                self._requests.recall(granted(self._journal, self.state.id))
                self._gaps = self.eyes.gaps(self.state)
            return bool(moments)

    # Requests.

    def request(
        self, event: Event, author: Author, version: int | None = None, key: str = ""
    ) -> Refusal | None:
        """Ask for something to happen: refused with a reason, or on disk and done.

        `version` is that of the view on which it was asked; `key` names this very request, so that
        a second copy of it counts as the first.
        """
        with self._door:
            done, refused = self._requests.known(author, key, event)
            if done or refused is not None:
                return refused
            stale = self._requests.stale(self.history, event, author, version)
            refused = stale or permissions.refuse(self.history, event, author)
            refused = (
                refused or permissions.guesses(self.history, event, author) or self._doubt(event)
            )
            if refused is not None:
                return refused
            if isinstance(event, Settled):
                return self._settle(event, author, key)
            return self._write([Noted(event, 0, ())], author, key)

    def _doubt(self, event: Event) -> Refusal | None:
        """No hand opens while it is not agreed which cards lie there."""
        if not isinstance(event, Opened | Entered):
            return None
        gap = in_doubt(self.rules, self.state, self._gaps)
        if gap is None:
            return None
        text = "First agree on what lies there. {title}"
        return refusal("in_doubt", "T.todo", text, title=todo(self.rules, gap).say)

    # The cards.

    def sense(self, evidence: Evidence) -> Refusal | None:
        """Take a piece of evidence for what it means, if it means anything."""
        with self._door:
            if isinstance(evidence, ButtonPressed):
                return self._pressed(evidence)
            self.reports.take(evidence)
            if self._deck is None:
                return None
            self._journal.note(evidence.at, self.eyes.noted(evidence))
            fact = self.eyes.see(evidence, None if self.history.over else self.state)
            refused = self._happens(fact) if fact is not None else None
            return self._look() or refused

    def _look(self) -> Refusal | None:
        """Have all happen that the table shows; what is left over is to do."""
        refused = None
        fact = None if self.history.over else self.eyes.fact(self.state)
        while fact is not None and refused is None:
            refused = self._happens(fact)
            fact = self.eyes.fact(self.state)
        gaps = [] if self.history.over else self.eyes.gaps(self.state)
        picture = self.eyes.picture
        deaf = None if self.history.over else picture.blind | picture.by_hand
        changed = gaps != self._gaps or (self._deaf is not None and deaf != self._deaf)
        self._gaps, self._deaf = gaps, deaf
        if changed:
            self.tell()
        return refused

    def _happens(self, fact: Fact) -> Refusal | None:
        author, tags = Author(0, f"reader {fact.place}"), tuple(filter(None, (fact.tag,)))
        refused = permissions.refuse(self.history, fact.event, author)
        return refused or self._write([Noted(fact.event, fact.place, tags)], author)

    def _settle(self, event: Settled, author: Author, key: str) -> Refusal | None:
        """A to-do is settled the way the table chose."""
        noted = answer(self.history, self.eyes, self._gaps, event, author)
        return noted if isinstance(noted, Refusal) else self._write(noted, author, key)

    # Buttons and lamps.

    def _pressed(self, press: ButtonPressed) -> Refusal | None:
        """Ask for what a press means; where it means nothing it wakes the phone of its seat."""
        if press.seat > self.seats:
            return None
        event = meaning(self.history, press)
        if event is not None:
            return self.request(event, Author(press.seat, f"button {press.seat}"))
        self._woken[press.seat] = self._woken.get(press.seat, 0) + 1
        self.tell()
        return None

    def lamp(self, seat: int) -> Lamp:
        """What the lamp of a seat shows: off, your turn, your seal is missing, put it right."""
        with self._door:
            return lamp(self.history, self._gaps, seat)

    # Views.

    def record(self) -> Record | Refusal:
        """The record of the game that was played last, once it tells nothing that lies hidden."""
        with self._door:
            if not self.history.over:
                text = "The game goes on: its record would tell what lies face down."
                return refusal("under_way", "T.host", text)
            try:
                newest = self._journal.newest()
                if newest is None:
                    return refusal("not_started", "T.host", "No game has been started yet.")
                return record_of(self._journal, newest)
            except (Malformed, JournalFailed) as failed:
                return Refusal("not_proven", "T.host", failed.say)

    def has_record(self) -> bool:
        """Whether a game was played here that can be told to the end."""
        with self._door:
            return self.history.over and self._journal.newest() is not None

    def view(self, seat: int = 0, viewer: str = TABLE) -> View | None:
        """What a seat may know now, or the table screen, or a spectator.

        None before the first game, and for a seat from which nobody plays.
        """
        with self._door:
            if self.state is None or seat > self.seats:
                return None
            found = (self.history, self._gaps, self.eyes.picture, self.troubles())
            public, table = self._shown.to_all(*found)
            if not seat:
                return open_view(self.rules, self.state, self.at, viewer, table, public)
            table = replace(table, woken=self._woken.get(seat, 0))
            return seat_view(self.rules, self.state, self.at, seat, public, table)

    def look_back(self, at: int = 0) -> Look | Refusal | None:
        """The game at a moment, as everyone could see it; without one, where the last verdict came.

        None if there is no such moment, or no verdict yet.
        """
        with self._door:
            history = self.history
        if history.state is None or not at:
            return last_verdict(history)
        return refuse(history) or look(history, at)

    def troubles(self) -> tuple[Message, ...]:
        """What is wrong with journal, clock or wires, for every screen."""
        return self._troubles.says()

    def suffer(self, trouble: Message | None) -> None:
        """Say on every screen what else is wrong, until there is nothing."""
        with self._door:
            self._troubles.besides = trouble
            if self._troubles.news():
                self.tell()

    @property
    def unwritten(self) -> Message | None:
        """Why nothing can be written; None while all is well."""
        return self._troubles.unwritten

    @property
    def checked(self) -> float | None:
        """When the journal was proven to its last old line; None while that goes on."""
        return self._troubles.checked

    def turn(self) -> None:
        """Now and then: what waited for a full disk happens, old lines are checked."""
        with self._door:
            if self._troubles.turn():
                self.tell()
            if self._troubles.due:
                self._look()

    # The one way round.

    def _write(self, noted: Sequence[Noted], author: Author, key: str = "") -> Refusal | None:
        """To disk first, all of it or nothing; only what is there has happened and is told."""
        before, via = self.history, author.via
        begins = isinstance(noted[0].event, Started)
        now, mark = self._troubles.now(), self._requests.mark(author, key)
        try:
            self._journal.together(self._entries(noted, via, now, mark))
        except JournalFailed as failed:
            return self._not_written(failed)
        self._troubles.written()
        for event, place, tags in noted:
            self._happened(event, via, now, place, tags)
        self._requests.done(self.history, mark, to_json(noted[-1].event))
        self._look()
        if begins or before.at != self.history.at:  # A hand closed again is nobody's business.
            self.tell()
        return None

    def _entries(self, noted: Sequence[Noted], via: str, now: float, mark: str) -> list[Entry]:
        """The lines of what is to be noted; the last one bears the key of the request."""
        first, last = noted[0].event, noted[-1]
        game, id = self.rules.box.game, first.id if isinstance(first, Started) else self.state.id
        return [
            Entry(
                (game, id, now, via, to_json(each.event)),
                mark if each is last else "",
                ",".join(each.tags),
            )
            for each in noted
        ]

    def _not_written(self, failed: JournalFailed) -> Refusal:
        self._troubles.failed(failed.say)
        if self._troubles.news():
            self.tell()
        return Refusal("not_written", self.rules.start_rule, failed.say)

    def _happened(
        self, event: Event, via: str, now: float, place: int, tags: tuple[str, ...]
    ) -> None:
        """What is on disk leads to the game as it is now."""
        begins = isinstance(event, Started)
        if begins:
            self.eyes.forget()
        self.history = happen(History(self.rules) if begins else self.history, event, via, now)
        self._follow(event, place, tags)
        if self.history.over:
            self._journal.anchor()
        if self.history.cleared:
            self._lay(self.rules, self._deck)

    def _follow(self, event: Event, place: int, tags: tuple[str, ...]) -> None:
        """Have the eyes look at the game as it stands after this event."""
        if isinstance(event, Settled):
            remember(self.eyes, event, tags)
        self.eyes.follow(self.state, place, () if isinstance(event, Settled) else tags)
