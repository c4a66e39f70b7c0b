"""Games in which bots hold some seats and random choices play the others.

Law: a bot is handed its view and the cards in its hand, and its wish is carried out with the same
pieces as everybody's; the pieces show which card or tile comes up. Chance finds every legal
choice as likely as any other, and every hand that could be closed.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from companion.bots import PieceMove
from companion.bots.bot import Bot
from companion.core.events import Event, from_fields
from companion.core.verdict import Verdict
from companion.games import make_rulebook
from companion.table.view import View, make_view
from tests.worlds.rulebook_players import Evening


class Seated(Evening):
    """One game with bots in these seats."""

    def __init__(
        self, game: str, seed: object, seats: int, bots: Mapping[int, Bot], **more: Any
    ) -> None:
        self.bots = bots
        self.past: list[Verdict] = []
        super().__init__(game, Random(f"{game} {seed}"), seats, **more)
        self.pieces.most = max(getattr(self.rules.box, "chips", {"": 0}).values())

    def step(self) -> None:
        """Have one awaited seat act; a bot does as it decides."""
        self.pieces.look()
        seat = self.random.choice(self.rules.awaited_seats(self.state))
        bot = self.bots.get(seat)
        event = self.chance(seat) if bot is None else self.carry_out(bot)
        before = self.state.verdict
        self.happen(event)
        if self.state.verdict is not before:
            self.past.append(self.rules.public_view(self.state).verdict)  # type: ignore[attr-defined]

    def chance(self, seat: int) -> Event:
        """Any of the things this seat may do, each as likely."""
        may, way = self.random.choice(
            [(may, way) for may in self.wanted(seat) for way in may.choices]
        )
        if may.do == "tile_turned":
            return self.with_pieces(seat, may.do, {})
        return self.make(seat, msgspec.structs.replace(may, choices=(way,)))

    def carry_out(self, bot: Bot) -> Event:
        """What the bot asks for, or what it does with the pieces."""
        wish = bot.decide(self.view(bot.seat), self.hand(bot.seat), self.past)
        assert wish is not None, f"the bot at seat {bot.seat} gives up in {self.state.phase}"
        if isinstance(wish, PieceMove):
            return self.with_pieces(bot.seat, wish.do, dict(wish.fields))
        return wish

    def view(self, seat: int) -> View:
        """What this seat may know."""
        return make_view(self.rules, self.state, len(self.events), seat)

    def hand(self, seat: int) -> list[str]:
        """The cards in the hand of this seat."""
        hands = getattr(self.pieces, "hands", None)
        return list(hands[seat - 1]) if hands else []

    def with_pieces(self, seat: int, do: str, fields: dict[str, Any]) -> Event:
        """Somebody moves the pieces, which show what nobody could choose."""
        state = self.state
        if do == "tile_turned":
            fields["tile"] = self.random.choice(
                [t for t, n in state.tiles.items() for _ in range(n)]
            )
        if do in ("card_named", "card_revealed"):
            lying = state.banks[fields["bank"] - 1][fields["slot"] - 1]
            fields |= {} if lying.card else {"card": "unknown"}
        self.pieces.fill(seat, do, fields)
        kind = next(row.event for row in self.rules.rows if row.event_name == do)
        seated = {"seat": seat} if "seat" in kind.__struct_fields__ else {}
        return from_fields({"event": do, **seated, **fields}, self.rules.event_types)


def with_bots(game: str, seed: int, seats: int, bots: int = 1, **more: Any) -> Seated:
    """A game with one bot, whose seat moves around with the seed, or more from there on."""
    places = [(seed + n) % seats + 1 for n in range(bots)]
    box = make_rulebook(game).box
    sitting = {seat: Bot(seat, Random(f"{game} {seed} {seat}"), box) for seat in places}
    return Seated(game, seed, seats, sitting, **more)


def share_of_win(evening: Seated, seat: int) -> float:
    """The part of the win that a seat has; equal first places share it."""
    winners = evening.state.score.winners
    return (evening.state.players[seat - 1].name in winners) / len(winners)
