"""The page of the floor: calls first, nothing green that is old, by day and night, for all."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from companion.floor.table_state import CalledStaff, TableState
from tests.browser.conftest import PHONE
from tests.worlds.mosquitto import until
from tests.worlds.served_floor import ServedFloor

replace = msgspec.structs.replace
PLAYING = TableState(
    name="Table 1", place="Window", game="Bank", phase="seal", players=3, waiting=(2,),
    address="http://127.0.0.1:9/",
)  # fmt: skip
SIZES = ((390, 664), (390, 844), (1920, 1080))
SCRIPT = re.compile(r"/floor\.mjs$")
"""That of the page."""
SMALL: Any = {"width": 360, "height": 640}
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}
"""A request that was passed on never counts as one from the machine of the floor."""


@pytest.fixture
def floor() -> Iterator[ServedFloor]:
    served = ServedFloor()
    for n in range(1, 13):
        served.tell(f"{n:012x}", replace(PLAYING, name=f"Table {n}"))
    yield served
    served.close()


def open_floor(floor: ServedFloor, browser: Browser, **how: object) -> Page:
    page = browser.new_context(**how).new_page()  # type: ignore[arg-type]
    page.goto(floor.address)
    expect(page.locator(".tile.playing")).to_have_count(12)
    return page


def call(floor: ServedFloor, n: int, number: int, seat: int = 2) -> None:
    called = CalledStaff(number, seat, 0)
    floor.tell(f"{n:012x}", replace(PLAYING, name=f"Table {n}", call=called))


def test_a_call_comes_first_is_said_and_is_answered(floor: ServedFloor, chromium: Browser) -> None:
    page = open_floor(floor, chromium)
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    call(floor, 9, 1)
    first = page.locator(".tile").first
    expect(first).to_contain_text("Table 9")
    expect(first).to_contain_text("Seat 2")
    expect(page.locator("#said")).to_have_text("Table 9: Staff, please")
    floor.takes_answers = False
    first.locator("[data-act=answer]").click()
    expect(page.locator("#refused")).to_contain_text("did not take the answer")
    floor.takes_answers = True
    first.locator("[data-act=answer]").click()
    until(lambda: floor.answered == [(f"{9:012x}", 1)] * 2, "the answer that was given again")
    expect(page.locator("#refused")).to_be_hidden()
    floor.tell(f"{9:012x}", replace(PLAYING, name="Table 9"))
    expect(page.locator(".tile").first).to_contain_text("Table 1")


@pytest.mark.wide
@pytest.mark.parametrize("file", ["js", "css"])
def test_a_file_of_the_floor_that_was_lost_is_loaded_again(
    floor: ServedFloor, chromium: Browser, file: str
) -> None:
    """Without its script nothing would ever be called old."""
    context, lost = chromium.new_context(), re.compile(rf"/floor[^/]*\.{file}(\?|$)")
    context.route(lost, lambda route: route.abort(), times=2)  # A browser asks once more by itself.
    page = context.new_page()
    page.goto(floor.address)
    call(floor, 9, 1)
    expect(page.locator(".tile").first).to_contain_text("Table 9")
    page.wait_for_function("() => getComputedStyle(document.body).marginTop === '0px'")
    expect(page.locator("#lost")).to_be_hidden()


@pytest.mark.wide
def test_what_is_tapped_before_the_scripts_have_come_is_sent_by_them(
    floor: ServedFloor, chromium: Browser
) -> None:
    context, held = chromium.new_context(), list[Route]()
    context.route(SCRIPT, lambda route: held.append(route))  # noqa: PLW0108
    page = context.new_page()
    page.goto(f"{floor.address}/table/{1:012x}", wait_until="commit")
    page.get_by_role("button", name="Pair with this table").click()
    expect(page.get_by_role("heading", name="Table 1")).to_be_visible()
    held[0].continue_()
    context.unroute_all()
    expect(page.locator(".qr svg")).to_be_visible()


@pytest.mark.wide
def test_an_answer_that_did_not_reach_the_floor_can_be_given_again(
    floor: ServedFloor, chromium: Browser
) -> None:
    page = open_floor(floor, chromium)
    call(floor, 9, 1)
    answer = page.locator(".tile").first.locator("[data-act=answer]")
    page.route("**/answer", lambda route: route.abort(), times=1)
    answer.click()
    expect(page.locator("#refused")).to_contain_text("The floor cannot be reached.")
    answer.click()
    until(lambda: floor.answered == [(f"{9:012x}", 1)], "the answer that was given again")
    expect(page.locator("#refused")).to_be_hidden()


def test_a_table_that_is_gone_is_not_green_and_is_forgotten(
    floor: ServedFloor, chromium: Browser
) -> None:
    page = open_floor(floor, chromium)
    floor.call(floor.tiles.note_online, f"{3:012x}", False)
    gone = page.locator(".tile.gone")
    expect(gone).to_contain_text("Table 3")
    gone.locator("[data-act=forget]").click()
    expect(page.locator(".tile")).to_have_count(11)


def test_when_the_stream_is_silent_nothing_stays_green(
    floor: ServedFloor, chromium: Browser
) -> None:
    page = chromium.new_context().new_page()
    page.clock.install()
    page.goto(floor.address)
    expect(page.locator(".tile.playing")).to_have_count(12)
    page.route("**/stream", lambda route: route.abort())
    page.clock.run_for(60_000)
    expect(page.locator(".tile.playing")).to_have_count(0)
    expect(page.locator(".tile.old")).to_have_count(12)


def sign_in(floor: ServedFloor, browser: Browser) -> Page:
    """Type the PIN on a phone, first a wrong one."""
    digits = floor.pin.renew_pin()
    phone = browser.new_context(extra_http_headers=ELSEWHERE, viewport=PHONE)  # type: ignore[arg-type]
    page = phone.new_page()
    page.goto(floor.address)
    page.get_by_label("PIN of the floor").fill("12345")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("That is not the PIN of the floor.")
    page.keyboard.type(digits)
    page.keyboard.press("Enter")
    expect(page.locator(".tile.playing")).to_have_count(12)
    return page


def test_a_phone_acts_after_a_restart_of_the_floor_and_without_wifi_for_a_moment(
    floor: ServedFloor, chromium: Browser
) -> None:
    page = sign_in(floor, chromium)
    call(floor, 9, 1)
    answer = page.get_by_role("button", name="Call answered: Table 9")
    expect(answer).to_be_visible()  # Without Wi-Fi the call itself would not come.
    page.context.set_offline(True)
    answer.click()
    expect(page.locator("#refused")).to_contain_text("The floor cannot be reached.")
    page.context.set_offline(False)
    answer.click()
    until(lambda: floor.answered == [(f"{9:012x}", 1)], "the answer that was tapped again")
    expect(page.locator("#refused")).to_be_hidden()
    floor.restart()
    for n in range(1, 13):
        floor.tell(f"{n:012x}", replace(PLAYING, name=f"Table {n}"))
    call(floor, 9, 2)
    expect(page.locator(".tile.call")).to_contain_text("Seat 2")
    answer.click()
    until(lambda: len(floor.answered) == 2, "the answer after the restart")
    page.goto(f"{floor.address}/table/{1:012x}")
    page.get_by_role("button", name="Pair with this table").click()
    expect(page.locator(".qr svg")).to_be_visible()


@pytest.mark.wide
@pytest.mark.parametrize("is_dark", [True, False])
def test_a_page_is_dark_before_anything_is_drawn(
    floor: ServedFloor, chromium: Browser, is_dark: bool
) -> None:
    """In the evening no page flashes white: it is so before its scripts have come."""
    page = open_floor(floor, chromium, color_scheme="light" if is_dark else "dark")
    page.get_by_role("button", name="Dark").click()
    page.route(SCRIPT, lambda _route: None)
    page.goto(f"{floor.address}/all", wait_until="commit")
    expect(page.locator("html")).to_have_attribute("data-dark", str(is_dark).lower())


@pytest.mark.wide
def test_a_new_pin_asks_every_phone_at_once(floor: ServedFloor, chromium: Browser) -> None:
    phone, counter = sign_in(floor, chromium), chromium.new_context().new_page()
    counter.goto(floor.address)
    counter.get_by_role("link", name="PIN for phones").click()
    counter.get_by_role("button", name="Make a new PIN").click()
    said = counter.get_by_role("status")
    expect(said).to_contain_text("It is shown only now")
    expect(counter.get_by_role("button", name="Make a new PIN")).to_have_count(0)
    (digits,) = re.findall(r"\b[0-9]{6}\b", said.inner_text())
    expect(phone.locator("#pin")).to_be_visible(timeout=30_000)
    phone.locator("#pin").fill(digits)
    phone.keyboard.press("Enter")
    expect(phone.locator(".tile.playing")).to_have_count(12)


@pytest.mark.wide
def test_what_an_act_came_to_is_said_at_its_button(floor: ServedFloor, chromium: Browser) -> None:
    floor.pair_table(f"{2:012x}", "Table 2")
    page = open_floor(floor, chromium, viewport=PHONE)
    page.goto(f"{floor.address}/table/{2:012x}")
    page.get_by_text("Switch off", exact=True).click()
    page.get_by_role("button", name="Switch off: yes, now").click()
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("The table did not answer")
    assert refused.evaluate("one => one.getBoundingClientRect().bottom <= innerHeight")
    page.goto(f"{floor.address}/table/{2:012x}?done")
    expect(page.get_by_role("status")).to_have_text("Done.")
    assert page.url.endswith(f"/table/{2:012x}"), "loaded again it says nothing"


@pytest.mark.wide
def test_sound_is_played_for_a_call_if_it_is_on(floor: ServedFloor, chromium: Browser) -> None:
    context = chromium.new_context()
    context.add_init_script("""
        const { start } = OscillatorNode.prototype;
        window.notes = [];
        OscillatorNode.prototype.start = function (...when) {
          notes.push(this.frequency.value);
          return start.apply(this, when);
        };
    """)
    page = context.new_page()
    page.goto(floor.address)
    sound = page.get_by_role("button", name="Sound")
    call(floor, 9, 1)
    expect(page.locator("#said")).to_have_text("Table 9: Staff, please")
    assert page.evaluate("notes") == []
    sound.click()
    expect(sound).to_have_text("Sound is on")
    assert page.evaluate("notes") == [660, 880], "it is heard how it sounds"
    call(floor, 10, 1)
    expect(page.locator("#said")).to_have_text("Table 10: Staff, please")
    assert page.evaluate("notes") == [660, 880] * 2
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "false")
    call(floor, 11, 1)
    expect(page.locator("#said")).to_have_text("Table 11: Staff, please")
    assert page.evaluate("notes") == [660, 880] * 2


def test_a_page_that_wakes_shows_nothing_green_before_the_stream_is_back(
    floor: ServedFloor, chromium: Browser
) -> None:
    """Its own clock may have stood still, so that six seconds are less than they were."""
    page = chromium.new_context().new_page()
    page.clock.install()
    page.goto(floor.address)
    expect(page.locator(".tile.playing")).to_have_count(12)
    wakes = [
        lambda: page.clock.fast_forward(6_000),
        lambda: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
        lambda: page.evaluate("document.dispatchEvent(new Event('resume'))"),
        lambda: page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', OLD))"),
        lambda: page.evaluate("dispatchEvent(new Event('online'))"),
    ]
    page.evaluate("window.OLD = { persisted: true }")
    for wake in wakes:
        page.route("**/stream", lambda route: route.abort())
        wake()
        assert page.locator(".tile.playing").count() == 0
        assert page.locator(".tile.old").count() == 12
        assert page.locator(".tile .heard").first.text_content() == "?"
        page.unroute("**/stream")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator(".tile.playing")).to_have_count(12)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.wide)])
def test_everyone_can_use_it_at_each_size(
    floor: ServedFloor, chromium: Browser, scheme: str
) -> None:
    page = open_floor(floor, chromium, color_scheme=scheme)
    call(floor, 9, 1)
    floor.call(floor.tiles.note_online, f"{3:012x}", False)
    expect(page.locator(".tile.call, .tile.gone")).to_have_count(2)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        too_low = "b => b.checkVisibility() && b.getBoundingClientRect().height < 44"
        shown = f"[...document.querySelectorAll('button')].filter({too_low})"
        assert page.evaluate(f"{shown}.length") == 0
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == []


@pytest.mark.wide
@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_acts_serve_everyone(
    floor: ServedFloor, chromium: Browser, language: str, scheme: Any
) -> None:
    page = chromium.new_context(locale=language, viewport=SMALL, color_scheme=scheme).new_page()
    page.goto(floor.address)
    page.locator(f'.tile a[href="/table/{1:012x}"]').click()
    page.locator("main form button").click()
    expect(page.locator(".qr svg")).to_be_visible()
    floor.pair_table(f"{2:012x}", "Table 2")
    floor.keep_backups(f"{2:012x}", ["2026-11-23", "2026-11-24"])
    floor.release.path.write_bytes(b"a release")
    paths = ["/pair", "/all", f"/table/{2:012x}", f"/table/{2:012x}?done", f"/table/{1:012x}"]
    for code, is_paired in (("A" * 16, True), ("B" * 16, False)):
        floor.end_pairing(code, is_paired)
        paths.append(f"/pair/{code}")
    serve_everyone(page, page.url)
    for path in paths:
        page.goto(floor.address + path)
        serve_everyone(page, path)
    page.goto(f"{floor.address}/all")
    expect(page.locator(".backups li")).to_have_count(2)
    expect(page.locator(".backups li").first).to_contain_text("2026-11-24")


@pytest.mark.wide
@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_the_pin_serve_everyone(
    floor: ServedFloor, chromium: Browser, language: str, scheme: Any
) -> None:
    how: Any = {"locale": language, "viewport": SMALL, "color_scheme": scheme}
    page = chromium.new_context(**how, extra_http_headers=ELSEWHERE).new_page()
    page.goto(floor.address)
    serve_everyone(page, "sign in")
    page.locator("#pin").fill("12")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    serve_everyone(page, "refused")
    page = chromium.new_context(**how).new_page()
    page.goto(f"{floor.address}/pin")
    serve_everyone(page, "pin")
    page.locator("main form button").click()
    expect(page.get_by_role("status")).to_be_visible()
    serve_everyone(page, "made")


def serve_everyone(page: Page, name: str) -> None:
    """See that all of a page fits at each size, and that axe finds nothing."""
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    for width, height in ((360, 640), *SIZES):
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), name
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == [], name


def test_staff_gives_the_floor_a_release(floor: ServedFloor, chromium: Browser) -> None:
    floor.pair_table(f"{2:012x}", "Table 2")
    page = open_floor(floor, chromium)
    page.goto(f"{floor.address}/all")
    page.get_by_text("Give this floor a release").click()
    file = {"name": "new.update", "mimeType": "application/octet-stream", "buffer": b"x" * 200_000}
    page.locator("#release").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Send it").click()
    page.get_by_role("button", name="Forget this release").click()
    expect(page.get_by_text("This floor has no release")).to_be_visible()
    assert not floor.release.is_there()
