"""Differences in what players hold, before and after an undo or a correction.

Law: only what the table has seen paid can differ; what hands hold is in no difference.
"""

import msgspec

from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook


class Difference(msgspec.Struct, frozen=True):
    """How much more of something a player has after a change than before."""

    name: str
    what: str
    by: int


class Change(msgspec.Struct, frozen=True):
    """An undo or a correction: which moment it changed, the differences, the dropped moments."""

    at: int
    kind: str
    target: int
    via: str
    reason: str
    differences: tuple[Difference, ...]
    dropped: tuple[int, ...]


def compare_balances(
    rules: AnyRulebook, before: GameState | None, after: GameState | None
) -> tuple[Difference, ...]:
    """Return what each player has more or less of; none before the first game."""
    if before is None or after is None:
        return ()
    had, has = rules.corrections.count_holdings(before), rules.corrections.count_holdings(after)
    return tuple(
        Difference(name, what, n - had.get(name, {}).get(what, 0))
        for name, things in has.items()
        for what, n in things.items()
        if n != had.get(name, {}).get(what, 0)
    )
