"""Screens: the one place that decides what a page shows, for a request and for a stream alike.

Law: a screen is a page for one viewer in one language, built from that viewer's View and from
nothing else; only the simulated table adds the pieces as its own seat sees them. The same template
writes the first page and every later fragment, so both are the same bytes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, make_response, render_template, request
from jinja2 import FileSystemLoader
from markupsafe import Markup, escape

from companion.core.i18n import N_, Message
from companion.games import make_rulebook
from companion.hotspot.wifi import inside
from companion.table.view import View
from companion.tracking.games import GAME_TRACKING
from web import forms
from web.context import AppContext, current_context
from web.rendering import hints, templates
from web.sessions import browser_id, is_host, redirect_away

PAGES = {
    "join": "browser",
    "quick_start": "browser",
    "table": "everyone",
    "judge": "everyone",
    "phone": "seat",
    "share": "browser",
    "play": "hands",
    "login": "everyone",
    "host": "host",
    "health": "host",
    "new_game": "host",
    "first": "host",
    "setup_login": "everyone",
}
"""Every page, and whose it is: everyone's, one browser's, the browser's that holds a seat or that
moves its pieces, or the browser's that is signed in as host."""

HOST_PAGES = ("login", "host", "health", "new_game", "first", "setup_login")
"""The pages of a host, at a table that has a house."""
SETUP_PAGES = ("first", "setup_login")
"""Those of a table that is set up in the browser."""
UNSTREAMED_PAGES = ("login", "new_game", "quick_start", "setup_login")
"""The pages that follow nothing."""
REQUESTING_PAGES = ("phone", "play")
"""The pages from which a seat asks for something."""
NO_READER = N_("{use} has no reader: tap there.")
PLACES_WITHOUT_BANKS = 5
"""The places of a game without banks: three open cards, the auction, the sale."""
ASIDE = "aside"
"""Where a refusal is shown whose form is no longer on the page."""

TEMPLATE_FOLDERS = [Path(__file__).parents[1] / "templates"]
"""The folders of templates; one from outside that brings a new game's is a line here."""

FactsFunction = Callable[[AppContext, "Screen"], dict[str, Any]]
_PAGE_FACTS: dict[str, list[FactsFunction]] = {}


class Screen(msgspec.Struct, frozen=True):
    """A page for one viewer in one language: for a seat, a browser, a host, or for everyone."""

    page: str
    seat: int
    language: str
    browser: str = ""
    is_local: bool = False
    """Whether the viewer is at the Pi itself, or in its own network."""


HIDDEN_FIELDS = Markup(
    '<input type="hidden" name="version" value="{at}">'
    '<input type="hidden" name="page" value="{page}">'
)
"""What every form that asks for an event says of its page; made once a page, as it has many."""


class RefusedForm(msgspec.Struct, frozen=True):
    """A refusal, the form at which it is shown, and the field if there is a place for that."""

    do: str
    text: str
    rule: str = ""
    field: str = ""


def has_page(page: str) -> bool:
    """Whether this table has such a page."""
    if page in ("play", "quick_start"):
        return current_context().is_simulated
    if page in SETUP_PAGES and current_context().setup is None:
        return False
    return page in PAGES and (page not in HOST_PAGES or current_context().host is not None)


def requested_screen(page: str, seat: int = 0) -> Screen:
    """The screen of this page for whoever asks; a seat only for the browser that has it.

    A seat that was taken when more people played is nobody's now.
    """
    context, whose, browser = current_context(), PAGES[page], browser_id()
    has = {"seat": context.seats.holds_seat, "hands": context.seats.may_move}.get(whose)
    seat = seat if has is not None and has(browser, seat) else 0
    if context.table.seats and seat > context.table.seats:
        seat = 0
    language = templates.session_language(context.language)
    own = whose == "browser" or (whose == "host" and is_host(context.host_sessions))
    near = inside(request.remote_addr or "", request.host, request.headers.keys())
    return Screen(page, seat, language, browser if own else "", near)


def is_denied(screen: Screen) -> bool:
    """Whether this page is for a seat that the asking browser does not have, or for a host."""
    whose = PAGES[screen.page]
    no_seat = whose in ("seat", "hands") and not screen.seat
    return no_seat or (whose == "host" and not screen.browser)


def is_signed_out(context: AppContext, screen: Screen) -> bool:
    """Whether the host whose page this was is signed out meanwhile."""
    is_hosts = PAGES.get(screen.page) == "host"
    return is_hosts and (
        context.host_sessions is None or not context.host_sessions.is_signed_in(screen.browser)
    )


def render_screen(
    screen: Screen, refused: RefusedForm | None = None, status: int = 200
) -> Response:
    """The whole page; a refusal is never lost, even if its form is gone."""
    if is_denied(screen):
        return redirect_away(_sign_in_path(screen.page))
    context, template = current_context(), f"{_folder(screen.page)}/page.html"
    page = render_template(template, **template_facts(context, screen, refused))
    if refused is not None and escape(refused.text) not in page:
        aside = msgspec.structs.replace(refused, do=ASIDE, field="")
        page = render_template(template, **template_facts(context, screen, aside))
    return make_response(page, status)


def _folder(page: str) -> str:
    """Return the folder of the page's templates, which also names its stylesheet."""
    return "setup" if page == "first" else page


def _sign_in_path(page: str) -> str:
    """Where one comes in to a page."""
    if page == "first":
        return "/first/enter"
    return "/host/enter" if PAGES[page] == "host" else "/"


def render_fragment(app: Flask, context: AppContext, screen: Screen) -> str:
    """The part of the page that follows the game."""
    template = app.jinja_env.get_template("shared/live.html")
    return template.render(**template_facts(context, screen))


def template_facts(
    context: AppContext, screen: Screen, refused: RefusedForm | None = None
) -> dict[str, Any]:
    """All that a template of this screen knows."""
    scene = context.demo_scene(screen.page)
    view = context.table.view(screen.seat) if scene is None else scene.view
    rules = context.table.rules if scene is None else make_rulebook(scene.game)
    box = rules.box
    way = f"{screen.page}/{screen.seat}" if screen.seat else screen.page
    facts: dict[str, Any] = {
        **templates.template_words(screen.language),
        "page": screen.page,
        "folder": _folder(screen.page),
        "seat": screen.seat,
        "view": view,
        "names": lambda seats: [view.public.seats[n - 1].name for n in seats] if view else [],
        "box": box,
        "game_template": f"games/{box.game}.html",
        "bids_template": f"bids/{box.game}.html",
        "title": box.title,
        "recorded": scene is not None,
        "leaving": context.is_demo_due(),
        "simulated": context.is_simulated,
        "hints": hints.current_hints(rules, view),
        "refused": refused,
        "page_path": way,
        "stamp": HIDDEN_FIELDS.format(at=view.at if view else 0, page=way),
        "requests_url": f"/api/seats/{screen.seat}/requests",
        "can_settle": screen.seat > 0 and screen.page in REQUESTING_PAGES,
        "by_hand": places_without_reader(box.game, view) if view else [],
        "taps_only": is_tap_only(view) if view else False,
    }
    for more in _PAGE_FACTS.get(screen.page, ()):
        facts |= more(context, screen)
    return facts


def places_without_reader(game: str, view: View) -> list[tuple[int, Message]]:
    """The places that no reader sees, each in words; nothing if there are no readers at all."""
    if is_tap_only(view):
        return []
    named = place_names(game, view)
    return [(n, Message(NO_READER, {"use": named[n]})) for n in view.table.by_hand]


def place_names(game: str, view: View) -> dict[int, Message]:
    """The places of a game at which cards lie, by the numbers of their readers."""
    return {
        n: Message(GAME_TRACKING[game].place_name, {"n": n})
        for n in range(1, _count_places(view) + 1)
    }


def is_tap_only(view: View) -> bool:
    """Whether no reader works anywhere: then everything is tapped."""
    return len(view.table.by_hand) == _count_places(view)


def _count_places(view: View) -> int:
    return len(getattr(view.public, "banks", ())) or PLACES_WITHOUT_BANKS


def provides_facts(page: str) -> Callable[[FactsFunction], FactsFunction]:
    """Have this function say what the templates of a page know besides the view."""

    def added(facts: FactsFunction) -> FactsFunction:
        _PAGE_FACTS.setdefault(page, []).append(facts)
        return facts

    return added


def install(app: Flask) -> None:
    """Tell where the templates are, and give every one the functions that know forms."""
    app.jinja_loader = FileSystemLoader(TEMPLATE_FOLDERS)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["json"] = templates.as_json
    app.jinja_env.globals.update(
        button_choices=forms.button_choices,
        group_by_open_fields=forms.group_by_open_fields,
        is_done_with_pieces=forms.is_done_with_pieces,
        cached_fragment=templates.make_piece_renderer(app.jinja_env),
        known_cards=templates.known_cards,
        piece_events=tuple(forms.PIECE_EVENTS),
    )
