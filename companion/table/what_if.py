"""Compare the verdict on a case with that on the same case with fields changed.

Law: nothing is written and no game learns of it; what would be different is counted from the two
verdicts alone.
"""

from collections.abc import Iterator, Mapping

import msgspec

from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games import find_game
from companion.judge.decide import decide
from companion.judge.fields import check_choice
from companion.table.balance_diff import Difference

MORE, LESS = N_("{who} gets {use} more."), N_("{who} gets {use} less.")
INSTEAD = N_("Before: {use}. Now: {other_use}.")


class WhatIf(msgspec.Struct, frozen=True):
    """Two verdicts, who gets how much more or less by the second, and what else differs."""

    first: Verdict
    then: Verdict
    differences: tuple[Difference, ...]
    says: tuple[Message, ...]


def what_if(case: JsonObject, change: JsonObject) -> WhatIf:
    """Judge a case, and the same case with the fields of `change`."""
    first, changed = decide(case), {**case, **change}
    for field in ("game", "kind"):
        check_choice(changed[field], field, (case[field],))
    return compare_verdicts(case["game"], first, decide(changed))


def compare_verdicts(game: str, first: Verdict, then: Verdict) -> WhatIf:
    """Return what differs between two verdicts of one kind."""
    cases = find_game(game).rulebook.dispute_rules
    differences = tuple(_compare_gains(cases.count_gains(first), cases.count_gains(then)))
    says = (
        *map(_describe_gain, differences),
        *_compare_turns(cases.list_outcomes(first), cases.list_outcomes(then)),
    )
    return WhatIf(first, then, differences, says)


def _compare_gains(
    first: Mapping[str, Mapping[str, int]], then: Mapping[str, Mapping[str, int]]
) -> Iterator[Difference]:
    """Yield what each player gets more or less of; a new player had nothing before."""
    for name in dict.fromkeys((*first, *then)):
        had, has = first.get(name, {}), then.get(name, {})
        for what in dict.fromkeys((*had, *has)):
            if by := has.get(what, 0) - had.get(what, 0):
                yield Difference(name, what, by)


def _describe_gain(one: Difference) -> Message:
    amount = Message(f"{{{one.what}}}", {one.what: abs(one.by)})
    return Message(MORE if one.by > 0 else LESS, {"who": [one.name], "use": amount})


def _compare_turns(first: tuple[Message, ...], then: tuple[Message, ...]) -> Iterator[Message]:
    for before, now in zip(first, then, strict=True):
        if before != now:
            yield Message(INSTEAD, {"use": before, "other_use": now})
