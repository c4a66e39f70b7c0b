"""The environment of templates: modules are made late, used again, and change no byte of a page."""

from random import Random

import pytest
from flask import Flask
from flask.templating import Environment
from jinja2 import DictLoader
from msgspec.structs import replace

from companion.seating.seats import SeatHolder, Seats
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import Dice, Evening
from tests.worlds.stream_text import full_state
from tests.worlds.watched_table import Watched
from web.app import create_app
from web.context import CONTEXT_KEY, AppContext
from web.rendering.blocks import BlockPainter
from web.rendering.environment import LateTemplate, LentModules, PageEnvironment
from web.rendering.languages import offered_languages
from web.rendering.scene import Screen
from web.rendering.screens import BLOCK_PAINTER

WORDS = "{% macro greet() %}{{ of }} {{ name }}{% endmacro %}"
BOTH = (
    "{% import 'words' as words with context %}{% set of = 'Herr' %}"
    "{% import 'words' as titled with context %}"
)


def environment(**texts: str) -> PageEnvironment:
    return PageEnvironment(Flask("letters"), loader=DictLoader({"words": WORDS, **texts}))


def drawn(env: PageEnvironment, text: str, name: str, lent: LentModules) -> str:
    return env.from_string(text).render({"of": "", "name": name, LentModules.NAME: lent})


def test_a_module_that_nothing_is_used_of_is_not_made() -> None:
    env = environment(broken="{{ 1 / 0 }}{% macro greet() %}{% endmacro %}")
    text = "{% import 'broken' as words with context %}{% if name %}{{ words.greet() }}{% endif %}"
    assert drawn(env, text, "", LentModules()) == ""


def test_a_macro_finds_the_names_of_its_own_drawing() -> None:
    env, text = environment(), "{% import 'words' as words with context %}{{ words.greet() }}"
    for name in ("Ana", "Ben"):
        lent = LentModules()
        assert drawn(env, text, name, lent).strip() == name
        lent.give_back()


def test_what_is_still_lent_is_lent_to_nobody_else() -> None:
    env = environment()
    first, second = LentModules(), LentModules()
    words = env.get_template("words")
    assert isinstance(words, LateTemplate)
    ana, ben = ({"of": "", "name": name} for name in ("Ana", "Ben"))
    hers, his = first.lend(words, ana), second.lend(words, ben)
    assert (hers.parent["name"], his.parent["name"]) == ("Ana", "Ben")
    second.give_back()
    assert LentModules().lend(words, ana) is his
    assert hers.parent["name"] == "Ana"


def test_a_module_knows_no_names_when_it_is_given_back() -> None:
    lent, words = LentModules(), environment().get_template("words")
    assert isinstance(words, LateTemplate)
    context = lent.lend(words, {"of": "", "name": "Ana"})
    lent.give_back()
    assert context.parent == {}


def test_a_module_that_is_imported_twice_finds_the_names_of_each_place() -> None:
    text = BOTH + "{{ words.greet() }},{{ titled.greet() }}"
    assert drawn(environment(), text, "Ana", LentModules()) == " Ana,Herr Ana"


def test_a_module_with_a_value_is_made_anew() -> None:
    env = environment(named="{% set said = name %}{% macro greet() %}{{ said }}{% endmacro %}")
    text = "{% import 'named' as words with context %}{{ words.greet() }}"
    for name in ("Ana", "Ben"):
        lent = LentModules()
        assert drawn(env, text, name, lent) == name
        lent.give_back()


@pytest.mark.parametrize("game", own_games())
def test_pages_are_as_jinja_itself_would_paint_them(tmp_path, game):
    watched = Watched(tmp_path / "journal.sqlite3", game)
    ours, jinjas = (
        create_app(AppContext(watched.table, Seats({1: SeatHolder("ana")}))) for _ in range(2)
    )
    jinjas.jinja_env.__class__ = Environment
    jinjas.extensions[BLOCK_PAINTER] = BlockPainter(jinjas.jinja_env)
    states = Evening(game, Dice(Random(5)), watched.table.seats).play().states[1:]
    for state in states[:: len(states) // pick(6, 60, 200) or 1]:
        watched.table.history = replace(watched.table.history, state=state)
        for page, seat in (("phone", 1), ("table", 0)):
            for language in offered_languages():
                screen = Screen(page, seat, language)
                painted = [
                    full_state(app, app.extensions[CONTEXT_KEY], screen) for app in (ours, jinjas)
                ]
                assert painted[0] == painted[1]
                assert len(painted[0]) > 100
    watched.journal.close()
