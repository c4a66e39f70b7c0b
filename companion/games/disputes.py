"""Disputes: a verdict as a case for the judge, and the grounds it rests on.

Law: a ground says what everyone could see when the verdict came, and nothing else. It names no
moment itself: it says what to watch, so that an undo or a correction moves it with the rest.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol, TypeVar

import msgspec

from companion.core.house_rules import describe_house_rule
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games.game_state import GameState

DisputeKind = Literal["robbery", "auction", "round", "score"]
Watch = Callable[..., object]
"""Reads from a state of the game what a ground rests on."""


S_contra = TypeVar("S_contra", bound=GameState, contravariant=True)


class Ground(msgspec.Struct, frozen=True):
    """One fact of a verdict, and where it came from: a card at a place, a closed hand, or the
    moment since which something that can be watched is as it is.

    `every` asks for all the moments that changed it; `after` counts the deciding one as well. A
    `remembered` fact lies under other cards or behind a screen: it may not be looked up while the
    game goes on and no judge is called.
    """

    say: Message
    card: tuple[int, int] | None = None
    hand: int = 0
    since: Watch | None = None
    every: bool = False
    after: bool = False
    remembered: bool = False


class Dispute(msgspec.Struct, frozen=True):
    """A verdict as one would ask the judge for it: its kind, its case, its grounds."""

    kind: DisputeKind
    case: JsonObject
    grounds: tuple[Ground, ...]
    remembered: bool = False


class DisputeRules(Protocol[S_contra]):
    """The verdicts of a game as disputes before the judge; a module of each game."""

    def find_disputes(self, before: S_contra, after: S_contra, shown: bool) -> tuple[Dispute, ...]:
        """Return the verdicts that came between two states; `shown` once all screens are lifted."""

    def count_gains(self, verdict: Verdict) -> dict[str, dict[str, int]]:
        """Return what a verdict brings to everyone, by name."""

    def list_outcomes(self, verdict: Verdict) -> tuple[Message, ...]:
        """Return what else a verdict decides, each in words, always in the same order."""


class NoDisputes:
    """The cases of a game whose verdicts are not brought before the judge."""

    def find_disputes(self, _before: object, _after: object, _shown: bool) -> tuple[Dispute, ...]:
        return ()

    def count_gains(self, _verdict: Verdict) -> dict[str, dict[str, int]]:
        return {}

    def list_outcomes(self, _verdict: Verdict) -> tuple[Message, ...]:
        return ()


HOUSE_RULE = N_("House rule: {use}.")


def house_rule_grounds(house_rules: Mapping[str, str], *names: str) -> tuple[Ground, ...]:
    """Return a ground for each house rule that such a verdict may depend on."""
    return tuple(_house_rule_ground(name, house_rules[name]) for name in names)


def _house_rule_ground(name: str, value: str) -> Ground:
    said = Message(HOUSE_RULE, {"use": describe_house_rule(name, value)})
    return Ground(said, since=lambda state: state.house_rules[name])


def is_new_verdict(before: GameState, after: GameState, field: str) -> bool:
    """Return whether a verdict came with this moment."""
    return getattr(after, field) is not None and getattr(after, field) is not getattr(before, field)


def find_fact(verdict: Verdict, name: str) -> Any:
    """Return a fact as the first step that has it says it."""
    return next(step.facts[name] for step in verdict.steps if name in step.facts)
