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
from companion.tracking.games import TRACKED
from web import forms
from web.context import AppContext, current_context
from web.rendering import hints, templates
from web.sessions import is_host, redirect_away, browser_id

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

OF_THE_HOUSE = ("login", "host", "health", "new_game", "first", "setup_login")
"""The pages of a host, at a table that has a house."""
SETTING_UP = ("first", "setup_login")
"""Those of a table that is set up in the browser."""
STILL = ("login", "new_game", "quick_start", "setup_login")
"""The pages that follow nothing."""
ASKING = ("phone", "play")
"""The pages from which a seat asks for something."""
NO_READER = N_("{use} has no reader: tap there.")
BOARD = 5
"""The places of a game without banks: three open cards, the auction, the sale."""
ASIDE = "aside"
"""Where a refusal is shown whose form is no longer on the page."""

TEMPLATES = [Path(__file__).parents[1] / "templates"]
"""The folders of templates; one from outside that brings a new game's is a line here."""

Facts = Callable[[AppContext, "Screen"], dict[str, Any]]
_MORE: dict[str, list[Facts]] = {}


class Screen(msgspec.Struct, frozen=True):
    """A page for one viewer in one language: for a seat, a browser, a host, or for everyone."""

    page: str
    seat: int
    language: str
    browser: str = ""
    inside: bool = False
    """Whether the viewer is at the Pi itself, or in its own network."""


STAMP = Markup(
    '<input type="hidden" name="version" value="{at}">'
    '<input type="hidden" name="page" value="{page}">'
)
"""What every form that asks for an event says of its page; made once a page, as it has many."""


class Refused(msgspec.Struct, frozen=True):
    """A refusal, the form at which it is shown, and the field if there is a place for that."""

    do: str
    text: str
    rule: str = ""
    field: str = ""


def here(page: str) -> bool:
    """Whether this table has such a page."""
    if page in ("play", "quick_start"):
        return current_context().is_simulated
    if page in SETTING_UP and current_context().setup is None:
        return False
    return page in PAGES and (page not in OF_THE_HOUSE or current_context().host is not None)


def my_screen(page: str, seat: int = 0) -> Screen:
    """The screen of this page for whoever asks; a seat only for the browser that has it.

    A seat that was taken when more people played is nobody's now.
    """
    here, whose, browser = current_context(), PAGES[page], browser_id()
    has = {"seat": here.seats.holds, "hands": here.seats.moves}.get(whose)
    seat = seat if has is not None and has(browser, seat) else 0
    if here.table.seats and seat > here.table.seats:
        seat = 0
    language = templates.my_language(here.language)
    own = whose == "browser" or (whose == "host" and is_host(here.host_sessions))
    near = inside(request.remote_addr or "", request.host, request.headers.keys())
    return Screen(page, seat, language, browser if own else "", near)


def lost(screen: Screen) -> bool:
    """Whether this page is for a seat that the asking browser does not have, or for a host."""
    whose = PAGES[screen.page]
    no_seat = whose in ("seat", "hands") and not screen.seat
    return no_seat or (whose == "host" and not screen.browser)


def dismissed(here: AppContext, screen: Screen) -> bool:
    """Whether the host whose page this was is signed out meanwhile."""
    is_hosts = PAGES.get(screen.page) == "host"
    return is_hosts and (here.host_sessions is None or not here.host_sessions.is_signed_in(screen.browser))


def show(screen: Screen, refused: Refused | None = None, status: int = 200) -> Response:
    """The whole page; a refusal is never lost, even if its form is gone."""
    if lost(screen):
        return redirect_away(_door(screen.page))
    here, template = current_context(), f"{_folder(screen.page)}/page.html"
    page = render_template(template, **facts_of(here, screen, refused))
    if refused is not None and escape(refused.text) not in page:
        aside = msgspec.structs.replace(refused, do=ASIDE, field="")
        page = render_template(template, **facts_of(here, screen, aside))
    return make_response(page, status)


def _folder(page: str) -> str:
    """Return the folder of the page's templates, which also names its stylesheet."""
    return "setup" if page == "first" else page


def _door(page: str) -> str:
    """Where one comes in to a page."""
    if page == "first":
        return "/first/enter"
    return "/host/enter" if PAGES[page] == "host" else "/"


def fragment(app: Flask, here: AppContext, screen: Screen) -> str:
    """The part of the page that follows the game."""
    template = app.jinja_env.get_template("shared/live.html")
    return template.render(**facts_of(here, screen))


def facts_of(here: AppContext, screen: Screen, refused: Refused | None = None) -> dict[str, Any]:
    """All that a template of this screen knows."""
    scene = here.demo_scene(screen.page)
    view = here.table.view(screen.seat) if scene is None else scene.view
    rules = here.table.rules if scene is None else make_rulebook(scene.game)
    box = rules.box
    way = f"{screen.page}/{screen.seat}" if screen.seat else screen.page
    facts: dict[str, Any] = {
        **templates.words(screen.language),
        "page": screen.page,
        "folder": _folder(screen.page),
        "seat": screen.seat,
        "view": view,
        "names": lambda seats: [view.public.seats[n - 1].name for n in seats] if view else [],
        "box": box,
        "middle": f"games/{box.game}.html",
        "bids_of": f"bids/{box.game}.html",
        "title": box.title,
        "recorded": scene is not None,
        "leaving": here.is_demo_due(),
        "simulated": here.is_simulated,
        "hints": hints.told(rules, view),
        "refused": refused,
        "way": way,
        "stamp": STAMP.format(at=view.at if view else 0, page=way),
        "asks_at": f"/api/seats/{screen.seat}/requests",
        "settles": screen.seat > 0 and screen.page in ASKING,
        "by_hand": by_hand(box.game, view) if view else [],
        "taps_only": taps_only(view) if view else False,
    }
    for more in _MORE.get(screen.page, ()):
        facts |= more(here, screen)
    return facts


def by_hand(game: str, view: View) -> list[tuple[int, Message]]:
    """The places that no reader sees, each in words; nothing if there are no readers at all."""
    if taps_only(view):
        return []
    named = places(game, view)
    return [(n, Message(NO_READER, {"use": named[n]})) for n in view.table.by_hand]


def places(game: str, view: View) -> dict[int, Message]:
    """The places of a game at which cards lie, by the numbers of their readers."""
    return {n: Message(TRACKED[game].noun, {"n": n}) for n in range(1, _many(view) + 1)}


def taps_only(view: View) -> bool:
    """Whether no reader works anywhere: then everything is tapped."""
    return len(view.table.by_hand) == _many(view)


def _many(view: View) -> int:
    return len(getattr(view.public, "banks", ())) or BOARD


def adds(page: str) -> Callable[[Facts], Facts]:
    """Have this function say what the templates of a page know besides the view."""

    def added(facts: Facts) -> Facts:
        _MORE.setdefault(page, []).append(facts)
        return facts

    return added


def teach(app: Flask) -> None:
    """Tell where the templates are, and give every one the functions that know forms."""
    app.jinja_loader = FileSystemLoader(TEMPLATES)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["json"] = templates.as_json
    app.jinja_env.globals.update(
        fixed=forms.button_choices,
        by_field=forms.group_by_open_fields,
        with_pieces=forms.is_done_with_pieces,
        piece=templates.pieces(app.jinja_env),
        lying=templates.lying,
        pieces=tuple(forms.PIECE_EVENTS),
    )
