"""It depends: a case with unknown cards, bids or house rules, judged for every possibility.

Laws: every way to fill the case in is judged by the same code as a case that is known; a filling
that the judge refuses, such as a fifth thief of four, is none. The words come last, in
`it_depends`.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.errors import Malformed
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games.disputes import DisputeRules
from companion.judge.decide import check_kind, decide
from companion.judge.decisive import Branch, Row, find_branches
from companion.judge.fields import GameJudge
from companion.judge.gains import gains_of
from companion.judge.open_cases import (
    Filling,
    Gap,
    Group,
    Template,
    count_fillings,
    fill_case,
    find_gaps,
    group_gaps,
    house_rule_field,
    list_fillings,
    refuse_too_many,
)

MOST_JUDGED, MOST_QUICK = 3_000, 6_000
"""As many possibilities are judged; the second where a game finds the ending of a case quickly."""


class Judged(NamedTuple):
    """A filling of the gaps, and the ending it leads to."""

    filling: Filling
    ending: Hashable


class CaseFillings(NamedTuple):
    """All that a case with gaps comes to: its fillings, one example of each ending, what tells the
    endings apart, and the rules by which they are put into words."""

    groups: Sequence[Group]
    judged: list[Judged]
    cases: dict[Hashable, JsonObject]
    verdicts: dict[Hashable, Verdict]
    branches: list[Branch]
    rules: DisputeRules[Any]

    def example_of(self, ending: Hashable) -> Filling:
        """Return the first filling that leads to an ending."""
        return next(one.filling for one in self.judged if one.ending == ending)


def find_open_gaps(case: Mapping[str, object]) -> list[Gap]:
    """Return what is unknown in a case; raise Malformed if its game or its kind is."""
    game, kind = check_kind(case)
    fields = game.judge.open_fields.get(kind, {})
    return find_gaps(case, {**fields, "house_rules.*": house_rule_field(game.standard_box())})


def judge_fillings(case: JsonObject) -> CaseFillings:
    """Judge a case for every way to fill in what is unknown; raise Malformed."""
    gaps = find_open_gaps(case)
    game, kind = check_kind(case)
    groups = group_gaps(gaps)
    most = MOST_QUICK if kind in game.judge.quick else MOST_JUDGED
    if (n := count_fillings(groups)) > most:
        raise refuse_too_many(gaps, n, most)
    rules = game.rulebook.dispute_rules
    judged = _judge_each(case, groups, game.judge, rules)
    examples = {one.ending: one.filling for one in reversed(judged)}
    cases = {ending: fill_case(case, groups, examples[ending]) for ending in _endings(judged)}
    verdicts = {ending: decide(filled) for ending, filled in cases.items()}
    branches = find_branches([_row(one, groups) for one in judged]) if len(cases) > 1 else []
    return CaseFillings(groups, judged, cases, verdicts, branches, rules)


def _endings(judged: Sequence[Judged]) -> list[Hashable]:
    return list(dict.fromkeys(one.ending for one in judged))


def _judge_each(
    case: JsonObject, groups: Sequence[Group], judge: GameJudge, rules: DisputeRules[Any]
) -> list[Judged]:
    """Return every filling that the judge takes, with its ending; raise Malformed if none.

    A quick ending asks for a sound case: until the judge has taken one, all are decided in full.
    """
    quick = judge.quick.get(str(case["kind"]))
    faults, judged, is_sound = list[Malformed](), list[Judged](), False
    template = Template(case, groups)
    for filling in list_fillings(groups):
        filled = template.fill(filling)
        try:
            if quick is None or not is_sound:
                verdict, is_sound = decide(filled), True
            ending = quick(filled) if quick is not None else find_ending(verdict, rules)
        except Malformed as fault:
            faults.append(fault)
        else:
            judged.append(Judged(filling, ending))
    if not judged:
        raise faults[0]
    return judged


def find_ending(verdict: Verdict, rules: DisputeRules[Any]) -> Hashable:
    """Return what a verdict comes to, so that equal ones are equal: gains and outcomes."""
    return repr(gains_of(verdict, rules)), repr(rules.list_outcomes(verdict))


def list_features(groups: Sequence[Group]) -> list[range]:
    """Return the numbers of the features of each group: a value, or the count of each value."""
    found, at = [], 0
    for group in groups:
        n = 1 if len(group.gaps) == 1 else len(group.values)
        found.append(range(at, at + n))
        at += n
    return found


def _row(one: Judged, groups: Sequence[Group]) -> Row:
    features: list[int] = []
    for group, numbers in zip(groups, one.filling, strict=True):
        if len(group.gaps) == 1:
            features += numbers
        else:
            features += [numbers.count(n) for n in range(len(group.values))]
    return tuple(features), one.ending
