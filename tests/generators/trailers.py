"""Cuts a trailer of a minute and a half from an evening of bots, and says how good it is.

What is looked for, by game: each word below is found by facts of a verdict's steps, never by what
would look good. An evening counts only if all of its words are in it and its end is close; the best
of `SEEDS` has the most points in what is shown. Chips, bids and loot are shown when all are there.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from companion.core.events import Opened
from companion.core.verdict import VerdictStep
from companion.games import make_rulebook
from companion.host.demo import Shot, Trailer, told_steps
from companion.records.format import Record
from companion.records.verify import record_events
from companion.table.history import History, apply_event
from companion.table.telling import STANDS, telling_seconds

SECONDS = 90.0
OPENING, LEADS, ENDING = 3.0, 1.7, 9.0
"""Seconds for the first moment, for each that leads up to a verdict, and for the final score."""
SHORTEST, LONGEST = STANDS, 8.0
"""How long a verdict stands when it is told: as long as it has the stage of the table, or more."""
MOST_LEADS = 4
MOST_HIGHLIGHTS = 5
BESIDE_THE_POINT = (Opened.__name__, "CardNamed", "CardSold", "Passed")
"""What is not shown on its own: hands open one by one just before their verdict."""
CLOSE = 0.15
"""The lead of the winner over the second, as a part of what the winner has."""

Words = dict[str, int]
"""What is found in a verdict, each word with its points."""


class Moment(NamedTuple):
    """A visible moment of an evening."""

    at: int
    kind: str
    steps: Sequence[VerdictStep]
    is_over: bool
    words: Words


class Cut(NamedTuple):
    """A trailer and its points."""

    points: int
    trailer: Trailer


def find_robbery_words(steps: Sequence[VerdictStep]) -> Words:
    """Banküberfall: big loot, equal bids that get nothing, one just too high, cards that act;
    nothing of a robbery that pays no one."""
    found: Words = {}
    if not any(one.facts.get("paid") for one in steps):
        return {}
    for one in steps:
        facts: dict[str, Any] = dict(one.facts)
        if facts.get("loot", 0) >= 20:
            found["big loot"] = facts["loot"]
        if one.rule == "B.pay.short" and "bid" in facts:
            many, lacking = len(facts["who"]), facts["bid"] * len(facts["who"]) - facts["rest"]
            if many > 1:
                found["tie"] = 15
            elif lacking <= 3:
                found["just short"] = 15
        if one.rule.startswith("B.rob.") and ("gone" in facts or "direction" in facts):
            found["cards act"] = 10
    return found


def find_auction_words(steps: Sequence[VerdictStep]) -> Words:
    """Banque Fatale: a bonus, a tie, a fall; nothing of an auction in which two bid nothing."""
    found: Words = {}
    for one in steps:
        facts: dict[str, Any] = dict(one.facts)
        if "fists" in facts and sum(not fist for fist in facts["fists"].values()) > 1:
            return {}
        if one.rule == "F.bonus" and "millions" in facts:
            found["bonus"] = found.get("bonus", 0) + facts["millions"]
        if one.rule == "F.auction.tie":
            found["tie"] = 15
        if one.rule == "F.track" and facts["before"] - facts["after"] >= 4:
            found["fall"] = 12
    return found


def find_round_words(steps: Sequence[VerdictStep]) -> Words:
    """Robby Solo: a visit of the police, a big haul alone, a crowd at one bank."""
    found: Words = {}
    for one in steps:
        facts: dict[str, Any] = dict(one.facts)
        if one.rule == "R.police":
            found["police"] = 25
        if one.rule == "R.solo" and "cards" in facts and "who" in facts:
            money = sum(card for card in facts["cards"] if isinstance(card, int))
            if len(facts["who"]) == 1 and money >= 15_000:
                found["haul alone"] = money // 1_000
            if len(facts["who"]) >= 3 and len(facts["cards"]) > 1:
                found["crowd"] = 10
    return found


FINDERS: dict[str, tuple[Callable[[Sequence[VerdictStep]], Words], tuple[str, ...]]] = {
    "bankueberfall": (find_robbery_words, ("big loot", "tie", "just short", "cards act")),
    "banque_fatale": (find_auction_words, ("bonus", "tie")),
    "robby_solo": (find_round_words, ("police", "haul alone", "crowd")),
}
"""For each game what finds the words, and those that have to be in a trailer."""


def cut_trailer(record: Record, seed: int) -> Cut | None:
    """Return the trailer of an evening; None if it has not what is looked for."""
    find_words, wanted = FINDERS[record.header.game]
    moments = list(iter_moments(record, find_words))
    if not moments[-1].is_over or not is_close(record):
        return None
    candidates = [one for one in moments if one.words and not one.is_over]
    for many in range(MOST_HIGHLIGHTS, 1, -1):
        chosen = choose_highlights(candidates, wanted, many)
        trailer = lay_out_shots(moments, chosen, seed) if chosen else None
        if trailer is not None:
            return Cut(sum(sum(one.words.values()) for one in chosen), trailer)
    return None


def iter_moments(
    record: Record, find_words: Callable[[Sequence[VerdictStep]], Words]
) -> Iterator[Moment]:
    history = History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        before, history = history, apply_event(history, event, via, when)
        if history.at > before.at:
            steps = told_steps(before.state, history.state)
            is_over = getattr(history.state, "score", None) is not None
            yield Moment(history.at, type(event).__name__, steps, is_over, find_words(steps))


def is_close(record: Record) -> bool:
    """Whether the winner is ahead of the second by little."""
    history = History(make_rulebook(record.header.game))
    for event, via, when in record_events(record):
        history = apply_event(history, event, via, when)
    first, second, *_ = sorted(history.state.score.totals.values(), reverse=True)
    return first - second <= CLOSE * first


def choose_highlights(
    candidates: Sequence[Moment], wanted: Sequence[str], many: int
) -> list[Moment]:
    """Return so many verdicts in their order, among them every word that is wanted."""
    best = sorted(candidates, key=lambda one: -sum(one.words.values()))
    chosen: list[Moment] = []
    for word in wanted:
        if not any(word in one.words for one in chosen):
            chosen += [one for one in best if word in one.words][:1]
    chosen += [one for one in best if one not in chosen][: max(many - len(chosen), 0)]
    found = {word for one in chosen for word in one.words}
    return sorted(chosen) if len(chosen) == many and found >= {*wanted} else []


def lay_out_shots(moments: Sequence[Moment], chosen: Sequence[Moment], seed: int) -> Trailer | None:
    """Return the shots: the first moment, each verdict after what leads to it, and the end; None if
    the verdicts would stand too short or too long."""
    shots = {1: Shot(1, OPENING)}
    last = moments[-1]
    for one in [*chosen, last]:
        shots |= {at: Shot(at, LEADS) for at in find_leads(moments, one)}
    for one in chosen:
        shots[one.at] = Shot(one.at, telling_seconds(len(one.steps)), tuple(one.words))
    told = telling_seconds(len(last.steps)) + STANDS if last.steps else 0.0
    shots[last.at] = Shot(last.at, told + ENDING, ("end",))
    stands = (SECONDS - sum(shot.seconds for shot in shots.values())) / len(chosen)
    if not SHORTEST <= stands <= LONGEST:
        return None
    for one in chosen:
        shot = shots[one.at]
        shots[one.at] = Shot(shot.at, round(shot.seconds + stands, 2), shot.shows)
    return Trailer(seed, tuple(shots[at] for at in sorted(shots)))


def find_leads(moments: Sequence[Moment], verdict: Moment) -> list[int]:
    """Return the moments that lead to a verdict: of what was done since the one before, the last of
    each kind, so that chips, bids and loot are shown when all are there."""
    last: dict[str, int] = {}
    for one in moments[: verdict.at - 1]:
        if one.steps:
            last.clear()
        elif one.kind not in BESIDE_THE_POINT:
            last[one.kind] = one.at
    return sorted(last.values())[-MOST_LEADS:]
