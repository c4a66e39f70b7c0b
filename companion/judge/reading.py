"""From bytes to a case: JSON or TOML, read strictly.

Law: a case is one small object. Anything else — too long, not UTF-8, broken, a key twice, a
number that is none — is refused in one sentence that names the line.
"""

import json
import tomllib
from typing import Any, NoReturn

from companion.errors import Malformed
from companion.texts import N_

MOST_BYTES = 1_000_000
CASE = "case"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(twice, N_("{field} is given twice."))
    return found


def _no_constant(name: str) -> NoReturn:
    raise Malformed(name, N_("{field} is not a number."))


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def read_case(data: bytes, name: str = "") -> dict[str, Any]:
    """The case in a file; its name or its first letter says whether it is JSON or TOML."""
    text = _text(data)
    toml = name.endswith(".toml") or (
        not name.endswith(".json") and not text.lstrip().startswith(("{", "["))
    )
    return _object(_toml(text) if toml else _json(text))


def read_line(data: bytes) -> dict[str, Any]:
    """The case in one line of JSON."""
    return _object(_json(_text(data)))


def _text(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise Malformed(CASE, N_("This is longer than a case can be ({most} bytes)."),
                        most=MOST_BYTES)  # fmt: skip
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Malformed(f"line {line}", N_("Line {line} is not UTF-8 text."), line=line) from None


def _json(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Malformed(
            f"line {error.lineno}", N_("Line {line}, column {column}: this is not JSON."),
            line=error.lineno, column=error.colno,
        ) from None  # fmt: skip
    except RecursionError:
        raise Malformed(CASE, N_("This is nested too deeply for a case.")) from None
    except Malformed:
        raise
    except ValueError:  # a number of thousands of digits
        raise Malformed(CASE, N_("A number in this case is too long.")) from None


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Malformed(
            CASE, N_("This is neither JSON nor TOML: {reason}."), reason=str(error).rstrip(".")
        ) from None
    except RecursionError:
        raise Malformed(CASE, N_("This is nested too deeply for a case.")) from None
    except ValueError:
        raise Malformed(CASE, N_("A number in this case is too long.")) from None


def _object(case: Any) -> dict[str, Any]:
    if type(case) is dict:
        return case
    raise Malformed(CASE, N_("A case is one object: {{\"game\": …, \"kind\": …}}."))  # fmt: skip
