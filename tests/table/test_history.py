"""Undo and corrections: nothing is deleted, all that follows is worked out again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.i18n import LANGUAGES, get_language
from companion.core.table_events import Corrected, Undone
from companion.table.history import History, apply_event, build_history, event_union
from companion.table.permissions import HOST_AUTHOR, check_request
from tests.worlds.watched_table import EN, NONCE, Watched


@pytest.fixture
def table_without_readers(tmp_path: Path) -> Iterator[Watched]:
    """Two players without readers; the one card at bank 2 is robbed by hand."""
    made = Watched(tmp_path / "journal.sqlite3", seats=2)
    for bank in range(1, 6):
        made.settle(bank, "hand")
    yield made
    made.journal.close()


def robbed(table: Watched, card: str = "10") -> int:
    """A robbery of bank 2, both bid 6; the moment at which its card was named."""
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table.close(6, 6).show(6, 6)
    table.do(1, f'card_named bank=2 slot=1 card="{card}"')
    return table.table.version


def coins(table: Watched) -> list[int]:
    return [player.coins for player in table.state.players]


def change(table: Watched) -> Any:
    view: Any = table.table.view()
    return view.table.change


def test_a_corrected_card_pays_again_and_says_who_owes_what(table_without_readers: Watched) -> None:
    at = robbed(table_without_readers)
    assert coins(table_without_readers) == [10, 10], "10 is too little for 6 and 6"
    named = {"event": "card_named", "bank": 2, "slot": 1, "card": "x"}
    table_without_readers.do(2, Corrected(at, named, "it was turned the wrong way"))
    assert coins(table_without_readers) == [10, 10]
    table_without_readers.do(2, Corrected(at, {**named, "card": "policeman"}))
    assert coins(table_without_readers) == [10, 10]
    assert change(table_without_readers).says == ()


def test_a_correction_long_ago_is_carried_through_everything(
    table_without_readers: Watched,
) -> None:
    table_without_readers.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table_without_readers.close(3, 0).show(3, 0)
    table_without_readers.do(1, 'card_named bank=2 slot=1 card="10"')
    at = table_without_readers.table.version
    table_without_readers.do(1, "bank_refilled bank=2").do(2, 'tile_turned seat=2 tile="place"')
    table_without_readers.do(2, "card_placed seat=2 bank=1")
    assert coins(table_without_readers) == [13, 10]
    named = {"event": "card_named", "bank": 2, "slot": 1, "card": "policeman"}
    table_without_readers.do(2, Corrected(at, named, "misread"))
    assert coins(table_without_readers) == [10, 15]
    assert [EN(say) for say in change(table_without_readers).says] == [
        "Ana gives back 3 coins.",
        "Ben gets 5 coins.",
    ]
    assert (change(table_without_readers).via, change(table_without_readers).reason, change(table_without_readers).target) == (
        "phone 2", "misread", at,
    )  # fmt: skip
    assert table_without_readers.state.active == 1, "what followed still stands"
    for code in LANGUAGES:
        assert all(get_language(code)(say) for say in change(table_without_readers).says)


def test_an_undo_strikes_the_moment_and_what_no_longer_fits(table_without_readers: Watched) -> None:
    table_without_readers.do(1, 'tile_turned seat=1 tile="place"')
    placed = table_without_readers.table.version + 1
    table_without_readers.do(1, "card_placed seat=1 bank=1").do(2, 'tile_turned seat=2 tile="spy"')
    table_without_readers.do(2, Undone(placed, "that was Ben's card"))
    assert (table_without_readers.state.phase, table_without_readers.state.active) == ("place", 1)
    assert (
        EN(change(table_without_readers).says[0])
        == f"What no longer fits falls away: moment {placed + 1}."
    )


def test_an_undo_can_be_undone(table_without_readers: Watched) -> None:
    table_without_readers.do(1, 'tile_turned seat=1 tile="place"')
    before = table_without_readers.state
    table_without_readers.do(1, "card_placed seat=1 bank=1")
    after = table_without_readers.state
    table_without_readers.do(1, Undone(table_without_readers.table.version))
    assert table_without_readers.state == before
    table_without_readers.do(1, Undone(table_without_readers.table.version))
    assert table_without_readers.state == after


def test_an_undo_during_the_bidding_opens_one_hand_again(table_without_readers: Watched) -> None:
    table_without_readers.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table_without_readers.do(1, f'sealed seat=1 seal="{"a" * 64}"')
    first = table_without_readers.table.version
    table_without_readers.do(1, f'sealed seat=1 seal="{"b" * 64}"')
    assert table_without_readers.table.version == first
    table_without_readers.do(2, Undone(first))
    assert table_without_readers.state.hands.seals == ("", ""), (
        "closing it again belonged to the same moment"
    )


def test_what_was_seen_cannot_be_sealed_once_more(table_without_readers: Watched) -> None:
    robbed(table_without_readers)
    sealed = next(
        m.at
        for m in table_without_readers.table.history.moments
        if type(m.event).__name__ == "Sealed"
    )
    refused = table_without_readers.ask(1, Undone(sealed))
    assert refused is not None
    assert refused.code == "seen"
    opened = [
        m.at
        for m in table_without_readers.table.history.moments
        if type(m.event).__name__ == "Opened"
    ]
    table_without_readers.do(1, Undone(opened[-1]))
    assert table_without_readers.state.phase == "open"
    refused = table_without_readers.ask(2, f'opened seat=2 value=5 nonce="{NONCE}"')
    assert refused is not None
    assert refused.code == "broken_seal", "nobody can open to anything else than before"


def test_whoever_looked_at_a_card_knows_it_after_the_undo(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", seats=2)
    for bank in range(1, 6):
        table.lay("5", bank)
    table.do(1, 'tile_turned seat=1 tile="spy"', "card_spied seat=1 bank=3 slot=1")
    table.do(2, Undone(table.table.version))
    view: Any = table.table.view(1)
    assert [(c["bank"], c["card"]) for c in view.mine.cards] == [(3, "5")]
    table.journal.close()


REFUSED = [
    ("undone target=99", "no_such_moment"),
    ("undone target=-1", "no_such_moment"),
    ("undone target=1", "not_undone"),
    ("undone target=2", "not_undone"),
    ('undone target=7 reason="' + "x" * 121 + '"', "reason"),
    ('undone target=7 reason="two\\nlines"', "reason"),
    ('corrected target=7 instead={"event":"passed","seat":1}', "not_alike"),
    ('corrected target=7 instead={"event":"nonsense"}', "not_alike"),
    ('corrected target=7 instead={"event":"tile_turned","seat":2,"tile":"spy"}', "not_your_turn"),
    ('corrected target=7 instead={"event":"tile_turned","seat":1,"tile":"gold"}', "no_such_tile"),
    ('corrected target=1 instead={"event":"started","id":"g2","players":["Ana","Ben"]}', "start"),
    ('found place=9 cards=["5"]', "no_such_bank"),
    ('found place=1 cards=["5","gold"]', "no_such_card"),
    ('found place=1 cards=["10","10","10"]', "none_left"),
    ('settled place=8 way="log"', "no_such_place"),
    ("frozen seat=2", "not_yours"),
    ("thawed", "not_frozen"),
    ("paused", "not_yours"),
    ("cleared", "not_yours"),
    ("ended", "not_yours"),
]


@pytest.mark.parametrize(("asked", "code"), REFUSED)
def test_what_cannot_be_put_right_is_refused_in_one_sentence(
    table_without_readers: Watched, asked: str, code: str
) -> None:
    table_without_readers.do(1, 'tile_turned seat=1 tile="place"')
    assert table_without_readers.table.version == 7
    before = (table_without_readers.table.history, table_without_readers.written())
    refused = table_without_readers.ask(1, asked)
    assert refused is not None, asked
    assert refused.code == code
    assert refused.rule.startswith(("T.", "B."))
    assert all(get_language(lang)(refused.say) for lang in LANGUAGES)
    assert (table_without_readers.table.history, table_without_readers.written()) == before


def test_a_house_rule_can_be_put_right_after_the_start(table_without_readers: Watched) -> None:
    robbed(table_without_readers, "5")
    begun = {"event": "started", "id": "g1", "players": ["Ana", "Ben"]}
    table_without_readers.do(0, Corrected(1, {**begun, "house_rules": {"shortfall": "stop"}}))
    assert table_without_readers.state.house_rules["shortfall"] == "stop"
    assert table_without_readers.state.verdict is not None


def test_the_judge_freezes_the_game_until_the_table_goes_on(table_without_readers: Watched) -> None:
    table_without_readers.press(2, held=True)
    assert (table_without_readers.table.history.frozen, table_without_readers.table.lamp_state(2), table_without_readers.table.lamp_state(1)) == (
        2, "fast", "off",
    )  # fmt: skip
    refused = table_without_readers.ask(1, 'tile_turned seat=1 tile="place"')
    assert refused is not None
    assert (refused.code, EN(refused.say)) == (
        "frozen",
        "Ben has called the judge: the game stands still until the table goes on.",
    )
    table_without_readers.do(1, "thawed").do(1, 'tile_turned seat=1 tile="place"')


def test_what_the_host_paused_only_the_host_has_go_on(table_without_readers: Watched) -> None:
    table_without_readers.do(1, "frozen seat=1").do(0, "paused")
    view: Any = table_without_readers.table.view()
    assert (
        view.table.paused,
        {table_without_readers.table.lamp_state(seat) for seat in (1, 2)},
    ) == (True, {"off"})
    for seat, asked in ((0, "paused"), (1, "thawed"), (2, 'tile_turned seat=2 tile="rob"')):
        refused = table_without_readers.ask(seat, asked)
        assert refused is not None
        assert (refused.code, refused.rule) == ("paused", "T.pause")
        assert EN(refused.say).startswith("The host has paused the game")
    table_without_readers.pull_the_plug()
    assert table_without_readers.table.history.paused
    table_without_readers.do(0, "thawed").do(1, 'tile_turned seat=1 tile="place"')


def test_cards_laid_during_a_pause_count_when_the_host_goes_on(
    table_without_readers: Watched,
) -> None:
    table_without_readers.settle(2, "reader").lay("10", 2)
    table_without_readers.do(1, 'tile_turned seat=1 tile="place"').do(0, "paused")
    table_without_readers.lay("5", 2)
    assert table_without_readers.last()[1] == "paused"
    table_without_readers.do(0, "thawed")
    assert table_without_readers.last() == ("reader 2", "card_placed")


def test_a_game_is_put_away_once_it_is_over_and_nothing_of_it_is_shown(
    table_without_readers: Watched,
) -> None:
    refused = table_without_readers.ask(0, "cleared")
    assert refused is not None
    assert refused.code == "under_way"
    table_without_readers.do(0, "ended", "cleared")
    assert (
        table_without_readers.table.view(),
        table_without_readers.table.view(1),
        table_without_readers.table.version,
    ) == (None, None, 0)
    refused = table_without_readers.ask(0, "undone target=2")
    assert refused is not None
    assert refused.code == "not_started"
    table_without_readers.pull_the_plug()
    assert (table_without_readers.resumed, table_without_readers.table.view()) == (False, None)
    begun = table_without_readers.rules.start_event(id="g2", players=("Cleo", "Dora"))
    assert table_without_readers.table.start(begun, HOST_AUTHOR) is None


def test_a_game_that_is_ended_is_over_and_another_may_begin(table_without_readers: Watched) -> None:
    table_without_readers.do(0, 'ended reason="the last tram"')
    refused = table_without_readers.ask(1, 'tile_turned seat=1 tile="place"')
    assert refused is not None
    assert refused.code == "ended"
    begun = table_without_readers.rules.start_event(id="g2", players=("Ana", "Ben"))
    assert table_without_readers.table.start(begun, HOST_AUTHOR) is None


def test_a_history_told_again_is_the_same(table_without_readers: Watched) -> None:
    at = robbed(table_without_readers)
    table_without_readers.do(1, Undone(at)).do(1, 'card_named bank=2 slot=1 card="5"')
    kind = event_union(table_without_readers.rules)
    lines = [
        (line.decode_event(kind), line.via, line.at)
        for line in table_without_readers.journal.read_lines()
    ]
    again = build_history(table_without_readers.rules, lines)
    assert again == table_without_readers.table.history
    table_without_readers.pull_the_plug()
    assert table_without_readers.table.history == again


def test_what_the_door_refuses_changes_no_history() -> None:
    from companion.games import make_rulebook

    rules = make_rulebook("robby_solo")
    begun = rules.start_event(id="g", players=("Ana", "Ben", "Cleo"))
    history = apply_event(History(rules), begun)
    assert check_request(history, Undone(1), HOST_AUTHOR) is not None
    assert apply_event(history, Corrected(1, {"event": "nonsense"})).state == history.state
