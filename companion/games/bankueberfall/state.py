"""A game of Banküberfall as it stands: frozen, and only as much as the table knows.

A face-down card may be unknown (`card` is None): it was not shown to the readers.
Hands and the draw pile are counted, never known.
"""

from collections import Counter
from typing import Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from companion.core.commitment import replace_entry
from companion.core.events import Event, Started
from companion.core.i18n import N_
from companion.core.sweep import Revealing, Sweep, Sweeping
from companion.games.bankueberfall.robbery import Robbery
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.games.game_state import GameState


class BankCard(msgspec.Struct, frozen=True):
    """A card at a bank: its face if known, whether it lies face up, which seats may know it."""

    card: str | None = None
    up: bool = False
    known_to: tuple[int, ...] = ()


class BankueberfallPlayer(msgspec.Struct, frozen=True):
    """A player's seat key, hidden coins, red credits, and how many cards in hand."""

    name: str
    coins: int
    credits: int
    hand: int


class BankueberfallState(GameState, frozen=True, kw_only=True):
    """The whole table. Banks are numbered clockwise, like the seats."""

    box: BankueberfallBox
    players: tuple[BankueberfallPlayer, ...]
    front: tuple[int, ...]
    pile: int
    tiles: dict[str, int]
    banks: tuple[tuple[BankCard, ...], ...]
    figure: int = 0
    discard: tuple[str, ...] = ()
    finals: tuple[int, ...] = ()
    skips_empty: bool = False
    """Whether the final round, once it has begun, skips a bank that was empty then."""
    verdict: Robbery | None = None

    @property
    def sweep(self) -> Sweep | None:
        """Return the sweep of the robbed bank, while its cards are turned up."""
        if self.phase != "turn_up" or not self.sweeping:
            return None
        believed = tuple(lying.card for lying in self.banks[self.figure - 1])
        return Sweep(self.figure, believed, self.shown, self.sweeping == "always")

    def change_bank(self, bank: int, *cards: BankCard) -> Self:
        """Return the table with these cards at a bank."""
        return replace(self, banks=replace_entry(self.banks, bank, cards))

    def change_card(self, bank: int, slot: int, **fields: Any) -> Self:
        """Return the table with these fields of a card at a bank changed."""
        changed = replace(self.banks[bank - 1][slot - 1], **fields)
        return self.change_bank(bank, *replace_entry(self.banks[bank - 1], slot, changed))

    def face_down(self, keep: int = 0) -> tuple[tuple[int, int], ...]:
        """Return bank and slot of every face-down card, where a bank has more than `keep`."""
        down = [
            [(bank, slot) for slot, card in enumerate(cards, 1) if not card.up]
            for bank, cards in enumerate(self.banks, 1)
        ]
        return tuple(lying for here in down if len(here) > keep for lying in here)

    def seen_cards(self, but: int = 0) -> Counter[str]:
        """Count the cards that everyone has seen, without those that lie at one bank."""
        banks = [cards for bank, cards in enumerate(self.banks, 1) if bank != but]
        return Counter((*self.discard, *(c.card for b in banks for c in b if c.up and c.card)))

    def possible_cards(self) -> tuple[str, ...]:
        """Return the kinds of card with copies that not everyone has seen."""
        seen = self.seen_cards()
        return tuple(card for card, n in self.box.cards.items() if seen[card] < n)


class BankueberfallStarted(Started, frozen=True, tag="started"):
    """…and which bank each player sits behind (`front`), if not the one of the same number.

    `sweep` says whether the cards of a robbed bank are shown to its reader before they count.
    """

    front: tuple[int, ...] = ()
    sweep: Sweeping = ""


class PiecesMoved(Event, frozen=True):
    """The active player did something with the pieces on the table."""

    seat: int
    with_pieces: ClassVar[bool] = True


class TileTurned(PiecesMoved, frozen=True):
    """The active player turned one of the seven tiles."""

    tile: str
    sentence: ClassVar[str] = N_("{who} turns the tile {tile}.")


class CardPlaced(PiecesMoved, frozen=True):
    """A card from a hand came to lie face down at a bank."""

    bank: int
    card: str | None = None
    sentence: ClassVar[str] = N_("{who} lays a card at bank {bank}.")


class CardLifted(PiecesMoved, frozen=True):
    """A player lifted one card at a bank."""

    bank: int
    slot: int
    shows: ClassVar[bool] = True


class CardSpied(CardLifted, frozen=True):
    """A player looked at one card at a bank and put it back."""

    sentence: ClassVar[str] = N_("{who} looks at card {slot} at bank {bank}.")


class CardRevealed(CardLifted, frozen=True):
    """A player turned one card at a bank face up."""

    card: str | None = None
    sentence: ClassVar[str] = N_("{who} turns card {slot} at bank {bank} face up.")


class BankChosen(PiecesMoved, frozen=True):
    """The figure came to stand at a bank."""

    bank: int
    sentence: ClassVar[str] = N_("{who} robs bank {bank}.")


class CardNamed(Event, frozen=True):
    """It became known which card lies at a bank: a reader saw it, or it was turned up."""

    bank: int
    slot: int
    card: str
    sentence: ClassVar[str] = N_("A card at bank {bank} is recognised.")


class CardShown(Revealing, frozen=True):
    """A card of the robbed bank was turned up and shown to its reader, or named on a phone."""

    bank: int
    card: str
    sentence: ClassVar[str] = N_("At bank {bank} a card is shown: {card}.")
    with_pieces: ClassVar[bool] = True


class PileBelieved(Revealing, frozen=True):
    """The robbed bank counts as holding the cards that were noted there."""

    bank: int
    sentence: ClassVar[str] = N_("The cards count as noted at bank {bank}.")


class BankRefilled(Event, frozen=True):
    """A new card from the pile came to lie face down at the robbed bank."""

    bank: int
    card: str | None = None
    sentence: ClassVar[str] = N_("A new card comes to bank {bank}.")
    on_button: ClassVar[bool] = True
    with_pieces: ClassVar[bool] = True
