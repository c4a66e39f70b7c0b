"""Checks of the values of a case: each returns the value, or a sentence on the allowed ones.

Law: an error names the field by its path, and quotes what stood there as it was written, cut short.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from companion.core.cards import Box
from companion.core.errors import JsonArray, JsonObject, Malformed
from companion.core.i18n import N_

MOST_NUMBER = 1_000_000
LONGEST_QUOTE = 40


def shorten(value: object) -> str:
    """Return a value as it is quoted in a sentence: on one line, cut to its limit."""
    text = _printable(value)
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def quote(value: object) -> str:
    """Return a value as it was written: text in quotes."""
    return f'"{shorten(value)}"' if isinstance(value, str) else shorten(value)


def _printable(value: object) -> str:
    """Return a value in printable words, without the inside of a list or an object."""
    match value:
        case str():
            return value if value.isprintable() else repr(value)[1:-1]
        case None | bool() | float():
            return json.dumps(value)
        case dict():
            return "{…}" if value else "{}"
        case list():
            return "[…]" if value else "[]"
        case int() if value.bit_length() > LONGEST_QUOTE * 4:  # may be too long to print in digits
            return hex(value)
    return str(value)


def check_fields(
    found: Mapping[str, object], needed: Collection[str], known: Collection[str], prefix: str = ""
) -> None:
    """Raise Malformed if a field is missing or unknown; `prefix` is "funds.Ana."."""
    for name in needed:
        if name not in found:
            raise Malformed(prefix + name, N_("{field} is missing."))
    for name in found:
        if name not in known:
            text = N_("{field} is not a field here; these are: {expected}.")
            raise Malformed(prefix + shorten(name), text, expected=", ".join(known))


def check_int(value: object, field: str, least: int = 0, most: int = MOST_NUMBER) -> int:
    """Return a whole number between the limits; raise Malformed."""
    if type(value) is int and least <= value <= most:
        return value
    raise Malformed(
        field, N_("{field} must be a whole number from {least} to {most}, not {value}."),
        least=least, most=most, value=quote(value),
    )  # fmt: skip


def check_choice(value: Any, field: str, choices: Iterable[Any]) -> Any:
    """Return a value that is one of the choices; raise Malformed."""
    among = list(choices)
    if type(value) in (str, int) and value in among:
        return value
    options = [str(choice) for choice in among]
    if shorten(value) in options:  # 5 where "5" is meant
        options = [json.dumps(choice, ensure_ascii=False) for choice in among]
    raise Malformed(
        field, N_("{field} must be one of {options}, not {value}."),
        options=", ".join(options), value=quote(value),
    )  # fmt: skip


def check_object(value: object, field: str) -> JsonObject:
    """Return an object; raise Malformed."""
    if type(value) is dict:
        return value
    raise Malformed(field, N_("{field} must be an object, not {value}."), value=quote(value))


def check_list(value: object, field: str) -> JsonArray:
    """Return a list; raise Malformed."""
    if type(value) is list:
        return value
    raise Malformed(field, N_("{field} must be a list, not {value}."), value=quote(value))


def check_players(names: Iterable[Any], field: str, box: Box) -> list[str]:
    """Return the names of the players: at least one, no more than the box seats, none twice."""
    found = list(names)
    if not 1 <= len(found) <= box.players.most:
        raise Malformed(
            field, N_("{field} must name 1 to {most} players, not {n}."),
            most=box.players.most, n=len(found),
        )  # fmt: skip
    for name in found:
        if not is_plain_name(name):
            raise Malformed(
                field, N_("{field}: “{name}” is not a name of 1 to {most} printed characters."),
                name=shorten(name), most=LONGEST_QUOTE,
            )  # fmt: skip
    if len(set(found)) < len(found):
        raise Malformed(field, N_("{field} names a player twice."))
    return found


def is_plain_name(name: object) -> bool:
    """Check for a text of one line that begins and ends with a printed character."""
    if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_QUOTE:
        return False
    return name.isprintable() and name == name.strip()


def check_seats(n: int, field: str, box: Box) -> None:
    """Raise Malformed for fewer players than the box is for."""
    if n < box.players.least:
        text = N_("{title} is for {least} to {most} players, not {n}.")
        seats = {"least": box.players.least, "most": box.players.most}
        raise Malformed(field, text, title=box.title, n=n, **seats)
