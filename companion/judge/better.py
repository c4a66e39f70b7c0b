"""Better decisions: what would Ben have had to bid to get more?

Law: only what the player decided is changed, one value at a time, to everything that it may be, but
to no more than MOST_JUDGED: more coins are in no box, and anyone may ask. The judge decides each,
and told is what brings more of something, and less of nothing.
"""

from collections.abc import Iterator
from itertools import groupby, islice
from typing import Any

import msgspec

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Language, Message, say_amount
from companion.judge.checks import check_choice
from companion.judge.decide import find_kind
from companion.judge.it_depends import say_amounts
from companion.judge.kinds import Decision, Kind
from companion.judge.possibilities import MOST_JUDGED, say_in_runs
from companion.judge.shapes import Group
from companion.judge.values import Place

WOULD = N_("If {thing}: {clauses}.")
MORE = N_("{who} gets {use} more")
MOST_SAID = 3
"""As many other values than the best are told one by one, less one."""
NO_BETTER = N_("Nothing else would have brought {who} more.")
NO_DECISION = N_("{field}: nobody decides anything in such a case.")


class Better(msgspec.Struct, frozen=True):
    """Values that would have brought a player equally more, and the decision in words."""

    decision: Decision
    place: Place
    values: list[object]
    more: dict[str, int]

    @property
    def say(self) -> Message:
        return self.say_with(self.values, [say_amount(*each) for each in self.more.items()])

    def say_with(self, values: list[object], uses: list[Message]) -> Message:
        """Word the effect of these values."""
        choice = say_in_runs(self.place, values)
        thing = Message(self.decision.instead, {**self.place.facts, "choice": choice})
        who = self.place.facts["who"]
        gains = [Message(MORE, {"who": who, "use": use}) for use in uses]
        return Message(WOULD, {"thing": thing, "clauses": gains})


def find_better(case: JsonObject, name: str, field: str = "who") -> tuple[Better, ...]:
    """Return the other decisions that would have brought this player more; raise Malformed for a
    case without a decision, and at `field` for an unknown name."""
    kind = find_kind(case)
    if kind.decision is None:
        raise Malformed(field, NO_DECISION)
    told = kind.read(case)
    kind.settle(told)
    check_choice(name, field, told[kind.decision.field])
    return tuple(_search(kind, kind.decision, told, name))


def say_better(found: tuple[Better, ...], name: str) -> tuple[Message, ...]:
    """Return all of it in words, the largest gain first, or that nothing would have been better.
    Values with many different gains are said together."""
    if not found:
        return (Message(NO_BETTER, {"who": [name]}),)
    says: list[Message] = []
    for _, each in groupby(found, lambda one: one.place.path):
        best, *others = each
        says.append(best.say)
        kinds = {tuple(one.more) for one in others}
        if len(others) < MOST_SAID or len(kinds) > 1 or len(best.more) > 1:
            says += [one.say for one in others]
            continue
        ((what,),) = kinds
        amounts = sorted(one.more[what] for one in others)
        values = sorted((value for one in others for value in one.values), key=_as_number)
        says.append(others[0].say_with(values, say_amounts(what, amounts)))
    return tuple(says)


def _as_number(value: object) -> int:
    return value if isinstance(value, int) else 0


def render_better(found: tuple[Better, ...], language: Language) -> list[JsonObject]:
    """Return the better decisions as plain data."""
    return [
        {
            "field": one.place.spelled,
            "values": one.values,
            "more": one.more,
            "says": language(one.say),
        }
        for one in found
    ]


def _search(kind: Kind, decision: Decision, told: JsonObject, name: str) -> Iterator[Better]:
    had = kind.gains(kind.settle(told))[name]
    for place in _list_places(kind, decision, told, name):
        brings: dict[tuple[tuple[str, int], ...], list[object]] = {}
        holder: Any = told
        for part in place.path[:-1]:
            holder = holder[part]
        for value in islice(place.leaf.values(told, place.path), MOST_JUDGED):
            holder[place.path[-1]] = value
            more = _compare(had, kind, told, name)
            if more:
                brings.setdefault(more, []).append(value)
        holder[place.path[-1]] = place.value
        for more in sorted(brings, key=lambda more: -sum(n for _, n in more)):
            yield Better(decision, place, brings[more], dict(more))


def _list_places(kind: Kind, decision: Decision, told: JsonObject, name: str) -> list[Place]:
    """Write the numbers that the player left out into the case, as 0; return each value that the
    player decided."""
    decided, shape = told[decision.field], kind.shapes[decision.field]
    inner = getattr(shape, "of", shape)
    if isinstance(inner, Group) and inner.sparse:
        decided[name] = {**dict.fromkeys(inner.fields, 0), **decided[name]}
    every = shape.places(decided, (decision.field,), {})
    return [place for place in every if place.path[1] == name]


def _compare(
    had: dict[str, int], kind: Kind, told: JsonObject, name: str
) -> tuple[tuple[str, int], ...]:
    """Return the gains of the changed case over the first one; nothing if anything of it is
    less."""
    try:
        has = kind.gains(kind.settle(told))[name]
    except Malformed:
        return ()
    by = {what: n - had.get(what, 0) for what, n in has.items()}
    return () if any(n < 0 for n in by.values()) else tuple((w, n) for w, n in by.items() if n)
