"""Compare the verdict on a case with that on the same case with fields changed.

Law: nothing is written and no game learns of it; what would be different is counted from the two
verdicts alone.
"""

from collections.abc import Iterator, Mapping

import msgspec

from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.judge.checks import check_choice
from companion.judge.decide import find_kind
from companion.judge.kinds import Kind
from companion.table.history import Difference

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
    kind, changed = find_kind(case), {**case, **change}
    first = kind.decide(case)
    for field in ("game", "kind"):
        check_choice(changed[field], field, (case[field],))
    return _compare_verdicts(kind, first, kind.decide(changed))


def _compare_verdicts(kind: Kind, first: Verdict, then: Verdict) -> WhatIf:
    """Return the differences between two verdicts of this kind."""
    differences = tuple(_compare_gains(kind.gains(first), kind.gains(then)))
    says = (
        *map(_describe_gain, differences),
        *_compare_turns(kind.outcomes(first), kind.outcomes(then)),
    )
    return WhatIf(first, then, differences, says)


def _compare_gains(
    first: Mapping[str, Mapping[str, int]], then: Mapping[str, Mapping[str, int]]
) -> Iterator[Difference]:
    """Yield the difference of each player's gains; a new player had nothing before."""
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
