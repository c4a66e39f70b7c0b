"""Where each fact of a verdict came from, and who may look back when."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import Refusal
from companion.core.i18n import seat_keys
from companion.core.table_events import Frozen, Thawed
from companion.table.look_back import LookBack, look_back
from companion.table.outcomes import WhatIf, what_if
from tests.worlds.watched_table import EN, Watched, code_of, seen_at_bank_1


@pytest.fixture
def table_with_ten(tmp_path: Path) -> Watched:
    """Three players; reader 1 sees a ten come to bank 1, a card comes to bank 2 unseen."""
    return seen_at_bank_1(tmp_path / "journal.sqlite3")


def robbed(table: Watched, bank: int = 1, bids: tuple[int, ...] = (3, 4, 2)) -> int:
    """The bank is robbed; the moment of the verdict."""
    table.do(1, 'tile_turned seat=1 tile="rob"', f"bank_chosen seat=1 bank={bank}")
    table.close(*bids).show(*bids)
    return table.table.version


def look_at(table: Watched, at: int = 0) -> LookBack:
    found = look_back(table.table.history, at)
    assert isinstance(found, LookBack)
    return found


def facts(found: LookBack) -> dict[str, Any]:
    return {EN(one.say): one for one in found.rulings[0].facts}


def test_each_fact_names_the_moments_that_brought_it(table_with_ten: Watched) -> None:
    at = robbed(table_with_ten)
    found = facts(look_at(table_with_ten))
    card, bid = found["At bank 1 lay: 10."], found["Ana bid 3\u00a0coins."]
    assert [one.via for one in card.sources] == ["table", "reader 1"]
    assert EN(card.sources[1].say) == "A card at bank 1 is recognised."
    assert [one.via for one in bid.sources] == ["phone 1", "phone 1"]
    assert (bid.proof, bid.sources[1].at) == ("proven", at - 2)
    rule = found["House rule: after a shortfall the next bid is still tried."]
    assert [one.at for one in rule.sources] == [1]


def test_only_the_last_verdict_is_shown_while_the_game_goes_on(table_with_ten: Watched) -> None:
    at = robbed(table_with_ten)
    assert code_of(look_back(table_with_ten.table.history, at - 3)) == "not_called"
    table_with_ten.do(2, Frozen(2))
    assert look_at(table_with_ten, at - 3).told.at == at - 3
    assert look_back(table_with_ten.table.history, at + 100) is None
    table_with_ten.do(2, Thawed())
    assert isinstance(look_back(table_with_ten.table.history, at), Refusal)
    assert look_at(table_with_ten).told.at == at


def test_coins_stay_behind_the_screen_while_the_game_goes_on(table_with_ten: Watched) -> None:
    robbed(table_with_ten)
    table_with_ten.do(2, Frozen(2))
    case = look_at(table_with_ten).rulings[0].case
    assert case is not None
    assert "funds" not in case
    assert not any("owned" in said for said in facts(look_at(table_with_ten)))


def test_after_thieves_a_case_tells_only_what_everyone_saw(table_with_ten: Watched) -> None:
    robbed(table_with_ten, 2, (0, 9, 0))
    table_with_ten.do(1, 'card_named bank=2 slot=1 card="thief"')
    ruling = look_at(table_with_ten).rulings[0]
    assert ruling.case is not None
    assert ruling.case["funds"] == dict.fromkeys(seat_keys(3), 10)
    forked = what_if(ruling.case, {})
    assert forked.first == ruling.verdict


def test_what_if_says_what_would_differ_and_writes_nothing(table_with_ten: Watched) -> None:
    robbed(table_with_ten)
    case, version, lines = (
        look_at(table_with_ten).rulings[0].case,
        table_with_ten.table.version,
        table_with_ten.written(),
    )
    assert case is not None
    fork: WhatIf = what_if(case, {"cards": ["policeman"]})
    assert [EN(said) for said in fork.says] == [
        "Ana gets 3\u00a0coins less.",
        "Ben gets 4\u00a0coins less.",
        "Cleo gets 2\u00a0coins less.",
        "Before: the loot is shared. Now: a policeman stands guard.",
        "Before: the lowest bid is paid first. Now: no bid is paid.",
    ]  # fmt: skip
    assert what_if(case, {"cards": ["5"], "house_rules": {"shortfall": "stop"}}).differences
    assert (table_with_ten.table.version, table_with_ten.written()) == (version, lines)
