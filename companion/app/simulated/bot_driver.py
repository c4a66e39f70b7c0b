"""Bots at a simulated table: play the seats that no person took, and lay out games with them.

Laws: a bot sees what its seat sees and asks with the same permissions. What a reader fails to
notice it taps, and where cards and log differ it puts the cards right, or trusts the log. A hand
that was closed by a person who left the seat it cannot open: it has all hands closed again. While
the game stands still it waits. A person who has a seat of the next game keeps it.
"""

import math
from random import Random

from companion.app.default_players import fill_names, game_for_seated
from companion.app.simulated.simulated_table import Lineup, SimulatedTable
from companion.bots import PieceMove
from companion.bots.bot import Bot
from companion.core.durable_files import second_of_two_writes
from companion.core.errors import Refusal
from companion.core.events import Event, Resealed, Sealed
from companion.core.table_events import Ended, PlaceChosen, Settled
from companion.games.layout import Pace
from companion.games.new_game import NewGame, prepare_game
from companion.host.host import Host
from companion.table.permissions import HOST_AUTHOR, Author
from companion.table.view import View

PACES: dict[Pace, float] = {"human": 1.6, "fast": 0.0, "still": math.inf}
"""Seconds that a bot usually thinks before it acts."""
SPREAD = 0.3
"""Spread of these times, as the logarithm of a factor: no two decisions take as long."""


class BotDriver:
    """The bots of one simulated table, and the games that are laid out with them."""

    def __init__(self, host: Host, source: SimulatedTable, lineup: Lineup) -> None:
        self._host, self._source, self._table = host, source, host.table
        self._usual = len(lineup.players)
        self.persons_seat, self.pace = lineup.persons_seat, lineup.pace
        self._acted_at, self._patience = host.clock(), 1.0
        self._random = Random(f"{lineup.seed} patience")

    # Play.

    def play_when_due(self) -> None:
        """Let one bot act, if its thinking time is over; during a telling it waits like
        everyone."""
        if self.pace != "fast" and self._table.telling.unfinished() is not None:
            self._acted_at = self._host.clock()
            return
        due = self._acted_at + PACES[self.pace] * self._patience
        if self._host.clock() >= due and self.play_one():
            self._acted_at = self._host.clock()
            self._patience = self._random.lognormvariate(0, SPREAD)

    def play_one(self) -> bool:
        """Let one bot act, if one is asked to; return whether it did."""
        return any(self._act_for(bot) for bot in self._source.game_bots)

    def _act_for(self, bot: Bot) -> bool:
        view = self._table.view(bot.seat)
        if view is None or view.table.is_stopped:
            return False
        is_bots, has_closed = self._is_bots_seat(bot.seat), bot.has_closed_hand(view)
        keeps_closed = self._table.rules.keeps_hands_closed(view.public.phase)
        if not is_bots and not (keeps_closed and has_closed):
            return False
        wish = self._decide(bot, view)
        is_asked = keeps_closed and bot.seat in view.public.waiting
        if wish is None and is_bots and is_asked and not has_closed:
            wish = Resealed()  # Only the person who left the seat knows this hand.
        if isinstance(wish, PieceMove):
            self._choose_place(view, wish)
            is_noticed = self._source.move_pieces(bot.seat, wish.do, wish.fields)
            return is_noticed or self._tap_move(bot.seat, wish) or self._ends_sweep(bot.seat)
        if isinstance(wish, Sealed):
            self._source.save_pieces()  # A phone keeps what it sealed before it sends the seal.
        return wish is not None and self._request_event(bot.seat, wish)

    def _decide(self, bot: Bot, view: View) -> Event | PieceMove | None:
        """Return a bot's next act; None if its game fails to decide it."""
        hand, show = self._source.pieces.hand_cards(bot.seat), self._table.rules.public_view
        try:
            heard = [show(state).verdict for state in self._table.history.decided]
            return bot.decide(view, hand, heard)
        except Exception as error:  # noqa: BLE001 -- Whatever a game raises.
            self._table.guard.refuse("bot", error, bot.box)
            return None

    def _choose_place(self, view: View, move: PieceMove) -> None:
        """Choose the place of the next card for the one reader, if a choice is needed."""
        listening = view.table.listening
        choices = listening.choices if listening is not None else {}
        wanted = self._source.pieces.wanted_pieces(view.seat, move.do, move.fields)
        goals = sorted({one.place for one in wanted} & choices.keys())
        if goals and listening is not None and listening.place != goals[0]:
            self._request_event(view.seat, PlaceChosen(goals[0]))

    def played_by_bots(self) -> list[int]:
        """Return the seats that bots play."""
        return [bot.seat for bot in self._source.game_bots if self._is_bots_seat(bot.seat)]

    def _is_bots_seat(self, seat: int) -> bool:
        return seat != self.persons_seat and seat not in self._host.seats.taken_seats()

    def _request_event(self, seat: int, event: Event) -> bool:
        refused = self._ask(seat, event)
        if refused is not None and refused.code == "in_doubt":
            return self._resolve_doubt(seat)
        self._source.poll()
        return refused is None

    def _resolve_doubt(self, seat: int) -> bool:
        """Put the cards right where they differ from the log; else trust the log."""
        if self._source.pieces.misplaced_tags():
            with self._source.pieces.busy:
                self._source.pieces.put_right()
            self._source.poll()
            return True
        view = self._table.view()
        places = {todo.place for todo in view.table.todos} if view else set()
        return any(self._ask(seat, Settled(place, "log")) is None for place in sorted(places))

    def _tap_move(self, seat: int, move: PieceMove) -> bool:
        """Enter a move that no reader noticed, with the names of the pieces where the table asks
        for them."""
        view = self._table.view(seat)
        if view is None:
            return False
        ways = [way for may in view.may if may.do == move.do for way in may.choices]
        asked = next((way for way in ways if move.fields.items() <= way.items()), {})
        try:
            told = self._source.pieces.reported_fields(seat, move.do, {**asked, **move.fields})
        except LookupError:  # What is not there cannot be tapped.
            return False
        fields = {**move.fields, **{name: told[name] for name in told.keys() & asked.keys()}}
        given = [fields]
        if "card" in fields and "card" not in asked:  # If its name is not believed: face down.
            given.append({field: thing for field, thing in fields.items() if field != "card"})
        events = (self._table.rules.make_event(seat, move.do, one) for one in given)
        return any(self._request_event(seat, event) for event in events)

    def _ends_sweep(self, seat: int) -> bool:
        """Settle a sweep without a card left to show; return whether it was one."""
        state = self._table.state
        sweep = None if state is None else self._table.rules.current_sweep(state)
        return sweep is not None and self._ask(seat, Settled(sweep.place, "cards")) is None

    def _ask(self, seat: int, event: Event) -> Refusal | None:
        return self._table.request(event, Author(seat, f"bot {seat}"))

    # What people choose on a page.

    def set_pace(self, pace: Pace) -> None:
        """Set the speed of the bots."""
        self.pace = pace
        self._table.notify_watchers()

    def leave_seat(self, seat: int) -> None:
        """Free a seat, so that its bot plays on."""
        self._host.run_on_loop(lambda: self._leave_seat(seat))

    def _leave_seat(self, seat: int) -> None:
        self._host.seats.free_seat(seat)
        if self.persons_seat == seat:
            self.persons_seat = 0

    # Games.

    def begin_with_bots(self, game: str) -> Refusal | None:
        """Begin a game of this box for everyone seated, with bots in the other seats."""
        return self._host.begin_game(game_for_seated(game, self._host.seats, self._usual))

    def change_game(self, game: str, seats: int) -> Refusal | None:
        """End the game that is under way, and begin this one with this many players."""
        return self._host.run_on_loop(
            lambda: self._table.guard.refuse_failure(
                "start", lambda: self._change_game(game, seats)
            )
        )

    def _change_game(self, game: str, seats: int) -> Refusal | None:
        table = self._table
        new_game = NewGame(game, fill_names(seats, self._host.seats.holder_names()))
        prepared = prepare_game(new_game, "asked")
        if isinstance(prepared, Refusal):
            return prepared
        if not table.history.is_over:
            refused = table.request(Ended(), HOST_AUTHOR)
            if refused is not None:
                return refused
        with second_of_two_writes():
            for seat in self._host.seats.taken_seats():
                if seat > seats:
                    self._host.seats.free_seat(seat)
        return self._host.begin_game(new_game)
