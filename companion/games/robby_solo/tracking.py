"""Robby Solo on the readers: one under each bank of the row, in its order."""

from collections.abc import Iterator

from companion.games.robby_solo.corrections import as_loot
from companion.games.robby_solo.fill_phase import upcoming
from companion.games.robby_solo.state import LootLaid, State
from companion.tracking.look import Fact, Look


def facts(state: State, look: Look) -> Iterator[Fact]:
    """A new loot card at the next bank in line is laid there."""
    row = tuple(state.banks)
    for place in sorted(taking(state)):
        for thing in look.cards(place):
            if thing.late and state.verdict is not None:
                continue  # Nobody knows when it was laid.
            laid = LootLaid(row[place - 1], as_loot(thing.name))
            yield Fact(laid, place, thing.tag)


def taking(state: State) -> frozenset[int]:
    """The places to which the next loot card may go."""
    if state.phase != "fill":
        return frozenset()
    row = tuple(state.banks)
    return frozenset(row.index(bank) + 1 for bank in upcoming(state))
