"""The environment of templates: modules are made late, lent, and know one drawing."""

from flask import Flask
from jinja2 import DictLoader

from web.rendering.environment import LateTemplate, LentModules, PageEnvironment

PARTS = "{% macro greet() %}{{ of }} {{ name }}{% endmacro %}"
BOTH = "{% set of = 'Herr' %}{% import 'shared/parts.html' as titled with context %}"
HELLO = "{% import 'words' as words with context %}{% if name %}{{ words.greet() }}{% endif %}"


def environment(**texts: str) -> PageEnvironment:
    loader = DictLoader({"shared/parts.html": PARTS, **texts})
    return PageEnvironment(Flask("letters"), loader=loader)


def drawn(env: PageEnvironment, text: str, name: str) -> str:
    return env.from_string(text).render({"of": "", "name": name})


def test_a_module_that_nothing_is_used_of_is_not_made() -> None:
    env = environment(words="{{ 1 / 0 }}{% macro greet() %}{% endmacro %}")
    assert drawn(env, HELLO, "") == ""


def test_every_template_has_the_parts_and_those_of_its_game() -> None:
    env = environment(ours="{% macro greet() %}the game of {{ name }}{% endmacro %}")
    text = "{{ parts.greet() }},{{ game.greet() if game is defined }}"
    for name in ("Ana", "Ben"):
        assert drawn(env, text, name) == f" {name},"
    names = {"of": "", "name": "Ana", "game_template": "ours"}
    assert env.from_string(text).render(names) == " Ana,the game of Ana"


def test_what_is_still_lent_is_lent_to_nobody_else() -> None:
    first, second = LentModules(), LentModules()
    words = environment().get_template("shared/parts.html")
    assert isinstance(words, LateTemplate)
    ana, ben = ({"of": "", "name": name} for name in ("Ana", "Ben"))
    hers, his = first.lend(words, ana), second.lend(words, ben)
    assert (hers.parent["name"], his.parent["name"]) == ("Ana", "Ben")
    second.give_back()
    assert his.parent == {}
    assert LentModules().lend(words, ana) is his
    assert hers.parent["name"] == "Ana"


def test_a_module_that_is_imported_twice_finds_the_names_of_each_place() -> None:
    text = BOTH + "{{ parts.greet() }},{{ titled.greet() }}"
    assert drawn(environment(), text, "Ana") == " Ana,Herr Ana"


def test_a_module_with_a_value_is_made_anew() -> None:
    words = "{% set said = name %}{% macro greet() %}{{ said }}{% endmacro %}"
    env = environment(words=words)
    assert [drawn(env, HELLO, name) for name in ("Ana", "Ben")] == ["Ana", "Ben"]
