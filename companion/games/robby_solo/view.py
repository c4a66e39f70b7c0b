"""What everyone, and what one seat, sees of Robby Solo besides the plain fields of its state.

Law: a face-down robbery card, a pile below its top card and the order of Robby Junior's cards are
nowhere in it. Choices appear once all are up; a verdict is shown as it was announced, without the
piles that it was worked out from.
"""

import msgspec

from companion.core.verdict import Verdict
from companion.games.open_table import sweep_progress
from companion.games.robby_solo.raid import JUNIOR, Card, Cards, Raid
from companion.games.robby_solo.state import RobbySoloState


class Pile(msgspec.Struct, frozen=True):
    """Robby Junior's loot as everyone sees it: how many cards, and the top one."""

    name: str
    pile: int
    top: Card | None


class Bank(msgspec.Struct, frozen=True):
    """A bank of the row and the open loot that lies there."""

    name: str
    loot: Cards


class Announced(Verdict, frozen=True, tag="round"):
    """How a round ended, as far as everyone saw it."""

    taken: dict[str, Cards]
    left: dict[str, Cards]
    raids: tuple[Raid, ...]


def show_relaid(state: RobbySoloState, seat: int) -> bool:
    """Return whether a player laid the robbery card again."""
    return seat in state.relaid


def count_pile(state: RobbySoloState, seat: int) -> int:
    """Return the number of a player's loot cards."""
    return len(state.players[seat - 1].pile)


def show_top(state: RobbySoloState, seat: int) -> Card | None:
    """Return the top card of a player's loot."""
    return _top(state.players[seat - 1].pile)


def show_junior(state: RobbySoloState) -> Pile | None:
    """Return Robby Junior's loot, where he plays."""
    if state.junior is None:
        return None
    return Pile(JUNIOR, len(state.junior.pile), _top(state.junior.pile))


def show_banks(state: RobbySoloState) -> tuple[Bank, ...]:
    """Return the banks in the order of their row."""
    return tuple(Bank(name, loot) for name, loot in state.banks.items())


def announce_verdict(state: RobbySoloState) -> Announced | None:
    """Return the outcome of the last round, as far as everyone saw it."""
    found = state.verdict
    if found is None:
        return None
    return Announced(found.steps, found.taken, found.left, found.raids)


def show_pile(state: RobbySoloState, seat: int) -> Cards:
    """Return a player's own loot, from the lowest card to the top one, or the top one alone where
    the table plays so."""
    pile = state.players[seat - 1].pile
    return pile if state.house_rules["own_pile"] == "whole" else pile[-1:]


def _top(pile: Cards) -> Card | None:
    return pile[-1] if pile else None


OPEN_FIELDS = (("relaid", show_relaid), ("pile", count_pile), ("top", show_top))
TABLE_FIELDS = (
    ("junior", show_junior), ("banks", show_banks), "deck", "declaration", "choices",
    ("verdict", announce_verdict), ("sweep", sweep_progress),
)  # fmt: skip
OWN_FIELDS = (("pile", show_pile),)
