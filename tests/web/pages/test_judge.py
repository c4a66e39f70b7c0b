"""The judge's pages: the last verdict, the look back, the sheet of a case."""

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from companion.core.i18n import LANGUAGES, get_language
from companion.core.table_events import Frozen
from companion.judge import decide as judge
from tests.worlds.own_games import own_games
from tests.worlds.visitor import Visitor, words
from tests.worlds.watched_table import NONCE, Watched
from web.app import create_app
from web.context import AppContext

CASES = [(game, kind) for game in own_games() for kind in judge.find_kinds(game)]


def address(case: Any, field: str = "case") -> str:
    return f"/judge/case?{field}={quote(json.dumps(case))}"


def fields(page: str) -> dict[str, str]:
    """What a browser without scripts sends of the sheet on this page."""
    form = page[page.index('<form class="sheet') : page.rindex("</form>")]
    found = {}
    for tag in re.findall(r"<input[^>]*>", form):
        has = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if has.get("type") not in ("radio", "checkbox") or tag.endswith(" checked>"):
            found[has["name"]] = html.unescape(has.get("value", ""))
    for name, options in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)"[^>]* selected', options)
        found[name] = chosen.group(1) if chosen else ""
    return found


# The last verdict, and the look back.


def test_a_look_into_closed_hands_shows_that_they_are_closed(tmp_path: Path) -> None:
    pages = []
    for n, bids in enumerate(((3, 4), (9, 0))):
        table = Watched(tmp_path / str(n))
        table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1").close(*bids)
        table.do(1, Frozen(1))
        visitor = Visitor(create_app(AppContext(table.table)))
        looks = range(1, table.table.version + 1)
        pages.append(b"".join(visitor.get(f"/judge?at={at}").data for at in looks))
        assert NONCE.encode() not in pages[-1]
        table.journal.close()
    assert pages[0] == pages[1]


# The sheet.


@pytest.mark.parametrize(("game", "kind"), CASES)
def test_the_case_sheet_sends_the_case_that_filled_it(
    visitor: Visitor, game: str, kind: str
) -> None:
    case = judge.find_kinds(game)[kind].example
    first = visitor.get(address(case)).text
    again = visitor.get(f"/judge/case?{urlencode(fields(first))}")
    assert again.status_code == 200
    assert fields(again.text) == fields(first)
    outcome = judge.decide(case).steps[-1]
    assert " ".join(get_language("en").render(outcome.text, outcome.facts).split()) in words(
        again.text
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_that_an_empty_sheet_suggests_are_judged(visitor: Visitor, language: str) -> None:
    spoken = {"Accept-Language": language}
    empty = visitor.get("/judge/case?game=bankueberfall&kind=score", headers=spoken)
    sent = visitor.get(f"/judge/case?{urlencode(fields(empty.text))}", headers=spoken)
    assert sent.status_code == 200


BAD = [
    ({"bids.1": "x"}, "part-bids", "“x” is not a whole number."),
    ({"name2": "Ana"}, "part-who", "Two players have the same name."),
    ({"cards.x": "9"}, "part-cards", "but the box holds 4."),
    ({"bids.1": "99", "funds.1": "5"}, "part-bids", "The bid of Ana is 99, but Ana owns only 5."),
    ({"rule_shortfall": "perhaps"}, "", 'not "perhaps".'),
]


@pytest.mark.parametrize(("change", "part", "sentence"), BAD)
def test_a_bad_case_is_refused_at_its_field_and_keeps_the_input(
    visitor: Visitor, change: dict[str, str], part: str, sentence: str
) -> None:
    filled = fields(visitor.get(address(judge.find_kinds("bankueberfall")["robbery"].example)).text)
    page = visitor.get(f"/judge/case?{urlencode(filled | change)}")
    assert page.status_code == 400
    assert sentence in words(page.text[page.text.index(part) :])
    kept = {name: value for name, value in change.items() if not name.startswith("rule")}
    assert fields(page.text) | kept == fields(page.text)
