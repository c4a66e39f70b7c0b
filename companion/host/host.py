"""The host service of one table: begin and reset games, check the box, let hosts in, read health.

Laws: all of it runs on the thread of the event loop, and every event that it writes has the host as
its author. What cannot be done is refused before anything is touched. A button press first confirms
a phone; only otherwise the game hears it. A button that is held for six seconds makes a phone the
host's, and is nothing to the game.
"""

import logging
import secrets
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from companion.core.deck import name_piece
from companion.core.errors import NotWritten, Refusal, refusal
from companion.core.events import Event
from companion.core.i18n import Message
from companion.core.log_lines import log_line
from companion.core.sensor_events import (
    ButtonHeldOff,
    ButtonHeldOn,
    ButtonPressed,
    Evidence,
    ReaderFound,
    ReaderLost,
)
from companion.core.table_events import Cleared, Ended
from companion.games.new_game import NewGame, prepare_game, same_game_again
from companion.host.health import Health, Light
from companion.host.host_pass import Admitted, HostPass, HostSessions
from companion.host.status import HealthMonitor, health_lights
from companion.host.table_source import RunOnLoop, TableSource, run_here
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.seating.seats import Seats
from companion.setup.steps import WalkView, show_walk
from companion.setup.stickers import refuse_not_enrolled
from companion.setup.walk import Walk, begin_check
from companion.table.devices import event_for_press
from companion.table.history import started_event
from companion.table.permissions import HOST_AUTHOR, check_no_open_game

LOG = logging.getLogger("companion.host")


class Host:
    """The host service of one table."""

    def __init__(  # noqa: PLR0913
        self,
        source: TableSource,
        journal: Journal,
        seats: Seats,
        identity: IdentityStore | None = None,
        *,
        health_monitor: HealthMonitor,
        run_on_loop: RunOnLoop = run_here,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.source, self.table = source, source.table
        self.journal, self.seats = journal, seats
        self.health_monitor = health_monitor
        self.run_on_loop = run_on_loop
        self.clock = clock
        self.host_pass = HostPass(journal.path.parent, clock)
        self.sessions = HostSessions(identity or IdentityStore(), clock)
        self.next_game = self._same_game_again()
        self.last_replaced: Message | None = None
        """The piece that got a new sticker last, since this program began."""
        self._checking: Walk | None = None
        self.listeners: list[Callable[[Evidence], None]] = []
        """Called with each piece of evidence before it is handled."""
        self.intercept: Callable[[Evidence], bool] = lambda _evidence: False
        """Keeps evidence for the set-up from the game."""
        self.before_game: Callable[[], object] = lambda: None
        """Ends the set-up before a game begins."""
        self.after_reset: list[Callable[[], object]] = []
        """Called whenever the table was put away for the next group."""
        source.poller.filter = self.filter_evidence

    # Games.

    def begin_game(self, new_game: NewGame) -> Refusal | None:
        """Begin a game, in whichever box, where none is under way."""
        return self.run_on_loop(
            lambda: self.table.guard.refuse_failure("start", lambda: self._begin_game(new_game))
        )

    def reset_table(self, reason: str = "") -> Refusal | None:
        """End the game, for this reason, put it away, free the seats and check the box, for the
        next group."""
        return self.run_on_loop(lambda: self._reset_table(reason))

    def _begin_game(self, new_game: NewGame) -> Refusal | None:
        refused = check_no_open_game(self.table.history)
        if refused is not None:
            return refused
        prepared = prepare_game(new_game, secrets.token_hex(6), lambda n: secrets.randbelow(n) + 1)
        if isinstance(prepared, Refusal):
            return prepared
        rules, started = prepared
        self.before_game()
        if rules.box.game != self.table.rules.box.game:
            refused = self.source.change_box(rules)
            if refused is not None:
                return refused
        self._stop_box_check()
        self.last_replaced = None
        has_readers = self.table.reports.is_listening and self.source.deck is not None
        if has_readers and "sweep" in started.__struct_fields__:
            started = replace(started, sweep=new_game.sweep)
        try:
            self._keep_names(started.id, new_game.players)
        except NotWritten as failed:
            return Refusal(failed.code, "T.host", failed.say)
        self.source.lay_out(started)
        refused = self.table.start(started, HOST_AUTHOR)
        if refused is None:
            self.next_game = new_game
            seats = len(new_game.players)
            LOG.info(log_line("game_started", game=rules.box.game, seats=seats))
        else:
            self.seats.names.erase_game(started.id)
        self.source.poll()
        return refused

    def _keep_names(self, game: str, players: Sequence[str]) -> None:
        """Keep this game's names by seat, each with its phone."""
        seated = self.seats.holder_names()
        phones = {name: self.seats.holder_of(seat) or "" for seat, name in seated.items()}
        named = ((seat, name, phones.get(name, "")) for seat, name in enumerate(players, 1))
        self.seats.names.keep_names(game, named)

    def _reset_table(self, reason: str) -> Refusal | None:
        steps: list[Event] = [] if self.table.history.is_over else [Ended(reason)]
        steps += [] if self.table.state is None else [Cleared()]
        for step in steps:
            refused = self.table.request(step, HOST_AUTHOR)
            if refused is not None:
                return refused
        try:
            self.seats.clear()
            self.sessions.end_group()
        except NotWritten as failed:  # The game is put away; asked again, this does the rest.
            return Refusal("maybe_written", "T.host", failed.say)
        self.next_game = self._same_game_again()
        for forget in self.after_reset:
            forget()
        self.source.put_away()
        self._start_box_check()  # Where nothing can be checked, nothing is.
        self.table.notify_watchers()
        LOG.info(log_line("table_reset", abandoned=bool(reason)))
        return None

    def forget_names(self) -> None:
        """Know no more names of players than are kept, for the next game too."""
        self.next_game = self._same_game_again()

    def _same_game_again(self) -> NewGame:
        state = self.table.state
        names = self.seats.names.by_game.get(state.id, ()) if state is not None else ()
        game, started = self.table.rules.box.game, started_event(self.table.history)
        return same_game_again(game, started, names)

    # The check of the box.

    def start_box_check(self) -> Refusal | None:
        """Start to check that everything of this box comes by a reader once."""
        return self.run_on_loop(self._start_box_check)

    def box_check(self) -> WalkView | None:
        """Return the progress of the check; None if there is none."""
        checking = self._checking
        return show_walk(checking) if checking else None

    def stop_box_check(self) -> None:
        """Stop the check of the box."""
        self.run_on_loop(self._stop_box_check)

    def _start_box_check(self) -> Refusal | None:
        table, title, deck = self.table, self.table.rules.box.title, self.source.deck
        refused = check_no_open_game(table.history)
        if refused is not None:
            return refused
        if deck is None or not deck.things:
            return refuse_not_enrolled(title)
        if not table.reports.is_listening:
            return refusal(
                "no_readers", "T.host", "No reader answers: tap everything on the phones."
            )
        self.source.put_away()
        self.source.start_sweep()
        holds, lying = table.rules.box.tagged_pieces(), table.reports.current_evidence()
        self._checking = begin_check(holds, deck, self.source.other_decks(), lying)
        table.notify_watchers()
        return None

    def _stop_box_check(self) -> None:
        if self._checking is not None:
            self._checking = None
            self.table.notify_watchers()

    def replace_sticker(self, piece: str, *, at_place: bool = False) -> Refusal | None:
        """Give the new sticker that lies on a reader to a piece whose own is ruined; to one that
        the game has there, if `at_place`."""
        return self.run_on_loop(lambda: self._replace_sticker(piece, at_place))

    def replaceable_pieces(self) -> dict[str, Message]:
        """Return the pieces that may get a new sticker, wherever they are; none without a deck, or
        where tags are no stickers."""
        deck, pieces = self.source.deck, self.table.rules.box.tagged_pieces()
        if deck is None or not deck.salt:
            return {}
        enrolled = {*deck.things.values()}
        return {piece: name_piece(piece) for piece in pieces if piece in enrolled}

    def _replace_sticker(self, piece: str, at_place: bool) -> Refusal | None:
        refused = self.source.replace_sticker(piece, at_place)
        if refused is None:
            self._stop_box_check()  # It counts by the deck as it was.
            self.last_replaced = name_piece(piece)
            LOG.info(log_line("sticker_replaced"))
            self.table.notify_watchers()
        return refused

    # The health of the table.

    def read_health(self) -> Health:
        """Return the table's health now."""
        return self.run_on_loop(self.health_monitor.read_health)

    def health_lights(self) -> tuple[Light, ...]:
        """Return the lights of the last look, at most a moment old, without waiting."""
        return self.health_monitor.lights or health_lights(self.read_health())

    # What is sensed.

    def filter_evidence(self, sensed: Sequence[Evidence]) -> list[Evidence]:
        """Return the evidence for the game; cards and presses are not logged."""
        for evidence in sensed:
            if isinstance(evidence, ReaderLost):
                LOG.warning(log_line("reader_lost", place=evidence.place))
            elif isinstance(evidence, ReaderFound):
                LOG.info(log_line("reader_back", place=evidence.place))
            for listener in self.listeners:
                listener(evidence)
        return [evidence for evidence in sensed if not self._take_evidence(evidence)]

    def _take_evidence(self, evidence: Evidence) -> bool:
        """Return whether this says something to the host or to a guest, and nothing to the game."""
        if self._checking is not None:
            before, self._checking = self._checking, self._checking.take_evidence(evidence)
            if self._checking is not before:
                self.table.notify_watchers()
        if isinstance(evidence, ButtonHeldOn):
            return self._let_host_in(evidence.seat)
        if isinstance(evidence, ButtonHeldOff) or self.intercept(evidence):
            return True
        if not isinstance(evidence, ButtonPressed) or evidence.held:
            return False
        # Before the first game every seat counts.
        is_unused_seat = 0 < self.table.seats < evidence.seat
        if is_unused_seat or self._is_awaited(evidence):
            return False
        try:
            return self.seats.handle_press(evidence.seat)
        except NotWritten:  # The guest waits on; the game must not take the press for its own.
            LOG.error(log_line("seat_not_kept", seat=evidence.seat))
            return True

    def _is_awaited(self, press: ButtonPressed) -> bool:
        """Return whether the game waits for this press by the seat's own player.

        Such a press gives no seat away to a stranger who asked for it, even if its phone sleeps.
        """
        is_taken = press.seat in self.seats.taken_seats()
        return is_taken and event_for_press(self.table.history, press) is not None

    def _let_host_in(self, seat: int) -> bool:
        """Make a phone the host's, as the button of this seat is held, and show a pass for another;
        return that the game hears nothing of it."""
        admitted: Admitted = ""
        try:
            admitted = self.sessions.admit_by_button(self.seats.holder_of(seat))
        except NotWritten:  # The pass is shown all the same.
            LOG.error(log_line("host_not_kept", seat=seat))
        self.host_pass.show_pass(seat, admitted)
        self.table.notify_watchers()
        return True

    def expire_pass(self) -> None:
        """Take a pass off the screens whose time is over."""
        if self.host_pass.expire_pass():
            self.table.notify_watchers()
