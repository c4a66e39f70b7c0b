"""The judge's pages: the last verdict with its reasons, a look back, and a case from any table.

Law: all that a page of the judge shows is one look at the game, built for everyone; a case lives
in its address and nowhere else, so it can be shared, printed, and judged again.
"""

from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request

from companion.core.cards import BOX_TYPES, standard_box
from companion.table.look_back_init import Look, called
from companion.table.view import View
from web import cases
from web.context import AppContext, current_context
from web.rendering import templates
from web.rendering.screens import Screen, adds, facts_of, my_screen, show

blueprint = Blueprint("judge", __name__, url_prefix="/judge", template_folder="templates")


@blueprint.get("")
def page() -> Response:
    """The last verdict; while everyone looks back, any moment of the game as well."""
    at = request.args.get("at", 0, int)
    if not at:
        return show(my_screen("judge"))
    facts = _looking(at)
    return make_response(render_template("judge/page.html", **facts))


@blueprint.get("/back")
def back() -> Response:
    """One moment of the game, as the page exchanges it."""
    facts = _looking(request.args.get("at", 0, int))
    return make_response(render_template("judge/look_back.html", **facts))


def _looking(at: int) -> dict[str, Any]:
    """What the page knows when somebody looks at this moment, if they may, and if it is one."""
    here, screen = current_context(), my_screen("judge")
    found = here.table.look_back(at) if at else None
    if found is None:
        abort(404)
    facts = facts_of(here, screen)
    return facts | (_then(found) if isinstance(found, Look) else {"not_now": found.say})


@adds("judge")
def facts(here: AppContext, _screen: Screen) -> dict[str, Any]:
    """The last verdict, and the moment to begin with where everyone looks back."""
    last = here.table.look_back()
    known: dict[str, Any] = {"last": last, "clock": templates.clock, "looking": False}
    history = here.table.history
    if history.state is None or not called(history):
        return known
    found = here.table.look_back(last.told.at if isinstance(last, Look) else history.at)
    return known | (_then(found) if isinstance(found, Look) else {})


def _then(look: Look) -> dict[str, Any]:
    """The table as it was then, as the templates of the game show one."""
    then = View("table", look.told.at, look.public)
    return {"looking": True, "look": look, "then": then}


@blueprint.get("/case")
def case() -> Response:
    """A dispute at any table: its form, and the answer once it is filled in."""
    sheet = cases.sheet_of(request.args)
    if not isinstance(sheet, cases.Sheet):
        return _shown(
            "judge/case_kinds.html", sheet, boxes=BOXES, kinds=cases.KINDS, sheets=cases.SHEETS
        )
    found = cases.answered(sheet)
    fault = found if isinstance(found, cases.Fault) else None
    return _shown(
        "judge/case.html",
        fault,
        sheet=sheet,
        box=sheet.box,
        title=sheet.box.title,
        middle=f"games/{sheet.game}.html",
        questions=cases.questions(sheet),
        found=None if fault else found,
        asked="name1" in request.args,
    )


BOXES = {game: standard_box(BOX_TYPES[game]) for game in cases.SHEETS}


def _shown(template: str, fault: cases.Fault | None, **facts: Any) -> Response:
    """A page about a case, with what is wrong with it in the words of the page."""
    spoken = templates.words(my_screen("judge").language)
    said = fault.said(spoken["say"]) if fault else ""
    page = render_template(template, **spoken, **facts, page="judge", fault=fault, fault_said=said)
    return make_response(page, 400 if fault else 200)
