"""Template functions: texts in one language.

Laws: every text in a template is an English sentence with named gaps, handed to `_` with its facts,
or a message handed to `say`; the language is bound once per page, here.
"""

import time
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from companion.core.errors import JsonObject
from companion.core.i18n import N_, Language, get_language, seat_keys
from companion.core.verdict import Verdict, describe_house_rule, render_steps
from companion.games import list_games
from companion.games.rulebook import Choice
from companion.table.view import describe_device
from web.rendering.languages import plain_words


def make_verdict_steps(spoken: Language) -> Callable[[Verdict], list[JsonObject]]:
    """Return the function that puts a verdict's steps into words; it caches the newest."""
    newest: tuple[Verdict | None, list[JsonObject]] = (None, [])

    def told(verdict: Verdict) -> list[JsonObject]:
        nonlocal newest
        found = newest  # One look: another thread may paint too.
        if found[0] is not verdict:
            found = newest = (verdict, render_steps(verdict, spoken))
        return found[1]

    return told


MOST_SEATS = 6

FIELD_LABELS = {
    "bank": N_("Bank {bank}"),
    "place": N_("Place {place}"),
    "slot": N_("card {slot}"),
    "tile": N_("{tile}"),
    "card": N_("{card}"),
    "colour": N_("{colour}"),
}
"""The words for the fields of a choice that a game has no words for."""


@lru_cache(maxsize=64)
def template_words(code: str, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a template's functions and texts in this language, for a reader who knows these names
    by seat."""
    spoken = get_language(code).with_names(names)
    return {
        **plain_words(code),
        "_": spoken.translate,
        "say": spoken,
        "who_is": spoken.name_player,
        "names": spoken.name_seats,
        "named_case": partial(name_case, named=spoken.name_player),
        "known_names": names,
        "mark": make_marker(spoken),
        "describe_choice": lambda choice: describe_choice(choice, spoken),
        "steps": make_verdict_steps(spoken),
        "describe_device": lambda via: spoken(describe_device(via)),
        "describe_house_rule": describe_house_rule,
    }


def name_case(case: JsonObject, named: Callable[[str], str]) -> JsonObject:
    """Return a case of the table with its players named; as it is where two would be alike."""

    def name_all(plain: Any) -> Any:
        if isinstance(plain, dict):
            return {named(key): name_all(value) for key, value in plain.items()}
        if isinstance(plain, list | tuple):
            return [name_all(one) for one in plain]
        return named(plain) if isinstance(plain, str) else plain

    seats = [named(key) for key in seat_keys(MOST_SEATS)]
    found: JsonObject = name_all(case) if len(set(seats)) == len(seats) else case
    return found


def make_marker(spoken: Language) -> Callable[[str], str]:
    """Return the function that puts the letters of a colour into words; one without letters of its
    own is marked by the first two of its name."""
    marks = [one for game in list_games()[::-1] for one in game.screens.marks.items()]
    known = {colour: spoken.render(text, {}) for colour, text in marks}
    return lambda colour: known.get(colour) or spoken.render_word(colour)[:2].title()


def describe_choice(choice: Choice, spoken: Language) -> str:
    """Return the words on the button of a choice: “Bank 2 · card 1”; a named bank by its colour,
    yes or no in a field by what the game calls the field, and “not” with its name."""
    if isinstance(choice.get("bank"), str):
        choice = {**choice, "bank": None, "colour": choice["bank"]}
    fixed = [field for field in FIELD_LABELS if isinstance(choice.get(field), int | str)]
    said = [spoken.render(FIELD_LABELS[field], choice) for field in fixed]
    for field, value in choice.items():
        if isinstance(value, bool):
            said.append(spoken.render_word(field if value else f"not {field}"))
    return " · ".join(said)


def format_time(when: float) -> str:
    """Return a time in seconds since the epoch as the local time of day."""
    return time.strftime("%H:%M", time.localtime(when))
