"""Reading: from the body of a request to the struct that an operation takes.

Law: strict. A field that is missing, unknown or of another kind is named in a sentence; nothing is
guessed. A plain form spells the same struct with its own fields; what is done to the game it
spells as `forms` says.
"""

import re
from typing import Any

import msgspec
from flask import request
from werkzeug.exceptions import UnsupportedMediaType

from companion.errors import Malformed
from companion.texts import N_
from web import forms

JSON = "application/json"
_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_NAMED = re.compile(r"`([^`]*)`")

SAID = {"key": N_("The key of a request is 1 to 64 letters, digits or hyphens.")}
"""What is said of a field that has more to ask for than its kind."""


def body(kind: Any) -> Any:
    """What was sent, as the operation takes it."""
    if forms.plain():
        return _converted(forms.fields(request.form), kind, strict=False)
    if request.mimetype != JSON:
        raise UnsupportedMediaType
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except msgspec.ValidationError as error:
        raise _malformed(str(error)) from None
    except (ValueError, RecursionError):
        raise Malformed("body", N_("The body is not JSON.")) from None


def _converted(fields: dict[str, Any], kind: Any, strict: bool) -> Any:
    try:
        return msgspec.convert(fields, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise _malformed(str(error)) from None


def _malformed(reason: str) -> Malformed:
    """Which field is wrong: the one at the end of the path, or the one that is missing."""
    at = _AT.search(reason)
    named = _NAMED.findall(reason.partition(" - at ")[0]) if "field" in reason else []
    field = ".".join(filter(None, [at.group(1) if at else "", *named[:1]])) or "body"
    if "missing" in reason:
        return Malformed(field, N_("The field “{field}” is missing."))
    return Malformed(field, SAID.get(field, N_("The field “{field}” cannot be read.")))
