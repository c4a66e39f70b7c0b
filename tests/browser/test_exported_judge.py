"""The judge as one file, opened from a disk: the second courts decide what is typed into it."""

import json
from typing import Any

import pytest

from companion.cli import main
from companion.core.i18n import LANGUAGES, get_language
from companion.judge.decide import find_judge, judged_games
from tests.worlds.dealt_cases import judged
from web.export.judge_page import NAMES, TEXTS
from web.export.record_page import MOST_BYTES

KINDS = [(game, kind) for game in judged_games() for kind in find_judge(game).examples]
CELLS = """() => Object.fromEntries([...document.querySelectorAll("#answer > table > tbody > tr")]
  .map((row) => [row.cells[0].innerText, row.cells[1].innerText]))"""


@pytest.fixture(scope="module")
def judge(chromium, tmp_path_factory) -> Any:
    """The page in a browser without a network, and what it asked for or complained of."""
    path = tmp_path_factory.mktemp("judge") / "judge.html"
    assert main(["judge", "--html", str(path)]) == 0
    assert path.stat().st_size <= MOST_BYTES
    context = chromium.new_context(offline=True, locale="en")
    page, heard = context.new_page(), []
    page.on("request", lambda request: heard.append(request.url))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", lambda said: heard.append(said.text))
    page.goto(path.as_uri())
    page.wait_for_function("() => 'checked' in document.documentElement.dataset")
    yield page
    assert heard == [path.as_uri()]
    context.close()


def choose(page: Any, n: int) -> dict[str, str]:
    """Choose a kind of dispute; what the page decides of its example."""
    page.locator("#kind").select_option(str(n))
    found: dict[str, str] = page.evaluate(CELLS)
    return found


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_each_example_is_decided_as_our_judge_does(judge, game, kind):
    judge.locator("[data-lang=en]").click()
    told = choose(judge, KINDS.index((game, kind)))
    expected = judged(find_judge(game).examples[kind])
    names = {NAMES.get(field, field): value for field, value in expected.items()}
    numbers = {name: value for name, value in names.items() if type(value) is int}
    answers = {name: value for name, value in names.items() if isinstance(value, bool)}
    assert {*told} == {name for name, value in names.items() if value is not None}
    assert {name: int(told[name]) for name in numbers} == numbers
    assert {name: told[name] == "yes" for name in answers} == answers
    for name, value in names.items():
        for player, amount in value.items() if isinstance(value, dict) else ():
            assert not isinstance(amount, int) or f"{player}\t{amount}" in told[name]


def test_what_is_typed_is_decided_at_once(judge):
    judge.locator("[data-lang=en]").click()
    before = choose(judge, KINDS.index(("bankueberfall", "robbery")))
    bid = judge.locator("fieldset").first.locator("input[type=number]").first
    bid.fill("5")
    case = json.loads(json.dumps(find_judge("bankueberfall").examples["robbery"]))
    case["bids"]["Ana"] = 5
    after = judge.evaluate(CELLS)
    assert after != before
    assert f"Ana\t{judged(case)['paid']['Ana']}" in after[NAMES["paid"]]
    judge.locator("fieldset").first.locator("input[list]").first.fill("Zoë")
    judge.keyboard.press("Tab")
    assert "Zoë\t" in judge.evaluate(CELLS)[NAMES["paid"]]


def test_the_page_speaks_every_language(judge):
    for code in LANGUAGES:
        judge.locator(f"[data-lang={code}]").click()
        words = get_language(code)
        assert judge.locator("h1").inner_text() == words.render(TEXTS["title"], {})
        assert judge.locator("html").get_attribute("lang") == code
        assert words.render(NAMES["paid"], {}) in choose(judge, 0)
