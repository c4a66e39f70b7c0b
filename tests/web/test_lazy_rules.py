"""Rules that compile late build the addresses that Werkzeug's own build."""

import pytest
from flask import Flask
from werkzeug.routing import BuildError, Map, Rule

from web.lazy_rules import LazyRule

RULES = (
    ("/", {}), ("/seats/<int:seat>", {}), ("/page/<path:rest>", {}), ("/all", {"seat": 1}),
    ("/a b/<name>", {}),
)  # fmt: skip


def addresses(kind: type[Rule]) -> list[str]:
    rules = [kind(rule, endpoint=rule, defaults=given) for rule, given in RULES]
    at = Map(rules).bind("localhost")
    asked = (
        ("/", {}), ("/", {"q": "x y"}), ("/seats/<int:seat>", {"seat": 3}), ("/all", {"seat": 1}),
        ("/seats/<int:seat>", {"seat": 3, "at": 4}), ("/page/<path:rest>", {"rest": "a/ü b"}),
        ("/a b/<name>", {"name": "c/d"}), ("/a b/<name>", {"name": "c/d"}),
    )  # fmt: skip
    return [at.build(endpoint, values) for endpoint, values in asked]


def test_the_addresses_are_those_of_werkzeug() -> None:
    assert addresses(LazyRule) == addresses(Rule)


def test_what_cannot_be_built_is_refused_as_ever() -> None:
    at = Map([LazyRule("/seats/<int:seat>", endpoint="seat")]).bind("localhost")
    with pytest.raises(BuildError):
        at.build("seat")


def test_an_app_builds_no_address_before_it_is_asked_for_one(app: Flask) -> None:
    names = {rule._build.__func__.__code__.co_filename for rule in app.url_map.iter_rules()}
    assert "<werkzeug routing>" not in names
    (endpoint,) = [one.endpoint for one in app.url_map.iter_rules() if one.rule == "/host"]
    assert app.url_map.bind("localhost").build(endpoint) == "/host"
