"""Bad input: what a phone sends or a record holds is refused in a sentence, or does nothing."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.events import Entered, Opened, Sealed
from companion.core.i18n import LANGUAGES, get_language, seat_key
from companion.core.table_events import Corrected, Ended, Found, Frozen, Settled, Thawed, Undone
from companion.games import make_rulebook
from companion.table.history import History, apply_event, build_history
from companion.table.outcomes import describe_change
from companion.table.view import log_entries
from tests.worlds.own_games import own_games
from tests.worlds.watched_table import EN, NONCE, Watched, code_of


@pytest.fixture
def table_for_two(tmp_path: Path) -> Watched:
    """Two players; a five lies at every bank, and Ana is at turn."""
    made = Watched(tmp_path / "journal.sqlite3", seats=2)
    for bank in range(1, 6):
        made.lay("5", bank)
    return made


def deep(levels: int) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for _ in range(levels):
        nested = {"deeper": nested}
    return nested


# What is silly.

HUGE = 10**30
SILLY: list[tuple[Any, str]] = [
    (Undone(HUGE), "no_such_moment"),
    (Undone(-HUGE), "no_such_moment"),
    (Undone(0), "no_such_moment"),
    (Undone(1), "not_undone"),
    (Undone(6, "Ana lied"), "reason"),
    (Corrected(HUGE, {}), "no_such_moment"),
    (Corrected(2, {}), "not_alike"),
    (Corrected(2, {"event": ["card_named"]}), "not_alike"),
    (Corrected(1, {"event": "started", "id": "g2", "players": 2}), "start"),
    (Corrected(2, deep(100)), "not_alike"),
    (Corrected(2, {"event": "undone", "target": 1}), "not_alike"),
    (Corrected(2, {"event": "card_named", "bank": HUGE, "slot": 1, "card": "5"}), "not_its_name"),
    (Corrected(2, {"event": "card_named", "bank": 1, "slot": -1, "card": "5"}), "not_its_name"),
    (Found(0, ()), "no_such_bank"),
    (Found(HUGE, ()), "no_such_bank"),
    (Found(1, ("5",) * 1000), "too_many"),
    (Found(1, (None,) * 1000), "too_many"),
    (Found(1, ("\0",)), "no_such_card"),
    (Found(1, ("9" * 5000,)), "no_such_card"),
    (Found(2, ("10", "10", "10")), "none_left"),
    (Settled(0, "log"), "no_such_place"),
    (Settled(HUGE, "cards"), "no_such_place"),
    (Frozen(HUGE), "not_yours"),
    (Thawed(), "not_frozen"),
    (Ended("agreed"), "not_yours"),
    ("paused", "not_yours"),
    ("cleared", "not_yours"),
    (Sealed(HUGE, "a" * 64), "wrong_phase"),
    (Opened(1, HUGE, NONCE), "wrong_phase"),
    (Entered(1, HUGE), "wrong_phase"),
]


def everything(table: Watched) -> Any:
    return table.table.history, table.written(), table.table.view(), table.table.view(1)


@pytest.mark.parametrize(("event", "code"), SILLY, ids=range(len(SILLY)))
def test_a_silly_request_is_refused_and_changes_nothing(
    table_for_two: Watched, event: Any, code: str
) -> None:
    before = everything(table_for_two)
    refused = table_for_two.ask(1, event)
    assert refused is not None
    assert refused.code == code
    assert refused.rule.startswith(("T.", "B.", "S."))
    assert all("\n" not in get_language(lang)(refused.say) for lang in LANGUAGES)
    assert everything(table_for_two) == before


def test_a_hand_with_a_huge_number_in_it_is_nobodys(table_for_two: Watched) -> None:
    table_for_two.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2").close(HUGE, 0)
    assert code_of(table_for_two.ask(1, Opened(1, HUGE, NONCE))) == "not_offered"
    table_for_two.do(0, Entered(1, HUGE)).do(2, Opened(2, 0, NONCE))
    assert table_for_two.state.verdict.change[seat_key(1)] == 0, (
        "10 is the most that Ana can have meant"
    )
    table_for_two.pull_the_plug()
    assert table_for_two.resumed


# What a record may hold, edited by hand.

ANYHOW = [
    Undone(1), Undone(2), Undone(3), Undone(HUGE), Frozen(0), Frozen(99), Frozen(-1), Thawed(),
    Ended(), Settled(77, "cards"), Found(1, ()), Found(-5, ("9" * 5000, None)), Found(1, (None,)),
    Corrected(1, {}), Corrected(1, deep(100)), Corrected(2, {"event": "undone", "target": 2}),
    Sealed(99, "a"), Sealed(0, ""), Sealed(-1, "b"), Opened(99, HUGE, ""), Entered(0, {"red": -1}),
]  # fmt: skip


@pytest.mark.parametrize("game", own_games())
@pytest.mark.parametrize("begun", [True, False])
def test_events_in_any_order_can_be_told(game: str, begun: bool) -> None:
    rules = make_rulebook(game)
    start = rules.start_event("g", 3)
    names = {"event": "started", "id": "h", "players": 2}
    for first in ANYHOW:
        events = ([start] if begun else []) + [
            first,
            *ANYHOW,
            Corrected(1, names),
            start,
            Undone(1),
        ]
        history = History(rules)
        for event in events:
            history = apply_event(history, event)
            assert all(EN(one.say) for one in log_entries(history))
            assert not history.change or describe_change(history.change)
        assert history == build_history(rules, [(event, "", 0.0) for event in events])


# The same request over a bad line.


@pytest.mark.parametrize("way", ["cards", "log", "hand"])
def test_a_to_do_that_is_settled_twice_is_settled_once(table_for_two: Watched, way: str) -> None:
    table_for_two.lay("x", 3)
    asked = Settled(3, way)  # type: ignore[arg-type]
    assert table_for_two.ask(1, asked, key="a") is None
    lines = len(table_for_two.written())
    assert table_for_two.ask(1, asked, key="a") is None
    table_for_two.pull_the_plug()
    assert table_for_two.ask(1, asked, key="a") is None
    assert len(table_for_two.written()) == lines
    assert code_of(table_for_two.ask(1, Settled(4, way), key="a")) == "key_used"  # type: ignore[arg-type]


def test_requests_that_come_twice_or_in_another_order_count_once(table_for_two: Watched) -> None:
    turned, placed = 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=3"
    at = table_for_two.table.version
    overtaken = table_for_two.ask(1, placed, version=at + 1, key="b")
    assert code_of(overtaken) == "stale", "it was overtaken by what it follows"
    assert table_for_two.ask(1, turned, version=at, key="a") is None
    for _ in range(3):
        assert table_for_two.ask(1, placed, version=at + 1, key="b") is None
        assert table_for_two.ask(1, turned, version=at, key="a") is None
    assert [event["event"] for _, event in table_for_two.written()[-2:]] == [
        "tile_turned",
        "card_placed",
    ]
    assert table_for_two.table.version == at + 2
