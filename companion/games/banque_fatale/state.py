"""A game of Banque Fatale as it stands: frozen, and only as much as the table knows.

The pile is counted, never known: a card is learnt when it is turned up.
"""

from typing import ClassVar

import msgspec

from companion.core.events import Event, Started
from companion.core.i18n import N_
from companion.games.banque_fatale.auction import Auction, Sale
from companion.games.banque_fatale.rules import BanqueFataleBox
from companion.games.game_state import GameState


class BanqueFatalePlayer(msgspec.Struct, frozen=True):
    """A player's seat key, chips and cash behind the screen, cards in front of it."""

    name: str
    chips: dict[str, int]
    cash: int = 0
    cards: tuple[str, ...] = ()

    def count_chips(self) -> int:
        """Return the number of chips of all colours."""
        return sum(self.chips.values())


class BanqueFataleState(GameState, frozen=True, kw_only=True):
    """The whole table. `starter` leads the round; `active` is whose turn it is within it.

    `course` has every colour's value at the end of each auction, before any bonus.
    """

    box: BanqueFataleBox
    players: tuple[BanqueFatalePlayer, ...]
    starter: int
    values: dict[str, int]
    pile: int
    open_cards: tuple[str, ...] = ()
    auctioned: str = ""
    risen: tuple[str, ...] = ()
    course: tuple[dict[str, int], ...] = ()
    middle: dict[str, int] = msgspec.field(default_factory=dict)
    sold: tuple[str, ...] = ()
    paid: int = 0
    """Money paid out by the bank, in millions: every bonus and price was announced."""
    verdict: Auction | None = None
    sale: Sale | None = None

    def on_offer(self) -> tuple[str, ...]:
        """Return the open cards, without the places that wait for a new one."""
        return tuple(card for card in self.open_cards if card)

    def unseen_cards(self) -> tuple[str, ...]:
        """Return the cards that were never turned up."""
        seen = {*self.open_cards, *self.sold, self.auctioned}
        seen.update(card for player in self.players for card in player.cards)
        return tuple(card for card in self.box.cards if card not in seen)


class BanqueFataleStarted(Started, frozen=True, tag="started"):
    """The table agreed to play Banque Fatale."""


class CardDealt(Event, frozen=True):
    """A card of a single colour came to lie in front of a player."""

    seat: int
    card: str
    sentence: ClassVar[str] = N_("{who} has the card {card}.")


class CardTurned(Event, frozen=True):
    """A card from the pile was turned up beside the board."""

    card: str
    sentence: ClassVar[str] = N_("The card {card} is turned up.")
    with_pieces: ClassVar[bool] = True


class CardChosen(Event, frozen=True):
    """The start player chose the card to auction."""

    seat: int
    card: str
    sentence: ClassVar[str] = N_("{who} auctions the card {card}.")
    with_pieces: ClassVar[bool] = True


class ChipTaken(Event, frozen=True):
    """A player took one chip from the middle."""

    seat: int
    colour: str
    sentence: ClassVar[str] = N_("{who} takes a {colour} chip.")


class CardSold(Event, frozen=True):
    """The start player sold a card to the bank."""

    seat: int
    card: str
    sentence: ClassVar[str] = N_("{who} sells the {card} card.")
    with_pieces: ClassVar[bool] = True
