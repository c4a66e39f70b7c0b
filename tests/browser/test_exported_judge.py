"""The judge as one file, opened from a disk: its forms are the companion's, tapped, and the second
courts decide them at every tap."""

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page

from companion.cli import main
from companion.core.errors import Malformed
from companion.judge.decide import find_kinds, judged_games
from companion.judge.forms import Sheet
from tests.worlds.campaign import IS_LARGE
from tests.worlds.dealt_cases import judged

KINDS = [(game, kind) for game in judged_games() for kind in find_kinds(game)]
MOST_BYTES = 300_000
FORMS = 400 if IS_LARGE else 40
CELLS = """() => Object.fromEntries([...document.querySelectorAll("#answer > table > tbody > tr")]
  .map((row) => [row.cells[0].innerText, row.cells[1].innerText]))"""
FILL = """([number, names]) => {
  let seed = number * 7919 + 1;
  const dice = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const change = {
    number: (field) => (field.value = dice(60) ? Number(field.defaultValue) + dice(3) : dice(12)),
    radio: (field) => (field.checked = true),
    checkbox: (field) => (field.checked = !field.checked),
    "select-one": (field) => (field.selectedIndex = dice(field.options.length)),
    text: (field) => (field.value = dice(5) ? field.value : names[dice(names.length)]),
  };
  const form = document.getElementById("case");
  for (const field of form.elements) {
    if (field.type in change && !dice(4)) change[field.type](field);
  }
  const players = form.querySelector("[name=players]:checked");
  players.dispatchEvent(new Event("input", { bubbles: true }));
  const given = document.getElementById("given").textContent;
  return [location.hash.slice(1), given, !!document.querySelector("#answer .refusal")];
}"""


@pytest.fixture(scope="module")
def opened(chromium, tmp_path_factory) -> Any:
    """The page in a browser without a network, which asks for nothing and complains of nothing."""
    path = tmp_path_factory.mktemp("judge") / "judge.html"
    assert main(["judge", "--html", str(path)]) == 0
    assert path.stat().st_size <= MOST_BYTES
    context = chromium.new_context(
        offline=True, locale="en", viewport={"width": 390, "height": 844}
    )
    page, heard = context.new_page(), []
    page.on("request", lambda request: heard.append(request.url))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", lambda said: heard.append(said.text))
    open_at(page, path.as_uri())
    yield page
    asked = {said.partition("#")[0] for said in heard if not said.startswith("data:image/svg+xml,")}
    assert asked == {path.as_uri()}
    context.close()


@pytest.fixture
def judge(opened: Page) -> Page:
    """That page in English, whatever was chosen before."""
    opened.locator("[data-lang=en]").click()
    return opened


def open_at(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_function("() => 'checked' in document.documentElement.dataset")


@pytest.mark.wide
@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_forms_at_random_become_the_cases_of_the_companion(judge, game, kind):
    """The same fields are the same case in both, or refused by both."""
    found, decided = find_kinds(game)[kind], 0
    for number in range(FORMS):
        open_kind(judge, game, kind)
        address, given, is_refused = judge.evaluate(FILL, [number, ["", "Ana", "Zoë & Söhne"]])
        fields = dict(parse_qsl(address, keep_blank_values=True))
        fields = {f"name{n}": f"Player {n}" for n in range(1, 7)} | fields
        try:
            case = Sheet(found, fields).make_case()
            judged(case)
        except Malformed:
            assert is_refused, (number, address)
            continue
        assert not is_refused, (number, address)
        assert case == json.loads(given), (number, address)
        decided += 1
    assert decided, "not every form is refused"


def open_kind(judge: Page, game: str, kind: str) -> None:
    judge.locator("#kind").select_option(str(KINDS.index((game, kind))))


def test_every_tap_is_decided_at_once(judge):
    open_kind(judge, "bankueberfall", "robbery")
    gist = judge.locator(".gist")
    for card in ("5", "thief", "detective"):
        judge.locator(f"[data-tap]:has([name='cards.{card}']) .face").click()
    assert "Loot" in judge.evaluate(CELLS)
    before = gist.inner_text()
    for n in (1, 1, 2):
        judge.get_by_role("button", name=f"The bid of Player {n}: more").click()
    assert gist.inner_text() != before
    assert gist.inner_text() == "Won or lost: Player 1 2 · Player 2 1 · Player 3 0"
    assert gist.bounding_box()["y"] + gist.bounding_box()["height"] <= 844, "it is in sight"
    judge.get_by_role("button", name="The bid of Player 2: fewer").click()
    assert gist.inner_text() == "Won or lost: Player 1 2 · Player 2 0 · Player 3 0"
    judge.get_by_role("textbox", name="Name of player 1").fill("Zoë")
    assert gist.inner_text().startswith("Won or lost: Zoë 2")
    judge.reload()
    assert judge.locator(".gist").inner_text().startswith("Won or lost: Zoë 2"), (
        "kept in the address"
    )
