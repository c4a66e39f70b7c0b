"""Looking back shows nothing that is hidden: two tables whose hidden things differ look the same.

The two tables of the two-worlds law are played side by side, with other cards face down, other
things in the closed hands, and hands that are closed again; amended, frozen, undone. Every moment
of both is looked back at, as if the judge were called: the same bytes, until the reveal. Some
moments of both can be put right in the same ways.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.judge.decide import decide
from companion.table.history import History
from companion.table.look_back import find_last_verdict, list_log, look_back_at
from companion.table.putting_right import put_right
from tests.laws.test_two_tables import Both
from tests.table.test_verdict_cases import of_the_dispute
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games

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
