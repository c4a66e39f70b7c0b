"""The picture card of an evening: how it is laid out, and composed from its template as SVG.

Law: it shows what every screen shows when the game is over, in one language, and no time: the clock
of a Pi may be wrong.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

import msgspec
from flask import Flask

from companion.core.i18n import Language
from companion.table.evening import Evening, Standing
from web.rendering import curve, templates
from web.rendering.picture_fonts import SANS, SERIF

WIDTH, HEIGHT = 1080, 1350
MARGIN = 60
COLUMNS = {1: 540, 2: 220, 3: 860}
"""The middle of each step, by its place."""
FLOOR, STEPS = 672, {1: 196, 2: 130, 3: 84}
"""The ground on which the podium stands, and the heights of its steps."""
STEP_WIDTH = 300
TITLE, SAID, NAME, DECIDED = 66, 44, 40, 34
"""Sizes of letters."""
ROW = 46
"""The height of each name where several share a step."""
REST_ROW, REST_ACROSS = 44, 3
LAST_LINE = 1278
"""Where the last line of letters stands."""
LINE = 44

CANVASES = {"phone": curve.PHONE, "table": curve.TABLE}


class OnStep(msgspec.Struct, frozen=True):
    """A player on a step: the name as it fits, and how high above the step it stands."""

    one: Standing
    name: str
    above: int


class Step(msgspec.Struct, frozen=True):
    """A step of the podium with all who share it."""

    place: int
    x: int
    y: int
    height: int
    players: tuple[OnStep, ...]


def install(app: Flask) -> None:
    """Set the function that every template may call to draw the curve."""
    app.jinja_env.globals["draw_curve"] = lambda evening, canvas: curve.draw_curve(
        evening, CANVASES[canvas]
    )


def card_composer(app: Flask) -> Callable[[Evening, str], str]:
    """Return the function that composes the card of an evening in a language."""

    def compose(evening: Evening, language: str) -> str:
        words = templates.template_words(language)
        card = app.jinja_env.get_template("ending/card.html")
        return card.render(**words, **card_facts(evening, words["say"]))

    return compose


def card_facts(evening: Evening, say: Language) -> Mapping[str, object]:
    """Return what the template of the card is drawn from."""
    turn, wide = evening.turning_point, WIDTH - 2 * MARGIN
    decided = curve.wrap(say(turn.say), (wide - 50) / DECIDED, 3) if turn else []
    rest = tuple(one for one in evening.standings if one.place not in STEPS)
    top = FLOOR + 34 + REST_ROW * -(-len(rest) // REST_ACROSS)
    bottom = LAST_LINE - LINE * len(decided)
    canvas = msgspec.structs.replace(curve.PICTURE, height=bottom - top)
    return {
        "evening": evening,
        "recorded": True,
        "drawn": curve.draw_curve(evening, canvas),
        "curve_top": top,
        "podium": tuple(lay_out_steps(evening)),
        "floor": FLOOR,
        "rest": rest,
        "across": min(len(rest), REST_ACROSS),
        "title_size": min(TITLE, int(wide / max(1.0, curve.text_width(evening.title)))),
        "said": curve.wrap(say(evening.say), wide / SAID, 2),
        "decided": decided,
        "decided_top": bottom + LINE,
        "serif": SERIF,
        "sans": SANS,
        "colour_of": curve.seat_colour,
        "shorten": curve.shorten,
    }


def lay_out_steps(evening: Evening) -> Iterator[Step]:
    """Yield the steps that are taken. One who stands alone has the mark above the name; where
    several share a step it stands before each."""
    first = [one for one in evening.standings if one.place in STEPS]
    for place, there in groupby(first, key=lambda one: one.place):
        everyone = tuple(there)
        room = STEP_WIDTH - (10 if len(everyone) == 1 else 70)
        players = tuple(
            OnStep(one, curve.shorten(one.name, room / NAME), 72 + ROW * n)
            for n, one in enumerate(reversed(everyone))
        )
        yield Step(place, COLUMNS[place], FLOOR - STEPS[place], STEPS[place], players)
