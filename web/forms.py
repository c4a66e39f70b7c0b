"""Forms: from the fields that a plain form posted to what an operation takes.

Law: a form spells the very struct that the API takes. A field `a.b` is a field of a field, and
`a[]` one of a list. What is asked of the game is named by `do`; the event's fields come each as
JSON, and a button carries a whole choice; a reason is written as it is read. The seat is never
taken from a form: it is the address's.

Acts: which events are done with cards, tiles and figure.

Law: on a table with readers these are done by hand and seen by a reader; a phone offers them only
to tap what no reader sees. Everything else is asked on the phone. A new game adds its lines.

Unreadable: which field of what was sent is wrong, in a sentence.

Law: the sentence names the field as its writer spelled it, and never repeats what was in it.
"""

import re
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from flask import request
from werkzeug.datastructures import MultiDict

from companion.core.errors import Malformed
from companion.core.events import Event, from_fields
from companion.core.i18n import N_
from companion.core.table_events import AMENDMENTS
from companion.games.rulebook import Choices, Rulebook
from companion.table.history import event_union

PIECE_EVENTS = [
    "tile_turned",
    "card_placed",
    "card_spied",
    "card_revealed",
    "bank_chosen",
    "bank_refilled",
    "card_turned",
    "card_chosen",
    "card_sold",
    "loot_laid",
]


def is_done_with_pieces(event: str) -> bool:
    """Whether this is done with pieces on the table."""
    return event in PIECE_EVENTS


_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_NAMED = re.compile(r"`([^`]*)`")

FIELD_SENTENCES = {"key": N_("The key of a request is 1 to 64 letters, digits or hyphens.")}
"""What is said of a field that has more to ask for than its kind."""


def malformed_field(error: msgspec.ValidationError) -> Malformed:
    """Which field is wrong: the one at the end of the path, or the one that is missing."""
    reason = str(error)
    at = _AT.search(reason)
    named = _NAMED.findall(reason.partition(" - at ")[0]) if "field" in reason else []
    field = ".".join(filter(None, [at.group(1) if at else "", *named[:1]])) or "body"
    if "missing" in reason:
        return Malformed(field, N_("The field “{field}” is missing."))
    return Malformed(field, FIELD_SENTENCES.get(field, N_("The field “{field}” cannot be read.")))


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
"""So many fields stand around a field, and no form of ours has half as many."""
FORM_FIELDS = (DO, CHOICE, FORM, VERSION, KEY, PAGE)


def is_form_post() -> bool:
    """Whether a page without scripts asks."""
    return request.method == "POST" and request.mimetype in FORM_TYPES


def form_name(form: Mapping[str, str]) -> str:
    """The name of a form, at which its refusal is shown."""
    return form.get(FORM) or form.get(DO, "")


def parse_form(form: MultiDict[str, str]) -> dict[str, Any]:
    """The fields of a form, as JSON would have them; whoever has no scripts makes no keys."""
    found: dict[str, Any] = {KEY: secrets.token_hex(8)}
    asked = {DO, CHOICE} if DO in form else set[str]()
    for name, values in form.lists():
        if name in (VERSION, KEY) or (name not in FORM_FIELDS and not asked):
            _set_field(found, name, values)
    if asked:
        found.setdefault(VERSION, 0)  # What is about no view carries none.
        found["event"] = {**parse_event_fields(form), "event": form[DO]}
    return found


def _set_field(found: dict[str, Any], name: str, values: list[str]) -> None:
    *outer, last = name.removesuffix("[]").split(".")
    if len(outer) > MAX_DEPTH:
        raise Malformed("body", N_("The field “{field}” cannot be read."))
    for part in outer:
        found = found.setdefault(part, {})
        if not isinstance(found, dict):
            raise Malformed(name, N_("The field “{field}” cannot be read."))
    found[last] = values if name.endswith("[]") else values[-1]


def parse_event_fields(form: Mapping[str, str]) -> dict[str, Any]:
    """The fields of what is to be done."""
    fields = _parse_json(CHOICE, form.get(CHOICE, "{}"))
    if not isinstance(fields, dict):
        raise Malformed(CHOICE, N_("The field “{field}” cannot be read."))
    for field, written in form.items():
        if field not in FORM_FIELDS:
            fields[field] = written if field == FREE_TEXT_FIELD else _parse_json(field, written)
    return fields


def _parse_json(field: str, written: str) -> Any:
    try:
        return msgspec.json.decode(written)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        raise Malformed(field, N_("The field “{field}” cannot be read.")) from None


def parse_event(fields: Mapping[str, Any], seat: int, rules: Rulebook) -> Event:
    """The event that this seat asks for."""
    seated = {"seat": seat} if _has_seat(str(fields.get("event", "")), rules) else {}
    fields = {**fields, **seated}
    try:
        msgspec.convert(fields, event_union(rules))
    except msgspec.ValidationError as error:
        raise malformed_field(error) from None
    found: Event = from_fields(fields, event_union(rules))
    return found


def _has_seat(name: str, rules: Rulebook) -> bool:
    asked: list[type[Event]] = [*(row.event for row in rules.rows), *AMENDMENTS]
    return any("seat" in kind.__struct_fields__ for kind in asked if _event_name(kind) == name)


def _event_name(event_type: type[Event]) -> str:
    return str(event_type.__struct_config__.tag)


def button_choices(choices: Choices) -> list[Mapping[str, Any]]:
    """The choices that one button can make; yes or no are two buttons."""
    answered = (way for choice in choices for way in _split_yes_or_no(choice))
    return [choice for choice in answered if not open_fields(choice)]


def choices_to_fill(choices: Choices) -> list[Mapping[str, Any]]:
    """The choices that leave a field to be filled in."""
    answered = (way for choice in choices for way in _split_yes_or_no(choice))
    return [choice for choice in answered if open_fields(choice)]


def _split_yes_or_no(choice: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A choice that leaves open yes or no, as one choice for each answer."""
    for field, values in open_fields(choice).items():
        if set(values) == {True, False}:
            return [{**choice, field: value} for value in values]
    return [choice]


def group_by_open_fields(choices: Choices) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """The fields to be filled in, each set of them with the choices that leave just these open."""
    found: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    for choice in choices_to_fill(choices):
        values, rest = open_fields(choice), closed_fields(choice)
        together = next((rests for same, rests in found if same == values), None)
        if together is None:
            found.append((values, [rest]))
        else:
            together.append(rest)
    return found


def open_fields(choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a choice that are to be filled in, each with its values to choose from."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}


def closed_fields(choice: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a choice that are settled."""
    filled = open_fields(choice)
    return {field: value for field, value in choice.items() if field not in filled}
