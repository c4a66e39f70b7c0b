"""The forms of the judge that is one file: those of the companion, without a table behind them.

Laws: a form is rendered by the same templates in every language, and kept once: where languages
differ it has a mark, and each language a list of what stands there. Buttons of numbers are left to
the script of the page. How a form is read, the page learns from the declared shapes, as plain data.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flask import Flask

from companion.core.errors import JsonObject
from companion.core.i18n import LANGUAGES
from companion.judge.decide import find_kinds, judged_games
from companion.judge.forms import Sheet
from companion.judge.kinds import Kind
from companion.judge.shapes import ByKey, ByPlayer, Group, Listed, Slots
from companion.judge.values import Choice, Number, Player, Shape
from web.cases import rule_questions
from web.export.scripts import COURT, script_path, squeeze
from web.rendering.game_words import find_template, template_words

MARK = "¤"
_SEAMS = re.compile(r'([<>"])')
_BUTTON = re.compile(r'<button type="button" data-add="(-?1)" hidden aria-label="[^"]*">.</button>')
_SOURCE = re.compile(r' src="/static/[^/"]+/([^"]+)"')


class JudgeForm(NamedTuple):
    """A form with its marks, and each language's texts for them."""

    kind: Kind
    markup: str
    says: dict[str, list[str]]


def list_games() -> list[str]:
    """Return the games whose disputes the page can decide: they bring a second court."""
    return [game for game in judged_games() if script_path(game, COURT).is_file()]


def list_forms(app: Flask) -> Iterator[JudgeForm]:
    """Yield the form of every kind of dispute that the page can decide."""
    for game in list_games():
        for kind in find_kinds(game).values():
            rendered = [_render_form(app, kind, code) for code in LANGUAGES]
            markup, says = weave(rendered)
            yield JudgeForm(kind, markup, dict(zip(LANGUAGES, says, strict=True)))


def _render_form(app: Flask, kind: Kind, code: str) -> str:
    sheet = Sheet(kind, {})
    page = app.jinja_env.get_template("export/judge_form.html").render(
        **template_words(code),
        sheet=sheet,
        box=kind.box,
        game_template=find_template(kind.box.game, "game.html"),
        questions=rule_questions(sheet),
        may_have_gaps=False,
        page="judge",
    )
    return _SOURCE.sub(r' data-picture="\1"', _BUTTON.sub(r'<b data-by="\1"></b>', squeeze(page)))


def weave(pages: Sequence[str]) -> tuple[str, list[list[str]]]:
    """Return the common text of pages with marks where they differ, and each page's own texts.

    They differ in their texts and in the values of attributes, and not in their elements; raise
    ValueError if they do.
    """
    parts = [_SEAMS.split(page) for page in pages]
    common, said, known = [], [list[str]() for _ in pages], dict[tuple[str, ...], int]()
    for same in zip(*parts, strict=True):
        if len({*same}) == 1:
            common.append(same[0])
            continue
        if same not in known:
            known[same] = len(known)
            for text, own in zip(same, said, strict=True):
                own.append(text)
        common.append(f"{MARK}{known[same]}{MARK}")
    return "".join(common), said


def describe_kind(kind: Kind) -> JsonObject:
    """Return the data for reading and checking a form of this kind on the page."""
    return {
        "fields": {name: describe_shape(shape) for name, shape in kind.fields.items()},
        "needed": kind.needed,
        "holds": [
            {"fields": held.fields, "most": {str(thing): n for thing, n in held.most.items()}}
            for held in kind.holds
            if not held.is_guess
        ],
    }


def describe_shape(shape: Shape) -> JsonObject:
    """Return a shape as plain data: how it is drawn, and its limits."""
    found: JsonObject = {"widget": shape.widget}
    match shape:
        case Player():
            pass
        case Number():
            found |= {"least": shape.least, "most": shape.most, "below": shape.below}
        case Choice():
            found |= {"row": callable(shape.among), "numbers": shape.has_numbers}
        case Listed():
            spelled = [shape.of.spell(value) for value in shape.of.values({}, ())]
            found |= {"of": describe_shape(shape.of), "values": spelled, "below": shape.below}
            if isinstance(shape, Slots):
                found["most"] = shape.most
        case ByPlayer():
            found["of"] = describe_shape(shape.of)
        case ByKey():
            found |= {"of": describe_shape(shape.of), "keys": [*shape.keys],
                      "chosenIn": shape.chosen_in}  # fmt: skip
        case Group():
            inner = {name: describe_shape(each) for name, each in shape.fields.items()}
            found |= {"fields": inner, "byTaps": shape.by_taps}
    return found
