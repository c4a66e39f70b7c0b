"""The second court: JavaScript that judges every case as the judge does, in a browser."""

from base64 import b64encode
from random import Random

import pytest
from playwright.sync_api import Page

from companion.games import find_game
from companion.judge.decide import find_kinds, judged_games
from tests.worlds.campaign import pick
from tests.worlds.dealt_cases import DEALERS, judged

CASES = pick(300, 1_000, 10_000)
DECIDE = """async ([source, cases]) => {
  const { decide } = await import(`data:text/javascript;base64,${source}`);
  return cases.map((given) => decide(given));
}"""


def decided(page: Page, game: str, cases: list[dict]) -> list[dict]:
    """What the second court says of these cases."""
    source = (find_game(game).folder / "static" / "verdict.mjs").read_bytes()
    found: list[dict] = page.evaluate(DECIDE, [b64encode(source).decode(), cases])
    return found


@pytest.fixture(scope="module")
def page(chromium):
    made = chromium.new_page()
    yield made
    made.close()


@pytest.mark.parametrize(("game", "kind"), DEALERS)
def test_two_courts_agree(page, game, kind):
    cases = [DEALERS[game, kind](Random(number)) for number in range(CASES)]
    for case, found in zip(cases, decided(page, game, cases), strict=True):
        assert found == judged(case), case


def test_every_kind_of_case_is_dealt():
    assert {*DEALERS} == {(game, kind) for game in judged_games() for kind in find_kinds(game)}
