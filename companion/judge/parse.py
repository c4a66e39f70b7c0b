"""Parse a case from JSON or TOML, strictly.

Law: a case is one small object. Anything else — too long, not UTF-8, broken, a key twice — is
refused in one sentence that names the line. The values are checked by `shapes`.
"""

import json
import re
import tomllib
from codecs import BOM_UTF8
from collections import Counter

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_
from companion.judge.checks import shorten

MOST_BYTES = 1_000_000
MOST_DIGITS = 600
MOST_DOTS = 500
"""Dots in a TOML case. A dotted key costs its reader the square of its length in memory."""

TOML_AT = re.compile(r"at line (\d+), column (\d+)")
TOML_TABLE = re.compile(r"\s*\[\[?[\w.\-]+\]\]?\s*$", re.MULTILINE)

CASE = "case"


def _reject_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, n in counts.items() if n > 1)
        raise Malformed(shorten(twice), N_("{field} is given twice."))
    return found


def _parse_number(digits: str) -> int | str:
    """Parse a whole number; leave one that is too long as text, so that its field refuses it."""
    return int(digits) if len(digits) <= MOST_DIGITS else digits


_DECODER = json.JSONDecoder(object_pairs_hook=_reject_doubles, parse_int=_parse_number)


def parse_case(data: bytes, name: str = "") -> JsonObject:
    """Parse the case in a file; its name or its first letter decides between JSON and TOML."""
    text = _decode_text(data)
    return _require_object(_parse_toml(text) if _is_toml(text, name) else _parse_json(text))


def _is_toml(text: str, name: str) -> bool:
    if name.endswith((".toml", ".json")):
        return name.endswith(".toml")
    return TOML_TABLE.match(text) is not None or not text.lstrip().startswith(("{", "["))


def parse_line(data: bytes, line: int = 1) -> JsonObject:
    """Parse the case in one line of JSON; `line` is its number in a stream, for faults."""
    return _require_object(_parse_json(_decode_text(data.removesuffix(b"\n"), line), line))


def _decode_text(data: bytes, first: int = 1) -> str:
    if len(data) > MOST_BYTES:
        raise Malformed(CASE, N_("This is longer than a case can be ({most} bytes)."),
                        most=MOST_BYTES)  # fmt: skip
    try:
        return data.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first
        raise Malformed(f"line {line}", N_("Line {line} is not UTF-8 text."), line=line) from None


def _parse_json(text: str, first: int = 1) -> object:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        line = error.lineno - 1 + first
        raise Malformed(
            f"line {line}", N_("Line {line}, column {column}: this is not JSON."),
            line=line, column=error.colno,
        ) from None  # fmt: skip
    except RecursionError:
        raise Malformed(CASE, N_("This is nested too deeply for a case.")) from None


def _parse_toml(text: str) -> object:
    if text.count(".") > MOST_DOTS:
        raise Malformed(CASE, N_("This is nested too deeply for a case."))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _toml_error(text, str(error)) from None
    except RecursionError:
        raise Malformed(CASE, N_("This is nested too deeply for a case.")) from None
    except ValueError:  # a number of thousands of digits
        raise Malformed(CASE, N_("A number in this case is too long.")) from None


def _toml_error(text: str, said: str) -> Malformed:
    """Return the fault of a TOML text, from the parser's English message."""
    at = TOML_AT.search(said)
    if at is None:  # "(at end of document)"
        return Malformed(CASE, N_("This is neither JSON nor TOML: it breaks off at its end."))
    line, column = int(at[1]), int(at[2])
    if said.startswith(("Cannot overwrite", "Cannot declare", "Duplicate")):
        name = text.splitlines()[line - 1].partition("=")[0].strip(" []")
        return Malformed(shorten(name), N_("{field} is given twice."))
    text_ = N_("Line {line}, column {column}: this is neither JSON nor TOML.")
    return Malformed(f"line {line}", text_, line=line, column=column)


def _require_object(case: object) -> JsonObject:
    if type(case) is dict:
        return case
    raise Malformed(CASE, N_("A case is one object: {{\"game\": …, \"kind\": …}}."))  # fmt: skip
