"""Changes: what an undo or a correction came to.

Law: only what the table has seen paid can differ; what hands hold is in no difference.
"""

from typing import Any

import msgspec

from companion.games.rulebook import Rulebook


class Difference(msgspec.Struct, frozen=True):
    """How much more of something a player has after a change than before."""

    name: str
    what: str
    by: int


class Change(msgspec.Struct, frozen=True):
    """What an undo or a correction came to."""

    at: int
    kind: str
    target: int
    via: str
    reason: str
    differences: tuple[Difference, ...]
    dropped: tuple[int, ...]


def compare_balances(rules: Rulebook, before: Any, after: Any) -> tuple[Difference, ...]:
    """What everyone has more or less of; only what the table has seen paid can differ."""
    if before is None or after is None:
        return ()
    had, has = rules.corrections.count_holdings(before), rules.corrections.count_holdings(after)
    return tuple(
        Difference(name, what, n - had.get(name, {}).get(what, 0))
        for name, things in has.items()
        for what, n in things.items()
        if n != had.get(name, {}).get(what, 0)
    )
