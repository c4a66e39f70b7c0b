"""Validation of the names that players type.

Law: a name is printed as it is stored and sounds like no other at the table. What cannot be seen,
or would turn or bury the text around it, is refused with a sentence.
"""

import unicodedata

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.start import is_visible

MAX_NAME = 20
MAX_MARKS = 2
"""Most accents on one letter in any language that people write by hand."""


def clean_name(typed: str) -> str:
    """Return the name without surplus space; raise Malformed if it is not allowed."""
    name = unicodedata.normalize("NFC", " ".join(typed.split()))
    if not 1 <= len(name) <= MAX_NAME:
        raise Malformed("name", N_("A name has 1 to {most} characters."), most=MAX_NAME)
    if not is_visible(name) or not _is_readable(name):
        text = N_("A name is made of letters and signs that everyone can see.")
        raise Malformed("name", text)
    return name


def _is_readable(name: str) -> bool:
    """Return whether there is more than accents, and no letter buried under them."""
    kinds = "".join("m" if unicodedata.category(c)[0] == "M" else "." for c in name)
    return "." in kinds.replace("m", "") and "m" * (MAX_MARKS + 1) not in kinds
