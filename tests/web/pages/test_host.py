"""The host signs in and decides about the whole table, in a browser."""

import html
import json
import re
from collections.abc import Callable

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.core.commitment import make_seal
from companion.core.events import Entered, Event, Opened, Sealed
from companion.core.i18n import LANGUAGES, get_language
from companion.games.bankueberfall.state import BankChosen, TileTurned
from companion.host.pin_guesses import FREE
from companion.seating.seats import Seats
from companion.table.permissions import Author
from tests.worlds.host_browser import HostsBrowser
from tests.worlds.simulated_hands import does
from tests.worlds.stream_text import full_state
from tests.worlds.tapping import Taps
from tests.worlds.visitor import NONCE, Visitor
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.screens import Screen


@pytest.fixture
def app(evening: Simulation, seats: Seats) -> Flask:
    return create_app(AppContext(evening.host.table, seats, evening.controls, host=evening.host))


@pytest.fixture
def come(app: Flask) -> Callable[..., HostsBrowser]:
    """A browser that is not signed in."""
    return lambda **how: HostsBrowser(app, **how)


@pytest.fixture
def host(come: Callable[..., HostsBrowser]) -> HostsBrowser:
    """A browser that is."""
    return come().signs_in()


# Who is the host.


def test_the_host_page_shows_only_the_pin_field_before_sign_in(come):
    page = come().reads("/host")
    assert "PIN, six digits" in page
    assert "Ana" not in page


def test_the_pin_opens_the_page_of_the_host(host):
    assert "Ana: turn over a tile." in host.reads("/host")
    assert "Downloads" in host.reads("/host")


def test_a_wrong_pin_is_said_at_the_form_and_later_has_to_wait(come, evening):
    evening.host.pin.ensure_pin()
    stranger = come()
    for _ in range(FREE):
        answer = stranger.types("no pin")
        assert (answer.status_code, "That is not the PIN of this table." in answer.text) == (409, 1)
    assert "Too many wrong PINs. Seconds to wait: 1." in stranger.types("no pin").text


@pytest.mark.parametrize("what", ["reset", "games", "requests", "pin", "seats/1/free"])
def test_host_actions_are_refused_without_sign_in(come, evening, what):
    before = evening.host.table.version
    answer = come(scripts=True).calls(what)
    assert (answer.status_code, answer.json["code"]) == (401, "not_host")
    assert evening.host.table.version == before


@pytest.mark.parametrize("what", ["health", "record"])
def test_host_pages_show_nothing_without_sign_in(come, what):
    assert come().get(f"/api/host/{what}").status_code == 401


def test_sign_out_invalidates_copies_of_the_cookie(host, come):
    copy = host.client.get_cookie("companion").value
    assert host.taps("session/end").location == "/host"
    assert "PIN, six digits" in host.reads("/host")
    thief = come()
    thief.client.set_cookie("companion", copy)
    assert "PIN, six digits" in thief.reads("/host")


def test_a_new_pin_is_shown_once_and_signs_the_others_out(host, come, evening):
    other = come()
    other.client.set_cookie("companion", host.client.get_cookie("companion").value)
    second = come().signs_in()
    digits = second.calls("pin").json["pin"]
    assert isinstance(evening.host.pin.check_pin(digits, 0.0), str)
    assert digits not in second.get("/host").text
    assert "Seats" in second.reads("/host")
    assert "PIN, six digits" in other.reads("/host")


def test_without_scripts_the_new_pin_is_a_page_of_its_own(host, evening):
    page = host.taps("pin").text
    assert "shown only this once" in page
    assert "Seats" in host.reads("/host")


def test_everyone_signs_out_and_the_pin_stays_as_it_is(come, evening):
    digits = evening.host.pin.renew_pin()
    phone, tablet = come(), come()
    for browser in (phone, tablet):
        browser.types(digits)
    phone.taps("session/end-all")
    assert "PIN, six digits" in tablet.reads("/host")
    phone.types(digits)
    assert "Seats" in phone.reads("/host")


def test_a_host_who_comes_after_a_restart_is_known_again(host, evening, seats):
    identity = host.app.extensions[CONTEXT_KEY].identity
    app = create_app(
        AppContext(
            evening.host.table, seats, evening.controls, host=evening.host, identity=identity
        )
    )
    again = HostsBrowser(app)
    again.client.set_cookie("companion", host.client.get_cookie("companion").value)
    assert "Seats" in again.reads("/host")


def test_the_stream_of_a_host_who_signed_out_tells_nothing_more(host, app):
    here = app.extensions[CONTEXT_KEY]
    browser = next(iter(here.host.pin.identity.state.host_sessions))
    screen = Screen("host", 0, "en", browser)
    assert "Ana" in full_state(app, here, screen)
    host.taps("session/end")
    assert "Ana" not in full_state(app, here, screen)
    assert "You are signed out here." in full_state(app, here, screen)


def test_a_table_without_a_house_has_no_host(evening):
    visitor = Visitor(create_app(AppContext(evening.host.table)))
    assert visitor.get("/host").status_code == 404
    assert visitor.get("/api/host/health").status_code == 401


# The game.


def test_the_host_pauses_the_game_and_has_it_go_on(host, visit, evening):
    assert host.decides("paused").location == "/host"
    assert "The host has paused the game" in visit(1).reads("/phone")
    host.decides("thawed")
    assert "The host has paused the game" not in visit(1).reads("/phone")


def test_the_host_chooses_how_fast_bots_play(host, evening, visit):
    assert 'value="human" class="main"' in host.get("/host").text
    assert host.taps("bots", pace="slow").status_code == 303
    assert evening.bots.pace == "slow"
    assert 'value="slow" class="main"' in host.get("/host").text
    visit(1).post("/api/host/bots", page="host", pace="fast")
    assert evening.bots.pace == "slow"


def test_a_moment_is_undone_in_the_name_of_the_table(host, evening):
    does(evening, 1, do="tile_turned")
    host.decides("undone", choice=json.dumps({"target": evening.host.table.version}))
    assert evening.host.table.history.struck
    assert "struck out:" in host.reads("/host")


def test_a_game_that_goes_on_has_no_record_and_no_new_game(host):
    answer = host.get("/api/host/record")
    assert (answer.status_code, answer.json["code"]) == (409, "under_way")
    assert host.get("/host/new/bankueberfall").location == "/host"
    assert "Begin this game" not in host.reads("/host")


def test_a_game_is_ended_and_its_record_carried_away_under_a_name_that_names_nobody(host, evening):
    host.decides("ended")
    answer = host.get("/api/host/record")
    name = answer.headers["Content-Disposition"]
    assert name == f'attachment; filename="bankueberfall-{evening.host.table.state.id}.jsonl"'
    assert [json.loads(line) for line in answer.data.splitlines()][-1]["event"]["event"] == "ended"


@pytest.mark.parametrize("game", ["banque_fatale", "robby_solo", "bankueberfall"])
def test_a_new_game_begins_in_whichever_box(host, evening, game):
    host.decides("ended")
    assert "Who plays" in host.reads(f"/host/new/{game}")
    answer = host.wishes("Zoë", "Yan", "", "Xi", game=game, first="4")
    assert (answer.status_code, answer.location) == (303, "/host")
    assert evening.host.table.rules.box.game == game
    assert [player.name for player in evening.host.table.state.players] == ["Zoë", "Yan", "Xi"]
    assert evening.host.table.history.moments[0].event.first == 3


def test_house_rules_are_asked_in_words_and_kept(host, evening):
    host.decides("ended")
    page = host.reads("/host/new/banque_fatale")
    assert "How far does a colour fall that no one played?" in page
    fields = {"house_rules.unplayed": "minus_two", "game": "banque_fatale"}
    host.wishes("Ana", "Ben", "Cleo", **fields)
    assert evening.host.table.history.moments[0].event.house_rules["unplayed"] == "minus_two"


def test_robby_junior_plays_along_if_he_is_asked(host, evening):
    host.decides("ended")
    assert "Robby Junior plays along" in host.reads("/host/new/robby_solo")
    host.wishes("Ana", "Ben", "Cleo", game="robby_solo", junior="true")
    assert evening.host.table.state.junior is not None


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (["Ana"], "Banküberfall is for 2 to 5 players, not 1."),
        (["Ana", "ana"], "Two players have the same name."),
        (["Ana", "B" * 25], "is not a name of 1 to 24 characters."),
    ],
)
def test_a_wish_that_cannot_be_granted_is_said_at_its_field_and_nothing_is_lost(
    host, players, sentence
):
    host.decides("ended")
    fields = {"house_rules.shortfall": "stop"}
    answer = host.wishes(*players, **fields)
    assert answer.status_code == 409
    at_players = answer.text.split('data-refusal="players"')[1].split("</p>")[0]
    assert sentence in at_players
    assert all(f'value="{name}"' in answer.text for name in players)
    assert 'name="house_rules.shortfall" value="stop" checked' in answer.text


def test_a_program_that_wishes_is_told_the_field(host):
    host.decides("ended")
    answer = host.calls("games", game="chess", players=["Ana", "Ben"])
    assert (answer.status_code, answer.json["code"]) == (409, "no_such_box")
    answer = host.calls("games", game="bankueberfall", players=["Ana", "Ben"], first=7)
    assert (answer.status_code, answer.json["field"]) == (409, "first")


def test_the_lot_may_decide_who_begins_and_the_log_says_so(host, evening):
    host.decides("ended")
    assert 'name="first" data-number value="0"' in host.get("/host/new/bankueberfall").text
    answer = host.calls("games", game="bankueberfall", players=["Ana", "Ben", "Cleo"], first=0)
    assert answer.status_code == 204
    first = evening.host.table.state.players[evening.host.table.state.active - 1].name
    (begins, *_) = evening.host.table.view().table.log
    assert get_language("en")(begins.say) == f"The game begins. By lot, {first} goes first."


def test_everyone_says_behind_which_bank_they_sit(host, evening):
    host.decides("ended")
    page = host.get("/host/new/bankueberfall").text
    assert page.count('<select name="front[]"') == 5
    wish = {"game": "bankueberfall", "players": ["Ana", "", "Ben"]}
    answer = host.calls("games", **wish, front=[3, 1, 3])
    assert (answer.status_code, answer.json["field"]) == (409, "front")
    assert host.calls("games", **wish, front=[2, 3, 5]).status_code == 204
    assert [seat.bank for seat in evening.host.table.view().public.seats] == [2, 5]


def test_the_banks_of_the_row_are_chosen_where_some_stay_in_the_box(host, evening):
    host.decides("ended")
    assert 'name="banks[]" value="khaki"' in host.get("/host/new/robby_solo").text
    assert "banks[]" not in host.get("/host/new/bankueberfall").text
    wish = {"game": "robby_solo", "players": ["Ana", "Ben", "Cleo"]}
    answer = host.calls("games", **wish, banks=["red", "blue"])
    assert (answer.status_code, answer.json["field"]) == (409, "banks")
    row = ["khaki", "grey", "red", "blue"]
    assert host.calls("games", **wish, banks=row).status_code == 204
    assert [bank.name for bank in evening.host.table.view().public.banks] == row


# Hands that do not open.


def to_the_hands(visit: Callable[..., Visitor], evening: Simulation) -> None:
    """All three close a hand, and only Ana opens hers."""
    ana, ben, cleo = visit(1), visit(2), visit(3)
    game = evening.host.table.state.id
    for phone, seat in ((ana, 1), (ben, 2), (cleo, 3)):
        phone.closes(seat, seat, game)


def test_a_value_is_entered_only_while_hands_are_to_open(host, evening):
    assert "Enter, unproven" not in host.reads("/host")
    answer = host.taps("hands/1", value="3", version=host.version(), form="hand 1")
    assert answer.status_code == 409


def test_the_host_enters_a_lost_hand_which_is_marked_as_unproven(come, evening):
    house, bots = evening.host, evening.bots
    bots.persons_seat = 0
    while house.table.view().public.phase != "seal":
        assert bots.play_one()
    while house.table.view().public.phase == "seal":
        assert bots.play_one()
    host = come().signs_in()
    assert "Enter, unproven" in host.reads("/host")
    for seat in house.table.view().public.waiting:
        answer = host.taps(f"hands/{seat}", value="1", version=host.version(), form=f"hand {seat}")
        assert answer.location == "/host"
    while house.table.view().public.phase == "turn_up":
        assert bots.play_one()  # The cards of the robbed bank are shown to its reader.
    assert "Entered by the table, without proof: Ana" in host.reads("/table")


def test_a_value_that_is_no_number_is_refused_in_words(host):
    answer = host.calls("hands/1", value={"red": "many"}, version=1)
    assert (answer.status_code, answer.json["field"]) == (400, "value")


# Seats.


def test_a_seat_is_freed_and_its_phone_comes_to_the_first_page(host, visit):
    ana = visit(1)
    assert host.taps("seats/1/free").location == "/host"
    assert ana.get("/phone").location == "/phone/elsewhere"


def test_the_host_takes_over_a_seat_and_plays_from_it(host, visit):
    ana = visit(1)
    host.taps("seats/1/take")
    assert "Your turn. Turn over a tile." in host.reads("/phone/1")
    assert ana.get("/phone").location == "/phone/elsewhere"


def test_two_seats_change_hands(host, visit, seats):
    visit(1), visit(2)
    ana, ben = seats.holder_of(1), seats.holder_of(2)
    host.taps("seats/1/move", to="2")
    assert (seats.holder_of(1), seats.holder_of(2)) == (ben, ana)
    host.taps("seats/2/move", to="3")
    assert (seats.holder_of(2), seats.holder_of(3)) == (None, ana)


def test_a_player_cannot_be_moved_to_an_unplayed_seat(host, visit):
    visit(1)
    answer = host.taps("seats/1/move", to="6", form="move seat 1")
    assert answer.status_code == 409
    assert "No one plays at seat 6." in answer.text


# The next group.


def test_for_the_next_group_names_and_seats_are_wiped_and_the_box_is_checked(host, visit, evening):
    ana = visit(1)
    answer = host.taps("reset")
    assert (answer.status_code, answer.location) == (303, "/host")
    page = host.reads("/host")
    assert "Ana" not in page
    assert "The table is free." in page
    assert "Is the box complete?" in page
    assert ana.get("/phone").location == "/phone/elsewhere"
    assert "Ana" not in visit().reads("/table")


def test_the_check_ends_when_it_was_enough(host):
    host.taps("reset")
    host.taps("check/end")
    assert "Stop checking" not in host.reads("/host")
    host.taps("check")
    assert "Stop checking" in host.reads("/host")


# What is told.


def test_how_the_table_is_stands_there_in_one_glance(host):
    page = host.reads("/host")
    assert "Health well" in page
    assert "Readers : well" in page


def test_the_report_counts_no_lines_of_the_journal(host):
    told = host.get("/api/host/health").json
    assert "lines" not in json.dumps(told)
    assert told["journal_mib"] >= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_there_in_every_language(host, language):
    host.post("/api/join/language", page="host", form="language", language=language)
    for page in ("/host", "/host/new/banque_fatale"):
        if page != "/host":
            host.decides("ended")
        assert f'<html lang="{language}">' in host.get(page).text


def test_the_table_screen_speaks_the_language_that_the_host_chose(host, come):
    host.taps("language", language="fr", form="language")
    assert '<html lang="fr">' in come().get("/table").text
    assert host.calls("language", language="tlh").json["field"] == "language"


# Guests.


def test_the_host_gives_a_seat_to_a_waiting_player(host, visit, seats):
    guest = visit()
    guest.get("/")
    guest.post("/api/join/guests", page="join", form="guests", name="Gül")
    assert "Gül" in host.reads("/host")
    (waiting,) = seats.waiting_guests()
    assert host.taps("seats/2/give", guest=waiting.number).status_code == 303
    assert "Ana: turn over a tile." in guest.reads("/phone/2")
    assert host.taps("seats/2/give", guest=waiting.number).status_code == 409


def test_the_host_sends_a_waiting_player_away(host, visit, seats):
    guest = visit()
    guest.get("/")
    guest.post("/api/join/guests", page="join", form="guests", name="Gül")
    host.taps(f"guests/{seats.waiting_guests()[0].number}/dismiss")
    assert seats.waiting_guests() == ()


def test_those_who_came_to_a_free_table_play_from_where_they_sit(host, visit, seats, evening):
    host.taps("reset")
    first, second = visit(), visit()
    for phone, name, seat in ((first, "Gül", 1), (second, "Hal", 3)):
        phone.get("/")
        phone.post("/api/join/guests", page="join", form="guests", name=name)
        host.taps(f"seats/{seat}/give", guest=seats.waiting_guests()[0].number)
    form = host.get("/host/new/bankueberfall").text
    assert form.index('value="Gül"') < form.index('value="Hal"')
    host.wishes("Gül", "", "Hal", first="3")
    assert [player.name for player in evening.host.table.state.players] == ["Gül", "Hal"]
    assert "Your turn. Turn over a tile." in second.reads("/phone/2")


def test_a_moment_is_corrected_in_the_name_of_the_table(host, evening, come):
    assert come().get("/host/correct/1").location == "/host/enter"
    does(evening, 1, do="tile_turned")
    at = evening.host.table.version
    page = host.get(f"/host/correct/{at}").text
    assert 'action="/api/host/requests"' in page
    choice = html.unescape(re.findall(r'name="choice" value="([^"]*)"', page)[0])
    assert host.decides("corrected", choice=choice, reason="").location == "/host"
    assert evening.host.table.history.replacements


def test_the_host_puts_a_bid_right_in_four_taps(host, evening):
    table = evening.host.table

    def do(seat: int, *events: Event) -> None:
        for event in events:
            assert table.request(event, Author(seat, f"phone {seat}")) is None

    do(1, TileTurned(1, "rob"), BankChosen(1, 3))
    game = table.state.id
    for seat, bid in enumerate((3, 2, 1), 1):
        do(seat, Sealed(seat, make_seal(game, 1, seat, bid, NONCE)))
    for seat, bid in enumerate((3, 2, 1), 1):
        do(seat, Opened(seat, bid, NONCE))
    taps = Taps(host, "/host")
    at = next(m.at for m in table.history.moments if isinstance(m.event, Opened))
    taps.n += 1  # The log is opened.
    taps.follow(f"Correct moment {at}").step("instead.value", 1)
    assert taps.press("Correct it").location == "/host"
    assert table.history.replacements[at] == Entered(1, 4)
    assert "The last change" in taps.text
    assert taps.n == 4
