"""Disputes: a verdict as a case for the judge, and the grounds it rests on.

Law: a ground says what everyone could see when the verdict came, and nothing else. It names no
moment itself: it says what to watch, so that an undo or a correction moves it with the rest.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from companion.core.house_rules import describe_house_rule
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Score, Verdict
from companion.games.game_state import GameState

DisputeKind = str
"""What a game calls a kind of verdict; `score` is the one that ends it, in every game."""
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
    """A verdict as one would ask the judge for it: its kind, its case, its grounds; without a case
    in a game whose judge decides none."""

    kind: DisputeKind
    case: JsonObject | None
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


HAND = N_("What {who} held.")
MOMENTS = N_("What was done since the verdict before.")
VERDICTS = N_("Every verdict of the game.")
CLAUSE = "{clause}"
WINS = N_("the win goes to {who}")


class NoDisputes:
    """The verdicts of a game that says nothing of its own about them: each new one with what it
    rests on. Its case is added where the log is known (`companion/games/any_judge.py`)."""

    def find_disputes(
        self, before: GameState, after: GameState, _shown: bool
    ) -> tuple[Dispute, ...]:
        found = []
        if is_new_verdict(before, after, "verdict"):
            grounds = _hand_grounds(before) or _moment_grounds(before)
            rules = house_rule_grounds(after.house_rules, *_deciding_house_rules(after.verdict))
            found.append(Dispute("verdict", None, (*grounds, *rules)))
        if is_new_verdict(before, after, "score"):
            verdicts = Ground(Message(VERDICTS), since=_verdict_of, every=True, after=True)
            found.append(Dispute("score", None, (verdicts,)))
        return tuple(found)

    def count_gains(self, verdict: Verdict) -> dict[str, dict[str, int]]:
        """Return the totals of a score; what else a verdict brings, only its words say."""
        totals = verdict.totals.items() if isinstance(verdict, Score) else ()
        return {name: {"points": total} for name, total in totals}

    def list_outcomes(self, verdict: Verdict) -> tuple[Message, ...]:
        """Return who wins; of any other verdict its last step, which says what came of it."""
        if isinstance(verdict, Score):
            return (Message(WINS, {"who": list(verdict.winners)}),)
        last = verdict.steps[-1]
        return (Message(CLAUSE, {"clause": Message(last.text, last.facts)}),)


def _verdict_of(state: GameState | None) -> Verdict | None:
    return None if state is None else state.verdict


def _hand_grounds(before: GameState) -> tuple[Ground, ...]:
    """Return a ground for every hand of the round; none if nothing is sealed in it."""
    return tuple(
        Ground(Message(HAND, {"who": [player.name]}), hand=seat)
        for seat, (player, seal) in enumerate(
            zip(before.players, before.hands.seals, strict=True), 1
        )
        if seal or before.hands.values[seat - 1] is not None
    )


def _moment_grounds(before: GameState) -> tuple[Ground, ...]:
    """Return as one ground all that was done since the verdict before this one."""
    last = before.verdict

    def watch(state: GameState | None) -> GameState | None:
        return state if state is not None and state.verdict is last else None

    return (Ground(Message(MOMENTS), since=watch, every=True, after=True),)


def _deciding_house_rules(verdict: Verdict | None) -> tuple[str, ...]:
    """Return the house rules that the steps of a verdict name."""
    steps = () if verdict is None else verdict.steps
    named = (one.house_rule.name for one in steps if one.house_rule is not None)
    return tuple(dict.fromkeys(named))


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
