"""Collects the texts for people from code and templates, and brings their catalogue up to date.

A text is the literal that is handed to one of the functions below, or that is bound to the name
`text` on its way to one, or that a template hands to `_`. A new text is left empty there.
"""

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from companion.core.catalogues import COMPANION, Catalogue
from companion.core.i18n import LANGUAGES

TRANSLATED = LANGUAGES[1:]

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
HEADER = "# Texts for people, collected from the code; only the translations are edited here."

_ONE_GAP = re.compile(r"\{\w+\}")

Text = str | tuple[str, str]
"""A text, or the form of a counted text for one and that for more."""
Texts = Mapping[Text, tuple[str, ...]]
"""Texts, each with the files in which it stands."""


def collect_texts(root: Path, files: Iterable[Path]) -> Texts:
    """Collect the texts of these files; they are named by their paths from the root."""
    found: dict[Text, dict[str, None]] = {}
    for path in files:
        for text in _read_texts(path):
            if isinstance(text, str) and _ONE_GAP.fullmatch(text):
                continue  # Nothing of it is for a translator.
            found.setdefault(text, {})[path.relative_to(root).as_posix()] = None
    return {text: tuple(named) for text, named in found.items()}


def find_sources(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that may contain texts: first all code, then all templates."""
    for kind in ("*.py", "*.html"):
        yield from sorted(folder.rglob(kind))


def own_texts(folder: Path) -> Texts:
    """Collect the texts of a game that the companion does not say as well."""
    known = compiled_texts(COMPANION)
    found = collect_texts(folder, find_sources(folder))
    return {text: files for text, files in found.items() if text not in known}


def update_catalogue(
    catalogue: Catalogue, code: str, texts: Texts, also: Iterable[Catalog] = ()
) -> Catalog:
    """Return the catalogue with these texts; each keeps its translation, or takes that of another
    catalogue from which it may have moved."""
    before = (read_catalogue(catalogue, code), *also)
    after = Catalog(locale=code, header_comment=HEADER, fuzzy=False)
    for text, files in texts.items():
        # Line numbers would change with every edit; the file is where a translator looks.
        places: Any = [(file, None) for file in files]
        after.add(text, _find_translation(text, before), locations=places)
    return after


def write_catalogue(
    catalogue: Catalogue, code: str, texts: Texts, also: Iterable[Catalog] = ()
) -> int:
    """Write and compile a language; return how many texts still wait for a translation."""
    fresh, lines = update_catalogue(catalogue, code, texts, also), BytesIO()
    write_po(lines, fresh, width=96, sort_by_file=True)
    # The dates and addresses that Babel adds would change with every run, and tell nothing.
    kept = [line for line in lines.getvalue().splitlines(True) if not line.startswith(NOISE)]
    path = catalogue.find_file(code)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(kept))
    with catalogue.find_file(code, ".mo").open("wb") as compiled:
        write_mo(compiled, fresh)
    return sum(not all(translations(message.string)) for message in fresh if message.id)


def read_catalogue(catalogue: Catalogue, code: str) -> Catalog:
    """Read a language as translators edit it; an empty one if there is no file yet."""
    path = catalogue.find_file(code)
    if not path.exists():
        return Catalog(locale=code)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def compiled_texts(catalogue: Catalogue) -> Collection[Text]:
    """Return the texts of a catalogue that is installed, which may be without its sources."""
    with catalogue.find_file(TRANSLATED[0], ".mo").open("rb") as file:
        ids = [message.id for message in read_mo(file) if message.id]
    return {one if isinstance(one, str) else (one[0], one[1]) for one in ids}


def translations(string: object) -> tuple[object, ...]:
    """Return the forms of a translation, one if it is not counted."""
    return string if isinstance(string, tuple) else (string,)


def _find_translation(text: Text, catalogues: Iterable[Catalog]) -> Any:
    """Return the first translation of a text that is complete."""
    for each in catalogues:
        known = each.get(text if isinstance(text, str) else text[0])
        if known is not None and all(translations(known.string)):
            return known.string
    return None


def _read_texts(path: Path) -> Iterator[Text]:
    if path.suffix == ".py":
        yield from _texts_in_code(ast.parse(path.read_text("utf-8")))
        return
    for _, _, text, _ in babel_extract(BytesIO(path.read_bytes()), ["_"], [], {}):
        one = text[0] if isinstance(text, tuple) else text  # The rest are facts.
        if one is not None:
            yield one


def _texts_in_code(tree: ast.AST) -> Iterator[Text]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _texts_in_call(node)
        elif isinstance(node, ast.Assign) and _target_names(node) == ["text"]:
            yield from _literals(node.value)


def _target_names(node: ast.Assign) -> list[str]:
    return [target.id for target in node.targets if isinstance(target, ast.Name)]


def _texts_in_call(node: ast.Call) -> Iterator[Text]:
    name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
    if name == "N_n":
        one, many = (str(ast.literal_eval(argument)) for argument in node.args)
        yield one, many
    elif name in TEXT_AT and len(node.args) > TEXT_AT[name]:
        yield from _literals(node.args[TEXT_AT[name]])


def _literals(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.Tuple):
        for each in node.elts:
            yield from _literals(each)
