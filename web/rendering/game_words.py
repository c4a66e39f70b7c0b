"""Names for templates: words in one language, and the words, pictures, choices and templates of a
game (`Screens`).

Laws: every text in a template is an English sentence with named gaps, handed to `_` with its facts,
or a message handed to `say`; the language is bound once per page, here. What a game does not bring
is drawn by the file of the same name in `default/`.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Any

import msgspec
from flask import Flask

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import N_, Language, Message, get_language, seat_keys
from companion.core.table_events import REASONS
from companion.core.verdict import Verdict, describe_house_rule, render_steps
from companion.games import find_game, game_names, list_games
from companion.games.correction_rules import Corrections
from companion.games.open_table import cards_of, numbers_of
from companion.games.picture import Mark, VerdictPicture
from companion.games.rule_texts import SEALING, TABLE, Rule
from companion.games.rulebook import Choice, Choices
from companion.games.screens import Screens
from companion.judge.kinds import SCORE_HEADING
from companion.table.telling import told_story
from companion.table.view import describe_device
from web.browsers import browser_id
from web.cases import OtherDecisions, list_other_decisions
from web.context import current_context, is_calm
from web.rendering import compiled_templates as compiled
from web.rendering import curve
from web.rendering.environment import PageEnvironment
from web.rendering.languages import plain_words
from web.static_files import file_addresses

DEFAULT = "default"
FOLDER = "templates"
"""The folder of the templates in the folder of a game."""
OpenFields = dict[str, tuple[object, ...]]


def install(app: Flask) -> None:
    """Render the templates of all pages and of all installed games in the faster environment, and
    set the functions that each may call."""
    app.jinja_environment = PageEnvironment
    app.jinja_options = {**compiled.OPTIONS, "bytecode_cache": compiled.CompiledTemplates()}
    own = {game.name: game.folder / FOLDER for game in list_games()}
    app.jinja_loader = compiled.load_folders(compiled.TEMPLATES, own)
    app.jinja_env.filters["json"] = as_json
    app.jinja_env.globals.update(
        is_calm=is_calm,
        is_signed_in=lambda: current_context().browsers.is_host(browser_id()),
        button_choices=button_choices,
        group_by_open_fields=group_by_open_fields,
        cards_of=cards_of,
        numbers_of=numbers_of,
        choice_colour=choice_colour,
        decisions_of=decisions_of,
        draw_verdict=draw_verdict,
        fit_text=fit_text,
        field_labels=field_labels,
        format_time=format_time,
        dispute_heading=dispute_heading,
        is_coloured=is_coloured,
        is_counted=is_counted,
        kind_of=kind_of,
        box_picture=box_picture,
        picture_of=picture_of,
        place_name=place_name,
        own_rules=lambda: SEALING | TABLE,
        reason_words=REASONS,
        rule_of=rule_of,
        screens_of=screens_of,
        style_of=style_of,
        template_of=find_template,
        told_story=told_story,
        draw_curve=curve.draw_curve,
        canvases=curve.CANVASES,
    )


@cache
def screens_of(game: str) -> Screens:
    """Return the screens of a game; looked up once."""
    return find_game(game).screens


@cache
def find_template(game: str, file: str) -> str:
    """Return the name of a template of a game, or of the default one."""
    own = find_game(game).folder / FOLDER / file
    return f"{compiled.GAMES}/{game}/{file}" if own.is_file() else f"{DEFAULT}/{file}"


@cache
def field_labels(game: str) -> Mapping[str, str]:
    """Return the labels of a game's open fields, by their names; another game may label one of the
    same name otherwise."""
    return find_game(game).all_texts().words


@cache
def picture_of(game: str, piece: str) -> str:
    """Return the address of the picture of a piece that is drawn by one: a file of its game."""
    return file_addresses()[f"games/{game}/{piece}.svg"]


@cache
def box_picture(game: str) -> str:
    """Return the address of the picture of a box, “” if its game brings none."""
    return file_addresses().get(f"games/{game}/box.svg", "")


@cache
def style_of(game: str) -> str:
    """Return the address of the sheet that a game brings, “” if it brings none."""
    return file_addresses().get(f"games/{game}/style.css", "")


@cache
def place_name(game: str, place: int) -> Message:
    """Return the name of a place in the log."""
    return find_game(game).rulebook.tracking.name_place(None, place)


@lru_cache(maxsize=512)  # Anyone may ask for any id.
def rule_of(game: str, id: str) -> Rule | None:
    """Return the rule of this id, of a game or of every table; None if there is none."""
    return find_game(game).rules.find(id) or (SEALING | TABLE).get(id)


def game_of_rule(id: str) -> str:
    """Return the game whose page of rules has this one: the game of the table if it has, “” if none
    has."""
    state = current_context().table.history.state
    here = [] if state is None else [state.box.game]
    return next((game for game in (*here, *game_names()) if rule_of(game, id)), "")


def decisions_of(case: JsonObject) -> tuple[OtherDecisions, ...]:
    """Return everyone's better decisions in a decided case."""
    try:
        return _list_other_decisions(msgspec.json.encode(case))
    except Malformed:  # A player may have counted more of a card than the box holds.
        return ()


@lru_cache(maxsize=64)
def _list_other_decisions(case: bytes) -> tuple[OtherDecisions, ...]:
    return list_other_decisions(msgspec.json.decode(case))


@cache
def is_coloured(piece: str) -> bool:
    """Return whether a piece is named by one colour or several: “red”, “red-blue”."""
    colours = {colour for game in list_games() for colour in game.screens.colours}
    return colours >= {*piece.split("-")}


@cache
def is_counted(game: str) -> bool:
    """Return whether players of this game can count their own things."""
    return type(find_game(game).rulebook.corrections) is not Corrections


def dispute_heading(game: str, kind: str) -> str:
    """Return the heading of a verdict of this kind."""
    found = find_game(game).kinds.get(kind)
    return found.heading if found else SCORE_HEADING if kind == "score" else N_("The verdict")


LEAST = 24.0
"""The lowest height of a name."""


LETTERS = {letter: wide for letters, wide in (("ijlI.,:;’ \u00a0\u202f", 0.28), ("frt()-–", 0.42),
           ("mwMW", 0.92)) for letter in letters}  # fmt: skip
"""The widths of letters that are narrower or wider than others, by their height."""


def estimate_width(text: str) -> float:
    """Return the width of a text by its height; that of bold letters is hardly larger."""
    return sum(LETTERS.get(letter, 0.75 if letter.isupper() else 0.65) for letter in text)


def fit_text(text: str, size: float, wide: float, is_name: bool) -> tuple[str, float]:
    """Return a text, and the height at which it is no wider than `wide`, if that is not 0; a name
    is cut instead where it would be lower than `LEAST`."""
    while is_name and len(text) > 2 and estimate_width(text) * LEAST > wide > 0:
        text = text.removesuffix("…")[:-1] + "…"
    full = estimate_width(text) * size
    return text, round(size * wide / full, 1) if 0 < wide < full else size


def draw_verdict(game: str, verdict: Verdict, seats: int) -> VerdictPicture | None:
    """Return the picture of a verdict at a table of this many seats, or of a case, 0; None where
    its game draws none."""
    draw = screens_of(game).picture
    return None if draw is None else draw(verdict, seat_keys(seats))


def kind_of(mark: Mark) -> str:
    """Return the kind of a mark of a picture, for drawing it."""
    return str(mark.__struct_config__.tag)


def as_json(value: object) -> str:
    """Return a value as a form carries it, for `forms.mjs` to read."""
    return msgspec.json.encode(value, order="sorted").decode()


def choice_colour(choice: Choice) -> str:
    """Return the colour that a choice is drawn as, “” if it is put into words."""
    if "card" in choice or any(isinstance(value, bool) for value in choice.values()):
        return ""
    named = (choice.get("colour"), choice.get("bank"))
    return next((colour for colour in named if isinstance(colour, str)), "")


def button_choices(choices: Choices) -> list[Choice]:
    """Return the choices that one button can make."""
    return [choice for choice in choices if not _open_fields(choice)]


def group_by_open_fields(choices: Choices) -> list[tuple[OpenFields, list[Choice]]]:
    """Group the choices to be filled in: each set of open fields with the choices that leave just
    these open."""
    found: list[tuple[OpenFields, list[Choice]]] = []
    for choice in choices:
        values = _open_fields(choice)
        rest = {field: value for field, value in choice.items() if field not in values}
        together = next((rests for same, rests in found if same == values), None)
        if together is not None:
            together.append(rest)
        elif values:
            found.append((values, [rest]))
    return found


def _open_fields(choice: Choice) -> OpenFields:
    """Return the fields of a choice that are to be filled in, each with its possible values."""
    return {field: value for field, value in choice.items() if isinstance(value, tuple)}


# Words.


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
