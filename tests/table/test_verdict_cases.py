"""Every verdict of every game is a case that the judge decides in the same way.

Whole evenings of all three boxes are played by chance; of each moment that brought a verdict the
judge is asked with the case that looking back gives.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.verdict import Verdict, VerdictStep
from companion.judge.decide import INTERNAL, decide
from companion.table.history import History, build_history
from companion.table.look_back import look_back_at
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import SETUPS, Evening

OF_THE_TABLE = {"S.enter", "B.end", "R.next", "R.end", "F.sell"}
"""Steps about the table that its verdict begins or ends with, and no case knows of."""


def evenings(game: str) -> Iterator[Evening]:
    setups = [(seed, *setup) for seed, setup in enumerate(SETUPS) if setup[0] == game]
    for seed, name, seats, started in setups[:: pick(6, 2, 1)]:
        yield Evening(name, Random(seed), seats, seed % 3 != 0, **started).play()


def told(evening: Evening) -> History:
    """The evening as the table would have it."""
    moments = ((event, "phone 1", float(n)) for n, event in enumerate(evening.events))
    return build_history(evening.rules, moments)


def of_the_dispute(verdict: Verdict) -> list[VerdictStep]:
    """The steps that any table would hear; a score has no others but the end it came to."""
    aside = OF_THE_TABLE - ({"B.end"} if hasattr(verdict, "totals") else set())
    return [step for step in verdict.steps if step.rule not in aside]


def outcome(verdict: Verdict) -> dict[str, Any]:
    fields = (name for name in verdict.__struct_fields__ if name not in INTERNAL)
    return {name: getattr(verdict, name) for name in fields}


def rulings(history: History, latest: History) -> Iterator[tuple[Any, Any]]:
    """Every ruling of a game with the whole verdict that the live table came to."""
    state = None
    for moment in history.moments:
        before, state = state, history.rules.apply(state, moment.event)
        found = look_back_at(latest, moment.at)
        assert found is not None
        assert found.public == history.rules.public_view(state)
        for ruling in found.rulings:
            live = state.score if ruling.kind == "score" else state.verdict
            assert before is None or live is not getattr(before, "verdict", None)
            yield ruling, live


@pytest.mark.parametrize("game", own_games())
def test_the_judge_decides_every_case_as_the_table_did(game: str) -> None:
    seen: Counter[str] = Counter()
    for evening in evenings(game):
        history = told(evening)
        for ruling, live in rulings(history, history):
            again = decide(ruling.case)
            assert outcome(again) == outcome(live)
            assert of_the_dispute(again) == of_the_dispute(live)
            assert msgspec.json.encode(ruling.verdict.steps) == msgspec.json.encode(live.steps)
            seen[ruling.kind] += 1
    assert seen["score"] >= pick(1, 2, 3)
    assert sum(seen.values()) > pick(10, 20, 20)
