"""Template functions: texts in one language, faster macro calls, boards taken apart.

Laws: every text in a template is an English sentence with named gaps, handed to `_` with its facts,
or a message handed to `say`; the language is bound once per page, here. The faster context changes
how long a page takes, not a byte of it.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from flask import Flask, Response, after_this_request, session
from jinja2.runtime import Context

from companion.core.errors import Malformed
from companion.core.house_rules import describe_house_rule
from companion.core.i18n import LANGUAGES, N_, Language, get_language
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict, render_steps
from companion.table.activity_log import describe_device
from companion.table.view import View
from web.context import current_context
from web.page_files import PageFiles, page_files
from web.sessions import BROWSER_KEY, browser_id


class PlainContext(Context):
    """Calls macros and functions directly.

    Jinja checks each of a page's hundreds of calls for functions that want the context as their
    first argument; ours never do. Measured by bench/page.py.
    """

    def call(
        self,
        called: Callable[..., Any],
        /,
        *args: object,
        _block_vars: object = None,
        _loop_vars: object = None,
        **kwargs: object,
    ) -> Any:
        """Call the function with these arguments."""
        return called(*args, **kwargs)


def install(app: Flask) -> None:
    """Render the templates of this app with the faster context."""
    app.jinja_env.context_class = PlainContext
    app.jinja_env.globals["use_files"] = use_files


def use_files(family: str) -> PageFiles:
    """Return the files of the page that is being rendered, and name them in its headers, so that a
    browser asks for them before it has read the page: on a slow line that saves it 30 ms."""
    files = page_files(family)
    sheets = [f"<{sheet}>; rel=preload; as=style" for sheet in files.sheets]
    scripts = [f"<{script}>; rel=modulepreload" for script in files.scripts]

    def announce(response: Response) -> Response:
        response.headers["Link"] = ", ".join([*sheets, *scripts])
        return response

    after_this_request(announce)
    return files


def make_translator(spoken: Language) -> Callable[..., str]:
    """Return the function that templates call `_`; texts without gaps are cached."""

    @cache
    def known(text: str) -> str:
        return spoken.render(text, {})

    def sentence(text: str, /, **facts: object) -> str:
        return spoken.render(text, facts) if facts else known(text)

    return sentence


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


LANGUAGE_NAMES = {"en": "English", "fr": "Français", "de": "Deutsch"}
LANGUAGE_KEY = "language"

FIELD_LABELS = {
    "bank": N_("Bank {bank}"),
    "slot": N_("card {slot}"),
    "tile": N_("{tile}"),
    "card": N_("{card}"),
    "colour": N_("{colour}"),
}
"""The words for the fields of a choice; a field of a new game is a line here."""

DECLARATION_LABELS = {
    True: N_("I will rob {colour}"),
    False: N_("I will not rob {colour}"),
}
"""The words for a declaration: the bank, and whether it will be robbed."""

COLOUR_MARKS = {
    "red": N_("Re"),
    "yellow": N_("Ye"),
    "green": N_("Gn"),
    "blue": N_("Bl"),
    "orange": N_("Or"),
    "grey": N_("Gy"),
    "purple": N_("Pu"),
    "khaki": N_("Kh"),
}
"""The letters that mark a colour, so that it can be told without seeing its hue."""

SETTLE_LABELS = {
    "cards": N_("The cards are right"),
    "log": N_("The log is right"),
    "hand": N_("Do it by hand"),
    "reader": N_("Listen to the reader again"),
}
"""The buttons that settle a mismatch between cards and log."""


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


def language_names() -> dict[str, str]:
    """Return the offered languages, each with its own name for itself."""
    return {code: LANGUAGE_NAMES[code] for code in offered_languages()}


def check_language(chosen: str) -> str:
    """Return this language if it is offered, else raise Malformed."""
    if chosen not in offered_languages():
        text = N_("The field “{field}” is one of {options}.")
        raise Malformed("language", text, options=", ".join(offered_languages()))
    return chosen


def choose_language(language: str) -> None:
    """Set the language of this browser; NotWritten if it is a known one and the disk is full."""
    current_context().identity.save_language(browser_id(), language)
    session[LANGUAGE_KEY] = language


def session_language(default: str) -> str:
    """Return the language that this browser chose, else the default, else English."""
    kept = current_context().identity.language_of(str(session.get(BROWSER_KEY, "")))
    chosen = kept or str(session.get(LANGUAGE_KEY, default))
    return chosen if chosen in offered_languages() else LANGUAGES[0]


@cache
def template_words(code: str) -> dict[str, Any]:
    """Return the functions and texts by which a template speaks this language."""
    spoken = get_language(code)
    return {
        "_": make_translator(spoken),
        "say": spoken,
        "word": spoken.render_word,
        "mark": {
            colour: spoken.render(text, {}) for colour, text in COLOUR_MARKS.items()
        }.__getitem__,
        "describe_choice": lambda choice: describe_choice(choice, spoken),
        "steps": make_verdict_steps(spoken),
        "ways": {way: spoken.render(text, {}) for way, text in SETTLE_LABELS.items()},
        "describe_device": lambda via: spoken(describe_device(via)),
        "describe_house_rule": describe_house_rule,
        "lang": code,
    }


def describe_choice(choice: Mapping[str, object], spoken: Language) -> str:
    """Return the words on the button of a choice: “Bank 2 · card 1”; a named bank by its colour."""
    bank, will = choice.get("bank"), choice.get("will")
    if isinstance(will, bool):
        return spoken.render(DECLARATION_LABELS[will], {"colour": bank})
    if isinstance(bank, str):
        choice = {**choice, "bank": None, "colour": bank}
    fixed = [field for field in FIELD_LABELS if isinstance(choice.get(field), int | str)]
    return " · ".join(spoken.render(FIELD_LABELS[field], choice) for field in fixed)


def as_json(value: object) -> str:
    """Return a value as a form carries it, for `forms.parse_event_fields` to read."""
    return msgspec.json.encode(value, order="sorted").decode()


def format_time(when: float) -> str:
    """Return a time in seconds since the epoch as the local time of day."""
    return time.strftime("%H:%M", time.localtime(when))


def known_cards(view: View, bank: int) -> list[tuple[str | None, bool]]:
    """Return the cards at a bank as this viewer knows them: each face, and whether it lies face
    down."""
    cards = () if view.mine is None else view.mine.cards
    own = {one["slot"]: one["card"] for one in cards if one["bank"] == bank}
    faces = view.public.banks[bank - 1]
    return [
        (own[slot], True) if face is None and slot in own else (face, False)
        for slot, face in enumerate(faces, 1)
    ]


def take_board_apart(game: str, view: View) -> dict[str, object]:
    """Return what a board shows of each bank by its number or name, or of each lane by its colour;
    nothing for a game from outside, which draws its board as one."""
    return BOARD_ITEMS[game](view) if game in BOARD_ITEMS else {}


def _numbered_banks(view: View) -> dict[str, object]:
    """Return for each bank its cards as the viewer knows them, its owners, and whether the robber
    stands there."""
    seats, figure = view.public.seats, view.public.figure
    return {
        str(bank): (
            tuple(known_cards(view, bank)),
            tuple(seat.name for seat in seats if seat.bank == bank),
            figure == bank,
        )
        for bank in range(1, len(view.public.banks) + 1)
    }


def _value_lanes(view: View) -> dict[str, object]:
    """Return for each colour its value, and the values that it reached in each auction."""
    course = view.public.course
    return {
        colour: (value, [values[colour] for values in course])
        for colour, value in view.public.values.items()
    }


def _named_banks(view: View) -> dict[str, object]:
    """Return for each bank its loot, and whether it was declared to be robbed; None if it was not
    spoken of."""
    said = view.public.declaration
    return {
        bank.name: (bank.loot, said.will if said and said.bank == bank.name else None)
        for bank in view.public.banks
    }


BOARD_ITEMS: dict[str, Callable[[View], dict[str, object]]] = {
    "bankueberfall": _numbered_banks,
    "banque_fatale": _value_lanes,
    "robby_solo": _named_banks,
}
"""How the board of a game is taken apart."""
