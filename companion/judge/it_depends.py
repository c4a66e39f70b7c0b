"""It depends, in words: the certain facts, and the conditions for the rest.

Laws: what is said to be certain is so in every filling. Where there are more endings than people
read, they are told by what decides most, such as who guards the bank: then what everyone gets is
said within each of these. What leads to an ending is said as far as a person reads it, and
otherwise by an example.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Language, Message, say_amount
from companion.core.verdict import Verdict
from companion.judge.decide import decide, find_kind, render_text, render_verdict
from companion.judge.possibilities import (
    CaseFillings,
    Comes,
    Conditions,
    Filling,
    Gap,
    find_gaps,
    judge_fillings,
    list_features,
    say_values,
)

MOST_ENDINGS = 8
"""As many endings are told one by one."""
MOST_AMOUNTS = 3
"""As many amounts are told one by one."""

GETS, LOSES = N_("{who} gets {use}"), N_("{who} loses {use}")
NOTHING = N_("{who} gets nothing")
GETS_ONE, LOSES_ONE = N_("{who} gets {choice}"), N_("{who} loses {choice}")
GETS_OR_LOSES = N_("{who} gets {choice}, or loses {thing}")
WHATEVER = N_("Whatever {things} may be: {clauses}.")
THEN, EXAMPLE = N_("If {choice}: {clauses}."), N_("For example, if {choice}: {clauses}.")
IDLE = N_("Makes no difference: {things}.")


def say_gain(name: str, gains: Mapping[str, int]) -> tuple[Message, ...]:
    """Word a player's gain or loss."""
    some = {what: n for what, n in gains.items() if n}
    if not some:
        return (Message(NOTHING, {"who": [name]}),)
    return tuple(
        Message(GETS if n > 0 else LOSES, {"who": [name], "use": say_amount(what, abs(n))})
        for what, n in some.items()
    )


class Condition(msgspec.Struct, frozen=True):
    """A condition of an ending: a thing in words, and the values that it may have."""

    thing: Message
    values: tuple[Message, ...]

    @property
    def say(self) -> Message:
        return Message(N_("{thing} = {choice}"), {"thing": self.thing, "choice": self.values})


Way = tuple[Condition, ...]


class Ending(msgspec.Struct, frozen=True):
    """One possible ending: its condition, its differences, and a case with its verdict. It may
    stand for several that are alike in the outcome that decides most and differ in details.

    Each of its `ways` is a set of conditions that lead there.
    """

    ways: tuple[Way, ...]
    says: tuple[Message, ...]
    verdict: Verdict
    case: JsonObject
    is_one_of_several: bool

    @property
    def conditions(self) -> list[Message]:
        """Return each way in words."""
        return [Message("{clauses}", {"clauses": [one.say for one in way]}) for way in self.ways]


class Possibilities(msgspec.Struct, frozen=True):
    """All possible results of a case with gaps.

    `certain` is so in every case. `endings` are the others: each with what leads to it, or, if that
    `is_example`, with one way that does. If they are too many as well, `ranges` say what everyone
    may get. `idle` makes no difference.
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
        """Return the certain facts in one sentence; None if there are none."""
        facts = {"things": list(self.unknown), "clauses": list(self.certain)}
        return Message(WHATEVER, facts) if self.certain else None

    @property
    def says(self) -> tuple[Message, ...]:
        """Return all of it in sentences."""
        whatever = [self.whatever] if self.whatever else []
        ranges = [Message(N_("{clauses}."), {"clauses": self.ranges})] if self.ranges else []
        idle = [self.say_idle] if self.idle else []
        return (*whatever, *map(self.say_ending, self.endings), *ranges, *idle)

    def say_ending(self, ending: Ending) -> Message:
        """Return the condition of an ending and its result in one sentence."""
        facts = {"choice": ending.conditions, "clauses": list(ending.says)}
        return Message(EXAMPLE if self.is_example else THEN, facts)

    @property
    def say_idle(self) -> Message:
        """Return the sentence on gaps that make no difference."""
        return Message(IDLE, {"things": list(self.idle)})


def judge_possibilities(case: JsonObject) -> Possibilities:
    """Judge a case for every way to fill its gaps, in words; raise Malformed."""
    found = judge_fillings(case)
    sorts = _sort_endings(found)
    facts = _compare_facts([*found.endings.values()])
    branches = found.find_branches(lambda ending: sorts[ending])
    ways: dict[Hashable, tuple[Way, ...]] = {}
    for branch in branches:
        way = _word_conditions(branch.conditions, found)
        ways[branch.ending] = (*ways.get(branch.ending, ()), way)
    if not ways and 1 < len({*sorts.values()}) <= MOST_ENDINGS:
        for ending, sort in sorts.items():
            ways.setdefault(sort, (_word_filling(found.example_of(ending), found),))
    counted = {feature for branch in branches for feature, _ in branch.conditions}
    is_told = len({*sorts.values()}) == len(found.endings)
    return Possibilities(
        fillings=len(found.judged),
        unknown=tuple(gap.place.label for group in found.groups for gap in group.gaps),
        certain=tuple(facts.certain),
        endings=tuple(_word_ending(sort, each, sorts, found, facts) for sort, each in ways.items()),
        ranges=() if ways else facts.say_changing([*found.endings.values()]),
        idle=_list_idle(found, counted) if branches and is_told else (),
        is_example=bool(ways) and not branches,
        verdict=found.decide_example(next(iter(found.endings)))[1],
    )


def _sort_endings(found: CaseFillings) -> dict[Hashable, Hashable]:
    """Return the groups of endings to tell: each alone, or, if they are too many to read, those
    alike in the first outcome."""
    if len(found.endings) <= MOST_ENDINGS:
        return {ending: ending for ending in found.endings}
    return {ending: repr(comes.outcomes[:1]) for ending, comes in found.endings.items()}


def _word_ending(
    sort: Hashable,
    ways: tuple[Way, ...],
    sorts: Mapping[Hashable, Hashable],
    found: CaseFillings,
    facts: "_Facts",
) -> Ending:
    alike = [ending for ending, own in sorts.items() if own == sort]
    case, verdict = found.decide_example(alike[0])
    says = facts.say_changing([found.endings[ending] for ending in alike])
    return Ending(ways, says, verdict, case, len(alike) > 1)


# What decides.


def _word_filling(filling: Filling, found: CaseFillings) -> Way:
    """Word the value of each gap in one filling."""
    return tuple(
        Condition(gap.place.label, tuple(say_values(gap, [number])))
        for group, numbers in zip(found.groups, filling, strict=True)
        for gap, number in zip(group.gaps, numbers, strict=True)
    )


def _word_conditions(conditions: Conditions, found: CaseFillings) -> Way:
    """Word the values of each gap."""
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
    """Word the values of a gap, or the number of its gaps with the nth value."""
    if len(gaps) == 1:
        return Condition(gaps[0].place.label, tuple(say_values(gaps[0], values)))
    text = N_("the number of {thing} among these {n}")
    among = Message(text, {"thing": say_values(gaps[0], [nth])[0], "n": len(gaps)})
    return Condition(among, tuple(Message("{n}", {"n": n}) for n in values))


def _list_idle(found: CaseFillings, counted: set[int]) -> tuple[Message, ...]:
    """Return the gaps that no branch asks for."""
    return tuple(
        gap.place.label
        for group, own in zip(found.groups, list_features(found.groups), strict=True)
        for gap in group.gaps
        if not counted & {*own}
    )


# What is said of the endings.


class _Facts(NamedTuple):
    """Facts of several endings: `names` of players whose gain differs, and the `certain` ones."""

    names: list[str]
    certain: list[Message]

    def say_changing(self, comes: Sequence[Comes]) -> tuple[Message, ...]:
        """Return the facts of these endings beyond the certain ones: those that all agree on, and
        the range of the other gains."""
        gains = [one.gains for one in comes]
        own = [said for name in self.names for said in _say_gains(name, gains)]
        shared = _list_shared(comes)
        return (*own, *(one for one in shared if one not in self.certain))


def _say_gains(name: str, gains: Sequence[Mapping[str, Mapping[str, int]]]) -> list[Message]:
    """Word a player's possible gains: by amount if they are few, otherwise from the least on."""
    mine = [each.get(name, {}) for each in gains]
    if all(one == mine[0] for one in mine):
        return list(say_gain(name, mine[0]))
    found = []
    for what in dict.fromkeys(what for one in mine for what in one):
        amounts = sorted({one.get(what, 0) for one in mine})
        gets = say_amounts(what, [n for n in amounts if n >= 0])
        loses = say_amounts(what, [-n for n in amounts if n < 0][::-1])
        if gets and loses:
            thing = Message("{choice}", {"choice": loses})
            found.append(Message(GETS_OR_LOSES, {"who": [name], "choice": gets, "thing": thing}))
        elif any(amounts):
            text = GETS_ONE if gets else LOSES_ONE
            found.append(Message(text, {"who": [name], "choice": gets or loses}))
    return found


def say_amounts(what: str, amounts: Sequence[int]) -> list[Message]:
    """Return amounts as a choice: nothing, each of a few, or from the least to the most."""
    some = [n for n in amounts if n]
    said = [Message(N_("nothing"))] if len(some) < len(amounts) else []
    if len(some) <= MOST_AMOUNTS:
        return said + [say_amount(what, n) for n in some]
    ends = {"other_use": say_amount(what, some[0]), "use": say_amount(what, some[-1])}
    return [*said, Message(N_("from {other_use} to {use}"), ends)]


def _list_shared(comes: Sequence[Comes]) -> list[Message]:
    """Return the outcomes that are the same in all."""
    first, *others = [one.outcomes for one in comes]
    return [one for one in first if all(one in each for each in others)]


def _compare_facts(comes: Sequence[Comes]) -> _Facts:
    """Return the facts common to all endings, and the players whose gains differ."""
    gains = [one.gains for one in comes]
    named = dict.fromkeys(name for each in gains for name in each)
    names = [name for name in named if any(each.get(name) != gains[0].get(name) for each in gains)]
    steady = [name for name in named if name not in names]
    said = [one for name in steady for one in say_gain(name, gains[0][name])]
    return _Facts(names, [*said, *_list_shared(comes)])


# Answers.


def answer_case(case: JsonObject, language: Language) -> JsonObject:
    """Return the verdict on a case as plain data, or all its possible endings; raise Malformed."""
    found = judge_case(case)
    if isinstance(found, Verdict):
        return render_verdict(found, language)
    return render_possibilities(found, language)


def answer_case_in_words(case: JsonObject, language: Language) -> str:
    """Return the verdict on a case to read aloud, or all its possible endings; raise Malformed."""
    found = judge_case(case)
    if isinstance(found, Verdict):
        return render_text(found, language)
    return "\n".join(map(language, found.says))


def judge_case(case: JsonObject) -> Verdict | Possibilities:
    """Return the verdict on a case, or all its possible endings; raise Malformed.

    What is unknown is no value of its field, so only a case that is refused is looked through.
    """
    try:
        return decide(case)
    except Malformed:
        if not find_gaps(find_kind(case), case):
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
