"""A fresh table is set up by whoever has its PIN, one step at a time."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError

import pytest

from companion.app.settings import deck_path
from companion.app.wires import load_wiring
from companion.core.table_events import Ended
from companion.enrol.deck_file import load_deck
from companion.games import find_game, game_names, make_rulebook
from companion.games.new_game import NewGame
from companion.games.reader_plan import PLACES_IN_A_RING, plan_readers
from companion.setup import STEPS
from companion.table.permissions import HOST_AUTHOR
from hardware.wiring import load_profile
from tests.worlds.fresh_table import ADDRESSES
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.setup_browser import host
from tests.worlds.visitor import Visitor, words
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.idempotency import IdempotencyCache

TWO = NewGame("bankueberfall", ("Ana", "Ben"))
FAR_AWAY = {"REMOTE_ADDR": "192.168.1.77"}


def test_the_table_screen_says_where_a_new_table_is_set_up(fresh):
    table = fresh()
    there = Visitor(table.app).get("/table", environ_overrides=FAR_AWAY)
    screen, address = there.text, ADDRESSES[0].removeprefix("http://")
    assert f'<a href="/first">{address}first</a>' in screen


def test_a_phone_that_comes_to_a_new_table_is_led_there_too(fresh):
    table = fresh()
    guest, leads = Visitor(table.app), '<a class="button" href="/first">Set up the table</a>'
    assert leads in guest.get("/").text
    assert table.first.finish_setup() is None
    assert leads not in guest.get("/").text


def test_a_table_that_nobody_wired_has_nothing_to_set_up(fresh):
    table = fresh()
    app = create_app(AppContext(table.real.table, host=table.host))
    guest = HostsBrowser(app).signs_in()
    assert {guest.get(page).status_code for page in ("/first", "/first/enter")} == {404}
    assert "/first" not in guest.get("/host").text + guest.get("/table").text
    refused = guest.calls("first/next", step="box")
    assert refused.json["title"] == "There is nothing to set up at this table."


def test_a_second_tap_on_next_does_not_leave_the_next_step_too(fresh):
    ana = host(fresh())
    ana.does("next", step="language")
    assert "Step 2 of 9" in ana.does("next", step="language")


def test_two_hosts_who_go_on_in_the_same_moment_go_on_by_one_step(fresh):
    table, meet = fresh(), Barrier(2, timeout=20)
    hosts, digits = [HostsBrowser(table.app) for _ in range(2)], table.host.pin.renew_pin()
    assert [each.types(digits).status_code for each in hosts] == [204, 204]
    free = table.host.run_on_loop
    table.host.run_on_loop = lambda act: (meet.wait(), free(act))[1]  # Nobody is ever a call ahead.
    with ThreadPoolExecutor() as both:
        taps = [both.submit(each.calls, "first/next", step="language") for each in hosts]
        assert {tap.result().status_code for tap in taps} == {204}
    table.host.run_on_loop = free
    assert table.first.view().step == "box"


def test_a_copy_that_comes_before_the_answer_is_not_done_a_second_time(fresh):
    table, meet = fresh(), Barrier(2)
    ana, free = host(table), table.host.run_on_loop
    room: AppContext = table.app.extensions[CONTEXT_KEY]
    room.idempotency = IdempotencyCache(copy_timeout=60)
    ana.at("banks")

    def held_up(act):
        with suppress(BrokenBarrierError):  # Until the other copy is as far, if it gets there.
            meet.wait(0.5)
        return free(act)

    table.host.run_on_loop = held_up
    skip = partial(ana.calls, "first/act", key="6f2c1a", step="banks", act="skip")
    with ThreadPoolExecutor() as both:
        taps = [both.submit(skip) for _ in range(2)]
        assert {tap.result().status_code for tap in taps} == {204}
    table.host.run_on_loop = free
    assert [how for _, how in table.first.view().found].count("skipped") == 1


def test_an_action_for_a_step_already_left_is_not_applied_to_the_next(fresh):
    table = fresh()
    ana = host(table)
    ana.at("buttons")
    ana.does("act", step="banks", act="skip")
    assert table.first.view().found[0] == (1, "open")


def test_a_wiring_without_readers_spares_what_it_has_nothing_for(fresh):
    ana = host(fresh())
    ana.at("wiring")
    ana.does("wiring", profile="phones-only")
    page = ana.get("/first").text
    assert words(page).count("not needed") == 5
    assert "You tap everything on the phones." in page
    assert "The table is ready." in ana.does("next", step="wiring")


def test_a_mistake_is_said_and_the_right_card_found(fresh):
    table = fresh()
    ana = host(table)
    ana.at("banks")
    ana.does("hand", what="wrong")
    table.wait()
    assert "Take everything off the places." in words(ana.get("/first").text)
    for _ in range(2):
        ana.does("hand", what="asked")
        table.wait()
    assert "Found: place 1." in words(ana.get("/first").text)
    assert "1 of 8" in words(ana.get("/first").text)


def test_what_the_profile_says_of_a_place_counts_where_nothing_else_was_chosen(fresh):
    table = fresh()
    ana = host(table)
    ana.at("banks")
    ana.does("mode", beside=8)
    ana.does("mode", under=1)
    ana.does("mode", beside=1)
    ana.at("buttons")
    written = (table.real.folder / "wiring.toml").read_text("utf-8")
    assert 'learnt_from = "eight-readers"' in written
    base = load_profile("eight-readers")
    assert load_wiring(table.real.folder, None).modes == {1: "tap", 8: "tap", **base.modes}


def test_the_card_that_is_asked_for_is_drawn(fresh):
    table = fresh()
    ana = host(table)
    ana.does("box", game="banque_fatale")
    ana.at("stickers")
    assert '<span class="half red">' in ana.get("/first").text
    ana.does("hand", what="asked")
    table.wait()
    assert '<span class="half yellow">' in ana.get("/first").text
    ana.does("act", step="stickers", act="undo")
    assert '<span class="half red">' in ana.get("/first").text


def test_the_slot_that_is_drawn_is_the_one_that_the_deck_notes(fresh):
    table = fresh()
    ana = host(table)
    ana.does("box", game="banque_fatale")
    ana.at("stickers")
    drawn = []
    for _ in range(3):
        page = ana.get("/first").text
        assert page.count('<i class="slot">') == 3
        drawn += re.findall(r"slot (\d) of the jig", words(page))
        ana.does("hand", what="asked")
        table.wait()
    box = make_rulebook("banque_fatale").box
    deck = load_deck(deck_path(box.game, table.real.folder), box)
    assert [str(slot) for slot in deck.slots.values()] == drawn


def test_setup_is_refused_during_a_game(fresh):
    table = fresh()
    ana = host(table)
    assert table.host.begin_game(TWO) is None
    assert "the table is set up between two games" in ana.get("/first").text
    assert "A game is under way." in ana.does("next", step="language")
    assert 'href="/first"' not in ana.get("/host").text
    table.real.table.request(Ended(), HOST_AUTHOR)
    assert "Step 1 of 9" in words(ana.get("/first").text)


def test_the_table_screen_says_where_until_it_is_done(fresh):
    table = fresh()
    ana, guest = host(table), Visitor(table.app)
    assert "192.168.4.20:8000/first" in guest.get("/table").text
    assert "This table has not been set up yet" in ana.get("/host").text
    ana.does("finish")
    assert "/first" not in guest.get("/table").text
    assert 'href="/first"' in ana.get("/host").text
    assert "not been set up yet" not in ana.get("/host").text


def test_setup_resumes_after_a_restart(fresh):
    table = fresh()
    ana = host(table)
    for step in STEPS[:3]:
        ana.does("next", step=step)
    ana.does("hand", what="asked")
    table.wait()
    again = host(fresh())
    assert "Step 4 of 9" in words(again.get("/first").text)
    assert "1 of 8" in words(again.get("/first").text)


@pytest.mark.parametrize("game", [*game_names(), "a box from outside"])
@pytest.mark.parametrize("profile", ["eight-readers", "five-readers", "phones-only"])
def test_no_reader_is_drawn_upon_another(game, profile):
    places = list(load_profile(profile).readers)
    plan = find_game(game).screens.readers if game in game_names() else PLACES_IN_A_RING
    spots = plan_readers(plan, places)
    assert [spot.place for spot in spots] == places
    size = {True: (36, 50), False: (27, 38)}
    for one in spots:
        for other in spots[spots.index(one) + 1 :]:
            wide, high = (
                (a + b) / 2 for a, b in zip(size[one.played], size[other.played], strict=True)
            )
            assert abs(one.x - other.x) >= wide or abs(one.y - other.y) >= high, (one, other)


INVITES = "Scan this with your phone to set the table up"


def test_the_screen_of_a_new_table_lets_one_phone_in_and_no_other_screen_does(fresh):
    table = fresh()
    here, elsewhere = Visitor(table.app), Visitor(table.app)
    assert INVITES in here.get("/table").text
    assert INVITES not in elsewhere.get("/table", environ_overrides=FAR_AWAY).text
    proxied = elsewhere.get("/table", headers={"X-Forwarded-For": "192.168.1.77"})
    assert INVITES not in proxied.text
    token = table.host.host_pass.shown_pass().token
    assert token not in here.get("/table").text, "it is in the code alone"
    owner = HostsBrowser(table.app)
    answer = owner.post("/api/host/pass", token=token)
    assert answer.status_code == 204
    assert "Which language does this table speak?" in owner.get("/first").text
    assert INVITES not in here.get("/table").text, "a second phone would be another host"
    thief = HostsBrowser(table.app)
    assert "no longer counts" in thief.post(
        "/api/host/pass", token=token
    ).text  # fmt: skip


def test_where_a_host_is_signed_in_by_the_pin_the_code_of_a_new_table_is_gone(fresh):
    table = fresh()
    Visitor(table.app).get("/table")
    token = table.host.host_pass.shown_pass().token
    HostsBrowser(table.app).signs_in()
    assert not table.host.host_pass.use_token(token)
    assert INVITES not in Visitor(table.app).get("/table").text


def test_a_table_at_which_was_played_or_that_is_set_up_is_not_new(fresh):
    table = fresh()
    assert INVITES in Visitor(table.app).get("/table").text
    token = table.host.host_pass.shown_pass().token
    assert table.host.begin_game(TWO) is None
    table.real.table.request(Ended(), HOST_AUTHOR)
    guest = HostsBrowser(table.app)
    late = guest.post("/api/host/pass", token=token)
    assert "no longer counts" in late.text, "also where no screen was drawn meanwhile"
    assert INVITES not in Visitor(table.app).get("/table").text
    other = fresh("other")
    assert INVITES in Visitor(other.app).get("/table").text
    assert other.first.finish_setup() is None
    assert INVITES not in Visitor(other.app).get("/table").text


def test_the_last_step_takes_a_pin_of_ones_own_and_leaves_one_signed_in(fresh):
    table = fresh()
    ana, ben = host(table), HostsBrowser(table.app).signs_in()
    ana = host(table)
    ana.at("done")
    page = ana.get("/first").text
    for field in ("chosen-pin", "place-name"):
        assert f'id="{field}"' in page
    assert page.count("<details id=") == page.count(" open>"), "before it is set up they are open"
    wrong = ana.calls("first/pin", pin="111111")
    assert "among the first that people try" in wrong.text
    assert ana.calls("first/pin", pin="271828").status_code == 204
    assert "You have chosen the PIN of the host." in ana.get("/first").text
    assert "271828" not in ana.get("/first").text
    assert ben.get("/first").location == "/first/enter"
    assert HostsBrowser(table.app).types("271828").status_code == 204
    assert table.first.finish_setup() is None
    again = ana.get("/first").text
    assert '<details id="own-pin">' in again
