"""Tracking Banküberfall: what it means that a thing came to lie somewhere, and what is to do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.sensor_events import Arrived
from companion.core.table_events import Ended
from companion.games.bankueberfall.state import BankCard
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.watched_table import Watched


@pytest.fixture
def table_with_fives(tmp_path: Path) -> Iterator[Watched]:
    """Three players; a five lies at every bank, and Ana is at turn."""
    made = Watched(tmp_path / "journal.sqlite3")
    for bank in range(1, 6):
        made.lay("5", bank)
    assert made.todos() == []
    yield made
    made.journal.close()


def test_the_first_card_at_every_bank_is_recognised(table_with_fives: Watched) -> None:
    assert [bank[0].card for bank in table_with_fives.state.banks] == ["5"] * 5
    assert table_with_fives.last() == ("reader 5", "card_named")


def test_before_the_cards_are_dealt_every_bank_waits_for_one(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3")
    assert len(table.todos()) == 5
    assert table.todos()[2] == ("Bank 3: 1\u00a0card cannot be seen. Taken away?")
    table.lay("x", 3)
    assert len(table.todos()) == 4
    table.journal.close()


def test_a_tile_on_the_eighth_spot_is_turned_by_whoever_is_at_turn(
    table_with_fives: Watched,
) -> None:
    table_with_fives.lay("tile place", 8)
    assert table_with_fives.state.phase == "place"
    table_with_fives.lay("x", 2)
    assert (table_with_fives.state.phase, table_with_fives.state.active) == ("tile", 2)
    assert table_with_fives.state.banks[1][1] == BankCard("x", known_to=(1,))
    table_with_fives.lay("tile spy", 8)
    assert (table_with_fives.state.phase, table_with_fives.state.active) == ("spy", 2)


def test_a_tile_at_a_bank_means_nothing(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 3)
    assert table_with_fives.state.phase == "tile"
    assert table_with_fives.todos() == []


def test_the_tile_of_the_last_turn_is_not_turned_again(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    table_with_fives.lay("x", 2)
    table_with_fives.listen(8)
    assert table_with_fives.state.phase == "tile"


def test_a_tile_counts_once_until_all_are_shuffled(table_with_fives: Watched) -> None:
    tile = table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 3)
    table_with_fives.close(0, 0, 0).show(0, 0, 0)
    table_with_fives.clear(3)
    table_with_fives.lay("x", 3)
    table_with_fives.lay_tag(tile, 8)
    assert table_with_fives.state.phase == "tile", "it lies face up beside the others"
    table_with_fives.clear(8)
    for bank, other in enumerate(("place", "place", "place", "place", "spy", "reveal"), 1):
        table_with_fives.lay(f"tile {other}", 8, n=bank - 1 if other == "place" else 0)
        if table_with_fives.state.phase == "place":
            table_with_fives.lay("2", 1 + bank % 2)
        elif table_with_fives.state.phase in ("spy", "reveal"):
            table_with_fives.do(
                table_with_fives.state.active, f"passed seat={table_with_fives.state.active}"
            )
        table_with_fives.clear(8)
    assert table_with_fives.state.tiles["rob"] == 1, "all seven were turned"
    table_with_fives.lay_tag(tile, 8)
    assert table_with_fives.state.phase == "rob"


def test_a_tile_whose_turning_is_undone_can_be_turned(table_with_fives: Watched) -> None:
    tile = table_with_fives.lay("tile place", 8)
    table_with_fives.do(0, f"undone target={table_with_fives.table.version}")
    assert table_with_fives.state.phase == "tile"
    table_with_fives.lay_tag(tile, 8)
    assert table_with_fives.state.phase == "place"


def test_the_figure_starts_the_robbery(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 4)
    assert (table_with_fives.state.phase, table_with_fives.state.figure) == ("seal", 4)
    assert table_with_fives.last() == ("reader 4", "bank_chosen")


def test_a_figure_that_is_early_counts_in_the_same_turn(table_with_fives: Watched) -> None:
    table_with_fives.lay("figure", 4)
    assert table_with_fives.state.phase == "tile"
    table_with_fives.lay("tile rob", 8)
    assert (table_with_fives.state.phase, table_with_fives.state.figure) == ("seal", 4)


def test_a_figure_that_came_in_an_earlier_turn_robs_nothing(table_with_fives: Watched) -> None:
    figure = table_with_fives.lay("figure", 4)
    table_with_fives.lay("tile place", 8)
    table_with_fives.lay("x", 4)
    table_with_fives.clear(8)
    table_with_fives.lay("tile rob", 8)
    assert table_with_fives.state.phase == "rob"
    table_with_fives.lay_tag(figure, 4)
    assert (table_with_fives.state.phase, table_with_fives.state.figure) == ("seal", 4)


def test_the_robbed_cards_are_to_be_taken_off_and_are_not_the_new_one(
    table_with_fives: Watched,
) -> None:
    table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 4)
    table_with_fives.close(1, 2, 0).show(1, 2, 0)
    assert table_with_fives.todos() == ["Bank 4 still holds 1\u00a0card: take them off."]
    five = next(
        tag
        for tag, at in table_with_fives.where.items()
        if at == 4 and tag in table_with_fives.tags["5"]
    )
    table_with_fives.lay("thief", 4)
    assert table_with_fives.state.banks[3] == (BankCard("thief"),)
    table_with_fives.lift(five)
    assert table_with_fives.todos() == []


def test_a_lift_and_return_names_the_card_for_spy_and_reveal(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    x = table_with_fives.lay("x", 2)
    table_with_fives.clear(8)
    table_with_fives.lay("tile spy", 8)
    table_with_fives.lift(x)
    assert table_with_fives.todos() == [], "it is in Ben's hand"
    table_with_fives.lay_tag(x, 2)
    assert table_with_fives.state.banks[1][1].known_to == (1, 2)
    table_with_fives.clear(8)
    table_with_fives.lay("tile reveal", 8)
    table_with_fives.lay_tag(x, 2)
    assert table_with_fives.state.banks[1][1].up
    assert table_with_fives.state.phase == "tile"


def test_a_card_lifted_at_any_other_time_is_to_be_put_back(table_with_fives: Watched) -> None:
    five = next(tag for tag, at in table_with_fives.where.items() if at == 2)
    table_with_fives.lift(five)
    assert table_with_fives.todos() == ["Bank 2: 1\u00a0card cannot be seen. Taken away?"]
    lines = len(table_with_fives.written())
    table_with_fives.lay_tag(five, 2)
    assert table_with_fives.todos() == []
    assert len(table_with_fives.written()) == lines, "nothing has happened"


def test_a_card_of_another_bank_is_no_placement(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    five = next(tag for tag, at in table_with_fives.where.items() if at == 2)
    table_with_fives.lay_tag(five, 3)
    assert table_with_fives.state.phase == "place"
    assert table_with_fives.todos() == [
        "Bank 3: here lies 1\u00a0card of Bank 2. Has it moved here?"
    ]
    table_with_fives.settle(3, "cards")
    assert [len(bank) for bank in table_with_fives.state.banks] == [1, 0, 2, 1, 1]
    assert table_with_fives.todos() == []


def test_a_card_too_many_is_to_be_taken_off_or_is_right(table_with_fives: Watched) -> None:
    table_with_fives.lay("x", 3)
    assert table_with_fives.todos() == ["Bank 3: 1\u00a0card too many. Laid there on purpose?"]
    table_with_fives.settle(3, "cards")
    assert [card.card for card in table_with_fives.state.banks[2]] == ["5", "x"]
    assert table_with_fives.written()[-1] == (
        "phone 1",
        {"event": "found", "place": 3, "cards": ["5", "x"]},
    )
    assert table_with_fives.todos() == []


def test_the_log_is_right_until_somebody_touches_the_card(table_with_fives: Watched) -> None:
    x = table_with_fives.lay("x", 3)
    table_with_fives.settle(3, "log")
    assert table_with_fives.todos() == []
    table_with_fives.lay_tag(x, 3)
    assert table_with_fives.todos() == ["Bank 3: 1\u00a0card too many. Laid there on purpose?"]


def test_an_unknown_sticker_is_said_and_is_no_card(table_with_fives: Watched) -> None:
    table_with_fives.lay_tag("08c0ffee", 4)
    assert table_with_fives.todos() == ["Bank 4: an unknown sticker lies there. Take it off."]
    table_with_fives.lay("tile place", 8)
    assert table_with_fives.state.phase == "place"
    table_with_fives.settle(4, "log")
    assert table_with_fives.todos() == []


def test_a_place_played_by_hand_is_left_alone(table_with_fives: Watched) -> None:
    table_with_fives.settle(3, "hand")
    table_with_fives.lay("tile place", 8)
    table_with_fives.lay("x", 3)
    assert (table_with_fives.state.phase, table_with_fives.todos()) == ("place", [])
    assert table_with_fives.table.view().table.by_hand == (3,)  # type: ignore[union-attr]
    table_with_fives.do(1, "card_placed seat=1 bank=3")
    table_with_fives.settle(3, "reader")
    assert table_with_fives.state.banks[2][1].card == "x"
    assert table_with_fives.todos() == []


def test_a_dead_reader_makes_its_bank_one_to_tap(table_with_fives: Watched) -> None:
    table_with_fives.lose(3)
    table_with_fives.clear(3)
    assert table_with_fives.todos() == []
    table_with_fives.lay("tile place", 8)
    table_with_fives.do(1, "card_placed seat=1 bank=3")
    assert [card.card for card in table_with_fives.state.banks[2]] == ["5", None]


def test_a_reader_that_is_back_tells_what_was_laid_meanwhile(table_with_fives: Watched) -> None:
    table_with_fives.lose(3)
    table_with_fives.lay("tile place", 8)
    table_with_fives.do(1, "card_placed seat=1 bank=3")
    table_with_fives.clear(8)
    table_with_fives.lay("tile place", 8, n=1)
    assert table_with_fives.state.phase == "place"
    table_with_fives.listen(3)
    table_with_fives.now -= 4.9
    table_with_fives.lay("thief", 3)
    assert table_with_fives.state.phase == "place", "Ben has still to lay a card"
    assert [card.card for card in table_with_fives.state.banks[2]] == ["5", "thief"]


def test_a_robbery_on_a_bank_in_doubt_asks_first(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 4)
    table_with_fives.close(1, 2, 0)
    five = next(tag for tag in table_with_fives.tags["5"] if table_with_fives.where.get(tag) == 4)
    table_with_fives.lift(five)
    refused = table_with_fives.ask(1, f'opened seat=1 value=1 nonce="{"0123456789abcdef" * 2}"')
    assert refused is not None
    assert refused.code == "in_doubt"
    assert table_with_fives.table.lamp_state(1) == "fast"
    table_with_fives.lay_tag(five, 4)
    table_with_fives.show(1, 2, 0)
    assert table_with_fives.state.verdict.loot == 5


def test_a_doubt_elsewhere_blocks_nothing(table_with_fives: Watched) -> None:
    table_with_fives.lay("x", 3)
    table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 4)
    table_with_fives.close(1, 2, 0).show(1, 2, 0)
    assert table_with_fives.state.verdict.loot == 5
    assert table_with_fives.todos()[0] == "Bank 3: 1\u00a0card too many. Laid there on purpose?"


def test_after_a_power_cut_nothing_is_placed_twice(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    before = table_with_fives.state
    table_with_fives.pull_the_plug()
    assert table_with_fives.resumed
    assert table_with_fives.state == before
    assert table_with_fives.todos() == []
    table_with_fives.lay("x", 1)
    assert table_with_fives.state.banks[0][1].card == "x"
    table_with_fives.lay("figure", 2)
    before = table_with_fives.state
    table_with_fives.pull_the_plug()
    assert (table_with_fives.state, table_with_fives.todos()) == (before, [])


def test_after_a_power_cut_robbed_cards_are_still_not_new(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 4)
    table_with_fives.close(1, 2, 0).show(1, 2, 0)
    table_with_fives.pull_the_plug()
    assert table_with_fives.state.phase == "refill"
    assert table_with_fives.todos() == ["Bank 4 still holds 1\u00a0card: take them off."]


def test_pieces_left_from_the_last_game_move_nothing_after_a_power_cut(
    table_with_fives: Watched,
) -> None:
    w = table_with_fives
    tile = w.lay("tile rob", 8)
    figure = w.lay("figure", 4)
    w.do(0, Ended("agreed"))
    again = w.rules.start_event(id="g2", players=w.begun.players)
    assert w.table.start(again, HOST_AUTHOR) is None
    assert w.state.phase == "tile"
    for _ in range(2):
        w.pull_the_plug()
        assert w.state.phase == "tile", "nothing was turned in this game"
    w.lift(tile)
    w.lay_tag(tile, 8)
    assert w.state.phase == "rob", "it is turned now, and the figure stands where it was left"
    w.lift(figure)
    w.lay_tag(figure, 2)
    assert (w.state.phase, w.state.figure) == ("seal", 2)


def test_an_undone_placement_leaves_a_card_to_take_off(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    x = table_with_fives.lay("x", 2)
    table_with_fives.do(0, f"undone target={table_with_fives.table.version}")
    assert (table_with_fives.state.phase, table_with_fives.state.active) == ("place", 1)
    assert table_with_fives.todos() == ["Bank 2 still holds 1\u00a0card: take them off."]
    table_with_fives.lay_tag(x, 5)
    assert table_with_fives.state.banks[4][1].card == "x"
    assert table_with_fives.todos() == []


def test_an_undo_that_is_undone_finds_the_card_again(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    table_with_fives.lay("x", 2)
    before = table_with_fives.state
    table_with_fives.do(0, f"undone target={table_with_fives.table.version}")
    table_with_fives.do(0, f"undone target={table_with_fives.table.version}")
    assert table_with_fives.state.banks == before.banks
    assert table_with_fives.todos() == []


def test_a_tile_left_from_the_last_game_is_not_turned_in_the_next(
    table_with_fives: Watched,
) -> None:
    tile = table_with_fives.lay("tile place", 8)
    table_with_fives.do(0, "ended")
    begun = table_with_fives.rules.start_event(id="g2", players=2)
    assert table_with_fives.table.start(begun, HOST_AUTHOR) is None
    assert table_with_fives.state.phase == "tile"
    assert [bank[0].card for bank in table_with_fives.state.banks] == ["5"] * 5, "dealt already"
    table_with_fives.lay_tag(tile, 8)
    assert table_with_fives.state.phase == "place"


@pytest.mark.parametrize("cut", [False, True])
def test_a_card_of_which_the_log_was_right_is_not_laid_later(
    table_with_fives: Watched, cut: bool
) -> None:
    x = table_with_fives.lay("x", 3)
    table_with_fives.settle(3, "log")
    if cut:
        table_with_fives.pull_the_plug()
    table_with_fives.lay("tile place", 8)
    assert (table_with_fives.state.phase, table_with_fives.todos()) == ("place", [])
    table_with_fives.lay_tag(x, 3)
    assert (table_with_fives.state.phase, table_with_fives.state.active) == ("tile", 2), (
        "now Ana has laid it"
    )


def test_an_accepted_sticker_is_said_again_where_it_is_moved(table_with_fives: Watched) -> None:
    table_with_fives.lay_tag("08c0ffee", 4)
    table_with_fives.settle(4, "log")
    table_with_fives.lay_tag("08c0ffee", 2)
    assert table_with_fives.todos() == ["Bank 2: an unknown sticker lies there. Take it off."]


def test_a_card_that_may_lie_elsewhere_is_still_at_home_in_the_log(
    table_with_fives: Watched,
) -> None:
    five = next(tag for tag, at in table_with_fives.where.items() if at == 2)
    table_with_fives.lay_tag(five, 3)
    table_with_fives.settle(3, "log")
    assert table_with_fives.todos() == []
    table_with_fives.lay_tag(five, 2)
    assert table_with_fives.todos() == []
    assert [len(bank) for bank in table_with_fives.state.banks] == [1] * 5


def test_after_a_power_cut_the_figure_of_an_earlier_turn_robs_nothing(
    table_with_fives: Watched,
) -> None:
    figure = table_with_fives.lay("figure", 4)
    table_with_fives.lay("tile place", 8)
    table_with_fives.lay("x", 4)
    table_with_fives.clear(8)
    table_with_fives.lay("tile rob", 8)
    before = table_with_fives.table.history
    table_with_fives.pull_the_plug()
    assert table_with_fives.table.history == before
    table_with_fives.lay_tag(figure, 4)
    assert (table_with_fives.state.phase, table_with_fives.state.figure) == ("seal", 4)


def test_what_a_reader_tells_twice_is_not_new(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile rob", 8)
    table_with_fives.lay("figure", 4)
    table_with_fives.close(1, 2, 0).show(1, 2, 0)
    before = (table_with_fives.table.history, table_with_fives.todos())
    for tag, place in table_with_fives.where.items():
        table_with_fives.table.sense(Arrived(table_with_fives.tick(), place, tag))
        assert (table_with_fives.table.history, table_with_fives.todos()) == before


def test_a_card_laid_as_soon_as_the_readers_listen_is_laid_now(table_with_fives: Watched) -> None:
    table_with_fives.lay("tile place", 8)
    table_with_fives.pull_the_plug()
    table_with_fives.now -= 4.5  # Hands do not wait until the readers have been on for a while.
    table_with_fives.lay("x", 3)
    assert table_with_fives.last() == ("reader 3", "card_placed")
    assert table_with_fives.state.phase == "tile"


def test_a_card_laid_as_soon_as_a_lost_reader_listens_may_have_lain_there(
    table_with_fives: Watched,
) -> None:
    table_with_fives.lay("tile place", 8)
    table_with_fives.lose(3)
    table_with_fives.listen(3)
    table_with_fives.now -= 4.5
    table_with_fives.lay("x", 3)
    assert table_with_fives.last() == ("reader 8", "tile_turned")
    assert table_with_fives.state.phase == "place"
