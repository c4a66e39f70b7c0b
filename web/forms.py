"""Forms: from the fields that a page posted to an event, or a sentence about what is wrong.

Law: a form names what is done (`do`) and carries the fields of that event, each as JSON; a
button carries a whole choice. The seat is never taken from a form: it is the cookie's. What a
form says of itself, its page and name, its version and key, is no field of any event.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from companion.amendments import AMENDMENTS
from companion.errors import Malformed
from companion.events import Event, from_fields
from companion.games.rulebook import Choices, Rulebook
from companion.history import kinds
from companion.texts import N_

CHOICE = "choice"
DO = "do"
FORM = "form"
VERSION = "version"
KEY = "key"
PAGE = "page"
OF_THE_FORM = (DO, CHOICE, FORM, VERSION, KEY, PAGE)
_VERSION = re.compile(r"[0-9]{1,9}")


class Submission(NamedTuple):
    """What a form says of itself: its name, the view it was rendered from, this very sending."""

    form: str
    version: int | None
    key: str


def submission(form: Mapping[str, str]) -> Submission:
    """Which form this is; without scripts there is no key, and only a hand-made one is undated."""
    version = form.get(VERSION)
    if version is not None and not _VERSION.fullmatch(version):
        raise Malformed(VERSION, N_("The field “{field}” cannot be read."))
    return Submission(name(form), None if version is None else int(version), form.get(KEY, ""))


def name(form: Mapping[str, str]) -> str:
    """The name of a form, at which its refusal is shown."""
    return form.get(FORM) or form.get(DO, "")


def read(form: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """What is to be done, and its fields."""
    fields = _json(CHOICE, form.get(CHOICE, "{}"))
    if not isinstance(fields, dict):
        raise Malformed(CHOICE, N_("The field “{field}” cannot be read."))
    for field, written in form.items():
        if field not in OF_THE_FORM:
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
    asked: Event = from_fields({**fields, **seated, "event": do}, kinds(rules))
    return asked


def _has_seat(do: str, rules: Rulebook) -> bool:
    asked: list[type[Event]] = [*(row.event for row in rules.rows), *AMENDMENTS]
    return any("seat" in kind.__struct_fields__ for kind in asked if _name(kind) == do)


def _name(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def fixed(choices: Choices) -> list[Mapping[str, Any]]:
    """The choices that one button can make; yes or no are two buttons."""
    answered = (way for choice in choices for way in _answers(choice))
    return [choice for choice in answered if not open_fields(choice)]


def to_fill(choices: Choices) -> list[Mapping[str, Any]]:
    """The choices that leave a field to be filled in."""
    answered = (way for choice in choices for way in _answers(choice))
    return [choice for choice in answered if open_fields(choice)]


def _answers(choice: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A choice that leaves open yes or no, as one choice for each answer."""
    for field, values in open_fields(choice).items():
        if set(values) == {True, False}:
            return [{**choice, field: value} for value in values]
    return [choice]


def open_fields(choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a choice that are to be filled in, each with its values to choose from."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}


def closed_fields(choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a choice that are settled."""
    filled = open_fields(choice)
    return {field: value for field, value in choice.items() if field not in filled}
