"""Pieces: painted once for the same facts, and for nothing else."""

from flask import Flask
from markupsafe import Markup

from web.rendering.templates import make_piece_renderer

FACTS = {"bank": 1, "cards": [("5", False)], "owners": ["<Ana>"], "robbed": False}


def test_a_fragment_is_rendered_once_for_the_same_facts(app: Flask) -> None:
    piece = make_piece_renderer(app.jinja_env)
    first = piece("bank", "en", **FACTS)
    assert piece("bank", "en", **FACTS) is first
    assert "robbed" in piece("bank", "en", **(FACTS | {"robbed": True}))
    assert "Banque" in piece("bank", "fr", **FACTS)
    assert "robbed" not in piece("bank", "en", **FACTS)


def test_a_card_known_to_one_seat_is_not_in_what_another_is_shown(app: Flask) -> None:
    piece = make_piece_renderer(app.jinja_env)
    known = piece("bank", "en", **(FACTS | {"cards": [("10", True)]}))
    hidden = piece("bank", "en", **(FACTS | {"cards": [(None, False)]}))
    assert "10" in known
    assert "10" not in hidden


def test_a_name_is_no_markup(app: Flask) -> None:
    painted = make_piece_renderer(app.jinja_env)("bank", "en", **FACTS)
    assert isinstance(painted, Markup)
    assert "&lt;Ana&gt;" in painted
