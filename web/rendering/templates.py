"""The words of a page: what its templates may call, bound to one language.

Law: every text in a template is an English sentence with named gaps, handed to `_` with its
facts, or a saying handed to `say`. Which language that becomes is decided once a page, here.
"""

import time
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from flask import session

from companion.core.errors import Malformed
from companion.core.house_rules import house_rule
from companion.core.i18n import LANGUAGES, N_, Language, language
from companion.table.activity_log import through
from web.rendering import painting

NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}
LANGUAGE = "language"

FIELDS = {
    "bank": N_("Bank {bank}"),
    "slot": N_("card {slot}"),
    "tile": N_("{tile}"),
    "card": N_("{card}"),
    "colour": N_("{colour}"),
}
"""How the fields of a choice are worded; a field of a new game is a line here."""

DECLARED = {
    True: N_("I will rob {colour}"),
    False: N_("I will not rob {colour}"),
}
"""How a declaration is worded: the bank, and whether it will be robbed."""

MARKS = {
    "red": N_("Re"),
    "yellow": N_("Ye"),
    "green": N_("Gn"),
    "blue": N_("Bl"),
    "orange": N_("Or"),
    "grey": N_("Gy"),
    "purple": N_("Pu"),
    "khaki": N_("Kh"),
}
"""The letters that a colour bears, so that nobody has to tell it by its hue."""

WAYS = {
    "cards": N_("The cards are right"),
    "log": N_("The log is right"),
    "hand": N_("Do it by hand"),
    "reader": N_("Listen to the reader again"),
}
"""The ways to settle a difference, as they stand on their buttons."""


@cache
def offered() -> tuple[str, ...]:
    """The languages whose catalogue is here."""
    return tuple(code for code in LANGUAGES if _has_catalogue(code))


def _has_catalogue(code: str) -> bool:
    try:
        language(code)
    except FileNotFoundError:
        return False
    return True


def languages() -> dict[str, str]:
    """The same, each with what it calls itself."""
    return {code: NAMES[code] for code in offered()}


def one_offered(chosen: str) -> str:
    """The language that somebody chose, if it is one of these."""
    if chosen not in offered():
        text = N_("The field “{field}” is one of {options}.")
        raise Malformed("language", text, options=", ".join(offered()))
    return chosen


def my_language(otherwise: str) -> str:
    """The language this browser chose, if it is one we have."""
    chosen = str(session.get(LANGUAGE, otherwise))
    return chosen if chosen in offered() else LANGUAGES[0]


@cache
def words(code: str) -> dict[str, Any]:
    """The functions and names by which a template speaks this language."""
    spoken = language(code)
    return {
        "_": painting.sentences(spoken),
        "say": spoken,
        "word": spoken.word,
        "mark": {colour: spoken.render(text, {}) for colour, text in MARKS.items()}.__getitem__,
        "worded": lambda choice: worded(choice, spoken),
        "steps": painting.steps(spoken),
        "ways": {way: spoken.render(text, {}) for way, text in WAYS.items()},
        "through": lambda via: spoken(through(via)),
        "house_rule": house_rule,
        "lang": code,
    }


def worded(choice: Mapping[str, Any], spoken: Language) -> str:
    """A choice as the words on its button: Bank 2 · card 1; a bank with a name by its colour."""
    bank = choice.get("bank")
    if isinstance(choice.get("will"), bool):
        return spoken.render(DECLARED[choice["will"]], {"colour": bank})
    if isinstance(bank, str):
        choice = {**choice, "bank": None, "colour": bank}
    fixed = [field for field in FIELDS if isinstance(choice.get(field), int | str)]
    return " · ".join(spoken.render(FIELDS[field], choice) for field in fixed)


def as_json(thing: Any) -> str:
    """A value as a form carries it, read again by `forms.read`."""
    return msgspec.json.encode(thing, order="sorted").decode()


def clock(when: float) -> str:
    """The time of day at the table."""
    return time.strftime("%H:%M", time.localtime(when))
