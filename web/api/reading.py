"""Reading: from the body of a request to the struct that an operation takes.

Law: strict. A field that is missing, unknown or of another kind is named in a sentence; nothing is
guessed. A plain form spells the same struct with its own fields; what is done to the game it
spells as `forms` says.
"""

from typing import Any

import msgspec
from flask import request
from werkzeug.exceptions import UnsupportedMediaType

from companion.core.errors import Malformed
from companion.core.i18n import N_
from web import forms
from web.unreadable import unreadable

JSON = "application/json"


def body(kind: Any) -> Any:
    """What was sent, as the operation takes it."""
    if forms.plain():
        return _converted(forms.fields(request.form), kind, strict=False)
    if request.mimetype != JSON:
        raise UnsupportedMediaType
    try:
        return msgspec.json.decode(request.get_data(), type=kind)
    except msgspec.ValidationError as error:
        raise unreadable(error) from None
    except (ValueError, RecursionError):
        raise Malformed("body", N_("The body is not JSON.")) from None


def _converted(fields: dict[str, Any], kind: Any, strict: bool) -> Any:
    try:
        return msgspec.convert(fields, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise unreadable(error) from None
