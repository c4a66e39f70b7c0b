"""The table screen in a network of its own: two codes, one after the other, and room for all."""

import pytest
from playwright.sync_api import expect

from companion.host.demo import load_demo
from companion.hotspot.wifi import Wifi
from tests.browser.conftest import LANGUAGES, PHONE, SCREEN
from tests.browser.test_activity import all_at_once
from tests.browser.test_demo import fullest
from tests.browser.test_host import looks_right as host_looks_right
from tests.browser.test_host import sign_in, unfold
from tests.browser.test_page_behaviour import looks_right
from tests.browser.test_table_screen import LONG, nothing_spills
from tests.worlds.axe import violations
from tests.worlds.campaign import IS_WIDE
from tests.worlds.placed_machine import PlacedMachine
from tests.worlds.served import ServedDemo as Quiet
from tests.worlds.served import Workshop
from web.context import CONTEXT_KEY

ADDRESSES = ("http://10.71.0.1:8000/", "http://tabletop-companion.local:8000/")
WIFI = Wifi("Café zur goldenen Banknote, 3", "4071-9926-0383-5518")
WIDTH = "code => code.getBoundingClientRect().width / code.viewBox.baseVal.width"


def with_hotspot(room):
    room.machine = PlacedMachine(*ADDRESSES, wifi=WIFI)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_before_the_game_one_joins_the_wifi_and_then_opens_the_page(hall, open_browser, lang):
    at = hall(language=lang)
    with_hotspot(at.app.extensions[CONTEXT_KEY])
    screen = open_browser(SCREEN, bypass_csp=True).new_page()
    screen.goto(f"{at.address}/table")
    expect(screen.locator(".into .password")).to_have_text(WIFI.password)
    expect(screen.locator(".then .address")).to_have_text(ADDRESSES[0])
    assert all(code.evaluate(WIDTH) >= 9 for code in screen.locator(".qr").all()), "5 mm on 43 in"
    nothing_spills(screen)
    looks_right(screen)
    assert violations(screen) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_table_has_room_for_the_code_of_its_host_too(put_up, open_browser, lang):
    table = put_up(Workshop, language=lang)
    with_hotspot(table.app.extensions[CONTEXT_KEY])
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    expect(screen.locator("#first-code")).to_be_visible()
    expect(screen.locator(".tools-hint")).to_be_in_viewport(ratio=1)
    assert all(code.evaluate(WIDTH) >= 9 for code in screen.locator(".into .qr, .then .qr").all())
    nothing_spills(screen)
    looks_right(screen)


@pytest.mark.wide
@pytest.mark.parametrize("lang", LANGUAGES if IS_WIDE else ["de"])
def test_during_the_game_both_keep_to_their_corner(open_house, open_browser, lang):
    house, screen = open_house(language=lang), open_browser(SCREEN).new_page()
    with_hotspot(house.room)
    screen.goto(f"{house.address}/table")
    expect(screen.locator(".corner .qr")).to_have_count(2)
    nothing_spills(screen)
    all_at_once(house)
    screen.goto(f"{house.address}/table")
    nothing_spills(screen)
    looks_right(screen)


@pytest.mark.wide
@pytest.mark.parametrize(
    "evening", load_demo()[: 3 if IS_WIDE else 1], ids=lambda one: one.record.header.game
)
def test_over_the_demo_both_are_large(put_up, open_browser, evening):
    quiet, game = put_up(Quiet), evening.record.header.game
    with_hotspot(quiet.room)
    quiet.turn()
    screen = open_browser(SCREEN, reduced_motion="reduce", bypass_csp=True).new_page()
    for at in fullest(evening):
        quiet.until(lambda scene, at=at: (scene.game, scene.view.at) == (game, at))
        screen.goto(f"{quiet.url}/table")
        assert all(code.evaluate(WIDTH) >= 7 for code in screen.locator(".way .qr").all())
        nothing_spills(screen)
    expect(screen.get_by_role("button", name="scan both codes")).to_be_visible()
    assert violations(screen) == []


@pytest.mark.wide
def test_a_long_verdict_has_room_beside_both(company, open_browser):
    table = company("bankueberfall", language="de", players=[name[:20] for name in LONG[:5]])
    with_hotspot(table.room)
    table.until(lambda view: view.public.verdict is not None)
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{table.address}/table")
    expect(screen.locator(".corner .qr")).to_have_count(2)
    nothing_spills(screen)


@pytest.mark.wide
def test_the_host_unfolds_it_on_a_phone(company, open_browser):
    table = company("bankueberfall")
    with_hotspot(table.room)
    page = sign_in(open_browser(PHONE, bypass_csp=True), table)
    page.get_by_role("link", name="Wi-Fi").click()
    expect(page.locator("#wifi .qr")).to_be_hidden()
    unfold(page)
    expect(page.locator("#wifi .password")).to_have_text(WIFI.password)
    host_looks_right(page)
    assert violations(page) == []
