"""Screens: decide the contents of a page, for a request and for a stream alike.

Laws: a screen is a page for one viewer in one language, drawn from the scene of that viewer and
from nothing else. The same templates draw the first page and all news of it, so both are the same
bytes. A screen that cannot be drawn says so, and is drawn as if no game were on the table.
"""

from collections.abc import Callable
from typing import TypeVar

from flask import Flask, Response, current_app, make_response, render_template, request, session
from werkzeug.exceptions import NotFound

from companion.core.i18n import LANGUAGES
from companion.hotspot.addresses import ViewerPlace, find_viewer
from web.browsers import BROWSER_KEY, browser_id, redirect_away
from web.context import AppContext, current_context
from web.rendering.blocks import BlockPainter, Layout, LivePart, layout_of, template_names
from web.rendering.scene import Facts, Found, Scene, Screen, Shown, find_shown, make_scene

AUDIENCES = {
    "everyone": ("table", "judge", "login", "rules"),
    "browser": ("join", "quick_start", "share", "names"),
    "seat": ("phone",),
    "hands": ("play", "lab"),
    "host": ("host", "people", "surroundings", "care", "health", "new_game", "first"),
}
"""The pages for everyone, for one browser, for the browser that holds a seat or moves its pieces,
and for a browser that is signed in as host."""
PAGES = {page: audience for audience, pages in AUDIENCES.items() for page in pages}
"""Every page, and the audience it is for."""
HOST_PAGES = ("login", *AUDIENCES["host"])
"""The pages of a host; only tables with a host service have them."""
UNSTREAMED_PAGES = ("login", "new_game", "quick_start", "rules")
"""The pages without a stream."""
LANGUAGE_KEY = "language"
"""Where the cookie of a browser has the language that was chosen for it."""
BLOCK_PAINTER = "block painter"
"""Key of the app's painter of blocks."""

T = TypeVar("T")


def has_page(page: str) -> bool:
    """Return whether this table has such a page."""
    context = current_context()
    if page in ("quick_start", *AUDIENCES["hands"]):
        return context.is_simulated
    if (page == "first" and context.setup is None) or (page == "names" and context.names is None):
        return False
    return page in PAGES and (page not in HOST_PAGES or context.host is not None)


def requested_screen(page: str, seat: int = 0) -> Screen:
    """Return the screen of this page for the asking browser; 404 if this table has no such page.

    Its seat is 0 unless the browser holds it; a seat beyond those of the current game counts as not
    held.
    """
    if not has_page(page):
        raise NotFound
    context, audience, browser = current_context(), PAGES[page], browser_id()
    holds = {"seat": context.seats.holds_seat, "hands": context.seats.may_move}.get(audience)
    seat = seat if holds is not None and holds(browser, seat) else 0
    context.seats.note_heard(browser)
    if context.table.seats and seat > context.table.seats:
        seat = 0
    language = session_language(page)
    is_own = audience == "browser" or (audience == "host" and context.browsers.is_host(browser))
    place = requested_place()
    is_tables_own = page == "table" and place == "machine"
    own = browser if is_own else ""
    came_known = place == "machine" or (not own and came_as_known())
    return Screen(page, seat, language, own, place != "elsewhere", is_tables_own, came_known)


def choose_language(language: str) -> None:
    """Set the language of this browser; NotWritten if it is a known one and the disk is full."""
    current_context().browsers.identity.save_language(browser_id(), language)
    session[LANGUAGE_KEY] = language


def session_language(page: str = "") -> str:
    """Return the language that this browser chose, else the one it asks for (Accept-Language), else
    that of the table, which the table screen follows at once; else English."""
    context = current_context()
    kept = context.browsers.identity.language_of(str(session.get(BROWSER_KEY, "")))
    chosen = kept or str(session.get(LANGUAGE_KEY, ""))
    if chosen in LANGUAGES:
        return chosen
    settings = context.settings
    default = settings.language if settings.language in LANGUAGES else LANGUAGES[0]
    if page == "table" or not settings.asks_browser:
        return default
    return request.accept_languages.best_match((default, *LANGUAGES), default) or default


def requested_place() -> ViewerPlace:
    """Return the network a request comes from."""
    return find_viewer(request.remote_addr or "", request.host, tuple(request.headers.keys()))


def came_as_known() -> bool:
    """Return whether the asking browser is known to the table, or runs on the Pi itself."""
    return requested_place() == "machine" or current_context().browsers.is_known(browser_id())


def requested_names() -> tuple[str, ...]:
    """Return the names of the players, by seat, as far as the asking browser may know them."""
    context = current_context()
    is_here = requested_place() == "machine"
    return context.shown_names(context.may_see_names(browser_id(), is_here))


def is_denied(screen: Screen) -> bool:
    """Return whether a screen lacks the seat or the signed-in host that its page needs."""
    audience = PAGES[screen.page]
    no_seat = audience in ("seat", "hands") and not screen.seat
    return no_seat or (audience == "host" and not screen.browser)


def render_screen(
    screen: Screen, aside: str = "", status: int = 200, layout: Layout | None = None
) -> Response:
    """Return the whole page, with a sentence above it; without its game if that cannot be drawn."""
    if is_denied(screen):
        return redirect_away("/host/enter" if PAGES[screen.page] == "host" else "/")
    context = current_context()
    shown = find_shown(context, screen)
    page = _draw_guarded(context, screen, shown, lambda scene: draw_page(scene, aside, layout))
    return make_response(page, status)


def draw_page(scene: Scene, aside: str = "", layout: Layout | None = None) -> str:
    """Return a page: its frame, and in it the part that follows the game."""
    layout = layout or find_layout(scene)
    painter = _painter(current_app)
    live = {} if layout.frame is None else {"live": painter.draw(layout, scene, None, {}).html}
    facts = layout.page.facts(scene)
    return render_template(
        layout.page.template,
        **template_names(scene.surroundings, facts) | live | {"aside": aside, "seat": scene.seat},
    )


def draw_template(template: str, scene: Scene, facts: Facts, status: int = 200) -> Response:
    """Return a page, or a part of one, that belongs to no stream."""
    known = template_names(scene.surroundings, facts)
    return make_response(render_template(template, **known), status)


def find_layout(scene: Scene) -> Layout:
    """Return the layout of the page of a scene."""
    return layout_of(scene.page, scene.box.game if scene.surroundings.has_game else "")


def draw_live_part(
    app: Flask, context: AppContext, screen: Screen, before: LivePart | None, found: Found
) -> LivePart:
    """Draw the part of the page that follows the game; unchanged blocks come from the cache."""
    found.shown = found.shown or find_shown(context, screen)

    def draw(scene: Scene) -> LivePart:
        # Before a game the facts have words: a seat without a name is called by its number.
        facts = found.facts if scene.surroundings.has_game else {}
        return _painter(app).draw(find_layout(scene), scene, before, facts)

    return _draw_guarded(context, screen, found.shown, draw)


def _painter(app: Flask) -> BlockPainter:
    painter: BlockPainter = app.extensions[BLOCK_PAINTER]
    return painter


def _draw_guarded(
    context: AppContext, screen: Screen, shown: Shown, draw: Callable[[Scene], T]
) -> T:
    """Draw the scene of a screen; without its game if that fails in it."""
    guard = context.table.guard
    if shown.view is None:
        return draw(make_scene(context, screen, shown))
    try:
        return draw(make_scene(context, screen, shown))
    except Exception as error:  # noqa: BLE001 -- Of a game, or ours.
        guard.refuse("screen", error, shown.rules.box)
    return draw(make_scene(context, screen, Shown(None, shown.rules, shown.names, shown.recorded)))


def install(app: Flask) -> None:
    """Give the app the drawing of its blocks; its templates are installed before."""
    app.extensions[BLOCK_PAINTER] = BlockPainter(app.jinja_env)
