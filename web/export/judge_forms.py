"""The forms of the judge that is one file: those of the companion, without a table behind them.

Laws: a form is rendered by the same templates in every language, and kept once: where languages
differ it has a mark, and each language a list of what stands there. Buttons of numbers are left to
the script of the page. A kind of dispute is offered if its game brings a second court, a form of
its own, and the reading of that form in JavaScript.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flask import Flask

from companion.core.i18n import LANGUAGES
from companion.games import find_game
from companion.judge.decide import find_judge, judged_games
from companion.judge.sheet import Sheet
from web.cases import rule_questions
from web.export.scripts import COURT, SHEET, script_path, squeeze
from web.rendering import templates
from web.rendering.game_templates import find_template

MARK = "¤"
_SEAMS = re.compile(r'([<>"])')
_BUTTON = re.compile(r'<button type="button" data-add="(-?1)" hidden aria-label="[^"]*">.</button>')
_SOURCE = re.compile(r' src="/static/[^/"]+/([^"]+)"')


class JudgeForm(NamedTuple):
    """A form with its marks, and what each language has at them."""

    game: str
    kind: str
    markup: str
    says: dict[str, list[str]]


def list_games() -> list[str]:
    """Return the games whose disputes the page can decide, in their order."""
    return [
        game
        for game in judged_games()
        if script_path(game, COURT).is_file() and script_path(game, SHEET).is_file()
    ]


def list_forms(app: Flask) -> Iterator[JudgeForm]:
    """Yield the form of every kind of dispute that the page can decide."""
    for game in list_games():
        judge = find_judge(game)
        for kind in judge.kinds:
            if kind in judge.sheets:
                rendered = [_render_form(app, game, kind, code) for code in LANGUAGES]
                markup, says = weave(rendered)
                yield JudgeForm(game, kind, markup, dict(zip(LANGUAGES, says, strict=True)))


def _render_form(app: Flask, game: str, kind: str, code: str) -> str:
    sheet = Sheet(game, kind, find_game(game).standard_box(), {})
    page = app.jinja_env.get_template("export/judge_form.html").render(
        **templates.template_words(code),
        sheet=sheet,
        box=sheet.box,
        game_template=find_template(game, "game.html"),
        questions=rule_questions(sheet),
        may_have_gaps=False,
        page="judge",
    )
    return _SOURCE.sub(r' data-picture="\1"', _BUTTON.sub(r'<b data-by="\1"></b>', squeeze(page)))


def weave(pages: Sequence[str]) -> tuple[str, list[list[str]]]:
    """Return what pages have in common, with a mark where they differ, and what each has there.

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
