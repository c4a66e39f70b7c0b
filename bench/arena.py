"""The arena: games between bots by the rules alone, without a table.

Laws: a game is decided by its seed alone, on any number of cores. A game that does not end counts
as shared by all.
"""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

import msgspec

from companion.bots.bot import Bot
from companion.bots.decisions import Decisions, PieceMove
from companion.core.events import Event
from companion.core.verdict import Verdict
from companion.games import find_game
from companion.table.view import seat_view

LONGEST = 3000
"""So many events are more than any game needs that comes to an end."""
CERTAINTY = 1.96
"""How many standard errors an interval of 95 % reaches to either side."""


class ArenaTable:
    """One game between bots, from the first event to the last."""

    def __init__(self, game: str, decisions: Sequence[Decisions], seed: str) -> None:
        found = find_game(game)
        self.rules, names = found.make_rulebook(), range(1, len(decisions) + 1)
        self.bots = [
            Bot(seat, Random(f"{seed} bot {seat}"), self.rules.box, decides)
            for seat, decides in enumerate(decisions, 1)
        ]
        self.random = Random(f"{seed} table")
        self.dealer = found.dealer(self.rules.box, len(decisions), Random(f"{seed} box"))
        self.past: list[Verdict] = []
        begun = self.rules.make_start_event("arena", [f"seat{n}" for n in names])
        self.state: Any = self.rules.apply(None, begun)
        for event in self.dealer.show_pieces(self.state):
            self.state = self.rules.apply(self.state, event)

    def play(self) -> Sequence[float]:
        """Play to the end; return what part of the win each seat has."""
        for _ in range(LONGEST):
            if self.state.phase == "over":
                break
            self.step()
        names = [player.name for player in self.state.players]
        winners = self.state.score.winners if self.state.score else names
        return [(name in winners) / len(winners) for name in names]

    def step(self) -> None:
        """Let one of the seats that are waited for do what its bot decides."""
        state = self.state
        public = self.rules.public_view(state)
        seat = self.random.choice(public.waiting)
        view = seat_view(self.rules, state, 0, seat, public)
        wish = self.bots[seat - 1].decide(view, self.dealer.hand(seat), self.past)
        event = self._carry_out(seat, wish) if isinstance(wish, PieceMove) else wish
        after = event and self.rules.apply(state, event)
        if after is state or after is None:
            raise RuntimeError(f"the bot at seat {seat} cannot do this in {state.phase}: {wish}")
        self.state = after
        if self.state.verdict is not state.verdict:
            self.past.append(self.rules.public_view(after).verdict)

    def _carry_out(self, seat: int, wish: PieceMove) -> Event:
        """Move the pieces, which show what the bot could not choose."""
        fields = self.dealer.fill_in(self.state, seat, wish.do, dict(wish.fields))
        if "card" not in fields and _needs_card(self.rules.event_class(wish.do)):
            fields = {**fields, "card": self.dealer.draw_card()}
        return self.rules.make_event(seat, wish.do, fields)


def _needs_card(kind: type[Event]) -> bool:
    """Return whether such an event has to name a card."""
    return any(field.name == "card" and field.required for field in msgspec.structs.fields(kind))


class Share(NamedTuple):
    """A part of the wins as a multiple of the fair part, with its interval of 95 %."""

    share: float
    least: float
    most: float


def play_against(game: str, decisions: Decisions, games: Sequence[int], seats: int = 4) -> Share:
    """Return the share of a bot with other decisions among our bots, each game at the next seat."""
    ours, won = find_game(game).bot, list[float]()
    for number in games:
        turn = number % seats
        seated = [decisions if seat == turn else ours for seat in range(seats)]
        won.append(ArenaTable(game, seated, f"{game} {number}").play()[turn])
    share, reach = seats * fmean(won), CERTAINTY * seats * stdev(won) / len(won) ** 0.5
    return Share(share, share - reach, share + reach)


def otherwise(game: str, changes: Decisions) -> Decisions:
    """Return the decisions of our bots, with something else done in some phases."""
    merged: Mapping[str, Any] = {**find_game(game).bot, **changes}
    return merged
