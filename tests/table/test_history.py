"""Undo and corrections: nothing is deleted, all that follows is worked out again."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Sealed
from companion.core.table_events import Corrected, Undone
from companion.table.permissions import HOST_AUTHOR, MAX_RESEALS
from tests.worlds.watched_table import EN, NONCE, Watched, code_of


@pytest.fixture
def phone_table(tmp_path: Path) -> Watched:
    """Two players without readers; the one card at bank 2 is robbed by hand."""
    made = Watched(tmp_path / "journal.sqlite3", seats=2)
    for bank in range(1, 6):
        made.settle(bank, "hand")
    return made


def robbed(table: Watched, card: str = "10") -> int:
    """A robbery of bank 2, both bid 6; the moment at which its card was named."""
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table.close(6, 6).show(6, 6)
    table.do(1, f'card_named bank=2 slot=1 card="{card}"')
    return table.table.version


def change(table: Watched) -> Any:
    view: Any = table.table.view()
    return view.table.change


def test_an_undo_strikes_the_moment_and_what_no_longer_fits(phone_table: Watched) -> None:
    phone_table.do(1, 'tile_turned seat=1 tile="place"')
    placed = phone_table.table.version + 1
    phone_table.do(1, "card_placed seat=1 bank=1").do(2, 'tile_turned seat=2 tile="spy"')
    phone_table.do(0, Undone(placed, "agreed"))
    assert (phone_table.state.phase, phone_table.state.active) == ("place", 1)
    assert (
        EN(change(phone_table).says[0])
        == f"Moments dropped, because they no longer fit: {placed + 1}."
    )


def test_an_undo_during_the_bidding_opens_one_hand_again(phone_table: Watched) -> None:
    phone_table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    phone_table.do(1, f'sealed seat=1 seal="{"a" * 64}"')
    first = phone_table.table.version
    phone_table.do(1, f'sealed seat=1 seal="{"b" * 64}"')
    assert phone_table.table.version == first
    phone_table.do(0, Undone(first))
    assert phone_table.state.hands.seals == ("", ""), "closing it again belonged to the same moment"


def test_sealing_cannot_be_undone_once_the_hand_is_open(phone_table: Watched) -> None:
    robbed(phone_table)
    sealed = next(
        m.at for m in phone_table.table.history.moments if type(m.event).__name__ == "Sealed"
    )
    assert code_of(phone_table.ask(1, Undone(sealed))) == "seen"
    opened = [m.at for m in phone_table.table.history.moments if type(m.event).__name__ == "Opened"]
    phone_table.do(0, Undone(opened[-1]))
    assert phone_table.state.phase == "open"
    opens_otherwise = phone_table.ask(2, f'opened seat=2 value=5 nonce="{NONCE}"')
    assert code_of(opens_otherwise) == "broken_seal", "nobody can open to anything else than before"


def test_a_seat_takes_back_its_own_last_moment_until_something_was_shown(
    phone_table: Watched,
) -> None:
    phone_table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    chosen = phone_table.table.version
    assert undoing(phone_table, 2, chosen) == "for_the_host", "it is Ana's"
    assert undoing(phone_table, 1, chosen - 1) == "for_the_host", "it is not the last one"
    phone_table.close(6)
    phone_table.do(1, Undone(chosen), Undone(phone_table.table.version + 1))
    assert phone_table.state.hands.seals != ("", ""), "an undo of one's own can be undone"
    phone_table.close(6, 6).show(6)
    assert undoing(phone_table, 1, phone_table.table.version) == "for_the_host", "all have seen it"
    phone_table.show_one(2, 6).do(1, 'card_named bank=2 slot=1 card="10"')
    assert undoing(phone_table, 1, phone_table.table.version) == "for_the_host", "it was paid out"
    phone_table.do(0, Undone(phone_table.table.version))


def undoing(table: Watched, seat: int, at: int) -> str:
    return code_of(table.ask(seat, Undone(at)))


def test_a_house_rule_can_be_put_right_after_the_start(phone_table: Watched) -> None:
    robbed(phone_table, "5")
    begun = {"event": "started", "id": "g1", "players": 2}
    phone_table.do(0, Corrected(1, {**begun, "house_rules": {"shortfall": "stop"}}))
    assert phone_table.state.house_rules["shortfall"] == "stop"
    assert phone_table.state.verdict is not None


def test_a_pause_by_the_host_is_ended_only_by_the_host(phone_table: Watched) -> None:
    phone_table.do(1, "frozen seat=1").do(0, "paused")
    view: Any = phone_table.table.view()
    assert (view.table.paused, {phone_table.table.lamp_state(seat) for seat in (1, 2)}) == (
        True,
        {"off"},
    )
    for seat, asked in ((0, "paused"), (1, "thawed"), (2, 'tile_turned seat=2 tile="rob"')):
        refused = phone_table.ask(seat, asked)
        assert refused is not None
        assert (refused.code, refused.rule) == ("paused", "T.pause")
        assert EN(refused.say).startswith("The host has paused the game")
    phone_table.pull_the_plug()
    assert phone_table.table.history.paused
    phone_table.do(0, "thawed").do(1, 'tile_turned seat=1 tile="place"')


def test_a_game_is_put_away_once_it_is_over_and_nothing_of_it_is_shown(
    phone_table: Watched,
) -> None:
    assert code_of(phone_table.ask(0, "cleared")) == "under_way"
    phone_table.do(0, "ended", "cleared")
    assert (phone_table.table.view(), phone_table.table.view(1), phone_table.table.version) == (
        None,
        None,
        0,
    )
    assert code_of(phone_table.ask(0, "undone target=2")) == "not_started"
    phone_table.pull_the_plug()
    assert (phone_table.resumed, phone_table.table.view()) == (False, None)
    begun = phone_table.rules.start_event(id="g2", players=2)
    assert phone_table.table.start(begun, HOST_AUTHOR) is None


# Closed again.


@pytest.fixture
def robbery(tmp_path: Path) -> Watched:
    """Bank 1 is robbed: Ana, Ben and Cleo are to close their hands."""
    table = Watched(tmp_path / "journal")
    table.lay("10", 1)
    return table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")


def seal(table: Watched, seat: int, n: int = 0) -> Sealed:
    """A seal for this seat, the n-th of this round."""
    hands = table.state.hands
    return Sealed(seat, make_seal(table.state.id, hands.round, seat, 3, f"{n:032x}"))


def test_a_hand_is_closed_again_so_often_and_then_stays_as_it_is(robbery: Watched) -> None:
    for n in range(1 + MAX_RESEALS):
        robbery.do(2, seal(robbery, 2, n))
    last = robbery.state.hands.seals
    refused = robbery.ask(2, seal(robbery, 2, 99))
    assert refused is not None
    assert (refused.code, refused.rule) == ("closed_too_often", "S.seal")
    assert robbery.state.hands.seals == last
    robbery.do(1, seal(robbery, 1)).do(3, seal(robbery, 3))
    assert robbery.state.phase == "open"


def test_a_closing_that_was_undone_may_be_made_good_but_not_change_for_ever(
    robbery: Watched,
) -> None:
    for n in range(1 + MAX_RESEALS):
        robbery.do(2, seal(robbery, 2, n))
    robbery.do(2, Undone(robbery.table.version))
    robbery.do(2, seal(robbery, 2, 50))
    assert code_of(robbery.ask(2, seal(robbery, 2, 51))) == "closed_too_often"


def test_one_seat_has_all_hands_closed_anew_so_often_and_then_only_the_host(
    robbery: Watched,
) -> None:
    for _ in range(MAX_RESEALS):
        robbery.do(2, "resealed")
    refused = robbery.ask(2, "resealed")
    assert refused is not None
    assert (refused.code, refused.rule) == ("for_the_host", "S.reseal")
    robbery.do(1, "resealed").do(0, "resealed")
