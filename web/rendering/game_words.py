"""What a game says of its pieces (`Screens`), as functions that templates call."""

from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec
from flask import Flask

from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.core.table_events import REASONS
from companion.games import find_game, game_names
from companion.games.correction_rules import Corrections
from companion.games.open_table import cards_of, numbers_of
from companion.games.rule_texts import SEALING, TABLE, Rule
from companion.judge.kinds import SCORE_HEADING
from companion.table.telling import told_story
from web.cases import OtherDecisions, list_other_decisions
from web.context import current_context
from web.rendering import templates
from web.rendering.game_templates import find_template, screens_of
from web.static_files import file_addresses


def install(app: Flask) -> None:
    """Set the functions that every template may call."""
    app.jinja_env.globals.update(
        cards_of=cards_of,
        numbers_of=numbers_of,
        choice_colour=templates.choice_colour,
        decisions_of=decisions_of,
        draw_verdict=templates.draw_verdict,
        field_labels=field_labels,
        draws_verdicts=lambda game: screens_of(game).picture is not None,
        dispute_heading=dispute_heading,
        is_coloured=is_coloured,
        is_counted=is_counted,
        box_picture=box_picture,
        kind_of=templates.kind_of,
        picture_of=picture_of,
        place_name=place_name,
        own_rules=lambda: SEALING | TABLE,
        reason_words=REASONS,
        rule_of=rule_of,
        screens_of=screens_of,
        style_of=style_of,
        template_of=find_template,
        told_story=told_story,
    )


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
    return find_game(game).rulebook.tracking.name_place(place)


@cache
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
    """Check that a piece is named by one colour or several: “red”, “red-blue”."""
    return templates.colour_marks().keys() >= {*piece.split("-")}


@cache
def is_counted(game: str) -> bool:
    """Check that a player of this game can count what they own."""
    return type(find_game(game).rulebook.corrections) is not Corrections


def dispute_heading(game: str, kind: str) -> str:
    """Return the heading of a verdict of this kind."""
    found = find_game(game).kinds.get(kind)
    return found.heading if found else SCORE_HEADING if kind == "score" else N_("The verdict")
