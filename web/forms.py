"""Forms: from the fields that a page posted to an event, or a sentence about what is wrong.

Law: a form names what is done (`do`) and carries the fields of that event, each as JSON; a
button carries a whole choice. The seat is never taken from a form: it is the cookie's.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.errors import Malformed
from companion.events import Event, from_fields
from companion.games.rulebook import Choices, Rulebook
from companion.texts import N_

CHOICE = "choice"
DO = "do"


def read(form: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """What is to be done, and its fields."""
    fields = _json(CHOICE, form.get(CHOICE, "{}"))
    if not isinstance(fields, dict):
        raise Malformed(CHOICE, N_("The field “{field}” cannot be read."))
    for field, written in form.items():
        if field not in (DO, CHOICE):
            fields[field] = _json(field, written)
    return form.get(DO, ""), fields


def _json(field: str, written: str) -> Any:
    try:
        return msgspec.json.decode(written)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Malformed(field, N_("The field “{field}” cannot be read.")) from None


def event(do: str, fields: Mapping[str, Any], seat: int, rules: Rulebook) -> Event:
    """The event that this seat asks for."""
    seated = {"seat": seat} if _has_seat(do, rules) else {}
    asked: Event = from_fields({**fields, **seated, "event": do}, rules.events)
    return asked


def _has_seat(do: str, rules: Rulebook) -> bool:
    return any(row.do == do and "seat" in row.event.__struct_fields__ for row in rules.rows)


def fixed(choices: Choices) -> list[Mapping[str, Any]]:
    """The choices that one button can make."""
    return [choice for choice in choices if not open_fields(choice)]


def to_fill(choices: Choices) -> list[Mapping[str, Any]]:
    """The choices that leave a field to be filled in."""
    return [choice for choice in choices if open_fields(choice)]


def open_fields(choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a choice that are to be filled in, each with its values to choose from."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}


def closed_fields(choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a choice that are settled."""
    filled = open_fields(choice)
    return {field: value for field, value in choice.items() if field not in filled}
