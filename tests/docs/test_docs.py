"""Every case in docs/ is judged, every link leads somewhere, every drawing is whole."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli import main
from tests.worlds.installed_games import installed
from tests.worlds.paths import ROOT

DOCS = ROOT / "docs"
PAGES = [
    *sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("[a-z]*/README.md")), *sorted(DOCS.glob("*.md")),
]  # fmt: skip
DRAWINGS = sorted(DOCS.glob("**/*.svg"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:companion|hardware|web|tests|bench|systemd|examples|docs)/[\w./*-]+)`")
JUDGE = (DOCS / "judge.md").read_text("utf-8")
CASES = re.findall(r"```json\n(.*?)```", JUDGE, re.DOTALL)


@pytest.mark.parametrize("case", CASES)
def test_every_case_in_docs_is_judged(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "case.json"
    path.write_text(case, "utf-8")
    with installed("goofspiel", {"goofspiel": "goofspiel.game:GAME"}):
        assert main(["judge", "--json", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert all(f"`{field}`" in JUDGE for field in answer if field != "steps"), answer.keys()


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    for path in NAMED.findall(page.read_text("utf-8")):
        assert next(ROOT.glob(path), None), path


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda path: path.name)
def test_a_drawing_is_whole_and_fetches_nothing(drawing: Path) -> None:
    drawn = drawing.read_text("utf-8")
    tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(drawn).iter()}
    assert not {"image", "script", "foreignObject"} & tags
    assert "url(http" not in drawn
    assert "@import" not in drawn
