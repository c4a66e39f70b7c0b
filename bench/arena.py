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
from companion.pieces.pieces import Pieces
from companion.table.view import View, seat_view

LONGEST = 3000
"""So many events are more than any game needs that comes to an end."""
CERTAINTY = 1.96
"""How many standard errors an interval of 95 % reaches to either side."""


class BareTable:
    """A table top without readers."""

    now = 0.0

    def __init__(self) -> None:
        self._lying = dict[str, int]()

    def pass_time(self, _seconds: float) -> None:
        """Wait for nothing: no time passes here."""

    def stick_tags(self, things: Mapping[str, str]) -> None:
        """Stick nothing: no reader hears a tag here."""

    def put_tag(self, tag: str, place: int) -> None:
        self._lying.pop(tag, None)
        self._lying[tag] = place

    def take_tags(self, *tags: str) -> None:
        for tag in tags:
            self._lying.pop(tag, None)

    lay_tag = restore_tag = put_tag
    lift_tags = take_tags

    def clear_table(self) -> None:
        self._lying.clear()

    def tags_at(self, place: int) -> list[str]:
        return [tag for tag, at in self._lying.items() if at == place]

    def place_of(self, tag: str) -> int | None:
        return self._lying.get(tag)

    def can_come_again(self, _tag: str, _place: int) -> bool:
        return True


class ArenaTable:
    """One game between bots, from the first event to the last."""

    def __init__(self, game: str, decisions: Sequence[Decisions], seed: str) -> None:
        found = find_game(game)
        self.rules = found.make_rulebook()
        self.bots = [
            Bot(seat, Random(f"{seed} bot {seat}"), self.rules.box, decides)
            for seat, decides in enumerate(decisions, 1)
        ]
        self.random = Random(f"{seed} table")
        self.pieces = Pieces(found.pieces, self.rules, BareTable(), Random(f"{seed} box"))
        self.past: list[Verdict] = []
        begun = self.rules.make_start_event("arena", len(decisions))
        self.pieces.lay_out_game(len(decisions), **msgspec.structs.asdict(begun))
        self.state: Any = self.rules.apply(None, begun)

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
        wish = self.bots[seat - 1].decide(view, self.pieces.hand_cards(seat), self.past)
        event = self._carry_out(view, wish) if isinstance(wish, PieceMove) else wish
        after = event and self.rules.apply(state, event)
        if after is state or after is None:
            raise RuntimeError(f"the bot at seat {seat} cannot do this in {state.phase}: {wish}")
        self.state = after
        lies, public = self.rules.expected_cards(after), self.rules.public_view(after)
        self.pieces.follow_events([event], lies, public)
        self.pieces.clear_up(lies, public)
        if self.state.verdict is not state.verdict:
            self.past.append(public.verdict)

    def _carry_out(self, view: View, move: PieceMove) -> Event:
        """Move the pieces, which show what the bot could not choose."""
        self.pieces.make_move(view.seat, move.do, **move.fields)
        ways = [way for may in view.may if may.do == move.do for way in may.choices]
        asked = next((way for way in ways if move.fields.items() <= way.items()), {})
        seen = self.pieces.reported_fields(view.seat, move.do, {**asked, **move.fields})
        fields = {name: seen[name] for name in {**asked, **move.fields}}
        return self.rules.make_event(view.seat, move.do, fields)


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
