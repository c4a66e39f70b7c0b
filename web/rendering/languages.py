"""The languages that pages are offered in, and the words by which a template speaks one of them.

Law: nothing here belongs to a table or to its server: a floor has neither, and loads neither.
"""

from functools import cache
from typing import Any

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, get_language

LANGUAGE_NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}
"""The languages, each with its own name for itself."""


def check_language(chosen: str) -> str:
    """Return this language if it is offered, else raise Malformed."""
    if chosen not in LANGUAGES:
        raise Malformed("language", N_("The field “{field}” cannot be read."))
    return chosen


@cache
def plain_words(code: str) -> dict[str, Any]:
    """Return the functions and texts of any template in this language."""
    spoken = get_language(code)
    return {
        "_": spoken.translate,
        "say": spoken,
        "word": spoken.render_word,
        "lang": code,
        "languages": LANGUAGE_NAMES,
    }
