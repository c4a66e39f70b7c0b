"""Pieces: parts of pages that many pages show alike, each painted once for the same facts.

Law: a piece sees nothing but the facts that it is handed and the words of its language; so whoever
hands the same facts gets the same bytes, and nobody's secret can be in what another one is shown.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from companion.table.view import View
from web.rendering import templates

KEPT = 2_000
"""So many painted pieces are kept: those of the last few changes."""


def pieces(env: Environment) -> Callable[..., Markup]:
    """The function that templates call `piece`."""
    painted: OrderedDict[tuple[str, str, bytes], Markup] = OrderedDict()
    encode = msgspec.json.Encoder().encode

    def piece(name: str, lang: str, **facts: Any) -> Markup:
        key = (name, lang, encode(facts))
        found = painted.get(key)
        if found is None:
            template = env.get_template(f"pieces/{name}.html")
            found = painted[key] = Markup(template.render(templates.words(lang) | facts))
            if len(painted) > KEPT:
                painted.popitem(last=False)
        return found

    return piece


def lying(view: View, bank: int) -> list[tuple[str | None, bool]]:
    """The cards at a bank as this viewer knows them: each face, and whether it lies face down."""
    cards = () if view.mine is None else view.mine.cards
    own = {one["slot"]: one["card"] for one in cards if one["bank"] == bank}
    faces = view.public.banks[bank - 1]
    return [
        (own[slot], True) if face is None and slot in own else (face, False)
        for slot, face in enumerate(faces, 1)
    ]
