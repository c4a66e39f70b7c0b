"""The demo loop in real browsers: there, out of it by a press and a tap, and back."""

import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from companion.core.sensor_events import ButtonPressed
from companion.host.demo import IDLE, DemoEvening, iter_scenes, load_demo
from companion.table.telling import telling_seconds
from tests.browser.conftest import SCREEN, Playing
from tests.browser.test_table_screen import nothing_spills
from tests.worlds.axe import violations
from tests.worlds.served import ServedDemo as Open

SQUARE = """() => {
  const code = document.querySelector(".way .qr");
  return code.getBoundingClientRect().width / code.viewBox.baseVal.width;
}"""
"""How wide a square of the code is."""
X_HEIGHTS = """(found) => [...document.querySelectorAll(found)].map((e) => {
  const { fontFamily, fontSize, fontWeight } = getComputedStyle(e);
  const probe = document.createElement("i");
  const font = { fontFamily, fontSize, fontWeight };
  Object.assign(probe.style, { position: "absolute", height: "1ex", ...font });
  document.body.append(probe);
  const { height } = probe.getBoundingClientRect();
  probe.remove();
  return height * (e.ownerSVGElement?.getScreenCTM().a ?? 1);
})"""
"""How high the small letters of these are, on a screen of 1080 lines."""
CODE = "http://192.168.178.20:8000/"


DEMO = load_demo()


def fullest(evening: DemoEvening) -> list[int]:
    """The moment with the longest story while there is a board, and the last one."""
    shown = [one.view for one in iter_scenes(*evening)]
    told = max(
        (view for view in shown if view.public.verdict and view.public.score is None),
        key=lambda view: len(view.public.verdict.steps),
    )
    return [told.at, shown[-1].at]


@pytest.fixture
def served_demo_table(put_up: Callable[..., Open]) -> Open:
    quiet = put_up(Open, address=CODE)
    quiet.turn()
    return quiet


def test_from_the_loop_by_a_press_and_a_tap_to_a_game_and_back(
    served_demo_table: Open, open_browser: Callable[..., BrowserContext]
) -> None:
    screen = open_browser(SCREEN, reduced_motion="no-preference").new_page()
    screen.goto(served_demo_table.url + "/table")
    ribbon = screen.get_by_role("button", name="Demo: press any button or scan the code")
    expect(ribbon).to_be_visible()
    assert screen.evaluate(SQUARE) >= 12, "6 mm on 43 inches: read from three metres"
    served_demo_table.until(lambda scene: scene.before is not None)
    expect(screen.locator("#stage .picture")).to_be_visible()

    served_demo_table.evening.host.filter_evidence([ButtonPressed(1.0, 1)])
    assert served_demo_table.turn() is None
    expect(screen.get_by_text("No game has been started yet.")).to_be_visible()
    expect(screen.locator(".brand")).to_have_text("Table companion")

    phone = open_browser(has_touch=True).new_page()
    phone.goto(served_demo_table.url)
    phone.get_by_role("button", name="Banküberfall").tap()
    phone.wait_for_url("**/play/1")
    expect(screen.locator(".player")).to_have_count(3)
    served_demo_table.turn()
    served_demo_table.evening.bots.play_one()

    assert served_demo_table.turn(IDLE) is not None
    expect(ribbon).to_be_visible()
    expect(screen.locator(".brand")).to_have_text(load_demo()[1].record.header.title)
    phone.wait_for_url(served_demo_table.url + "/")
    assert served_demo_table.turn() is not None, (
        "the phone that was left on the table keeps nobody there"
    )


def test_one_tap_leads_from_the_demo_into_a_game_of_what_it_shows(
    served_demo_table: Open, open_browser: Callable[..., BrowserContext]
) -> None:
    screen = open_browser(SCREEN, has_touch=True).new_page()
    screen.goto(served_demo_table.url + "/table")
    screen.get_by_role("button", name="Play it here now").tap()
    screen.wait_for_url("**/play/1")
    assert served_demo_table.turn() is None
    assert served_demo_table.room.game == load_demo()[0].record.header.game
    expect(screen.get_by_text("Ana").first).to_be_visible()


@pytest.mark.wide
@pytest.mark.parametrize("way", ["tap", "key"])
def test_a_tap_anywhere_on_the_screen_or_a_key_leads_out_of_it(
    served_demo_table: Open, open_browser: Callable[..., BrowserContext], way: str
) -> None:
    screen = open_browser(SCREEN, has_touch=True).new_page()
    screen.goto(served_demo_table.url + "/table")
    with screen.expect_response("**/api/demo/touched"):
        if way == "tap":
            screen.touchscreen.tap(500, 700)
        else:
            screen.locator(".band").press("Enter")
    assert served_demo_table.turn() is None
    expect(screen.get_by_role("button", name="Robby Solo")).to_be_visible()


@pytest.mark.wide
def test_the_screen_of_a_kiosk_comes_home_to_the_table(
    served_demo_table: Open, open_browser: Callable[..., BrowserContext]
) -> None:
    context = open_browser(SCREEN, has_touch=True)
    context.clock.install()
    screen = context.new_page()
    screen.goto(served_demo_table.url + "/table?kiosk")
    served_demo_table.loop.note_visitor()
    served_demo_table.turn()
    screen.get_by_role("button", name="Banküberfall").tap()
    screen.wait_for_url("**/play/1")
    context.clock.run_for("04:00")
    screen.keyboard.press("Shift")
    context.clock.run_for("04:00")
    assert screen.url.endswith("/play/1"), "somebody may still play"
    context.clock.run_for("01:00")
    screen.wait_for_url("**/table")
    expect(screen.locator(".player")).to_have_count(3)


def test_what_must_be_read_is_read_from_three_metres(
    served_demo_table: Open, open_browser: Callable[..., BrowserContext]
) -> None:
    """Small letters are 22 pixels high at least.

    Each game has a page of its own: one that shows the game before would load itself anew just as
    it is sent to the next.
    """
    context = open_browser(SCREEN, bypass_csp=True)
    for game, shots in ((one.record.header.game, one.trailer.shots) for one in DEMO if one.trailer):
        which = game, next(shot.at for shot in shots if shot.shows)
        scene = served_demo_table.until(lambda it, one=which: (it.game, it.view.at) == one)  # type: ignore[misc]
        served_demo_table.turn(telling_seconds(len(scene.view.public.verdict.steps)))
        screen = context.new_page()
        screen.goto(served_demo_table.url + "/table")
        expect(screen.locator("#stage .picture")).to_be_visible()
        large = screen.evaluate(X_HEIGHTS, ".band, .way .now, .headline:not(.long)")
        assert min(large) >= 22, (game, large)
        assert min(screen.evaluate(X_HEIGHTS, "#stage text")) >= 22, game
        screen.close()


@pytest.mark.wide
@pytest.mark.parametrize("evening", load_demo(), ids=lambda one: one.record.header.game)
def test_everything_has_its_place_beside_the_ribbon(
    served_demo_table: Open, open_browser: Callable[..., BrowserContext], evening: DemoEvening
) -> None:
    game = evening.record.header.game
    screen = open_browser(SCREEN, reduced_motion="reduce", bypass_csp=True).new_page()
    for at in fullest(evening):
        served_demo_table.until(lambda scene, at=at: (scene.game, scene.view.at) == (game, at))  # type: ignore[misc]
        screen.goto(served_demo_table.url + "/table")
        expect(screen.locator(".way .qr")).to_be_visible()
        nothing_spills(screen)
    assert violations(screen) == []


@pytest.mark.wide
def test_with_demo_the_table_is_laid_only_once_somebody_comes(
    play: Callable[..., Playing], open_browser: Callable[..., BrowserContext]
) -> None:
    playing = play("--demo")
    assert "The demo plays on the table screen" in playing.said
    screen = open_browser(SCREEN).new_page()
    screen.goto(playing.address + "/table")
    expect(screen.get_by_role("button", name="Demo: press any button")).to_be_visible()
    with urllib.request.urlopen(playing.address, timeout=30) as page:
        assert "Start a game with bots" in page.read().decode()
    expect(screen.get_by_text("No game has been started yet.")).to_be_visible()
    assert playing.stop() == 0
