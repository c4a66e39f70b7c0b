"""Tracking Banküberfall: what it means that a thing came to lie somewhere, and what is to do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.sensor_events import Arrived
from companion.core.table_events import Ended
from companion.table.permissions import HOST_AUTHOR
from companion.tracking.evidence import ReaderReports
from companion.tracking.mismatches import LEFT_OVER, MOVED, SURPLUS, TAKEN_AWAY, UNKNOWN_STICKER
from tests.worlds.watched_table import Watched


@pytest.fixture
def fives(tmp_path: Path) -> Iterator[Watched]:
    """Three players; a five lies at every bank, and Ana is at turn."""
    made = Watched(tmp_path / "journal.sqlite3")
    for bank in range(1, 6):
        made.lay("5", bank)
    assert made.todos() == []
    yield made
    made.journal.close()


def test_before_the_cards_are_dealt_every_bank_waits_for_one(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3")
    assert len(table.todos()) == 5
    assert table.todos_in_words()[2] == "Bank 3: was a card taken away?"
    table.lay("x", 3)
    assert len(table.todos()) == 4
    table.journal.close()


def test_a_tile_counts_once_until_all_are_shuffled(fives: Watched) -> None:
    tile = fives.lay("tile rob", 8)
    fives.lay("figure", 3)
    fives.close(0, 0, 0).show(0, 0, 0)
    fives.clear(3)
    fives.lay("x", 3)
    fives.lay_tag(tile, 8)
    assert fives.state.phase == "tile", "it lies face up beside the others"
    fives.clear(8)
    for bank, other in enumerate(("place", "place", "place", "place", "spy", "reveal"), 1):
        fives.lay(f"tile {other}", 8, n=bank - 1 if other == "place" else 0)
        if fives.state.phase == "place":
            fives.lay("2", 1 + bank % 2)
        elif fives.state.phase in ("spy", "reveal"):
            fives.do(fives.state.active, f"passed seat={fives.state.active}")
        fives.clear(8)
    assert fives.state.tiles["rob"] == 1, "all seven were turned"
    fives.lay_tag(tile, 8)
    assert fives.state.phase == "rob"


def test_a_figure_that_went_elsewhere_is_no_card_of_its_old_bank(fives: Watched) -> None:
    fives.lay("tile rob", 8)
    figure = fives.lay("figure", 3)
    fives.close(0, 0, 0).show(0, 0, 0)
    fives.lift(next(tag for tag, place in fives.where.items() if place == 3))
    x = fives.lay("x", 3)
    fives.lose(3)
    fives.lose(5)
    fives.listen(5)
    fives.table.sense(Arrived(fives.tick(1.0), 5, figure))  # As if it had been there before.
    fives.table.sense(Arrived(fives.tick(), 4, x))
    assert fives.todos() == [(4, MOVED.text)]
    fives.settle(4, "cards")
    assert [len(bank) for bank in fives.state.banks] == [1, 1, 0, 2, 1]


def test_a_tile_whose_turning_is_undone_can_be_turned(fives: Watched) -> None:
    tile = fives.lay("tile place", 8)
    fives.do(0, f"undone target={fives.table.version}")
    assert fives.state.phase == "tile"
    fives.lay_tag(tile, 8)
    assert fives.state.phase == "place"


def test_a_figure_that_is_early_counts_in_the_same_turn(fives: Watched) -> None:
    fives.lay("figure", 4)
    assert fives.state.phase == "tile"
    fives.lay("tile rob", 8)
    assert (fives.state.phase, fives.state.figure) == ("seal", 4)


def test_a_lift_and_return_names_the_card_for_spy_and_reveal(fives: Watched) -> None:
    fives.lay("tile place", 8)
    x = fives.lay("x", 2)
    fives.clear(8)
    fives.lay("tile spy", 8)
    fives.lift(x)
    assert fives.todos() == [], "it is in Ben's hand"
    assert fives.table.view().table.laying is None, "a reader under its place needs no words"  # type: ignore[union-attr]
    fives.lay_tag(x, 2)
    assert fives.state.banks[1][1].known_to == (1, 2)
    fives.clear(8)
    fives.lay("tile reveal", 8)
    fives.lay_tag(x, 2)
    assert fives.state.banks[1][1].up
    assert fives.state.phase == "tile"


def test_a_card_lifted_at_any_other_time_is_to_be_put_back(fives: Watched) -> None:
    five = next(tag for tag, at in fives.where.items() if at == 2)
    fives.lift(five)
    assert fives.todos() == [(2, TAKEN_AWAY.text)]
    lines = len(fives.written())
    fives.lay_tag(five, 2)
    assert fives.todos() == []
    assert len(fives.written()) == lines, "nothing has happened"


def test_a_card_too_many_is_to_be_taken_off_or_is_right(fives: Watched) -> None:
    fives.lay("x", 3)
    assert fives.todos_in_words() == ["Bank 3: 1\u00a0card too many. Laid there on purpose?"]
    fives.settle(3, "cards")
    assert [card.card for card in fives.state.banks[2]] == ["5", "x"]
    assert fives.written()[-1] == ("phone 1", {"event": "found", "place": 3, "cards": ["5", "x"]})
    assert fives.todos() == []


def test_an_unknown_sticker_is_said_and_is_no_card(fives: Watched) -> None:
    fives.lay_tag("08c0ffee", 4)
    assert fives.todos_in_words() == ["Bank 4: an unknown sticker lies there. Take it off."]
    fives.lay("tile place", 8)
    assert fives.state.phase == "place"
    fives.settle(4, "log")
    assert fives.todos() == []
    fives.lay_tag("08c0ffee", 2)
    assert fives.todos() == [(2, UNKNOWN_STICKER.text)]


def test_a_place_played_by_hand_is_left_alone(fives: Watched) -> None:
    fives.settle(3, "hand")
    fives.lay("tile place", 8)
    fives.lay("x", 3)
    assert (fives.state.phase, fives.todos()) == ("place", [])
    assert fives.table.view().table.by_hand == (3,)  # type: ignore[union-attr]
    fives.do(1, "card_placed seat=1 bank=3")
    fives.settle(3, "reader")
    assert fives.state.banks[2][1].card == "x"
    assert fives.todos() == []


def test_a_reader_that_is_back_tells_what_was_laid_meanwhile(fives: Watched) -> None:
    fives.lose(3)
    fives.lay("tile place", 8)
    fives.do(1, "card_placed seat=1 bank=3")
    fives.clear(8)
    fives.lay("tile place", 8, n=1)
    assert fives.state.phase == "place"
    fives.listen(3)
    fives.now -= 4.9
    fives.lay("thief", 3)
    assert fives.state.phase == "place", "Ben has still to lay a card"
    assert [card.card for card in fives.state.banks[2]] == ["5", "thief"]


def test_a_robbery_on_a_bank_in_doubt_asks_first(fives: Watched) -> None:
    fives.lay("tile rob", 8)
    fives.lay("figure", 4)
    fives.close(1, 2, 0)
    five = next(tag for tag in fives.tags["5"] if fives.where.get(tag) == 4)
    fives.lift(five)
    refused = fives.ask(1, f'opened seat=1 value=1 nonce="{"0123456789abcdef" * 2}"')
    assert refused is not None
    assert refused.code == "in_doubt"
    assert fives.table.lamp_state(1) == "fast"
    fives.lay_tag(five, 4)
    fives.show(1, 2, 0)
    assert fives.state.verdict.loot == 5


def test_a_doubt_elsewhere_blocks_nothing(fives: Watched) -> None:
    fives.lay("x", 3)
    fives.lay("tile rob", 8)
    fives.lay("figure", 4)
    fives.close(1, 2, 0).show(1, 2, 0)
    assert fives.state.verdict.loot == 5
    assert fives.todos()[0] == (3, SURPLUS.text)


def test_pieces_left_from_the_last_game_move_nothing_after_a_power_cut(fives: Watched) -> None:
    w = fives
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


def test_an_undone_placement_leaves_a_card_to_take_off(fives: Watched) -> None:
    fives.lay("tile place", 8)
    x = fives.lay("x", 2)
    fives.do(0, f"undone target={fives.table.version}")
    assert (fives.state.phase, fives.state.active) == ("place", 1)
    assert fives.todos() == [(2, LEFT_OVER.text)]
    fives.lay_tag(x, 5)
    assert fives.state.banks[4][1].card == "x"
    assert fives.todos() == []


@pytest.mark.parametrize("cut", [False, True])
def test_a_card_of_which_the_log_was_right_is_not_laid_later(fives: Watched, cut: bool) -> None:
    x = fives.lay("x", 3)
    fives.settle(3, "log")
    if cut:
        fives.pull_the_plug()
    fives.lay("tile place", 8)
    assert (fives.state.phase, fives.todos()) == ("place", [])
    fives.lay_tag(x, 3)
    assert (fives.state.phase, fives.state.active) == ("tile", 2), "now Ana has laid it"


def test_a_card_laid_as_soon_as_the_readers_listen_is_laid_now(fives: Watched) -> None:
    fives.lay("tile place", 8)
    fives.pull_the_plug()
    fives.now -= 4.5  # Hands do not wait until the readers have been on for a while.
    fives.lay("x", 3)
    assert fives.last() == ("reader 3", "card_placed")
    assert fives.state.phase == "tile"


def test_a_card_moved_away_from_a_bank_without_a_reader_has_left_it(fives: Watched) -> None:
    fives.lay("tile place", 8)
    x = fives.lay("x", 3)
    fives.lose(3)
    fives.lay_tag(x, 2)
    fives.settle(2, "cards")
    cards = [[card.card for card in bank] for bank in fives.state.banks[1:3]]
    assert cards == [["5", "x"], ["5"]]


def test_what_readers_told_is_told_again_as_it_is_now(fives: Watched) -> None:
    reports = fives.table.reports
    first, second = fives.tags["5"][:2]
    fives.lay_tag(first, 4)
    fives.lift(second)
    fives.lose(2)
    lying = [news for news in reports.current_evidence() if isinstance(news, Arrived)]
    assert (4, first) in [(news.place, news.tag) for news in lying]
    assert second not in [news.tag for news in lying]
    copy = ReaderReports()
    for news in reports.current_evidence():
        copy.record(news)
    assert (copy.current_evidence(), copy.is_listening) == (reports.current_evidence(), True)
