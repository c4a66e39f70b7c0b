"""The public and the private view of a game of Banque Fatale.

Law: built up from nothing. Chips and cash lie behind a screen, hands are closed: there is no
field here that could hold them.
"""

import msgspec

from companion.core.i18n import Message
from companion.core.verdict import Score
from companion.games import common_view
from companion.games.banque_fatale.auction import Auction, Sale
from companion.games.banque_fatale.state import BanqueFataleState


class BanqueFataleSeat(common_view.Seat, frozen=True):
    """A player as the others see them: the cards in front of the screen."""

    cards: tuple[str, ...]


class BanqueFatalePublic(common_view.Public, frozen=True):
    """The table as everyone sees it; the start player leads the round.

    `course` is what every colour had reached at the end of each auction, before any bonus; `bank`
    is what the bank still has in millions, less than 0 once it owes.
    """

    starter: int
    seats: tuple[BanqueFataleSeat, ...]
    values: dict[str, int]
    course: tuple[dict[str, int], ...]
    open_cards: tuple[str, ...]
    auctioned: str
    pile: int
    bank: int
    middle: dict[str, int]
    sold: tuple[str, ...]
    verdict: Auction | None
    sale: Sale | None
    score: Score | None


class BanqueFataleMine(msgspec.Struct, frozen=True):
    """What one player sees besides: their own chips and cash."""

    chips: dict[str, int]
    cash: int


def build_public_view(
    state: BanqueFataleState, now: Message, waiting: tuple[int, ...]
) -> BanqueFatalePublic:
    """Return the table as everyone sees it."""
    return BanqueFatalePublic(
        *common_view.public_fields(state, now, waiting),
        state.starter,
        tuple(
            BanqueFataleSeat(*seat, player.cards)
            for seat, player in zip(common_view.seat_fields(state), state.players, strict=True)
        ),
        state.values,
        state.course,
        state.open_cards,
        state.auctioned,
        state.pile,
        state.box.count_money() - state.paid,
        state.middle,
        state.sold,
        state.verdict,
        state.sale,
        state.score,
    )


def build_private_view(state: BanqueFataleState, seat: int) -> BanqueFataleMine:
    """Return what this seat sees besides."""
    player = state.players[seat - 1]
    return BanqueFataleMine(player.chips, player.cash)
