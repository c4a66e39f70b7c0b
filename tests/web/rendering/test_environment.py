"""The environment of templates: modules are made late and used again, and mix no two drawings."""

from flask import Flask
from jinja2 import DictLoader

from web.rendering.environment import LateTemplate, LentModules, PageEnvironment

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
