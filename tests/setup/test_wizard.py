"""The first start from solder to the first game: what the page asks for, a hand, crossed cables."""

from pathlib import Path

import pytest

from companion.app.wires import load_learnt_wiring
from companion.core.sensor_events import Arrived, Left
from companion.core.table_events import Ended
from companion.games.new_game import NewGame
from companion.setup.steps import STEPS
from companion.table.permissions import HOST_AUTHOR
from hardware.simulator import faults
from tests.worlds.fresh_table import EN, code, cross_wires, fresh_table, sticker_uid


def test_from_solder_to_the_first_game(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        assert at.shown.step == "language"
        assert at.acts("next") is None
        assert at.first.choose_box("banque_fatale") is None
        assert at.acts("next") is None
        assert at.first.choose_wiring("eight-readers") is None
        for step in ("banks", "buttons", "lamps", "stickers"):
            assert at.acts("next") is None
            assert at.shown.step == step
            assert step != "stickers" or 20 < at.deeds + 4 <= 25, "cards, presses, taps, and Next"
            showing = at.through(step)
            assert showing.done == showing.total > 0
        assert at.acts("next") is None
        while at.shown.missing:
            at.does()
        assert at.asks() == "All is there: 16 of 16."
        assert at.acts("next") is None
        assert at.shown.missing == ()
        assert at.acts("next") is None
        assert at.shown.set_up
        assert {how for _, how in at.shown.steps} == {"done", "now"}
        assert at.real.wires.wiring.readers == cross_wires("eight-readers").readers
        assert at.real.wires.wiring.buttons == cross_wires("eight-readers").buttons
        assert at.real.wires.wiring.lamps == cross_wires("eight-readers").lamps
        assert load_learnt_wiring(tmp_path) is not None
        assert at.host.begin_game(NewGame("banque_fatale", ("Ana", "Ben", "Cleo"))) is None
        assert code(at.first.go_to("banks")) == "under_way"
        assert at.says() == "A game is under way."


def test_the_place_of_a_dead_reader_is_left_out(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        faults.silence_reader(at.world, 4)
        at.wait(8)
        at.goes("banks")
        for place in range(1, 9):
            assert at.shown.asked == place
            if at.does().asked == place:
                assert EN(at.shown.notes[0]).startswith("Number of silent readers: 1.")
                assert at.acts("skip") is None
        assert at.found()[5] == "skipped"
        assert list(at.found().values()).count("found") == 7
        at.goes("done")
        wiring = at.real.wires.wiring
        assert wiring.readers == cross_wires("eight-readers").readers, "what is left goes there"


def test_a_place_that_is_known_is_not_learnt_twice(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.goes("banks")
        at.does()
        at.does("wrong")
        assert at.says().startswith("That is place 1, which is known already.")
        assert (at.shown.asked, at.shown.trouble) == (0, True)


def test_a_press_is_nobodys_but_the_walks(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.seats.wait_for_press("browser", "Ana")
        at.goes("buttons")
        at.does()
        assert at.seats.taken_seats() == frozenset()
        at.goes("done")
        at.world.tap(1)
        at.wait(1)
        assert at.seats.taken_seats() == frozenset({1})


def test_a_dark_lamp_is_left_to_whoever_solders(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.goes("lamps")
        assert at.first.locate_lamp(0) is None
        assert "One lamp stays dark" in at.says()
        while at.shown.may & {"skip"}:
            at.does()
        assert sorted(at.found().values()) == ["found"] * 5 + ["skipped"]
        at.goes("done")
        assert "Seats whose lamp was not found: 4." in at.missing()
        assert at.real.wires.wiring.lamps == cross_wires("eight-readers").lamps


def test_a_lamp_is_answered_by_the_button_of_its_seat(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.through("buttons")
        at.goes("lamps")
        at.press(4)
        at.wait(1)
        assert at.found()[4] == "found"


def test_nothing_is_learnt_while_no_browser_looks(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        told: list[bool] = []
        at.goes("buttons")
        at.real.table.watch(lambda: told.append(True))
        at.wait(50)
        assert told == [True], "every page is asked to look again"
        at.wait(15)
        at.seats.wait_for_press("browser", "Ana")
        at.world.tap(1)
        at.wait(1)
        assert at.seats.taken_seats() == frozenset({1})
        assert at.shown.asked == 1
        at.does()
        assert at.shown.asked == 2


def test_a_check_has_no_tick_while_a_piece_has_no_sticker(tmp_path: Path) -> None:
    with fresh_table(tmp_path, game="banque_fatale") as at:
        at.goes("stickers")
        at.does()
        at.goes("check")
        at.seats.wait_for_press("browser", "Ana")
        at.press(1)
        shown = at.does()
        assert (shown.done, shown.total) == (1, 16)
        assert at.asks() == "Every piece with a sticker is here: 1."
        assert at.acts("again") is None
        assert (at.shown.done, at.does().done) == (0, 1)
        assert at.seats.taken_seats() == frozenset({1}), "a check needs no button"
        at.goes("done")
        assert dict(at.shown.steps)["check"] == "open"


def test_a_check_of_what_lies_there_is_done_and_follows_a_new_sticker(tmp_path: Path) -> None:
    with fresh_table(tmp_path, game="banque_fatale") as at:
        at.through("stickers")
        for n in range(16):
            at.real.table.sense(Arrived(at.now, 1, sticker_uid(n)))
        at.goes("check")
        assert at.asks() == "All is there: 16 of 16."
        assert at.acts("next") is None
        assert dict(at.shown.steps)["check"] == "done"
        at.goes("check")
        at.real.table.sense(Left(at.now, 1, sticker_uid(0)))
        at.lay(sticker_uid(99), 2)
        at.wait(2)
        assert at.shown.trouble, "a sticker of nothing"
        thing = at.real.deck.things[at.real.deck.mark(sticker_uid(0))]
        assert at.host.replace_sticker(thing) is None
        assert not at.shown.trouble
        assert at.asks() == "All is there: 16 of 16."


@pytest.mark.wide
def test_a_check_right_after_the_lamps_hears_every_reader(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.through("stickers")
        at.goes("lamps")
        at.does()
        assert at.first.go_to("check") is None
        shown = at.shown
        assert (shown.trouble, shown.notes, shown.done, shown.total) == (False, (), 0, 53)
        assert at.does().done == 8


def test_a_box_enrolled_in_setup_is_known_in_the_next_game(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        at.through("banks")
        card = at.goes("stickers").thing
        at.does()
        assert at.host.begin_game(NewGame("bankueberfall", ("Ana", "Ben"))) is None
        at.wait(2)
        at.lay(sticker_uid(0), 2)
        at.wait(2)
        banks = at.real.table.state.banks
        assert [bank[0].card for bank in banks] == [None, card, None, None, None]


def test_the_last_game_stays_on_the_screens_while_nothing_changes(tmp_path: Path) -> None:
    with fresh_table(tmp_path) as at:
        assert at.host.begin_game(NewGame("bankueberfall", ("Ana", "Ben"))) is None
        assert at.real.table.request(Ended("agreed"), HOST_AUTHOR) is None
        for step in STEPS:
            at.goes(step)
        assert at.real.table.state is not None
        at.goes("stickers")
        at.does()
        at.goes("done")
        assert at.real.table.state is None, "the box is laid anew"


def test_what_was_left_out_has_no_tick_and_is_listed_at_the_end(tmp_path: Path) -> None:
    with fresh_table(tmp_path, game="banque_fatale") as at:
        at.goes("banks")
        assert at.does().good
        assert at.first.apply_action("next", "wiring") is None
        assert at.shown.step == "banks", "a page that is late moves nothing"
        assert code(at.first.apply_action("renew", "banks")) == "nothing_asked"
        assert at.first.apply_action("skip", "banks") is None
        assert (at.says(), at.shown.good) == ("Left out: place 2.", False)
        for step in STEPS[STEPS.index("banks") : -1]:
            at.goes(step)
            while "skip" in at.shown.may:
                assert at.first.apply_action("skip", step) is None
            assert at.first.apply_action("next", step) is None
        sensed = ("banks", "buttons", "lamps", "stickers", "check")
        assert {dict(at.shown.steps)[step] for step in sensed} == {"open"}
        assert at.shown.undone == sensed
        first, *_, last = at.missing()
        assert first == "Places whose reader was not found: 2, 3, 4, 5, 6, 7 and 8."
        assert (len(at.missing()), last) == (5, "The box was not checked.")


@pytest.mark.wide
def test_a_box_is_enrolled_and_checked_at_one_reader(tmp_path: Path) -> None:
    with fresh_table(tmp_path, "one-reader") as first:
        box = first.real.table.rules.box.tagged_pieces()
        spared = {step for step, state in first.shown.steps if state == "spared"}
        assert spared == {"banks", "buttons", "lamps"}
        shown = first.through("stickers")
        assert (shown.done, shown.total) == (sum(box.values()),) * 2
        first.goes("check")
        for _ in range(sum(box.values())):
            shown = first.does()
        assert (shown.done, first.missing()) == (sum(box.values()), [])
        first.goes("done")
        assert first.missing() == []
