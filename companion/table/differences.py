"""Who gets more and who less: by a change of the game, or by another verdict on the same case.

Laws: what a change came to is said as who gives back or gets how much. What another case would come
to is counted from the two verdicts alone; nothing is written and no game learns of it.
"""

from collections.abc import Iterator, Mapping

import msgspec

from companion.core.i18n import N_, Message, say_amount
from companion.core.json_values import JsonObject
from companion.core.table_events import Counted
from companion.core.verdict import Verdict
from companion.judge.checks import check_choice
from companion.judge.decide import find_kind
from companion.judge.kinds import Kind
from companion.table.history import Change, Difference

# By a change.

GIVES, GETS = N_("{who} gives back {use}."), N_("{who} gets {use}.")
FEWER, SURPLUS = (
    N_("{who} has {use} less than was noted."),
    N_("{who} has {use} more than was noted."),
)
"""A count pays nothing: it notes what is there."""
COUNTED = str(Counted.__struct_config__.tag)


class ChangeSummary(msgspec.Struct, frozen=True):
    """What an undo or a correction came to, in words."""

    at: int
    target: int
    via: str
    reason: str
    says: tuple[Message, ...]
    differences: tuple[Difference, ...]


def describe_change(change: Change) -> ChangeSummary:
    """Put a change into words: who gives back what, who gets what, what fell away."""
    less, more = (FEWER, SURPLUS) if change.kind == COUNTED else (GIVES, GETS)
    debts = (_describe(one, more, less) for one in change.differences)
    says = (*debts, *_describe_dropped(change.dropped))
    return ChangeSummary(
        change.at, change.target, change.via, change.reason, says, change.differences
    )


def _describe(one: Difference, more: str, less: str) -> Message:
    amount = say_amount(one.what, abs(one.by))
    return Message(more if one.by > 0 else less, {"who": [one.name], "use": amount})


def _describe_dropped(dropped: tuple[int, ...]) -> Iterator[Message]:
    if dropped:
        text = N_("Moments dropped, because they no longer fit: {numbers}.")
        yield Message(text, {"numbers": list(dropped)})


# By another verdict.

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
        *(_describe(one, MORE, LESS) for one in differences),
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


def _compare_turns(first: tuple[Message, ...], then: tuple[Message, ...]) -> Iterator[Message]:
    for before, now in zip(first, then, strict=True):
        if before != now:
            yield Message(INSTEAD, {"use": before, "other_use": now})
