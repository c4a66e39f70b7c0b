"""The crowd at a simulated table: how fast its bots play, from which seats, and which game.

Law: whoever sits at a seat of the next game stays there; what a bot may not know it asks nobody.
"""

from abc import ABC
from collections.abc import Mapping

from companion.app.simulated.bot_driver import NAMES, Sitters
from companion.core.errors import Refusal
from companion.core.table_events import Ended
from companion.games import RULEBOOKS, make_rulebook
from companion.games.new_game import NewGame, prepare_game
from companion.games.start import fold_name
from companion.table.permissions import HOST_AUTHOR
from web.context import Pace


class Crowd(Sitters, ABC):
    """A table with bots, as people choose them on a page."""

    def set_pace(self, pace: Pace) -> None:
        """Have the bots play so fast."""
        self.pace = pace
        self.table.notify_watchers()

    def leave_seat(self, seat: int) -> None:
        """Nobody sits there any more: a bot plays on."""
        self.run_on_loop(lambda: self._leave(seat))

    def _leave(self, seat: int) -> None:
        if self.yours == seat:
            self.yours = 0
        self.pieces.put_back(seat)
        self.seats.free_seat(seat)

    def game_sizes(self) -> Mapping[str, tuple[int, int]]:
        """Every game that can be laid out, with the least and the most players."""
        players = {game: make_rulebook(game).box.players for game in RULEBOOKS}
        return {game: (number.least, number.most) for game, number in players.items()}

    def change_game(self, game: str, seats: int) -> Refusal | None:
        """End the game that is under way, and begin this one with so many players."""
        return self.run_on_loop(lambda: self._other(game, seats))

    def _other(self, game: str, seats: int) -> Refusal | None:
        wish = NewGame(game, self._players(seats))
        found = prepare_game(wish, "asked")
        if isinstance(found, Refusal):
            return found
        if not self.table.history.is_over:
            refused = self.table.request(Ended(), HOST_AUTHOR)
            if refused is not None:
                return refused
        for seat in self.seats.taken_seats():
            if seat > seats:
                self.seats.free_seat(seat)
        return self._begin(wish)

    def _players(self, seats: int) -> tuple[str, ...]:
        """Whoever played before plays again, in the same seat."""
        before = [player.name for player in self.table.state.players] if self.table.seats else []
        given = {fold_name(name) for name in before}
        # More than any box is for are refused where the wish is granted.
        more = [name for name in (*NAMES, *map(str, range(seats))) if fold_name(name) not in given]
        return tuple([*before, *more][:seats])
