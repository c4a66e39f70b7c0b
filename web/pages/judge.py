"""The judge's pages: the last verdict with its reasons, a look back, disputes at any table;
corrections by a phone or a host.

Laws: a page of the judge shows one look at the game, built for everyone; a dispute lives in its
address alone, so that it can be shared, printed, and judged again. Of a moment that is put right
only what everyone could have seen is offered; it is requested of the table like any other event.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request
from msgspec.structs import replace

from companion.core.errors import Refusal
from companion.core.i18n import Message
from companion.games import find_game
from companion.games.correction_rules import Countable
from companion.judge.decide import find_kinds, judged_games
from companion.judge.forms import Sheet
from companion.table.history import History
from companion.table.look_back import (
    LookBack,
    check_look_back,
    check_moment,
    is_judge_called,
    list_verdicts,
    look_back,
)
from companion.table.putting_right import PuttingRight, put_right
from companion.table.view import LogEntry, View, log_entries
from web import cases
from web.browsers import browser_id
from web.context import AppContext, current_context
from web.rendering.blocks import Block, Layout, lays_out
from web.rendering.game_words import find_template, screens_of, template_words
from web.rendering.scene import Facts, GameScene, Scene, Screen, make_scene, of
from web.rendering.screens import draw_template, render_screen, requested_screen

blueprint = Blueprint("judge", __name__, url_prefix="/judge")


@blueprint.get("")
def show_judge() -> Response:
    """Show the last verdict; while everyone looks back, any moment of the game as well."""
    at, screen = request.args.get("at", 0, int), requested_screen("judge")
    if at:
        _check_moment(at)
    return render_screen(screen, layout=lay_out_moment(at) if at else None)


@blueprint.get("/back")
def show_moment() -> Response:
    """Return the part of the page that shows one moment of the game."""
    at = request.args.get("at", 0, int)
    _check_moment(at)
    scene = make_scene(current_context(), requested_screen("judge"))
    return draw_template("judge/look_back.html", scene, judge_facts(scene, at))


def _check_moment(at: int) -> None:
    """Send 404 if there is no such moment."""
    if not at or look_back(current_context().table.history, at) is None:
        abort(404)


class AllVerdicts(Facts, frozen=True):
    """Every verdict of a game."""

    verdicts: Sequence[LookBack]


class Refused(Facts, frozen=True):
    """The reason the judge shows nothing of it."""

    refusal: Message


class WholeLog(Facts, frozen=True):
    """Every moment of a game, the newest first."""

    entries: list[LogEntry]


@blueprint.get("/sheet")
def show_arbiters_sheet() -> Response:
    """Show every verdict of the game, numbered, to be printed."""
    return _show_history("judge/arbiters_sheet.html", lambda told: AllVerdicts(list_verdicts(told)))


@blueprint.get("/log")
def show_whole_log() -> Response:
    """Show every moment of the game."""
    return _show_history("judge/whole_log.html", lambda told: WholeLog(log_entries(told)[::-1]))


def _show_history(template: str, find: Callable[[History], Facts]) -> Response:
    """Return a page about the whole game as far as it is told; 403 while it goes on, 404 without a
    game."""
    scene = make_scene(current_context(), requested_screen("judge"))
    history = _told_history(scene.context)
    if not isinstance(scene, GameScene) or history.state is None:
        abort(404)
    refused = check_look_back(history)
    if refused is not None:
        return draw_template("judge/refused.html", scene, Refused(refused.say), 403)
    return draw_template(template, scene, find(history))


@blueprint.get("/correct/<int:at>")
@blueprint.get("/count")
def redirect_to_own_page(at: int | None = None) -> Response:
    """Redirect to this browser's page for correcting a moment, or for counting its seat's things:
    of the host, if something is corrected on the host's browser; else of the seat that it holds,
    else to where one takes a seat."""
    context = current_context()
    path = "count" if at is None else f"correct/{at}"
    if at is not None and context.browsers.is_host(browser_id()):
        return make_response(redirect(f"/host/{path}", 303))
    own = [seat for seat in context.seats.seats_of(browser_id()) if seat <= context.table.seats]
    return make_response(redirect(f"/phone/{own[0]}/{path}" if own else "/phone/elsewhere", 303))


def _told_history(context: AppContext) -> History:
    """Return the game as far as it is told."""
    return context.telling_clock("judge").told_history(context.table.history)


class JudgeFacts(Facts, frozen=True):
    """The last verdict, and a moment of the game while everyone looks back."""

    at: int
    frozen: int
    last: LookBack | Refusal | None
    look: LookBack | None = None
    board: Mapping[str, object] = {}
    shown: Any = None
    """The whole public view of that moment."""
    refusal: Message | None = None


def judge_facts(scene: Scene, at: int = 0) -> JudgeFacts:
    """Return the last verdict; while everyone looks back also this moment, or the last one."""
    history = _told_history(scene.context)
    last = look_back(history)
    frozen = scene.table.frozen if isinstance(scene, GameScene) else 0
    facts, found = JudgeFacts(scene.version, frozen, last), None
    if at:
        found = look_back(scene.context.table.history, at)
    elif history.state is not None and is_judge_called(history):
        found = look_back(history, last.told.at if isinstance(last, LookBack) else history.at)
    if not isinstance(found, LookBack):
        return replace(facts, refusal=found.say if found else None)
    board = screens_of(scene.box.game).board_items(View(found.told.at, found.public))
    return replace(facts, look=found, board=board, shown=found.public)


def lay_out_moment(at: int = 0) -> Layout:
    """Return the layout of the judge's page at this moment, or at the last one."""
    facts = partial(judge_facts, at=at)
    return Layout(Block("judge/page.html"), Block("judge/live.html", facts))


@lays_out("judge")
def lay_out_judge(game: str) -> Layout:
    """Return the layout of the judge's page."""
    layout = lay_out_moment()
    return layout if game else layout._replace(frame=Block("shared/live.html", NoGame.find))


class NoGame(Facts, frozen=True):
    """The reason a page shows no game."""

    game_fault: Message | None = of(lambda s: s.context.table.faults.game_fault)


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
    spoken = template_words(requested_screen("judge").language)
    text = fault.sentence(spoken["say"]) if fault else ""
    page = render_template(template, **spoken, **facts, page="judge", fault=fault, fault_said=text)
    return make_response(page, 400 if fault else 200)


class Correction(Facts, frozen=True):
    """Replacements for a moment, or the reason there are none."""

    at: int
    back: str
    requests_url: str
    moment: LogEntry | None
    refusal: Message | None
    found: PuttingRight
    as_host: str
    """Address for the same as the host, if this browser is the host's as well."""


def show_correction(screen: Screen, at: int) -> Response:
    """Return the page with the choices for this moment."""
    context = current_context()
    scene, history = make_scene(context, screen), context.table.history
    moment = next((one for one in log_entries(history) if one.at == at), None)
    refused = check_moment(history, at) if moment is not None else None
    found = PuttingRight(at) if refused or moment is None else put_right(history, at)
    facts = Correction(
        scene.version,
        scene.own_url,
        scene.requests_url,
        None if refused else moment,
        refused.say if refused else None,
        found,
        f"/host/correct/{at}" if screen.seat and context.browsers.is_host(browser_id()) else "",
    )
    return draw_template("shared/correction.html", scene, facts)


class Count(Facts, frozen=True):
    """Possessions of a seat by the log, to be counted."""

    at: int
    back: str
    requests_url: str
    owned: list[tuple[str, Countable, Message]]


def show_count(screen: Screen) -> Response:
    """Return the page for a seat's own count, beside its funds as of the newest verdict told."""
    context = current_context()
    scene, table = make_scene(context, screen), context.table
    told = table.telling.told_history(table.history).state
    owned = table.rules.corrections.count_own(told, screen.seat) if told else {}
    called = [(name, one, _name_counted(name)) for name, one in owned.items()]
    facts = Count(scene.version, scene.own_url, scene.requests_url, called)
    return draw_template("shared/count.html", scene, facts)


def _name_counted(name: str) -> Message:
    """Return the name of a counted thing; an amount is that of a card."""
    text = screens_of(current_context().game).count_labels.get(name)
    card = int(name) if name.isdecimal() else name
    return Message(text) if text else Message("{card}", {"card": card})
