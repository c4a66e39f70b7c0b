"""It depends, in words: what is certain whatever the unknown is, and what decides the rest.

Law: what is said to be certain is so in every filling; what decides is said as far as a person
reads it, and otherwise by an example of each ending, or by between what everyone's gain lies.
"""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, Message
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games.disputes import DisputeRules
from companion.judge.decide import decide, render_text, render_verdict
from companion.judge.decisive import Conditions
from companion.judge.gains import gains_of, say_amount, say_gain
from companion.judge.open_cases import Filling, Gap, say_values
from companion.judge.possibilities import (
    CaseFillings,
    find_open_gaps,
    judge_fillings,
    list_features,
)

MOST_ENDINGS = 8
"""As many endings are told one by one."""

WHATEVER = N_("Whatever {things} may be: {clauses}.")
THEN, EXAMPLE = N_("If {choice}: {clauses}."), N_("For example, if {choice}: {clauses}.")
RANGE = N_("{who}: from {other_use} to {use}.")
IDLE = N_("Makes no difference: {things}.")


class Condition(msgspec.Struct, frozen=True):
    """What must be so: a thing in words, and the values that it may have."""

    thing: Message
    values: tuple[Message, ...]

    @property
    def say(self) -> Message:
        return Message(N_("{thing} = {choice}"), {"thing": self.thing, "choice": self.values})


Way = tuple[Condition, ...]


class Ending(msgspec.Struct, frozen=True):
    """One way it may have ended: when it does, what is different then, and the whole verdict.

    Each of its `ways` is a set of conditions that lead there.
    """

    ways: tuple[Way, ...]
    says: tuple[Message, ...]
    verdict: Verdict
    case: JsonObject

    @property
    def conditions(self) -> list[Message]:
        """Return each way in words."""
        return [Message("{clauses}", {"clauses": [one.say for one in way]}) for way in self.ways]


class Possibilities(msgspec.Struct, frozen=True):
    """All that a case with gaps can come to.

    `certain` is so in every case. `endings` are the others, if they are few enough to be told:
    each with what leads to it, or, if that `is_example`, with one way that does. `ranges` say
    between what everyone's gain lies if they are not. `idle` makes no difference.
    """

    fillings: int
    unknown: tuple[Message, ...]
    certain: tuple[Message, ...]
    endings: tuple[Ending, ...]
    ranges: tuple[Message, ...]
    idle: tuple[Message, ...]
    is_example: bool
    verdict: Verdict
    """One of the verdicts; the only one where nothing depends on what is unknown."""

    @property
    def whatever(self) -> Message | None:
        """Return what is certain in one sentence; None if nothing is."""
        facts = {"things": list(self.unknown), "clauses": list(self.certain)}
        return Message(WHATEVER, facts) if self.certain else None

    @property
    def says(self) -> tuple[Message, ...]:
        """Return all of it in sentences."""
        whatever = [self.whatever] if self.whatever else []
        idle = [self.say_idle] if self.idle else []
        return (*whatever, *map(self.say_ending, self.endings), *self.ranges, *idle)

    def say_ending(self, ending: Ending) -> Message:
        """Return in one sentence what leads to an ending, and what it brings."""
        facts = {"choice": ending.conditions, "clauses": list(ending.says)}
        return Message(EXAMPLE if self.is_example else THEN, facts)

    @property
    def say_idle(self) -> Message:
        """Return what makes no difference."""
        return Message(IDLE, {"things": list(self.idle)})


def is_undecided(case: Mapping[str, object]) -> bool:
    """Return whether anything in a case is unknown; raise Malformed."""
    return bool(find_open_gaps(case))


def judge_possibilities(case: JsonObject) -> Possibilities:
    """Judge a case for every way to fill in what is unknown, in words; raise Malformed."""
    found = judge_fillings(case)
    ways, facts = _word_ways(found), _compare_facts([*found.verdicts.values()], found.rules)
    return Possibilities(
        fillings=len(found.judged),
        unknown=tuple(gap.label for group in found.groups for gap in group.gaps),
        certain=tuple(facts.certain),
        endings=tuple(
            Ending(each, facts.say_changing(found.verdicts[key]), found.verdicts[key],
                   found.cases[key])
            for key, each in ways.items()
        ),
        ranges=() if ways else facts.say_ranges(),
        idle=_list_idle(found),
        is_example=bool(ways) and not found.branches,
        verdict=next(iter(found.verdicts.values())),
    )  # fmt: skip


# What decides.


def _word_ways(found: CaseFillings) -> dict[Hashable, tuple[Way, ...]]:
    """Say what leads to each ending; give an example where that takes too many words, and nothing
    where there are too many endings or only one."""
    ways: dict[Hashable, tuple[Way, ...]] = {}
    for branch in found.branches:
        way = _word_conditions(branch.conditions, found)
        ways[branch.ending] = (*ways.get(branch.ending, ()), way)
    if not ways and 1 < len(found.verdicts) <= MOST_ENDINGS:
        return {key: (_word_filling(found.example_of(key), found),) for key in found.verdicts}
    return ways


def _word_filling(filling: Filling, found: CaseFillings) -> Way:
    """Say what each gap holds in one filling."""
    return tuple(
        Condition(gap.label, tuple(say_values(gap, [number])))
        for group, numbers in zip(found.groups, filling, strict=True)
        for gap, number in zip(group.gaps, numbers, strict=True)
    )


def _word_conditions(conditions: Conditions, found: CaseFillings) -> Way:
    """Say which values each thing has."""
    owners = [
        (group.gaps, own)
        for group, own in zip(found.groups, list_features(found.groups), strict=True)
    ]
    return tuple(
        _word_condition(gaps, feature - own.start, values)
        for feature, values in conditions
        for gaps, own in owners
        if feature in own
    )


def _word_condition(gaps: tuple[Gap, ...], nth: int, values: tuple[int, ...]) -> Condition:
    """Say which values a gap has, or how often the nth value is among several gaps."""
    if len(gaps) == 1:
        return Condition(gaps[0].label, tuple(say_values(gaps[0], values)))
    text = N_("the number of {thing} among these {n}")
    among = Message(text, {"thing": say_values(gaps[0], [nth])[0], "n": len(gaps)})
    return Condition(among, tuple(Message("{n}", {"n": n}) for n in values))


def _list_idle(found: CaseFillings) -> tuple[Message, ...]:
    """Return what no branch asks for."""
    counted = {feature for branch in found.branches for feature, _ in branch.conditions}
    return tuple(
        gap.label
        for group, own in zip(found.groups, list_features(found.groups), strict=True)
        for gap in group.gaps
        if found.branches and not counted & {*own}
    )


# What is said of the endings.


class _Facts(NamedTuple):
    """What several verdicts say: `names` of those whose gain differs, and what is `certain`."""

    rules: DisputeRules[Any]
    verdicts: list[Verdict]
    names: list[str]
    certain: list[Message]

    def say_changing(self, verdict: Verdict) -> tuple[Message, ...]:
        """Return what one verdict says beyond what is certain."""
        gains = gains_of(verdict, self.rules)
        own = [one for name in self.names for one in say_gain(name, gains.get(name, {}))]
        outcomes = [one for one in self.rules.list_outcomes(verdict) if one not in self.certain]
        return (*own, *outcomes)

    def say_ranges(self) -> tuple[Message, ...]:
        """Return between what the gains lie that are not certain."""
        all_gains = [gains_of(verdict, self.rules) for verdict in self.verdicts]
        return tuple(
            Message(RANGE, {
                "who": [name], "other_use": say_amount(what, min(counts)),
                "use": say_amount(what, max(counts)),
            })
            for name in self.names
            for what in dict.fromkeys(what for gains in all_gains for what in gains.get(name, ()))
            for counts in ([gains.get(name, {}).get(what, 0) for gains in all_gains],)
            if min(counts) < max(counts)
        )  # fmt: skip


def _compare_facts(verdicts: list[Verdict], rules: DisputeRules[Any]) -> _Facts:
    """Return what all verdicts agree on, and whose gain differs."""
    gains = [gains_of(verdict, rules) for verdict in verdicts]
    named = dict.fromkeys(name for each in gains for name in each)
    names = [name for name in named if any(each.get(name) != gains[0].get(name) for each in gains)]
    steady = [name for name in named if name not in names]
    outcomes = [rules.list_outcomes(verdict) for verdict in verdicts]
    shared = [one for one in outcomes[0] if all(one in each for each in outcomes)]
    said = [one for name in steady for one in say_gain(name, gains[0][name])]
    return _Facts(rules, verdicts, names, [*said, *shared])


# Answers.


def answer_case(case: JsonObject, language: Language) -> JsonObject:
    """Return the verdict on a case as plain data, or all that it can come to; raise Malformed."""
    found = judge_case(case)
    if isinstance(found, Verdict):
        return render_verdict(found, language)
    return render_possibilities(found, language)


def answer_case_in_words(case: JsonObject, language: Language) -> str:
    """Return the verdict on a case to read aloud, or all that it can come to; raise Malformed."""
    found = judge_case(case)
    if isinstance(found, Verdict):
        return render_text(found, language)
    return "\n".join(map(language, found.says))


def judge_case(case: JsonObject) -> Verdict | Possibilities:
    """Return the verdict on a case, or all that it can come to; raise Malformed.

    What is unknown is no value of its field, so only a case that is refused is looked through.
    """
    try:
        return decide(case)
    except Malformed:
        if not is_undecided(case):
            raise
        return judge_possibilities(case)


def render_possibilities(found: Possibilities, language: Language) -> JsonObject:
    """Return the possibilities as plain data, in the words of a language."""
    return {
        "fillings": found.fillings,
        "unknown": [language(one) for one in found.unknown],
        "certain": [language(one) for one in found.certain],
        "endings": [_render_ending(one, language) for one in found.endings],
        "for_example": found.is_example,
        "ranges": [language(one) for one in found.ranges],
        "idle": [language(one) for one in found.idle],
        "says": [language(one) for one in found.says],
    }


def _render_ending(ending: Ending, language: Language) -> JsonObject:
    return {
        "when": [
            [{"thing": language(one.thing), "values": [*map(language, one.values)]} for one in way]
            for way in ending.ways
        ],
        "says": [language(one) for one in ending.says],
        "case": ending.case,
        "verdict": render_verdict(ending.verdict, language),
    }
