"""Bodies of the API: the ones that several operations share, and how any body is validated.

Laws: a body is a struct that forbids unknown fields, and comes as JSON. The refusal of a body names
the field that is missing, unknown or of another type.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, TypeVar, get_args

import msgspec
from flask import request
from msgspec import Meta, Struct
from werkzeug.exceptions import UnsupportedMediaType

from companion.core.bot_pace import Pace
from companion.core.errors import Malformed
from companion.core.events import Event, EventTypes, to_json
from companion.core.i18n import N_
from companion.core.json_values import JsonObject
from companion.core.table_events import AMENDMENTS
from companion.games.rulebook import AnyRulebook
from companion.table.history import event_union

JSON = "application/json"
T = TypeVar("T")
_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_NAMED = re.compile(r"`([^`]*)`")
FIELD_SENTENCES = {"key": N_("The key of a request is 1 to 64 letters, digits or hyphens.")}
"""The sentences of fields that need more said than that they cannot be read."""


Version = Annotated[int, Meta(ge=0, le=10**9)]
Key = Annotated[str, Meta(pattern="^[A-Za-z0-9-]{1,64}$")]


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A request: the event that is asked for, the version of the view it answers, its own key."""

    event: JsonObject
    version: Version
    key: Key


class Tapped(Struct, frozen=True, forbid_unknown_fields=True):
    """A button that says all there is to say."""

    key: Key


class Spoken(Struct, frozen=True, forbid_unknown_fields=True):
    """A language is chosen."""

    key: Key
    language: str


class Paced(Struct, frozen=True, forbid_unknown_fields=True):
    """How fast bots play."""

    key: Key
    pace: Pace


ASKED = {"event": {"event": "bank_chosen", "bank": 3}, "version": 17, "key": "6f2c1a"}
TAPPED = {"key": "6f2c1a"}
PACED = {"key": "6f2c1a", "pace": "slow"}
SPOKEN = {"key": "6f2c1a", "language": "de"}


def parse_body(body_type: type[T]) -> T:
    """Return the JSON body of the request as a struct of this type; Malformed names a wrong
    field."""
    if request.mimetype != JSON:
        raise UnsupportedMediaType
    try:
        return msgspec.json.decode(request.get_data(), type=body_type)
    except msgspec.ValidationError as error:
        raise malformed_field(error) from None
    except (ValueError, msgspec.MsgspecError, RecursionError):
        raise Malformed("body", N_("The body is not JSON.")) from None


def parse_event(fields: JsonObject, seat: int, rules: AnyRulebook) -> Event:
    """Return the event that this seat asks for; Malformed names a wrong field."""
    seated = {"seat": seat} if _has_seat(str(fields.get("event", "")), rules) else {}
    fields = {**fields, **seated}
    union = event_union(rules)
    kind = _kinds_by_name(union).get(str(fields.get("event", "")), union)
    try:
        found: Event = msgspec.convert(fields, kind)
        to_json(found)  # A number may be too large to be written.
    except msgspec.ValidationError as error:
        raise malformed_field(error) from None
    except (ValueError, OverflowError, RecursionError):
        raise Malformed("event", N_("The field “{field}” cannot be read.")) from None
    return found


@lru_cache(16)
def _kinds_by_name(union: EventTypes) -> Mapping[str, EventTypes]:
    """Return the classes of a union by their names: msgspec looks through a union anew each time,
    which takes longer than all the rest."""
    return {_event_name(kind): kind for kind in get_args(union)}


def _has_seat(name: str, rules: AnyRulebook) -> bool:
    asked: list[type[Event]] = [*(row.event for row in rules.rows), *AMENDMENTS]
    return any("seat" in kind.__struct_fields__ for kind in asked if _event_name(kind) == name)


def _event_name(event_type: type[Event]) -> str:
    return str(event_type.__struct_config__.tag)


def malformed_field(error: msgspec.ValidationError) -> Malformed:
    """Return the error that names the wrong field: the last one of the path, or the missing one."""
    reason = str(error)
    at = _AT.search(reason)
    named = _NAMED.findall(reason.partition(" - at ")[0]) if "field" in reason else []
    field = ".".join(filter(None, [at.group(1) if at else "", *named[:1]])) or "body"
    if "missing" in reason:
        return Malformed(field, N_("The field “{field}” is missing."))
    return Malformed(field, FIELD_SENTENCES.get(field, N_("The field “{field}” cannot be read.")))
