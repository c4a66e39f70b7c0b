"""The pieces of all three games at the simulated table: whole games, and what goes wrong there."""

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.sensor_events import Arrived, ReaderFound, ReaderLost
from companion.games import find_game, make_rulebook
from companion.pieces.layout import PLACE, Heap
from companion.pieces.pieces import Pieces
from hardware.wiring import SpiAddress, load_profile
from tests.worlds.campaign import pick
from tests.worlds.rulebook_players import SETUPS
from tests.worlds.tagged_card_game import (
    NO_READERS,
    Physical,
    cards_at,
    misplace_card,
    tabletop,
)

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


# What cannot be done moves nothing.

IMPOSSIBLE: list[tuple[str, int, str, dict[str, Any]]] = [
    ("bankueberfall", 1, "card_placed", {"bank": 6, "card": "5"}),
    ("bankueberfall", 1, "card_placed", {"bank": 1, "card": "gold"}),
    ("bankueberfall", 7, "card_placed", {"bank": 1, "card": "5"}),
    ("bankueberfall", 1, "card_spied", {"bank": 1, "slot": 2}),
    ("banque_fatale", 1, "card_chosen", {"card": "red"}),
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


def played(top, game, seats, started, steps=25, seed=8):
    """A game in the middle, with cards lying at places."""
    physical = Physical(top, game, seats, seed, **started)
    while len(physical.events) < steps or not any(
        physical.box.names(Heap(PLACE, n)) for n in range(1, 8)
    ):
        physical.step()
    return physical


# Mischief.


@pytest.mark.parametrize(("game", "seats", "started"), THREE[: pick(1, 3, 3)])
def test_a_card_put_down_wrongly_is_seen_and_put_right(game, seats, started):
    with tabletop() as top:
        physical = played(top, game, seats, started)
        box, chance = physical.box, Random(1)
        meant = {n: box.names(Heap(PLACE, n)) for n in range(1, 9)}
        strays = {misplace_card(box, chance) for _ in range(4)} - {None}
        assert set(box.misplaced_tags()) == strays != set()
        assert {n: box.names(Heap(PLACE, n)) for n in range(1, 9)} == meant
        assert physical.seen()
        assert any(sorted(cards_at(box, n)) != sorted(meant[n]) for n in meant)
        box.put_right()
        assert box.misplaced_tags() == {}
        assert {n: sorted(cards_at(box, n)) for n in meant} == {n: sorted(meant[n]) for n in meant}
        assert physical.seen()


@settings(max_examples=pick(4, 12, 60))
@given(st.sampled_from(THREE), st.integers(0, 2**32), st.data())
def test_whatever_strays_the_game_and_its_cards_go_on(setup, seed, data):
    game, seats, started = setup
    with tabletop(NO_READERS) as top:
        physical = Physical(top, game, seats, seed, **started)
        chance = Random(seed)
        for _ in range(120):
            if physical.over:
                break
            mischief = data.draw(st.sampled_from(["none", "none", "stray", "right"]))
            if mischief == "stray":
                misplace_card(physical.box, chance)
            elif mischief == "right":
                physical.box.put_right()
                assert physical.box.misplaced_tags() == {}
            physical.step()
            physical.hold_true()
        physical.box.put_right()
        for place in range(1, 9):
            assert set(physical.box.names(Heap(PLACE, place))) <= set(cards_at(physical.box, place))


@pytest.mark.parametrize(("game", "seats", "started"), THREE[: pick(1, 3, 3)])
def test_what_is_undone_nobody_takes_for_robbed(game, seats, started):
    with tabletop(NO_READERS) as top:
        physical = Physical(top, game, seats, seed=9, **started)
        box, rules = physical.box, physical.rules
        while not physical.over:
            physical.step()
            saved, kept = box.save(), box.cards_by_heap()
            before = physical.states[-2]
            figures = {getattr(state, "figure", 0) for state in physical.states[-2:]}
            if figures != {0} or getattr(before, "tiles", 0) != getattr(physical.state, "tiles", 0):
                continue  # Who undoes that moves the figure, or turns tiles.
            box.clear_up(rules.expected_cards(before), rules.public_view(before))
            assert box.cards_by_heap() == kept
            box.restore(saved)


# Power.


@pytest.mark.wide
@pytest.mark.parametrize(("game", "seats", "started"), THREE)
def test_the_table_outlives_the_program(game, seats, started):
    with tabletop() as top:
        physical = played(top, game, seats, started)
        misplace_card(physical.box, Random(3))
        saved = json.loads(json.dumps(physical.box.save()))
        lay = {tag: top.place_of(tag) for tag in physical.box.things if top.place_of(tag)}
    with tabletop() as top:
        layout = find_game(physical.rules.box.game).pieces
        physical.box = again = Pieces(layout, physical.rules, top, Random(99))
        things = again.things
        again.restore(saved)
        assert again.things is things, "a deck that was read from it before stays true"
        assert again.save() == saved
        top.pass_time(1.5)
        news = [seen for seen in top.sense() if isinstance(seen, Arrived)]
        assert {seen.tag: seen.place for seen in news} == lay
        physical.watcher.top, physical.watcher.lying = top, dict(lay)
        physical.pieces.pieces = again
        again.put_right()
        assert physical.seen()
        physical.hold_true()
        physical.play()
        assert physical.seen()


# Readers.


def test_nobody_waits_for_a_dead_reader_and_it_tells_when_it_is_back():
    with tabletop() as top:
        physical = Physical(top, "bankueberfall", 4, seed=5)
        back = top.kill_reader(2)
        top.pass_time(3)
        assert top.is_blind(2)
        physical.watcher.lying.clear()
        assert [type(seen) for seen in top.sense()].count(ReaderLost) == 1
        begun = top.world.now
        card = physical.box.hand_cards(1)[0]
        physical.box.make_move(1, "card_placed", bank=2, card=card)
        assert top.world.now == begun
        assert physical.box.reported_fields(1, "card_placed", {"bank": 2}) == {
            "bank": 2,
            "card": card,
        }
        assert top.sense() == []
        back()
        top.pass_time(2)
        news = top.sense()
        assert any(isinstance(seen, ReaderFound) and seen.place == 2 for seen in news)
        assert [physical.box.things[seen.tag] for seen in news if isinstance(seen, Arrived)] == [
            card
        ]


# The table's time.


def test_at_a_still_table_only_hands_let_time_pass():
    with tabletop() as top:
        begun = top.world.now
        top.put_tag("04aabbccddeeff", 1)
        for _ in range(100):
            assert top.sense() == []
        assert top.world.now == begun
        top.pass_time(0.5)
        assert 0.5 <= top.world.now - begun < 0.6
        (seen,) = top.sense()
        assert isinstance(seen, Arrived)
        assert (seen.place, seen.tag) == (1, "04aabbccddeeff")
