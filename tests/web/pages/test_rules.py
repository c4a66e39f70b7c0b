"""The rules as pages: every id opens, in every language, and the table's own answers are marked."""

import html
import re

import pytest

from companion.core.i18n import LANGUAGES, get_language
from companion.games import find_game
from companion.games.rule_texts import SEALING, TABLE
from tests.worlds.own_games import own_games
from web.rendering.game_words import rule_of


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", own_games())
def test_every_rule_stands_there_with_its_id_and_where_the_booklet_has_it(visitor, game, language):
    visitor.post("/api/join/language", language=language)
    page, spoken = html.unescape(visitor.get(f"/rules/{game}").text), get_language(language)
    for id, rule in (find_game(game).rules.rules | SEALING | TABLE).items():
        start = page.index(f'<li id="{id}">')
        entry = page[start : page.index("</li>", start)]
        assert spoken.render(rule.text, {}) in entry
        if rule.section:
            heading = page[:start].rsplit("<h3", 1)[1].partition(">")[2]
            said = spoken.render("In the booklet: {section}", {"section": rule.section})
            assert heading.startswith(f"{said}</h3>")
    for id, ruling in find_game(game).rules.rulings.items():
        start = page.index(f'<li id="{id}">')
        assert spoken.render(ruling, {}) in page[start : page.index("</li>", start)]
    for open_ in find_game(game).rules.house_rules.values():
        for text in (open_.question, *open_.answers.values()):
            assert spoken.render(text, {}) in page


def test_ids_that_no_game_has_are_not_remembered_without_end(visitor):
    for n in range(300):
        assert visitor.get(f"/rules/one/{n}").status_code == 404
    assert rule_of.cache_info().currsize < 300 * len(own_games())


def test_what_this_table_chose_is_marked_and_what_it_did_not_is_not(visitor, table_with_ten):
    game = table_with_ten.rules.box.game
    rules = find_game(game).rules
    here = re.findall(r'<li class="counts">(.*?)</li>', visitor.get(f"/rules/{game}").text)
    chosen = table_with_ten.state.house_rules
    means = [rules.house_rules[name].answers[chosen[name]] for name in rules.house_rules]
    assert [one.split(" <strong>")[0] for one in here] == means
    assert all("at this table" in one for one in here)
    assert "at this table" not in visitor.get("/rules/banque_fatale").text


def test_there_are_no_rules_of_an_unknown_game(visitor):
    assert visitor.get("/rules/chess").status_code == 404
    assert all(f'href="/rules/{game}"' in visitor.get("/rules").text for game in own_games())


# Where a rule is cited.


def cited_rules(game: str) -> set[str]:
    """Every rule that a game cites in what it offers, refuses and decides."""
    found = find_game(game)
    rules = found.rulebook
    cited = {row.rule for row in rules.rows} | {rules.start_rule, rules.end_rule}
    source = "".join(file.read_text("utf-8") for file in found.folder.glob("*.py"))
    ids = "|".join(map(re.escape, {id.split(".")[0] for id in cited}))
    return cited | {*re.findall(rf'"((?:{ids}|T|S)\.[a-z0-9.]+)"', source)}


@pytest.mark.parametrize("game", own_games())
def test_every_rule_that_a_game_cites_opens_where_it_is_cited(visitor, game):
    cited = cited_rules(game)
    assert len(cited) > 9
    assert [id for id in cited if visitor.get(f"/rules/one/{id}").status_code != 200] == []
