"""The table screen in a real browser: nothing scrolls, and a pay-out is told step by step."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games import find_game
from companion.table.telling import LONGEST, STANDS
from tests.browser.conftest import LANGUAGES, SCREEN, sit
from tests.browser.test_activity import all_at_once
from tests.browser.test_page_behaviour import looks_right
from tests.worlds.campaign import IS_WIDE
from tests.worlds.own_games import own_games
from tests.worlds.served import House
from web.rendering.templates import colour_marks, template_words

SCREENS = [(1920, 1080), (1366, 768), (1280, 720), (3840, 2160)]
LONG = (
    "Maximiliane Zwölfer", "Wilhelmina Großmutter", "Bartholomäus Wagner",
    "Konstantin-Alexander", "Emma-Luise Hoffmann", "Wolfgang Wimmermann",
)  # fmt: skip
SPILT = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const kept = "main, .bill, .cloth, .board, .story, .paper, .bank, .player, .wide, .track, .lots";
  const page = document.documentElement;
  const spilt = [...document.querySelectorAll(kept)].filter((e) => e.checkVisibility()
    && (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2));
  const out = [...document.querySelectorAll("main *")].filter((e) => {
    const { right, bottom, width } = e.getBoundingClientRect();
    return e.checkVisibility() && width > 1 && (right > innerWidth + 1 || bottom > innerHeight + 1);
  });
  const scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
  return [...spilt, ...out, ...(scrolls ? [page] : [])].map((e) => e.outerHTML.slice(0, 120));
}"""


def nothing_spills(screen: Page) -> None:
    for width, height in SCREENS:
        screen.set_viewport_size({"width": width, "height": height})
        assert screen.evaluate(SPILT) == [], (width, height)


def phase_of(name: str, verdict: bool) -> Callable[[Any], bool]:
    return lambda view: view.public.phase == name and (view.public.verdict is not None) == verdict


STAGES = {
    "bankueberfall": (4, [("seal", False), ("refill", True), ("open", True)]),
    "banque_fatale": (4, [("take", True), ("open", True)]),
    "robby_solo": (6, [("declare", False), ("fill", True)]),
}


@pytest.mark.wide
@pytest.mark.parametrize("game", STAGES if IS_WIDE else ["banque_fatale"])
def test_nothing_scrolls_however_long_the_names_and_whatever_the_phase(company, open_browser, game):
    seats, stages = STAGES[game]
    table = company(game, language="de", players=[name[:20] for name in LONG[:seats]])
    screen = open_browser(SCREEN).new_page()
    for phase, verdict in stages:
        table.until(phase_of(phase, verdict))
        screen.goto(f"{table.address}/table")
        nothing_spills(screen)
    table.until(lambda view: view.public.phase == "over")
    screen.goto(f"{table.address}/table")
    nothing_spills(screen)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_stays_in_sight_whatever_else_goes_on(open_house, open_browser, lang):
    house, screen = open_house(language=lang), open_browser(SCREEN).new_page()
    all_at_once(house)
    screen.goto(f"{house.address}/table")
    nothing_spills(screen)
    looks_right(screen)


@pytest.mark.wide
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_judge_shows_the_verdict_beside_all_that_is_to_put_right(
    open_house, open_browser, lang
):
    house, screen = open_house(language=lang, seats=5), open_browser(SCREEN).new_page()
    robbed(house).show(*BIDS)
    house.clear(2)
    house.lay("4", 2)
    house.do(2, 'tile_turned seat=2 tile="place"', f"undone target={house.table.version + 1}")
    house.clear(3)
    house.lay("10", 1)
    house.now = -9_000.0
    house.press(2, held=True)
    screen.goto(f"{house.address}/table")
    expect(screen.locator(".todo")).to_have_count(2)
    expect(screen.locator(".trouble, .judge, .change")).to_have_count(3)
    all_told(screen, house)
    nothing_spills(screen)


# A pay-out is told step by step.

BIDS = (3, 0, 1, 4, 2)


def robbed(house: House) -> House:
    """Bank 2 is robbed, with 5 coins in it, and every hand is closed."""
    house.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    house.close(*BIDS)
    return house


def watching(open_browser: Callable[..., Any], house: House, clock: list[float]) -> Page:
    """A table screen that was open before the hands were; the table tells by this clock."""
    screen: Page = open_browser(SCREEN, reduced_motion="no-preference").new_page()
    screen.goto(f"{house.address}/table")
    expect(screen.locator(".wax").first).to_be_visible()
    house.table.telling.use_clock(lambda: clock[0])
    return screen


def all_told(screen: Page, house: House) -> None:
    expect(screen.locator(".gains li")).to_have_count(house.table.seats)
    expect(screen.locator(".story .picture")).to_be_visible()
    expect(screen.locator(".running, .story .steps")).to_have_count(0)


def test_a_pay_out_is_told_step_by_step(open_house, open_browser):
    house, clock = robbed(open_house(seats=5)), [0.0]
    screen = watching(open_browser, house, clock)
    house.show(*BIDS)
    expect(screen.locator("#stage .picture")).to_have_count(1)
    steps = len(house.state.verdict.steps)
    for told in range(steps):
        expect(screen.locator(f"#step-told-{told}")).to_be_visible()
        expect(screen.locator(".gains")).to_have_count(0)
        expect(screen.locator("#told")).to_have_text("")
        clock[0] += house.table.telling.next_change() + 0.001
        house.table.notify_watchers()
    all_told(screen, house)
    assert gains(screen) == ["Ana ±0", "Ben ±0", "Cleo +1", "Dora ±0", "Emma +2"]
    said = "The robbery is over: Ana ±0, Ben ±0, Cleo +1, Dora ±0 and Emma +2."
    expect(screen.get_by_role("status").and_(screen.locator("#told"))).to_have_text(said)
    clock[0] += STANDS + 1
    house.table.notify_watchers()
    expect(screen.locator("#stage")).to_have_count(0)
    expect(screen.locator(".story .picture")).to_be_visible()


@pytest.mark.wide
def test_a_phone_says_a_pay_out_in_one_sentence_at_its_end(open_house, open_browser):
    house, clock = robbed(open_house(seats=5)), [0.0]
    phone = sit(open_browser(), house.address, "Ana")
    house.table.telling.use_clock(lambda: clock[0])
    house.show(*BIDS)
    expect(phone.locator(".verdict.running")).to_have_count(1)
    expect(phone.locator("#told")).to_have_text("")
    clock[0] += LONGEST
    house.table.notify_watchers()
    expect(phone.get_by_role("status").and_(phone.locator("#told"))).to_contain_text("Emma +2.")


def gains(screen: Page) -> list[str]:
    return [" ".join(text.split()) for text in screen.locator(".gains li").all_text_contents()]


@pytest.mark.wide
def test_the_judge_lets_everything_be_seen(open_house, open_browser):
    house = robbed(open_house(seats=5))
    screen = watching(open_browser, house, [0.0])
    house.show(*BIDS)
    expect(screen.locator("#stage")).to_have_count(1)
    house.press(2, held=True)
    all_told(screen, house)


@pytest.mark.wide
@pytest.mark.parametrize("scripts", [True, False])
def test_a_page_opened_later_or_without_scripts_shows_all_of_it(open_house, open_browser, scripts):
    house, screen = robbed(open_house(seats=5)), None
    house.show(*BIDS)
    screen = open_browser(SCREEN, java_script_enabled=scripts).new_page()
    screen.goto(f"{house.address}/table")
    all_told(screen, house)


@pytest.mark.wide
def test_a_marker_waits_until_the_auction_is_told(company, open_browser):
    table, clock = company("banque_fatale"), [0.0]
    view = table.until(lambda view: view.public.phase == "open").public
    screen = open_browser(SCREEN, reduced_motion="no-preference").new_page()
    screen.goto(f"{table.address}/table")
    expect(screen.locator(".lane")).to_have_count(5)
    live = table.evening.host.table
    live.telling.use_clock(lambda: clock[0])
    after = table.until(lambda view: view.public.verdict is not None).public
    expect(screen.locator("#stage")).to_have_count(1)
    values = screen.locator(".lane .value")
    assert values.all_inner_texts() == [str(n) for n in view.values.values()]
    clock[0] += LONGEST + STANDS
    live.notify_watchers()
    expect(screen.locator("#stage")).to_have_count(0)
    assert values.all_inner_texts() == [str(n) for n in after.values.values()]
    assert after.values != view.values


# The host's tools are out of sight: a held screen or the Tab key shows them.

TOOLS = ("Phone", "Table", "Judge", "Host")


def hold_screen(screen: Page) -> None:
    """Hold a finger on the felt until the tools are there."""
    screen.mouse.move(400, 60)
    screen.mouse.down()
    expect(screen.locator(".rail")).to_be_in_viewport()
    screen.mouse.up()


@pytest.mark.wide
def test_the_tools_of_the_host_come_when_the_screen_is_held_and_go_again(company, open_browser):
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{company('robby_solo').address}/table")
    expect(screen.locator(".rail")).not_to_be_in_viewport()
    hold_screen(screen)
    for tool in TOOLS:
        expect(screen.get_by_role("link", name=tool, exact=True)).to_be_in_viewport()
    expect(screen.get_by_role("button", name="Calm")).to_be_in_viewport()
    screen.mouse.click(400, 60)
    expect(screen.locator(".rail")).not_to_be_in_viewport()


@pytest.mark.wide
def test_the_tools_of_the_host_are_reached_by_keyboard(company, open_browser):
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{company('robby_solo').address}/table")
    for _ in range(2 + len(TOOLS) + 1):
        screen.keyboard.press("Tab")
        expect(screen.locator(".rail :focus")).to_be_in_viewport()
    screen.keyboard.press("Escape")
    expect(screen.locator(".rail")).not_to_be_in_viewport()


@pytest.mark.wide
def test_without_scripts_the_tools_stay(company, open_browser):
    screen = open_browser(SCREEN, java_script_enabled=False).new_page()
    screen.goto(f"{company('robby_solo').address}/table")
    expect(screen.locator(".rail")).to_be_in_viewport()


# The value track, colours, looks, and the first ten seconds.


@pytest.mark.wide
def test_the_course_of_every_colour_stands_beside_its_track(company, open_browser):
    table, screen = company("banque_fatale"), open_browser(SCREEN).new_page()
    view = table.until(lambda view: len(view.public.course) == 2).public
    screen.goto(f"{table.address}/table")
    for colour in view.values:
        first, second = (str(reached[colour]) for reached in view.course)
        course = screen.locator(f"#lane-{colour} .course")
        expect(course).to_have_attribute(
            "aria-label", f"The course of {colour}: 6, {first} and {second}"
        )


@pytest.mark.wide
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_two_colours_of_a_box_bear_the_same_letters(lang):
    mark = template_words(lang)["mark"]
    boxes = [game.standard_box() for game in map(find_game, own_games())]
    for colours in (found.colours for found in boxes if hasattr(found, "colours")):
        assert len({mark(colour) for colour in colours}) == len(colours)
    for banks in (found.banks for found in boxes if found.game == "robby_solo"):
        assert len({mark(bank) for bank in banks}) == len(banks)


def test_every_colour_has_a_pattern_of_its_own(company, open_browser):
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{company('banque_fatale').address}/table")
    patterns = screen.evaluate(
        """(colours) => colours.map((colour) => {
            const chip = document.querySelector(".token").cloneNode(true);
            chip.className = `token ${colour}`;
            document.body.append(chip);
            return getComputedStyle(chip.firstElementChild).backgroundImage;
        })""",
        [*colour_marks()],
    )
    assert "none" not in patterns
    assert len({*patterns}) == len(colour_marks())


@pytest.mark.wide
@pytest.mark.parametrize("look", ["contrast", "calm"])
def test_a_screen_keeps_the_look_it_was_given(open_house, open_browser, look):
    screen = open_browser(SCREEN).new_page()
    screen.goto(f"{open_house().address}/table")
    expect(screen.locator(f"html[data-{look}]")).to_have_count(0)
    hold_screen(screen)
    screen.locator(f"[data-look={look}]").click()
    screen.reload()
    expect(screen.locator(f"html[data-{look}]")).to_have_count(1)
    expect(screen.locator(f"[data-look={look}]")).to_have_attribute("aria-pressed", "true")
    nothing_spills(screen)


ADDRESSES = ("http://192.168.178.42:8080", "http://tabletop-companion.local:8080")


@pytest.mark.wide
@pytest.mark.parametrize("lang", LANGUAGES)
def test_before_the_first_game_the_screen_says_what_it_is_and_how_to_come_in(
    hall, open_browser, lang
):
    at, screen = hall(language=lang, addresses=ADDRESSES), open_browser(SCREEN).new_page()
    screen.goto(f"{at.address}/table")
    at.guest("Maximiliane Zwölfer"), at.guest("Ben")
    expect(screen.locator(".seatless")).to_contain_text("Maximiliane Zwölfer")
    expect(screen.locator(".address")).to_have_text([*ADDRESSES])
    expect(screen.locator(".about").first).to_be_visible()
    expect(screen.locator(".lobby .player.free")).to_have_count(6)
    assert screen.locator(".code svg").bounding_box()["width"] > 400
    nothing_spills(screen)
    looks_right(screen)


@pytest.mark.wide
def test_during_a_game_the_code_keeps_to_its_corner(hall, open_browser):
    at, screen = hall(addresses=ADDRESSES), open_browser(SCREEN).new_page()
    screen.goto(f"{at.address}/table")
    expect(screen.locator(".invite")).to_be_visible()
    at.begin()
    expect(screen.locator(".invite")).to_have_count(0)
    expect(screen.locator(".corner .address")).to_have_text([*ADDRESSES])
    assert screen.locator(".corner .code svg").bounding_box()["width"] > 90
    nothing_spills(screen)


@pytest.mark.wide
def test_a_table_that_only_its_own_machine_can_reach_shows_no_code(hall, open_browser):
    at, screen = hall(addresses=("http://localhost:8080",)), open_browser(SCREEN).new_page()
    screen.goto(f"{at.address}/table")
    expect(screen.locator(".address")).to_have_text("http://localhost:8080")
    expect(screen.locator(".code")).to_have_count(0)
