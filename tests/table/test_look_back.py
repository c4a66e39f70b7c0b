"""Looking back: every verdict is a case, and nothing that is hidden is seen in it.

Whole evenings of all three boxes are played by chance; of each moment that brought a verdict the
judge is asked with the case that looking back gives, and decides it in the same way. Two tables
whose hidden things differ are played side by side, with other cards face down, other things in the
closed hands, and hands that are closed again; amended, frozen, undone. Every moment of both is
looked back at, as if the judge were called: the same bytes, until the reveal. Some moments of both
can be put right in the same ways.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.verdict import Verdict, VerdictStep
from companion.judge.decide import INTERNAL, decide
from companion.table.history import History, build_history
from companion.table.look_back import find_last_verdict, list_log, look_back_at
from companion.table.putting_right import put_right
from tests.laws.test_two_tables import Both
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


SEAL = re.compile(rb"[0-9a-f]{64}")


def looks(history: History) -> list[bytes]:
    """The bytes of every look at a game; a seal is a number without meaning."""
    called: Any = msgspec.structs.replace(history, frozen=1)
    found: list[Any] = [look_back_at(called, at) for at in range(1, history.at + 1)]
    for one in found:
        judged_alike(one)
    found += [find_last_verdict(history), find_last_verdict(called)]
    found += [list_log(history), list_log(called)]
    found += [put_right(history, max(1, history.at * n // 3)) for n in (1, 2, 3)]
    return [SEAL.sub(b"seal", msgspec.json.encode(one)) for one in found]


def judged_alike(found: Any) -> None:
    """However the game was amended, the judge says of each case what the table said."""
    for ruling in found.rulings:
        assert of_the_dispute(decide(ruling.case)) == of_the_dispute(ruling.verdict)


def looked_back(both: Both) -> bool:
    """Whether both tables look the same at all their moments."""
    here, there = (looks(world.w.table.history) for world in both.worlds)
    return here == there


@pytest.mark.parametrize("game", own_games())
def test_no_look_tells_one_table_from_the_other(tmp_path: Path, game: str) -> None:
    revealed = differed = 0
    seeds = pick(1, 4, 40)
    for seed in range(seeds):
        folder = tmp_path / str(seed)
        folder.mkdir()
        both = Both(folder, game, seed)
        if game == "bankueberfall":
            for bank in range(1, 6):
                tag = both.new_card(bank, 9)
                both.act(lambda w, t=tag, b=bank: w.lay_tag(t, b) and None)  # type: ignore[misc]
        hidden = True
        for n in range(150):
            hidden = both.step()
            if not hidden or both.a.w.table.history.is_over:
                break
            assert n % 12 or looked_back(both), both.state.phase
        differed += both.differed
        revealed += not hidden and not looked_back(both)
        for world in both.worlds:
            world.w.journal.close()
    assert differed > 3 * seeds // 8
    assert revealed >= seeds // 4, "after the reveal the looks show that the worlds did differ"
