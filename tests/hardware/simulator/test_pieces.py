"""The pieces of all three games at the simulated table: whole games, and what goes wrong there."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game, make_rulebook
from companion.pieces.layout import PLACE, Heap
from companion.pieces.pieces import Pieces
from tests.hardware.simulator.tagged_card_game import (
    NO_READERS,
    Physical,
    cards_at,
    tabletop,
)
from tests.worlds.campaign import pick
from tests.worlds.rough_evening import misplace_card
from tests.worlds.rulebook_players import SETUPS

THREE: list[tuple[str, int, dict[str, Any]]] = [
    ("bankueberfall", 4, {}),
    ("banque_fatale", 3, {}),
    ("robby_solo", 5, {"junior": True, "banks": ("khaki", "red", "grey", "blue", "green",
                                                 "yellow", "purple")}),
]  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize(("game", "seats", "started"), THREE)
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


# Power.


# Readers.


# The table's time.
