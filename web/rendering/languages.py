"""The languages that pages are offered in, and the words by which a template speaks one of them.

Law: nothing here belongs to a table or to its server: a floor has neither, and loads neither.
"""

from functools import cache
from typing import Any

from werkzeug.datastructures import LanguageAccept

from companion.core.errors import Malformed
from companion.core.i18n import LANGUAGES, N_, get_language, make_translator

LANGUAGE_NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}


@cache
def offered_languages() -> tuple[str, ...]:
    """Return the languages that have a catalogue, by code."""
    return tuple(code for code in LANGUAGES if _has_catalogue(code))


def _has_catalogue(code: str) -> bool:
    try:
        get_language(code)
    except FileNotFoundError:
        return False
    return True


def best_language(likes: LanguageAccept, default: str) -> str:
    """Return the offered language that a browser likes best, the default if it likes none."""
    others = (code for code in offered_languages() if code != default)
    return likes.best_match((default, *others), default) or default


def language_names() -> dict[str, str]:
    """Return the offered languages, each with its own name for itself."""
    return {code: LANGUAGE_NAMES[code] for code in offered_languages()}


def check_language(chosen: str) -> str:
    """Return this language if it is offered, else raise Malformed."""
    if chosen not in offered_languages():
        raise Malformed("language", N_("The field “{field}” cannot be read."))
    return chosen


@cache
def plain_words(code: str) -> dict[str, Any]:
    """Return the functions and texts by which any template speaks this language."""
    spoken = get_language(code)
    return {
        "_": make_translator(spoken),
        "say": spoken,
        "word": spoken.render_word,
        "lang": code,
        "languages": language_names(),
    }
