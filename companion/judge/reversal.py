"""What would have to be different: the smallest change of a case that reverses who gets something.

Law: the changes are a game's own, each sort from the smallest on; the judge decides every one, and
the first that pays someone else is told; where no one is paid, the first that is decided otherwise.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Score, Verdict
from companion.games.disputes import DisputeRules
from companion.judge.decide import check_kind, decide
from companion.judge.fields import OtherCase
from companion.judge.gains import gains_of, say_gain

WOULD = N_("If {thing}: {clauses}.")
WINNER = N_("the win goes to {who}")


class Reversal(msgspec.Struct, frozen=True):
    """A change that pays someone else: the case as it would have been, and what it would mean."""

    case: JsonObject
    say: Message


def find_reversals(case: JsonObject) -> tuple[Reversal, ...]:
    """Return for each sort of change the smallest that reverses who is paid; raise Malformed."""
    game, kind = check_kind(case)
    rules, before = game.rulebook.dispute_rules, decide(case)
    found = (_search(changes(case), before, rules) for changes in game.judge.changes.get(kind, ()))
    return tuple(one for one in found if one is not None)


def say_reversals(found: Sequence[Reversal]) -> tuple[Message, ...]:
    """Return what would have to be different, or that nothing small would do."""
    if not found:
        return (Message(N_("No single change would have changed who gets something.")),)
    return tuple(one.say for one in found)


def _search(
    changes: Iterable[OtherCase], before: Verdict, rules: DisputeRules[Any]
) -> Reversal | None:
    had = list_gainers(before, rules)
    for change in changes:
        try:
            after = decide(change.case)
        except Malformed:
            continue
        if list_gainers(after, rules) != had:
            return Reversal(change.case, _word(change, before, after, rules))
    return None


def list_gainers(verdict: Verdict, rules: DisputeRules[Any]) -> frozenset[tuple[str, str]]:
    """Return who gets anything, each with what; of a score, who wins; and where no one is paid,
    what else is decided."""
    if isinstance(verdict, Score):
        return frozenset((name, "win") for name in verdict.winners)
    gains = rules.count_gains(verdict)
    if not gains:
        return frozenset(("", repr(one)) for one in rules.list_outcomes(verdict))
    return frozenset(
        (name, what) for name, own in gains.items() for what, n in own.items() if n > 0
    )


def _word(change: OtherCase, before: Verdict, after: Verdict, rules: DisputeRules[Any]) -> Message:
    """Say what the change means for everyone who gets something only with it, or only without."""
    if isinstance(after, Score):
        clauses = [Message(WINNER, {"who": list(after.winners)})]
    else:
        turned = list_gainers(before, rules) ^ list_gainers(after, rules)
        gains: Mapping[str, Mapping[str, int]] = gains_of(after, rules)
        names = [name for name in gains if any(name == one for one, _ in turned)]
        clauses = [one for name in names for one in say_gain(name, gains[name])]
        clauses = clauses or list(rules.list_outcomes(after))
    return Message(WOULD, {"thing": change.say, "clauses": clauses})
