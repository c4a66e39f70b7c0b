"""Pieces when things go wrong: cards put down wrongly, readers that die, power that goes."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.sensor_events import Arrived, ButtonPressed, FellSilent, ReaderFound, ReaderLost
from companion.games import find_game
from companion.pieces.layout import PLACE, Heap
from companion.pieces.pieces import Pieces
from tests.hardware.simulator.test_pieces import THREE
from tests.worlds.campaign import pick
from tests.worlds.tagged_card_game import (
    NO_READERS,
    Physical,
    cards_at,
    misplace_card,
    tabletop,
)


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


def test_where_nothing_lies_nothing_strays():
    with tabletop() as top:
        box = Physical(top, "robby_solo", 3, seed=1).box
        assert misplace_card(box, Random(1)) is None
        box.put_right()
        assert box.misplaced_tags() == {}


def test_a_stray_is_robbed_like_its_bank():
    with tabletop() as top:
        physical = Physical(top, "bankueberfall", 2, seed=1)
        while physical.state.phase != "seal":
            physical.step()
        bank, box = physical.state.figure, physical.box
        (tag, *_) = [t for t in top.tags_at(bank) if box.things[t] != "figure"]
        top.lay_tag(tag, bank % 5 + 1)
        while physical.state.phase in ("seal", "open", "turn_up"):
            physical.step()
        assert top.place_of(tag) is None
        assert box.misplaced_tags() == {}
        assert physical.seen()


@pytest.mark.parametrize(("game", "seats", "started"), THREE[: pick(1, 3, 3)])
def test_what_is_undone_nobody_takes_for_robbed(game, seats, started):
    with tabletop(NO_READERS) as top:
        physical = Physical(top, game, seats, seed=9, **started)
        box, rules = physical.box, physical.rules
        while not physical.over:
            physical.step()
            saved, kept = box.save(), box.cards_by_heap()
            before = physical.states[-2]
            if getattr(physical.state, "figure", 0):
                continue  # Who undoes the choice of a bank takes the figure away.
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


def test_what_is_saved_does_not_change_with_the_table():
    with tabletop(NO_READERS) as top:
        physical = played(top, "robby_solo", 3, {})
        saved = physical.box.save()
        as_it_was = json.dumps(saved)
        physical.play()
        assert json.dumps(saved) == as_it_was
        physical.box.restore(saved)
        assert json.dumps(physical.box.save()) == as_it_was


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


def test_a_hand_stops_waiting_when_the_reader_turns_out_dead():
    with tabletop() as top:
        top.kill_reader(3)
        begun = top.world.now
        top.lay_tag("04aabbccddeeff", 3)
        assert 0.3 < top.world.now - begun < 2.5
        assert top.is_blind(3)


@pytest.mark.parametrize(("game", "seats", "started"), THREE[: pick(1, 3, 3)])
def test_with_a_reader_dying_now_and_then_the_pieces_stay_true(game, seats, started):
    with tabletop() as top:
        physical = Physical(top, game, seats, seed=7, **started)
        chance, undo = Random(7), None
        for step in range(80):
            if step % 20 == 5:
                undo = top.kill_reader(chance.randint(1, 8))
            if step % 20 == 15 and undo is not None:
                undo()
            physical.step()
        top.pass_time(3)
        assert physical.seen()


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


def test_many_tags_are_lifted_as_quickly_as_one():
    with tabletop() as top:
        tags = [f"04aabbccddee{n:02x}" for n in range(8)]
        for tag in tags:
            top.lay_tag(tag, 1)
        assert {seen.place for seen in top.sense() if isinstance(seen, Arrived)} == {1}
        begun = top.world.now
        top.lift_tags(*tags)
        assert top.world.now - begun < 2
        assert sum(isinstance(seen, FellSilent) for seen in top.sense()) == 8


def test_a_press_is_waited_for():
    with tabletop() as top:
        top.press_button(2)
        (press,) = top.sense()
        assert isinstance(press, ButtonPressed)
        assert (press.seat, press.held) == (2, False)
