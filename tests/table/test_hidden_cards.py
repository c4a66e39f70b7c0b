"""What lies face down stays unknown, whatever is undone, corrected, found, settled or guessed."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.table_events import Corrected, Found, Settled, Undone
from companion.games.bankueberfall.state import BankCard
from tests.worlds.watched_table import EN, Watched, code_of


@pytest.fixture
def table_with_fives(tmp_path: Path) -> Watched:
    """Three players; a five lies at every bank, and Ana is at turn."""
    made = Watched(tmp_path / "journal.sqlite3")
    for bank in range(1, 6):
        made.lay("5", bank)
    return made


def turn(table: Watched, tile: str, seat: int) -> Watched:
    return table.do(seat, f'tile_turned seat={seat} tile="{tile}"')


def cards_of(table: Watched, seat: int) -> list[tuple[int, int, str]]:
    view: Any = table.table.view(seat)
    return [(c["bank"], c["slot"], c["card"]) for c in view.mine.cards]


def test_a_look_does_not_pass_to_the_card_that_moves_up(table_with_fives: Watched) -> None:
    """Cleo has seen Ana's x; when it turns out to lie elsewhere, Ben's x is not hers to know."""
    turn(table_with_fives, "place", 1).lay("x", 1)
    laid = table_with_fives.table.version
    turn(table_with_fives, "place", 2).lay("x", 1)
    turn(table_with_fives, "spy", 3).do(3, "card_spied seat=3 bank=1 slot=2")
    assert cards_of(table_with_fives, 3) == [(1, 2, "x")]
    moved = {"event": "card_placed", "seat": 1, "bank": 2}
    table_with_fives.do(0, Corrected(laid, moved))
    assert [card.card for card in table_with_fives.state.banks[0]] == ["5", "x"]
    assert cards_of(table_with_fives, 1) == [(2, 2, "x")], "it is still Ana's"
    assert cards_of(table_with_fives, 2) == [(1, 2, "x")]
    assert cards_of(table_with_fives, 3) == []


def test_correcting_a_name_reveals_no_card(table_with_fives: Watched) -> None:
    """Whether the guess is right or wrong, the answer is the same and nothing is to do."""
    named = {"event": "card_named", "bank": 3, "slot": 1}
    for seat in (0, 1, 2):
        for card in ("5", "x"):
            for event in (Corrected(4, {**named, "card": card}), Found(3, (card,))):
                assert code_of(table_with_fives.ask(seat, event)) == "face_down"
    assert table_with_fives.todos() == []


def test_an_undo_does_not_tell_that_a_hand_was_closed_again(table_with_fives: Watched) -> None:
    turn(table_with_fives, "rob", 1).do(1, "bank_chosen seat=1 bank=4")
    chosen = table_with_fives.table.version
    table_with_fives.close(1).close(2).close(3)
    table_with_fives.do(0, Undone(chosen))
    view: Any = table_with_fives.table.view()
    assert [EN(say) for say in view.table.change.says] == [
        f"Moments dropped, because they no longer fit: {chosen + 1}."
    ]


def test_a_closing_anew_that_was_undone_keeps_what_was_seen(table_with_fives: Watched) -> None:
    turn(table_with_fives, "rob", 1).do(1, "bank_chosen seat=1 bank=4").close(1, 2, 3)
    closed = table_with_fives.table.version - 2
    table_with_fives.do(1, "resealed")
    table_with_fives.do(0, Undone(table_with_fives.table.version)).show(1, 2, 3)
    assert code_of(table_with_fives.ask(1, Undone(closed))) == "seen"


# To-dos.


def test_both_places_are_noted_anew_or_neither(table_with_fives: Watched) -> None:
    """A ten lies at bank 3 though the box holds two and both have left the game."""
    table_with_fives.clear(1)
    tens = [table_with_fives.lay("10", 1), table_with_fives.lay("10", 1)]
    table_with_fives.settle(1, "cards")
    turn(table_with_fives, "rob", 1).do(1, "bank_chosen seat=1 bank=1").close(0, 0, 0).show(0, 0, 0)
    table_with_fives.do(1, "bank_refilled bank=1").clear(1)
    assert table_with_fives.state.discard == ("10", "10")
    table_with_fives.lay_tag(tens[0], 3)
    five = next(tag for tag, at in table_with_fives.where.items() if at == 4)
    table_with_fives.lay_tag(five, 3)
    before = table_with_fives.table.history
    assert code_of(table_with_fives.ask(1, Settled(3, "cards"))) == "none_left"
    assert table_with_fives.table.history == before


@pytest.mark.parametrize("readers", [(), (1, 2, 4, 5)])
def test_a_place_without_reader_confirms_no_guess(tmp_path: Path, readers: Any) -> None:
    table = Watched(tmp_path / "journal.sqlite3", readers=readers)
    before = table.table.history
    for way in ("cards", "log"):
        refused = table.ask(1, Settled(3, way))  # type: ignore[arg-type]
        assert refused is not None
        assert EN(refused.say) == "At place 3 there is nothing to settle."
    assert table.table.history == before


def test_a_card_that_came_from_an_unread_bank_leaves_the_others_there(
    table_with_fives: Watched,
) -> None:
    turn(table_with_fives, "place", 1).lay("x", 2)
    five = next(
        tag
        for tag, at in table_with_fives.where.items()
        if at == 2 and tag in table_with_fives.tags["5"]
    )
    table_with_fives.lose(2)
    table_with_fives.lay_tag(five, 3)
    table_with_fives.settle(3, "cards")
    assert table_with_fives.state.banks[1] == (BankCard("x", known_to=(1,)),)
    assert [card.card for card in table_with_fives.state.banks[2]] == ["5", "5"]
