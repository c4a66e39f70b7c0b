"""What docs/ shows is drawn from the code, and is today's."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli import main
from companion.games import find_game, game_names, make_rulebook
from tests.generators.catalogues import read_all
from tests.worlds.installed_games import installed
from tests.worlds.paths import ROOT

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted(DOCS.glob("*.md"))]
DRAWINGS = sorted(DOCS.glob("*.svg"))
EVENINGS = {
    "bankueberfall": "play-bankueberfall.md",
    "banque_fatale": "play-banque-fatale.md",
    "robby_solo": "play-robby-solo.md",
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
RULE = re.compile(r"\b[BFRLST]\.[a-z]+(?:\.[a-z0-9]+)*")
SAID = re.compile(r"“([^”]+)”")
BUTTON = re.compile(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)")
JUDGE = (DOCS / "judge.md").read_text("utf-8")
CASES = re.findall(r"```json\n(.*?)```", JUDGE, re.DOTALL)


def test_the_phase_tables_in_docs_are_drawn_from_the_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["phases", "--markdown"]) == 0
    assert capsys.readouterr().out == (DOCS / "phases.md").read_text("utf-8")


@pytest.mark.parametrize("case", CASES)
def test_every_case_in_docs_is_judged(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text(case, "utf-8")
    with installed("lantern-night", {"lantern_night": "lantern_night.game:GAME"}):
        assert main(["judge", "--json", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert all(f"`{field}`" in JUDGE for field in answer if field != "steps"), answer.keys()


@pytest.mark.parametrize("game", game_names())
def test_a_phase_table_can_be_printed(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["phases", game]) == 0
    printed = capsys.readouterr().out
    for row in make_rulebook(game).rows:
        assert f"{row.phase} " in printed
        assert f" {row.rule} " in printed


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_rules_can_be_printed(game: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", game, "--lang", lang]) == 0
    printed = capsys.readouterr().out
    for row in make_rulebook(game).rows:
        assert row.rule in printed
    for name, choices in make_rulebook(game).box.house_rules.items():
        assert name in printed
        assert all(choice in printed for choice in choices)


# Links.


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text("utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_of_docs_is_linked_from_another_one() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in LINK.findall(page.read_text("utf-8"))
        if link.partition("#")[0]
    }
    assert [page.name for page in DOCS.glob("*.md") if page not in linked] == []


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda path: path.name)
def test_a_drawing_is_whole_and_fetches_nothing(drawing: Path) -> None:
    drawn = drawing.read_text("utf-8")
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}
    assert not {"image", "script", "foreignObject"} & tags
    assert "url(http" not in drawn
    assert "@import" not in drawn


# What is said of the games.


@pytest.mark.parametrize("game", EVENINGS)
def test_an_evening_tells_every_phase_rule_and_house_rule_of_its_game(game: str) -> None:
    text, rules = (DOCS / EVENINGS[game]).read_text("utf-8"), make_rulebook(game)
    for phase in {row.phase for row in rules.rows}:
        assert f"`{phase}`" in text, phase
    known = find_game(rules.box.game).rules.rules
    own = {rule for rule in RULE.findall(text) if rule[0] == next(iter(known))[0]}
    assert own == known.keys()
    for name, answers in rules.box.house_rules.items():
        assert f"| `{name}` | {', '.join(f'`{one}`' for one in answers)} |" in text


def sayings() -> list[re.Pattern[str]]:
    """Every text of the program, with anything in its gaps; not those that are all gaps."""
    forms = [message.id for catalogue in read_all("de") for message in catalogue if message.id]
    texts = [text for form in forms for text in ((form,) if isinstance(form, str) else form)]
    parts = [re.split(r"\{\w+\}", text) for text in texts]
    told = [literal for literal in parts if len(literal) == 1 or len("".join(literal)) > 12]
    return [re.compile(".+?".join(map(re.escape, literal))) for literal in told]


def quoted(text: str) -> re.Pattern[str]:
    """What a page quotes, which may leave out what follows or stands between."""
    return re.compile(".*".join(map(re.escape, text.split("…"))), re.DOTALL)


@pytest.mark.parametrize("name", ["troubleshooting.md", *EVENINGS.values()])
def test_what_a_page_quotes_is_what_the_program_says(name: str) -> None:
    text = (DOCS / name).read_text("utf-8").replace("\n", " ")
    known = sayings()
    plain = [re.sub(r"\\(.)", r"\1", one.pattern.replace(".+?", "…")) for one in known]
    for said in (*SAID.findall(text), *BUTTON.findall(text)):
        exact = any(one.fullmatch(said) for one in known)
        assert exact or any(quoted(said).fullmatch(one) for one in plain), said
