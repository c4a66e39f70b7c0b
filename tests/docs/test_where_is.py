"""docs/where-is.md: every word it lists leads to something that exists."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.worlds.paths import ROOT

PAGE = ROOT / "docs/where-is.md"
ROW = re.compile(r"^\| ([^|`]+?) \| `([^`]+)` \| ([^|]*?) \|$", re.MULTILINE)
LEAST = 60


class Row(NamedTuple):
    """One line of the table: the words, the file, and the names in it to begin with."""

    words: str
    path: str
    names: tuple[str, ...]


ROWS = [
    Row(words, path, tuple(re.findall(r"`([^`]+)`", names)))
    for words, path, names in ROW.findall(PAGE.read_text("utf-8"))
]


def test_the_page_lists_enough_words_once_and_in_order() -> None:
    words = [row.words for row in ROWS]
    assert len(words) >= LEAST
    assert words == sorted(set(words), key=str.lower)
    tables = re.findall(r"^\| .* \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(tables) == len(ROWS) + 1, "a row that no pattern reads"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words)
def test_a_word_leads_to_a_file_and_to_names_in_it(row: Row) -> None:
    path = ROOT / row.path
    assert path.exists(), row
    assert row.names or path.is_dir(), row
    if row.names:
        assert set(row.names) <= defined_in(path), row


def defined_in(path: Path) -> set[str]:
    """Return what a file defines: in Python by its syntax, else every word in it."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return set(re.findall(r"[\w.@:-]+", text))
    return set(_definitions(ast.parse(text)))


def _definitions(tree: ast.AST, within: str = "") -> list[str]:
    found: list[str] = []
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.append(within + name)
            case ast.ClassDef(name=name):
                found += [within + name, *_definitions(node, f"{within}{name}.")]
            case ast.Assign(targets=targets):
                found += [within + one.id for one in targets if isinstance(one, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.append(within + name)
    return found
