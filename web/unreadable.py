"""Unreadable: which field of what was sent is wrong, in a sentence.

Law: the sentence names the field as its writer spelled it, and never repeats what was in it.
"""

import re

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_

_AT = re.compile(r" - at `\$\.?([^`]*)`$")
_NAMED = re.compile(r"`([^`]*)`")

SAID = {"key": N_("The key of a request is 1 to 64 letters, digits or hyphens.")}
"""What is said of a field that has more to ask for than its kind."""


def unreadable(error: msgspec.ValidationError) -> Malformed:
    """Which field is wrong: the one at the end of the path, or the one that is missing."""
    reason = str(error)
    at = _AT.search(reason)
    named = _NAMED.findall(reason.partition(" - at ")[0]) if "field" in reason else []
    field = ".".join(filter(None, [at.group(1) if at else "", *named[:1]])) or "body"
    if "missing" in reason:
        return Malformed(field, N_("The field “{field}” is missing."))
    return Malformed(field, SAID.get(field, N_("The field “{field}” cannot be read.")))
