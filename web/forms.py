"""Forms: turn the fields of a plain form into the JSON body of an operation.

Laws: a form spells the very struct that the API takes. A field `a.b` is a field of a field, `a[]`
an item of a list. A request to the game is named by `do`; the fields of its event are JSON each, a
button carries a whole choice, a reason is plain text. The seat comes from the path, never from the
form. An error names the field as its sender spelled it, and never repeats its value.
"""

import secrets
from collections.abc import Mapping

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.json_values import JsonObject
from companion.games.rulebook import Choices

Choice = Mapping[str, object]
OpenFields = dict[str, tuple[object, ...]]
ClosedFields = dict[str, object]

CHOICE = "choice"
DO = "do"
FORM = "form"
VERSION = "version"
KEY = "key"
PAGE = "page"
FREE_TEXT_FIELD = "reason"
"""The one field in which people write a sentence of their own."""
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")
MAX_DEPTH = 8
"""How deep fields may nest; no form of ours needs half as much."""
FORM_FIELDS = (DO, CHOICE, FORM, VERSION, KEY, PAGE)


def is_form_post() -> bool:
    """Check that a page without scripts posted this request."""
    return request.method == "POST" and request.mimetype in FORM_TYPES


def form_name(form: Mapping[str, str]) -> str:
    """Return the name of a form, at which its refusal is shown."""
    return form.get(FORM) or form.get(DO, "")


def parse_form(form: MultiDict[str, str]) -> JsonObject:
    """Return the fields as the JSON body they spell; a key is made up where there is none."""
    found: JsonObject = {KEY: secrets.token_hex(8)}
    asked = {DO, CHOICE} if DO in form else set[str]()
    for name, values in form.lists():
        if name in (VERSION, KEY) or (name not in FORM_FIELDS and not asked):
            _set_field(found, name, values)
    if asked:
        found.setdefault(VERSION, 0)  # What is about no view carries none.
        found["event"] = {**parse_event_fields(form), "event": form[DO]}
    return found


def _set_field(found: JsonObject, name: str, values: list[str]) -> None:
    """Set a field given by its dotted name in nested dicts."""
    value = values if name.endswith("[]") else values[-1]
    _set_value(found, name.removesuffix("[]").split("."), value)


def _set_value(found: JsonObject, path: list[str], value: object) -> None:
    *outer, last = path
    if len(outer) > MAX_DEPTH:
        raise Malformed("body", N_("The field “{field}” cannot be read."))
    for part in outer:
        found = found.setdefault(part, {})
        if not isinstance(found, dict):
            raise Malformed(".".join(path), N_("The field “{field}” cannot be read."))
    found[last] = value


def parse_event_fields(form: Mapping[str, str]) -> JsonObject:
    """Return the fields of the event that a form asks for."""
    fields = _parse_json(CHOICE, form.get(CHOICE, "{}"))
    if not isinstance(fields, dict):
        raise Malformed(CHOICE, N_("The field “{field}” cannot be read."))
    for field, written in form.items():
        if field not in FORM_FIELDS:
            value = written if field == FREE_TEXT_FIELD else _parse_json(field, written)
            _set_value(fields, field.split("."), value)
    return fields


def _parse_json(field: str, written: str) -> object:
    try:
        return msgspec.json.decode(written)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Malformed(field, N_("The field “{field}” cannot be read.")) from None


def button_choices(choices: Choices) -> list[Choice]:
    """Return the choices that one button can make; yes or no becomes two buttons."""
    answered = (way for choice in choices for way in _split_yes_or_no(choice))
    return [choice for choice in answered if not open_fields(choice)]


def choices_to_fill(choices: Choices) -> list[Choice]:
    """Return the choices that leave a field to be filled in."""
    answered = (way for choice in choices for way in _split_yes_or_no(choice))
    return [choice for choice in answered if open_fields(choice)]


def _split_yes_or_no(choice: Choice) -> list[Choice]:
    """Split a choice that leaves yes or no open into one choice for each answer."""
    for field, values in open_fields(choice).items():
        if set(values) == {True, False}:
            return [{**choice, field: value} for value in values]
    return [choice]


def group_by_open_fields(choices: Choices) -> list[tuple[OpenFields, list[ClosedFields]]]:
    """Group the choices to be filled in: each set of open fields with the choices that leave just
    these open."""
    found: list[tuple[OpenFields, list[ClosedFields]]] = []
    for choice in choices_to_fill(choices):
        values, rest = open_fields(choice), closed_fields(choice)
        together = next((rests for same, rests in found if same == values), None)
        if together is None:
            found.append((values, [rest]))
        else:
            together.append(rest)
    return found


def open_fields(choice: Choice) -> OpenFields:
    """Return the fields of a choice that are to be filled in, each with its possible values."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}


def closed_fields(choice: Choice) -> ClosedFields:
    """Return the fields of a choice that are settled."""
    filled = open_fields(choice)
    return {field: value for field, value in choice.items() if field not in filled}
