"""A simulated table as pages move it: hands, bots and faults.

Law: pages move simulated pieces through these Protocols alone; they import no hardware.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from companion.core.bot_pace import Pace
from companion.core.errors import Refusal
from companion.pieces.layout import ShownSpot

Fault = Literal["cable", "frames", "stack", "bounce", "plug"]
"""The faults that can be switched on at a simulated table."""


class Faults(msgspec.Struct, frozen=True):
    """The faults that are switched on: cables of readers by place, frames lost in percent, places
    whose uppermost card bears a second sticker, seats whose button chatters."""

    cable: tuple[int, ...] = ()
    frames: int = 0
    stack: tuple[int, ...] = ()
    bounce: tuple[int, ...] = ()


class HandControls(Protocol):
    """Hands that move the pieces freely, right or wrong."""

    def visible_spots(self, seat: int) -> Sequence[ShownSpot]:
        """Return every spot as a seat sees it; the last ones are its fingers and aside."""
        ...

    def awaited_places(self, seat: int) -> frozenset[int]:
        """Return the places to which a seat may move a piece now."""
        ...

    def lift_piece(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Pick up the nth piece there."""
        ...

    def put_down(self, seat: int, spot: str) -> Refusal | None:
        """Put down there what the fingers hold."""
        ...

    def turn_over(self, seat: int, spot: str, n: int) -> Refusal | None:
        """Lift the nth piece there, turn it over, and put it back."""
        ...

    def press_button(self, seat: int, held: bool) -> Refusal | None:
        """Press the button of a seat, or hold it down."""
        ...


class BotControls(Protocol):
    """The bots, and the games that are laid out with them."""

    @property
    def pace(self) -> Pace:
        """How fast the bots play."""
        ...

    def set_pace(self, pace: Pace) -> None:
        """Set the speed of the bots."""
        ...

    def played_by_bots(self) -> Sequence[int]:
        """Return the seats that bots play."""
        ...

    def leave_seat(self, seat: int) -> None:
        """Free a seat, so that its bot plays on."""
        ...

    def deal_again(self) -> Refusal | None:
        """Begin a game, once the last one is over: as the last one, if there was one."""
        ...

    def begin_with_bots(self, game: str) -> Refusal | None:
        """Begin a game of this box for all who have a seat, with bots round them."""
        ...

    def change_game(self, game: str, seats: int) -> Refusal | None:
        """End the game that is under way, and begin this one with so many players."""
        ...

    def game_sizes(self) -> Mapping[str, tuple[int, int]]:
        """Return every game that can be laid out, with the least and the most players."""
        ...


class FaultControls(Protocol):
    """Switches faults on and off."""

    @property
    def faults(self) -> Faults:
        """The faults that are switched on now."""
        ...

    def switch_fault(self, fault: Fault, at: int, on: bool) -> Refusal | None:
        """Break something on purpose, or mend it."""
        ...


class SimulationControls(NamedTuple):
    """The parts of a simulated table that pages may ask."""

    hands: HandControls
    bots: BotControls
    faults: FaultControls
