"""The pieces of all three games at the simulated table: whole games, moved card by card."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game, make_rulebook
from companion.pieces.layout import PLACE, Heap
from companion.pieces.pieces import Pieces
from hardware.wiring import SpiAddress, load_profile
from tests.worlds.campaign import pick
from tests.worlds.rulebook_players import SETUPS
from tests.worlds.tagged_card_game import NO_READERS, Physical, cards_at, tabletop

THREE: list[tuple[str, int, dict[str, Any]]] = [
    ("bankueberfall", 4, {}),
    ("banque_fatale", 3, {}),
    ("robby_solo", 5, {"junior": True, "banks": ("khaki", "red", "grey", "blue", "green",
                                                 "yellow", "purple")}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "seats", "started"), THREE[: pick(1, 3, 3)])
def test_the_readers_tell_what_hands_do_in_a_whole_game(game, seats, started):
    with tabletop() as top:
        physical = Physical(top, game, seats, seed=5, **started)
        assert physical.seen()
        while not physical.over:
            physical.step()
            assert physical.seen()
        assert physical.watcher.heard > 50


@settings(max_examples=pick(4, 12, 60))
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_without_any_reader_the_same_games_are_played(setup, seed):
    game, seats, started = setup
    with tabletop(NO_READERS) as top:
        physical = Physical(top, game, seats, seed, **started).play()
        assert physical.watcher.look() == {}


@pytest.mark.parametrize(("game", "seats", "started"), THREE[: pick(1, 3, 3)])
def test_when_frames_get_lost_the_readers_still_come_to_the_same(game, seats, started):
    with tabletop() as top:
        physical = Physical(top, game, seats, seed=6, **started)
        restore_quiet = top.lose_frames(0.05)
        for _ in range(60):
            physical.step()
        restore_quiet()
        top.pass_time(5)
        assert physical.seen()


def test_five_readers_see_five_places_and_the_eighth_spot_is_free():
    with tabletop("five-readers") as top:
        physical = Physical(top, "bankueberfall", 3, seed=1)
        assert sorted(physical.watcher.look().values()) == [1, 2, 3, 4, 5]
        physical.box.make_move(1, "tile_turned")
        assert cards_at(physical.box, 8) == physical.box.names(Heap(PLACE, 8))
        assert physical.box.reported_fields(1, "tile_turned", {}) == {
            "tile": cards_at(physical.box, 8)[0].removeprefix("tile ")
        }
        assert physical.seen()


def test_a_reader_lies_where_its_profile_says():
    crossed = {1: SpiAddress("mux", channel=5), 4: SpiAddress("mux", channel=0)}
    with tabletop(msgspec.structs.replace(load_profile(), readers=crossed)) as top:
        for place in (4, 1, 2):
            top.lay_tag(f"04aabbccddee{place:02x}", place)
        assert [seen.place for seen in top.sense()] == [4, 1]


def test_every_piece_of_a_box_bears_a_tag_of_its_own():
    with tabletop(NO_READERS) as top:
        for game, count in (
            ("bankueberfall", 45 + 7 + 1),
            ("banque_fatale", 16),
            ("robby_solo", 61),
        ):
            layout, rules = find_game(game).pieces, make_rulebook(game)
            things = Pieces(layout, rules, top, Random(1)).things
            assert len(things) == count
            assert all(len(bytes.fromhex(tag)) == 7 for tag in things)
            assert not {*things} & {*Pieces(layout, rules, top, Random(2)).things}


def test_a_new_deal_clears_the_table():
    with tabletop() as top:
        physical = Physical(top, "banque_fatale", 3, seed=2)
        for _ in range(40):
            physical.step()
        top.lay_tag(next(iter(physical.box.things)), 7)
        physical.box.lay_out_game(4)
        assert physical.seen()
        assert physical.watcher.look() == {}
        heaps = physical.box.cards_by_heap()
        assert {heap: len(cards) for heap, cards in heaps.items()} == {
            Heap("pile"): 12, **{Heap("in front of", seat): 1 for seat in range(1, 5)}
        }  # fmt: skip


# What only the table knows.


def test_junior_goes_through_his_cards_and_begins_again():
    with tabletop(NO_READERS) as top:
        physical = Physical(top, "robby_solo", 3, seed=4, junior=True)
        shown = []
        while not physical.over:
            physical.step()
            verdict = physical.state.verdict
            if verdict is not physical.states[-2].verdict:
                shown.append(physical.box.reported_fields(1, "junior_shown", {})["bank"])
        row = list(physical.state.banks)
        assert sorted(shown[: len(row)]) == sorted(row)
        assert shown[: len(row)] != row
        assert all(bank == shown[n % len(row)] for n, bank in enumerate(shown))
        assert len(shown) > len(row)


def test_what_the_police_take_comes_up_again_when_the_deck_is_through():
    """The deck as it must be: drawn from the top, with each raid laid under it."""
    raids = 0
    for seed in range(8):
        with tabletop(NO_READERS) as top:
            physical = Physical(top, "robby_solo", 5, seed)
            deck = physical.box.cards_by_heap()[Heap("deck")]
            while not physical.over:
                verdict = physical.state.verdict
                physical.step()
                if (laid := getattr(physical.events[-1], "card", None)) is not None:
                    assert deck.pop() == str(laid)
                if physical.state.verdict is not verdict:
                    for raid in physical.state.verdict.raids:
                        raids += 1
                        deck[:0] = map(str, [*raid.returns.values(), *raid.removed])
                assert physical.box.cards_by_heap().get(Heap("deck"), []) == deck
    assert raids > 3


def test_hands_and_robbed_cards_are_the_table_s_own():
    with tabletop(NO_READERS) as top:
        physical = Physical(top, "bankueberfall", 4, seed=3)
        hands = [physical.box.hand_cards(seat) for seat in range(1, 5)]
        assert [len(hand) for hand in hands] == [5, 5, 5, 5]
        robbed = 0
        while not physical.over:
            before = {bank: physical.box.names(Heap(PLACE, bank)) for bank in range(1, 6)}
            state = physical.state
            physical.step()
            if physical.state.verdict is not state.verdict:
                robbed += 1
                assert physical.box.names(Heap(PLACE, state.figure)) == []
                gone = physical.state.discard[len(state.discard) :]
                assert list(gone) == before[state.figure]
        assert robbed >= 5
        assert physical.box.hand_cards(9) == []


# What cannot be done moves nothing.

IMPOSSIBLE: list[tuple[str, int, str, dict[str, Any]]] = [
    ("bankueberfall", 1, "card_placed", {"bank": 6, "card": "5"}),
    ("bankueberfall", 1, "card_placed", {"bank": [1], "card": "5"}),
    ("bankueberfall", 1, "card_placed", {"bank": 1, "card": "gold"}),
    ("bankueberfall", 1, "card_placed", {"bank": 1}),
    ("bankueberfall", 7, "card_placed", {"bank": 1, "card": "5"}),
    ("bankueberfall", 1, "card_spied", {"bank": 1, "slot": 2}),
    ("bankueberfall", 1, "card_spied", {"bank": 1, "slot": 0}),
    ("bankueberfall", 1, "card_revealed", {"bank": 1, "slot": "1"}),
    ("bankueberfall", 1, "bank_chosen", {"bank": 0}),
    ("bankueberfall", 1, "bank_refilled", {"bank": None}),
    ("banque_fatale", 1, "card_chosen", {"card": "red"}),
    ("banque_fatale", 1, "card_sold", {"card": "gold"}),
    ("banque_fatale", 9, "card_sold", {"card": "red"}),
    ("robby_solo", 1, "loot_laid", {"bank": "khaki"}),
    ("robby_solo", 1, "loot_laid", {"bank": {}}),
]


@pytest.mark.parametrize(("game", "seat", "do", "fields"), IMPOSSIBLE)
def test_what_is_not_there_cannot_be_moved(game, seat, do, fields):
    with tabletop() as top:
        box = Physical(top, game, 3, seed=1).box
        before = box.save()
        with pytest.raises(LookupError):
            box.make_move(seat, do, **fields)
        assert box.save() == before


def test_a_full_row_and_empty_piles_end_what_can_be_laid():
    with tabletop(NO_READERS) as top:
        box = Physical(top, "banque_fatale", 3, seed=1).box
        for _ in range(3):
            box.make_move(1, "card_turned")
        assert [len(box.names(Heap(PLACE, place))) for place in (1, 2, 3)] == [1, 1, 1]
        with pytest.raises(LookupError):
            box.make_move(1, "card_turned")
        robby = Physical(top, "robby_solo", 3, seed=1)
        for _ in range(61):
            robby.box.make_move(1, "loot_laid", bank="red")
        with pytest.raises(LookupError):
            robby.box.make_move(1, "loot_laid", bank="red")


@pytest.mark.parametrize("do", ["passed", "kept", "declared", "chip_taken", "sealed", "opened"])
def test_what_is_done_without_pieces_moves_none(do):
    with tabletop(NO_READERS) as top:
        for game, seats, started in THREE:
            box = Physical(top, game, seats, seed=1, **started).box
            before = box.save()
            box.make_move(1, do, bank=1, colour="red")
            assert box.reported_fields(1, do, {"bank": 1}) == {"bank": 1}
            assert box.save() == before
