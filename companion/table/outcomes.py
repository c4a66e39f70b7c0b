"""Outcomes in words: of a change, of another verdict on the same case, of a whole evening.

Laws: what a change came to is said as who gives back or gets how much. What another case would come
to is counted from the two verdicts alone; nothing is written and no game learns of it. An evening
is told of a game that is over and scored, and of no other: what lay behind a screen until then is
open by the rules from then on. It is the fold of the moments as the log has them, so an undo or a
correction changes it with the rest.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import msgspec

from companion.core.errors import JsonObject
from companion.core.i18n import N_, Message, say_amount
from companion.core.table_events import Counted
from companion.core.verdict import Score, Verdict
from companion.games.correction_rules import Difference, compare_amounts
from companion.games.disputes import is_new_verdict
from companion.games.rulebook import AnyRulebook
from companion.judge.checks import check_choice
from companion.judge.decide import find_kind
from companion.judge.kinds import Kind
from companion.table.history import Change, History, replay_moments

# By a change.

GIVES, GETS = N_("{who} gives back {use}."), N_("{who} gets {use}.")
FEWER = N_("{who} has {use} less than was noted.")
SURPLUS = N_("{who} has {use} more than was noted.")
"""A count pays nothing: it notes what is there."""
DROPPED = N_("Moments dropped, because they no longer fit: {numbers}.")
COUNTED = str(Counted.__struct_config__.tag)


class ChangeSummary(msgspec.Struct, frozen=True):
    """Effect of an undo or a correction, in words."""

    at: int
    target: int
    via: str
    reason: str
    says: tuple[Message, ...]
    differences: tuple[Difference, ...]


def describe_change(change: Change) -> ChangeSummary:
    """Put a change into words: coins back, coins received, dropped moments."""
    less, more = (FEWER, SURPLUS) if change.kind == COUNTED else (GIVES, GETS)
    debts = (_describe(one, more, less) for one in change.differences)
    dropped = [Message(DROPPED, {"numbers": list(change.dropped)})] if change.dropped else []
    says = (*debts, *dropped)
    return ChangeSummary(
        change.at, change.target, change.via, change.reason, says, change.differences
    )


def _describe(one: Difference, more: str, less: str) -> Message:
    amount = say_amount(one.what, abs(one.by))
    return Message(more if one.by > 0 else less, {"who": [one.name], "use": amount})


# By another verdict.

MORE, LESS = N_("{who} gets {use} more."), N_("{who} gets {use} less.")
INSTEAD = N_("Before: {use}. Now: {other_use}.")


class WhatIf(msgspec.Struct, frozen=True):
    """Two verdicts, each player's gain or loss by the second, and the other differences."""

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
    differences = tuple(compare_amounts(kind.gains(first), kind.gains(then)))
    outcomes = zip(kind.outcomes(first), kind.outcomes(then), strict=True)
    turns = [{"use": before, "other_use": now} for before, now in outcomes if before != now]
    says = (
        *(_describe(one, MORE, LESS) for one in differences),
        *(Message(INSTEAD, turn) for turn in turns),
    )
    return WhatIf(first, then, differences, says)


class Standing(msgspec.Struct, frozen=True):
    """Place of a player: equal totals share one. The mark is the number of the seat; one
    without a chair is marked by a letter, and counted on after the others."""

    place: int
    name: str
    seat: int
    mark: str
    total: int
    amount: Message


class Milestone(msgspec.Struct, frozen=True):
    """A verdict by its moment, and the fortunes after it: those that stood when the next one came.
    The first milestone is the start."""

    at: int
    name: Message
    fortunes: dict[str, int]


class TurningPoint(msgspec.Struct, frozen=True):
    """The verdict with the largest change of the winner's lead, by its number in the course."""

    n: int
    at: int
    winner: str
    say: Message


class Evening(msgspec.Struct, frozen=True):
    """The whole of a finished game. The course is empty where a game does not count fortunes on the
    way."""

    game: str
    id: str
    title: str
    unit: str
    standings: tuple[Standing, ...]
    course: tuple[Milestone, ...]
    turning_point: TurningPoint | None
    say: Message


WINS = N_("{who} wins with {use}.")
SHARE = N_("{who} share the win, each with {use}.")


def tell_evening(history: History) -> Evening | None:
    """Return the evening of a game that is over and scored; None while it is not."""
    rules, state = history.rules, history.state
    if state is None or state.phase != "over" or state.score is None:
        return None
    seats = {player.name: n for n, player in enumerate(state.players, 1)}
    standings = rank_players(rules, state.score, seats)
    course = tuple(_follow_fortunes(history))
    turn = find_turning_point(rules, course, state.score.winners)
    first = [one.name for one in standings if one.place == 1]
    text = WINS if len(first) == 1 else SHARE
    say = Message(text, {"who": first, "use": standings[0].amount})
    box, unit = rules.box, rules.score_unit
    return Evening(box.game, state.id, box.title, unit, standings, course, turn, say)


def rank_players(
    rules: AnyRulebook, score: Score, seats: Mapping[str, int]
) -> tuple[Standing, ...]:
    """Return everyone by place; among equals by seat."""
    numbers = {**{name: len(seats) + 1 for name in score.totals}, **seats}
    ranked = sorted(score.totals, key=lambda name: (-score.totals[name], numbers[name]))
    return tuple(
        Standing(
            1 + sum(other > total for other in score.totals.values()),
            name,
            numbers[name],
            str(seats[name]) if name in seats else name[:1],
            total,
            say_amount(rules.score_unit, total),
        )
        for name in ranked
        for total in (score.totals[name],)
    )


def _follow_fortunes(history: History) -> Iterator[Milestone]:
    """Yield the start and each verdict, with the fortunes as they were when the next one came."""
    rules, name, at, last = history.rules, Message(N_("The start")), 1, None
    for page in replay_moments(history):
        before, last = page.before, page.after
        if before is not None and last is not None and is_new_verdict(before, last, "verdict"):
            yield Milestone(at, name, dict(rules.count_fortunes(before)))
            name, at = rules.name_verdict(before), page.moment.at
    if last is not None:
        yield Milestone(at, name, dict(rules.count_fortunes(last)))


# What decided it.

BEHIND_TO_BEHIND = N_("{title} decided it: {who} came up from {use} behind to {other_use} behind.")
BEHIND_TO_LEVEL = N_("{title} decided it: {who} made up {use} and drew level.")
BEHIND_TO_AHEAD = N_("{title} decided it: {who} went from {use} behind to {other_use} ahead.")
LEVEL_TO_AHEAD = N_("{title} decided it: from level, {who} went {other_use} ahead.")
AHEAD_TO_AHEAD = N_("{title} decided it: {who} went from {use} ahead to {other_use} ahead.")


def find_turning_point(
    rules: AnyRulebook, course: tuple[Milestone, ...], winners: tuple[str, ...]
) -> TurningPoint | None:
    """Return the verdict with the largest growth of the winner's lead over the best other, the
    earlier of equals; None if the win is shared, or if there is no such verdict."""
    if len(winners) != 1:
        return None
    (winner,) = winners
    leads = [_lead_of(winner, milestone.fortunes) for milestone in course]
    gains = [(after - before, -n) for n, (before, after) in enumerate(pairwise(leads), 1)]
    gain, n = max(gains, default=(0, 0))
    if gain <= 0:
        return None
    at, before, after = course[-n].at, leads[-n - 1], leads[-n]
    say = Message(
        _choose_sentence(before, after),
        {
            "title": course[-n].name,
            "who": [winner],
            "use": say_amount(rules.score_unit, abs(before)),
            "other_use": say_amount(rules.score_unit, abs(after)),
        },
    )
    return TurningPoint(-n, at, winner, say)


def _lead_of(winner: str, fortunes: Mapping[str, int]) -> int:
    """Return the winner's lead over the best other; 0 if unknown."""
    others = [total for name, total in fortunes.items() if name != winner]
    return fortunes[winner] - max(others) if others and winner in fortunes else 0


def _choose_sentence(before: int, after: int) -> str:
    if before >= 0:
        return AHEAD_TO_AHEAD if before else LEVEL_TO_AHEAD
    if after <= 0:
        return BEHIND_TO_LEVEL if after == 0 else BEHIND_TO_BEHIND
    return BEHIND_TO_AHEAD
