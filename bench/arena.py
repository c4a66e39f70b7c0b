"""The arena: games between strategies, by the rules alone, without a table.

Laws: a game is decided by its seed alone, and so is all that is compared, on any number of cores.
Every strategy sits at each seat as often as at any other. A game that does not end counts as
shared by all.
"""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

import msgspec

from companion.bots.bot import Bot
from companion.bots.decisions import PieceMove
from companion.bots.strategy import Strategy
from companion.core.events import Event
from companion.core.verdict import Verdict
from companion.games import find_game
from companion.table.view import seat_view

LONGEST = 3000
"""So many events are more than any game needs that comes to an end."""
DOUBT = 0.05
"""How likely it may be that any interval of a comparison misses the truth."""


class Match(NamedTuple):
    """One strategy against the same others, for so many games from this seed on."""

    game: str
    strategy: str
    others: tuple[str, ...]
    seed: str


class ArenaTable:
    """One game between bots, from the first event to the last."""

    def __init__(self, game: str, strategies: Sequence[Strategy], seed: str) -> None:
        found = find_game(game)
        self.rules, names = found.make_rulebook(), range(1, len(strategies) + 1)
        self.bots = [
            Bot(seat, Random(f"{seed} bot {seat}"), self.rules.box, strategy)
            for seat, strategy in enumerate(strategies, 1)
        ]
        self.random = Random(f"{seed} table")
        self.dealer = found.dealer(self.rules.box, len(strategies), Random(f"{seed} box"))
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


def play_match(match: Match, numbers: Sequence[int]) -> list[float]:
    """Play these games of a match; return the strategy's part of each win."""
    return [_play_one(match, number) for number in numbers]


def _play_one(match: Match, number: int) -> float:
    known = find_game(match.game).strategies
    seated = [known[name] for name in (match.strategy, *match.others)]
    turn = number % len(seated)
    shares = ArenaTable(
        match.game, [*seated[-turn:], *seated[:-turn]] if turn else seated,
        f"{match.game} {match.seed} {number}",
    ).play()  # fmt: skip
    return shares[turn]


class Share(NamedTuple):
    """A strategy's part of the wins, as a multiple of its fair share, with its interval."""

    strategy: str
    games: int
    share: float
    least: float
    most: float


def count_share(match: Match, won: Sequence[float], compared: int = 1) -> Share:
    """Return the share of a match; the interval is as wide as `compared` ones need together."""
    seats = 1 + len(match.others)
    share = seats * fmean(won)
    z = NormalDist().inv_cdf(1 - DOUBT / 2 / compared)
    reach = z * seats * stdev(won) / len(won) ** 0.5 if len(won) > 1 else float(seats)
    return Share(match.strategy, len(won), share, share - reach, share + reach)


def split_games(games: int, parts: int) -> Iterator[Sequence[int]]:
    """Yield the numbers of all games, in so many parts."""
    for part in range(parts):
        yield range(part, games, parts)
