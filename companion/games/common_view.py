"""The part of the public view that is the same in every game.

Law: a closed hand shows that it is closed. Its seal shows once every hand is closed, and its value
once every hand is open, and then as part of a verdict.
"""

from collections.abc import Iterator

import msgspec

from companion.core.i18n import Message
from companion.core.sweep import Sweep
from companion.games.game_state import GameState


class Public(msgspec.Struct, frozen=True):
    """The part of a table's view that is the same in every game."""

    id: str
    phase: str
    round: int
    now: Message
    active: int
    waiting: tuple[int, ...]
    house_rules: dict[str, str]


class Seat(msgspec.Struct, frozen=True):
    """A player as the others see them in every game."""

    name: str
    closed: bool
    seal: str
    open: bool


class SweepProgress(msgspec.Struct, frozen=True):
    """A sweep under way: the cards shown so far, in order, how many lie there, and where."""

    shown: tuple[str, ...]
    total: int
    place: int


def sweep_progress(sweep: Sweep | None) -> SweepProgress | None:
    """Return how far a sweep has come, without the cards that are believed there."""
    if sweep is None:
        return None
    return SweepProgress(sweep.shown, len(sweep.believed), sweep.place)


Standing = tuple[str, str, int, Message, int, tuple[int, ...], dict[str, str]]


def public_fields(state: GameState, now: Message, waiting: tuple[int, ...]) -> Standing:
    """Return the fields of `Public`, in their order."""
    return (
        state.id,
        state.phase,
        state.hands.round,
        now,
        state.active,
        waiting,
        state.house_rules,
    )


def seat_fields(state: GameState) -> Iterator[tuple[str, bool, str, bool]]:
    """Yield the fields of `Seat` for every player, clockwise."""
    hands = state.hands
    for player, closed, seal, value in zip(
        state.players, hands.seals, hands.visible_seals(), hands.values, strict=True
    ):
        yield player.name, closed != "", seal, value is not None
