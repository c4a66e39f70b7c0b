"""What may be seen of a game of Banque Fatale: by everyone, and by one seat.

Law: built up from nothing. Chips and cash lie behind a screen, hands are closed: there is no
field here that could hold them.
"""

import msgspec

from companion.games.banque_fatale.auction import Auction
from companion.games.banque_fatale.state import State
from companion.texts import Say
from companion.verdict import Score


class Seat(msgspec.Struct, frozen=True):
    """A player as the others see them."""

    name: str
    cards: tuple[str, ...]
    closed: bool
    seal: str
    open: bool


class Public(msgspec.Struct, frozen=True):
    """The table as everyone sees it; the start player leads the round."""

    id: str
    phase: str
    round: int
    now: Say
    active: int
    starter: int
    waiting: tuple[int, ...]
    seats: tuple[Seat, ...]
    values: dict[str, int]
    open_cards: tuple[str, ...]
    auctioned: str
    pile: int
    middle: dict[str, int]
    sold: tuple[str, ...]
    house_rules: dict[str, str]
    verdict: Auction | None
    score: Score | None


class Mine(msgspec.Struct, frozen=True):
    """What one player sees besides: their own chips and cash."""

    chips: dict[str, int]
    cash: int


def public(state: State, now: Say, waiting: tuple[int, ...]) -> Public:
    """The table as everyone sees it."""
    hands = state.hands
    return Public(
        state.id,
        state.phase,
        hands.round,
        now,
        state.active,
        state.starter,
        waiting,
        tuple(
            Seat(player.name, player.cards, closed != "", seal, value is not None)
            for player, closed, seal, value in zip(
                state.players, hands.seals, hands.shown(), hands.values, strict=True
            )
        ),
        state.values,
        state.open_cards,
        state.auctioned,
        state.pile,
        state.middle,
        state.sold,
        state.house_rules,
        state.verdict,
        state.score,
    )


def mine(state: State, seat: int) -> Mine:
    """What this seat sees besides."""
    player = state.players[seat - 1]
    return Mine(player.chips, player.cash)
