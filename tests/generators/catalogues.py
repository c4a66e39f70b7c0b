"""Collects every text for people out of the program, and brings the catalogues up to date.

A text is the literal that is handed to one of the functions below, or that is bound to the name
`text` on its way to one, or that a template hands to `_`. `make texts` writes the catalogues; a
text that is new is left empty there, and a test says so until somebody has translated it.
"""

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from tests.worlds.paths import ROOT

LOCALE = ROOT / "companion" / "locale"
CODE = ("companion", "hardware", "web")
UNTRANSLATED = ROOT / "web" / "bundler"
"""It runs where wheels are built, and speaks English to developers."""
TRANSLATED = ("fr", "de")

TEXT_AT = {
    "message": 0, "Message": 0, "N_": 0, "gettext": 0, "_": 0,
    "step": 1, "VerdictStep": 1, "Malformed": 1, "refusal": 2,
}  # fmt: skip
"""Where each function takes its text."""

NOISE = tuple(
    f'"{name}:'.encode()
    for name in (
        "Project-Id-Version", "Report-Msgid-Bugs-To", "POT-Creation-Date", "PO-Revision-Date",
        "Last-Translator", "Language-Team", "Generated-By",
    )
)  # fmt: skip
HEADER = "# Every text for people, collected by `make texts`."

Text = str | tuple[str, str]


def collected() -> dict[Text, list[tuple[str, int]]]:
    """Every text with the places where it stands; a pair is a text and its plural."""
    found: dict[Text, list[tuple[str, int]]] = {}
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if UNTRANSLATED in path.parents:
                continue
            for text, line in _in_code(ast.parse(path.read_text("utf-8"))):
                found.setdefault(text, []).append((str(path.relative_to(ROOT)), line))
        for path in sorted((ROOT / folder).rglob("*.html")):
            for line, _, text, _ in babel_extract(BytesIO(path.read_bytes()), ["_"], [], {}):
                one = text[0] if isinstance(text, tuple) else text  # the rest are facts
                if one is not None:
                    found.setdefault(one, []).append((str(path.relative_to(ROOT)), line))
    return found


def _in_code(tree: ast.AST) -> Iterator[tuple[Text, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _in_call(node)
        elif isinstance(node, ast.Assign) and _names(node) == ["text"]:
            yield from _literals(node.value)


def _names(node: ast.Assign) -> list[str]:
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def _in_call(node: ast.Call) -> Iterator[tuple[Text, int]]:
    name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
    if name == "N_n":
        one, many = (str(ast.literal_eval(argument)) for argument in node.args)
        yield (one, many), node.lineno
    elif name in TEXT_AT and len(node.args) > TEXT_AT[name]:
        yield from _literals(node.args[TEXT_AT[name]])


def _literals(node: ast.expr) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value, node.lineno
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def catalogue(code: str) -> Catalog:
    """The catalogue of one language as it lies in its file."""
    path = po_file(code)
    if not path.exists():
        return Catalog(locale=code)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def po_file(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / "companion.po"


def updated(code: str) -> Catalog:
    """The catalogue with every text of today, keeping what is translated."""
    before = catalogue(code)
    after = Catalog(locale=code, header_comment=HEADER, fuzzy=False)
    for text, places in collected().items():
        known = before.get(text if isinstance(text, str) else text[0])
        # Line numbers would change with every edit; the file is where a translator looks.
        files = [(file, None) for file in dict.fromkeys(file for file, _ in places)]
        after.add(text, known.string if known else None, locations=files)
    return after


def write(code: str) -> int:
    """Write one catalogue; how many texts still wait for a translation."""
    fresh = updated(code)
    lines = BytesIO()
    write_po(lines, fresh, width=96, sort_by_file=True)
    # The dates and addresses that Babel adds would change with every run, and tell nobody anything.
    kept = [line for line in lines.getvalue().splitlines(True) if not line.startswith(NOISE)]
    po_file(code).write_bytes(b"".join(kept))
    return sum(not all(_strings(message.string)) for message in fresh if message.id)


def _strings(string: object) -> tuple[object, ...]:
    return string if isinstance(string, tuple) else (string,)


def main() -> None:
    for code in TRANSLATED:
        sys.stdout.write(f"{code}: {write(code)} texts to translate\n")


if __name__ == "__main__":
    main()
