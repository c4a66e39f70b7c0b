"""The codes of all problems, as the source says them; `make docs` writes them into docs/api.md."""

import ast
from collections.abc import Iterator

from companion.table.permissions import FOR_THE_HOST
from companion.table.undo import REASONS
from tests.worlds.paths import ROOT
from web.responses import PERMISSION_ERRORS
from web.security import DEFAULT_SENTENCE, SENTENCES

PAGE = ROOT / "docs" / "api.md"
BEGIN, END = "<!-- codes: `make docs` writes them -->\n", "<!-- end of codes -->"
CODE = ("companion", "web")
REFUSALS = ("refusal", "Refusal")
OTHERS = {
    "bad_backup": "{field} is damaged; take an older backup.",
    "maybe_written": "The disk is failing: look again whether this counts.",
    "for_the_host": FOR_THE_HOST,
    "malformed": "The field “{field}” cannot be read.",
    "not_proven": "Game {field} has no beginning, so there is no record of it.",
    "not_written": "The journal cannot be written: {reason}.",
    "wrong_phase": "{who}: turn over a tile.",
}
"""What is said in more ways than one: what is asked now, say, instead of what was asked for."""


def codes() -> dict[str, str]:
    """Every code with one sentence that is said with it."""
    statuses = {**SENTENCES, 500: DEFAULT_SENTENCE}
    found = {f"http_{status}": text for status, text in statuses.items()} | OTHERS
    found |= {code: text for code, (_, text) in PERMISSION_ERRORS.items()} | REASONS
    for code, text in refusals():
        found[code] = found.get(code) or text
    return dict(sorted(found.items()))


def refusals() -> Iterator[tuple[str, str]]:
    """Code and sentence of every refusal in the source."""
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for function in _functions(ast.parse(path.read_text("utf-8"))):
                yield from _in_function(function)


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _in_function(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    named: dict[str, str] = {}
    for node in sorted(_lines(function), key=lambda one: (one.lineno, one.col_offset)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                named[name] = _text(value, named)
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(code)), _, text]):
                if name in REFUSALS:
                    yield code, _text(text, named)
            case ast.Call(
                func=ast.Name(id="refusal"), args=[ast.Constant(value=str(code)), _, text, *_]
            ):
                yield code, _text(text, named)


def _lines(function: ast.FunctionDef) -> Iterator[ast.Assign | ast.Call]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.Call):
            yield node


def _text(value: ast.expr, named: dict[str, str]) -> str:
    match value:
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Name(id="N_"), args=[ast.Constant(value=str(text))]):
            return text
        case ast.Name(id=name):
            return named.get(name, "")
    return ""


def table() -> str:
    """All of them as a table."""
    rows = (f"| `{code}` | {text} |" for code, text in codes().items())
    return "\n".join(["", "| code | for example |", "|---|---|", *rows, "", ""])


def page() -> str:
    """The page with the codes of today."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
