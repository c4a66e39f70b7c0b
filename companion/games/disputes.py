"""Disputes: a verdict as a case for the judge, and the grounds it rests on.

Law: a ground says what everyone could see when the verdict came, and nothing else. It names no
moment itself: it says what to watch, so that an undo or a correction moves it with the rest.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import JsonObject
from companion.core.i18n import N_, Message
from companion.core.verdict import describe_house_rule
from companion.games.game_state import GameState

DisputeKind = str
"""Name of a kind of verdict; `score` is the one that ends it, in every game."""
Watch = Callable[..., object]
"""Reads the facts of a ground from a state of the game."""


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


def hand_grounds(text: str, fact: str, held: Mapping[str, object]) -> tuple[Ground, ...]:
    """Return the grounds of the hands that were opened, by the names of their seats in order."""
    return tuple(
        Ground(Message(text, {"who": [name], fact: value}), hand=seat)
        for seat, (name, value) in enumerate(held.items(), 1)
    )


class Dispute(msgspec.Struct, frozen=True):
    """A verdict as one would ask the judge for it: its kind, its case, its grounds; without a case
    in a game whose judge decides none."""

    kind: DisputeKind
    case: JsonObject | None
    grounds: tuple[Ground, ...]
    remembered: bool = False


class Disputes(NamedTuple):
    """Words about verdicts: about a new one, between two states of the game, `shown` once
    all screens are lifted; of the score that ends it; and which house rules decide a kind.

    A case is completed by its game, its kind, and those house rules, which are grounds as well.
    """

    verdict: Callable[[Any, Any, bool], Dispute]
    score: Callable[[Any], Dispute]
    deciding: Callable[[DisputeKind], tuple[str, ...]] = lambda _kind: ()


NO_DISPUTES = Disputes(
    lambda _before, _after, _shown: Dispute("verdict", None, ()),
    lambda _after: Dispute("score", None, ()),
)
"""The verdicts that no case can be made of."""


def find_disputes(game: Disputes, before: Any, after: Any, shown: bool) -> tuple[Dispute, ...]:
    """Return the verdicts that came between two states."""
    found = []
    if is_new_verdict(before, after, "verdict"):
        found.append(game.verdict(before, after, shown))
    if is_new_verdict(before, after, "score"):
        found.append(game.score(after))
    return tuple(_complete_dispute(game, dispute, after) for dispute in found)


def _complete_dispute(game: Disputes, dispute: Dispute, state: GameState) -> Dispute:
    if dispute.case is None:
        return dispute
    rules = {name: state.house_rules[name] for name in game.deciding(dispute.kind)}
    chosen: JsonObject = {"house_rules": rules} if rules else {}
    return msgspec.structs.replace(
        dispute,
        case={"game": state.box.game, "kind": dispute.kind, **dispute.case, **chosen},
        grounds=(*dispute.grounds, *(_house_rule_ground(*rule) for rule in rules.items())),
    )


HOUSE_RULE = N_("House rule: {use}.")


def _house_rule_ground(name: str, value: str) -> Ground:
    said = Message(HOUSE_RULE, {"use": describe_house_rule(name, value)})
    return Ground(said, since=lambda state: state.house_rules[name])


def is_new_verdict(before: GameState, after: GameState, field: str) -> bool:
    """Return whether a verdict came with this moment."""
    return getattr(after, field) is not None and getattr(after, field) is not getattr(before, field)
