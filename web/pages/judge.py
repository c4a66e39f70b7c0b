"""The judge's pages: the last verdict with its reasons, a look back, and disputes at any table.

Law: a page of the judge shows one look at the game, built for everyone; a dispute lives in its
address alone, so that it can be shared, printed, and judged again.
"""

from flask import Blueprint, Response, abort, make_response, render_template, request

from companion.core.errors import Refusal
from companion.games import find_game
from companion.judge.decide import find_kinds, judged_games
from companion.judge.forms import Sheet
from companion.table.activity_log import log_entries
from companion.table.history import History
from companion.table.look_back import (
    LookBack,
    check_look_back,
    is_judge_called,
    list_verdicts,
    look_back,
)
from companion.table.view import View
from web import cases
from web.context import AppContext, current_context
from web.pages import correction
from web.rendering import templates
from web.rendering.game_templates import find_template
from web.rendering.screens import (
    Facts,
    Screen,
    provides_facts,
    render_page,
    render_screen,
    requested_screen,
    template_facts,
)

blueprint = Blueprint("judge", __name__, url_prefix="/judge", template_folder="templates")


@blueprint.get("")
def show_judge() -> Response:
    """Show the last verdict; while everyone looks back, any moment of the game as well."""
    at = request.args.get("at", 0, int)
    if not at:
        return render_screen(requested_screen("judge"))
    return make_response(render_page(_moment_facts(at)))


@blueprint.get("/back")
def show_moment() -> Response:
    """Return the part of the page that shows one moment of the game."""
    facts = _moment_facts(request.args.get("at", 0, int))
    return make_response(render_template("judge/look_back.html", **facts))


@blueprint.get("/sheet")
def show_arbiters_sheet() -> Response:
    """Show every verdict of the game, numbered, to be printed; 403 while it goes on, 404 without a
    game."""
    context, screen = current_context(), requested_screen("judge")
    history = _told_history(context)
    if history.state is None:
        abort(404)
    facts = template_facts(context, screen)
    found = list_verdicts(history)
    if isinstance(found, Refusal):
        return make_response(render_template("judge/refused.html", **facts, refusal=found.say), 403)
    verdicts = [(look, View("table", look.told.at, look.public)) for look in found]
    return make_response(render_template("judge/arbiters_sheet.html", **facts, verdicts=verdicts))


@blueprint.get("/correct/<int:at>")
def put_right(at: int) -> Response:
    """Redirect to this browser's page for correcting a moment."""
    return correction.redirect_to_own_page(f"correct/{at}")


@blueprint.get("/count")
def count_own() -> Response:
    """Redirect to this browser's page for counting its seat's things."""
    return correction.redirect_to_own_page("count")


@blueprint.get("/log")
def show_whole_log() -> Response:
    """Show every moment of the game; 403 while it goes on, 404 without a game."""
    context, screen = current_context(), requested_screen("judge")
    history = _told_history(context)
    if history.state is None:
        abort(404)
    facts = template_facts(context, screen)
    refused = check_look_back(history)
    if refused is not None:
        return make_response(
            render_template("judge/refused.html", **facts, refusal=refused.say), 403
        )
    entries = log_entries(history)[::-1]
    return make_response(render_template("judge/whole_log.html", **facts, entries=entries))


def _told_history(context: AppContext) -> History:
    """Return the game as far as it is told."""
    return context.telling_clock("judge").told_history(context.table.history)


def _moment_facts(at: int) -> Facts:
    """Return the facts of this moment, or why it may not be seen; 404 if there is none."""
    context, screen = current_context(), requested_screen("judge")
    found = look_back(context.table.history, at) if at else None
    if found is None:
        abort(404)
    facts = template_facts(context, screen)
    return facts | (
        _look_back_facts(found) if isinstance(found, LookBack) else {"refusal": found.say}
    )


@provides_facts("judge")
def judge_facts(context: AppContext, screen: Screen) -> Facts:
    """Return the last verdict, and the moment to begin with while everyone looks back."""
    history = _told_history(context)
    last = look_back(history)
    known: Facts = {"last": last, "clock": templates.format_time, "looking": False}
    if history.state is None or not is_judge_called(history):
        return known
    found = look_back(history, last.told.at if isinstance(last, LookBack) else history.at)
    return known | (_look_back_facts(found) if isinstance(found, LookBack) else {})


def _look_back_facts(look: LookBack) -> Facts:
    """Return the table as it was then, for the templates of its game."""
    then = View("table", look.told.at, look.public)
    return {"looking": True, "look": look, "then": then}


@blueprint.get("/case")
def show_case() -> Response:
    """Show the form of a dispute, and its verdict once it is filled in."""
    sheet = cases.parse_sheet(request.args)
    if not isinstance(sheet, Sheet):
        return _case_response(
            "judge/case_kinds.html",
            sheet,
            disputes=[
                (find_game(game).standard_box(), find_kinds(game)) for game in judged_games()
            ],
        )
    found = cases.judge_sheet(sheet)
    fault = found if isinstance(found, cases.SheetError) else None
    return _case_response(
        "judge/case.html",
        fault,
        sheet=sheet,
        box=sheet.kind.box,
        title=sheet.kind.box.title,
        game_template=find_template(sheet.kind.box.game, "game.html"),
        questions=cases.rule_questions(sheet),
        found=None if fault else found,
        asked="name1" in request.args,
        may_have_gaps=True,
    )


def _case_response(template: str, fault: cases.SheetError | None, **facts: object) -> Response:
    """Return a page about a dispute, with its error in the language of the browser."""
    spoken = templates.template_words(requested_screen("judge").language)
    text = fault.sentence(spoken["say"]) if fault else ""
    page = render_template(template, **spoken, **facts, page="judge", fault=fault, fault_said=text)
    return make_response(page, 400 if fault else 200)
