"""A game of Robby Solo as it stands: frozen, and only as much as the table knows.

The deck is counted, never known; loot is known from the moment it is laid. Piles are kept whole,
because a verdict needs them, although only their top card may be read (R.pile). `active` is the
Gentleman or Lady.
"""

from typing import ClassVar

import msgspec

from companion.core.events import Event, Started
from companion.core.i18n import N_
from companion.core.sweep import Revealing, Sweep, Sweeping
from companion.games.game_state import GameState
from companion.games.robby_solo.raid import JUNIOR, Card, Cards, Round
from companion.games.robby_solo.rules import RobbySoloBox


class RobbySoloPlayer(msgspec.Struct, frozen=True):
    """A player's seat key and loot, from the lowest card to the top one."""

    name: str
    pile: Cards = ()


class Junior(msgspec.Struct, frozen=True):
    """Robby Junior's loot, and his robbery cards as far as they were shown, the next one first."""

    pile: Cards = ()
    order: tuple[str, ...] = ()


class Declaration(msgspec.Struct, frozen=True):
    """Word of the Gentleman or Lady: a bank that they will rob, or one that they will not."""

    bank: str
    will: bool


class RobbySoloState(GameState, frozen=True, kw_only=True):
    """The whole table; the banks in the order of their row."""

    box: RobbySoloBox
    players: tuple[RobbySoloPlayer, ...]
    junior: Junior | None
    deck: int
    banks: dict[str, Cards]
    filled: tuple[str, ...] = ()
    declaration: Declaration | None = None
    kept: tuple[int, ...] = ()
    relaid: tuple[int, ...] = ()
    choices: dict[str, str] = msgspec.field(default_factory=dict)
    verdict: Round | None = None
    unswept: tuple[str, ...] = ()
    """The banks whose loot is to be shown before it is given, the one that is swept now first."""
    swept: tuple[str, ...] = ()
    """The banks of this round that were swept already, or believed."""
    quiet: int = 0
    """Number of rounds in a row without loot."""

    @property
    def sweep(self) -> Sweep | None:
        """Return the sweep of the first bank whose loot is to be shown."""
        if self.phase != "sweep":
            return None
        row, bank = tuple(self.banks), self.unswept[0]
        believed = tuple(str(card) for card in self.banks[bank])
        before = tuple(row.index(one) + 1 for one in self.swept)
        always = self.sweeping == "always"
        return Sweep(row.index(bank) + 1, believed, self.shown, always, before)

    def piles_by_name(self) -> dict[str, Cards]:
        """Return everyone's pile by name, Robby Junior's last."""
        piles = {player.name: player.pile for player in self.players}
        return piles if self.junior is None else {**piles, JUNIOR: self.junior.pile}

    def other_seats(self) -> tuple[int, ...]:
        """Return the seats besides the Gentleman's or Lady's."""
        return tuple(seat for seat in range(1, len(self.players) + 1) if seat != self.active)


class RobbySoloStarted(Started, frozen=True, tag="started"):
    """…and whether Robby Junior plays along, and which banks lie in the row, in order.

    `sweep` says whether the loot of a robbed bank is shown to its reader before it is given.
    """

    junior: bool = False
    banks: tuple[str, ...] = ()
    sweep: Sweeping = ""

    def bank_count(self) -> int:
        """Return the number of banks: one more than players, Robby Junior counted."""
        return self.players + self.junior + 1


class LootLaid(Event, frozen=True):
    """A loot card from the deck came to lie open at a bank."""

    bank: str
    card: Card
    sentence: ClassVar[str] = N_("The loot {card} goes to the {colour} bank.")
    with_pieces: ClassVar[bool] = True


class EndAgreed(Event, frozen=True):
    """The table agreed to end a game where no one takes loot any more."""

    seat: int
    sentence: ClassVar[str] = N_("{who} ends the game for the table: no one takes loot any more.")


class Declared(Event, frozen=True):
    """The Gentleman or Lady named a bank that they will rob, or will not."""

    seat: int
    bank: str
    will: bool
    sentence: ClassVar[str] = N_("{who} makes the declaration.")


class Kept(Event, frozen=True):
    """After the declaration a player let their robbery card lie."""

    seat: int
    sentence: ClassVar[str] = N_("{who} keeps the card.")
    on_button: ClassVar[bool] = True


class WentOn(Event, frozen=True):
    """The Gentleman or Lady had the cards turned up, once everyone had answered."""

    seat: int
    sentence: ClassVar[str] = N_("{who} goes on: the cards are turned up.")
    on_button: ClassVar[bool] = True


class JuniorShown(Event, frozen=True):
    """Robby Junior's robbery card was turned up."""

    bank: str
    sentence: ClassVar[str] = N_("Robby Junior shows the {colour} bank.")


class LootShown(Revealing, frozen=True):
    """A loot card of a robbed bank was shown to its reader, or named on a phone."""

    bank: str
    card: Card
    sentence: ClassVar[str] = N_("A loot card of the {colour} bank is shown: {card}.")
    with_pieces: ClassVar[bool] = True


class LootBelieved(Revealing, frozen=True):
    """A robbed bank counts as holding the loot that was noted there."""

    bank: str
    sentence: ClassVar[str] = N_("The loot noted at the {colour} bank counts.")
