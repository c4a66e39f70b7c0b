"""Names: what somebody may be called at the table.

Law: a name is printed as it is stored and is heard as nobody else's. What cannot be seen, or would
turn or bury the text around it, is no part of a name; whoever types it is told so in a sentence.
"""

import unicodedata

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.start import is_visible

MAX_NAME = 20
MAX_MARKS = 2
"""As many accents stand on one letter in any language that people write by hand."""


def clean_name(written: str) -> str:
    """The name that was written, without the space around it."""
    name = unicodedata.normalize("NFC", " ".join(written.split()))
    if not 1 <= len(name) <= MAX_NAME:
        raise Malformed("name", N_("A name has 1 to {most} characters."), most=MAX_NAME)
    if not is_visible(name) or not _is_readable(name):
        text = N_("A name is made of letters and signs that everyone can see.")
        raise Malformed("name", text)
    return name


def _is_readable(name: str) -> bool:
    """Whether there is more to it than accents, and no letter is buried under them."""
    kinds = "".join("m" if unicodedata.category(c)[0] == "M" else "." for c in name)
    return "." in kinds.replace("m", "") and "m" * (MAX_MARKS + 1) not in kinds
