"""Screens: decide what a page shows, for a request and for a stream alike.

Laws: a screen is a page for one viewer in one language, built from that viewer's View and from
nothing else; only the simulated table adds the pieces as its own seat sees them. The same template
draws the first page and all news of it, so both are the same bytes. A screen that its game cannot
draw says so, and is drawn as if no game were on the table.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar, cast

import msgspec
from flask import Flask, Response, current_app, make_response, render_template, request

from companion.core.cards import Box
from companion.core.i18n import N_, Message, get_language
from companion.games import make_rulebook
from companion.games.open_table import count_open_places
from companion.games.rulebook import AnyRulebook
from companion.games.screens import Screens
from companion.hotspot.wifi import ViewerPlace, find_viewer
from companion.table.activity_log import ChangeSummary, LogEntry
from companion.table.telling import TellingClock
from companion.table.view import View
from web.browsers import browser_id, redirect_away
from web.context import CONTEXT_KEY, AppContext, current_context
from web.rendering import choices, hints, templates
from web.rendering.blocks import BlockPainter, LivePart, surroundings_data
from web.rendering.compiled_templates import CompiledTemplates, set_whitespace
from web.rendering.game_templates import find_template, make_loader, screens_of
from web.rendering.layouts import layout_of
from web.rendering.page_list import (
    PAGES,
    PAGES_WITHOUT_GAME,
    REQUESTING_PAGES,
    UNSTREAMED_PAGES,
)

NO_READER = N_("{use} has no reader: tap there.")
BLOCK_PAINTER = "block painter"
"""Where an app keeps what draws its blocks."""
NO_TITLE = N_("Table companion")

T = TypeVar("T")
Facts = dict[str, object]
Naming = Callable[[str], str]
"""Returns what a player is called, by the key of the seat."""
FactsFunction = Callable[[AppContext, "Screen"], Facts]
_PAGE_FACTS: dict[str, list[FactsFunction]] = {}
"""By page: what is worked out for every painting of it."""


class Screen(msgspec.Struct, frozen=True):
    """A page for one viewer in one language: for a seat, a browser, a host, or for everyone."""

    page: str
    seat: int
    language: str
    browser: str = ""
    is_local: bool = False
    """The viewer is at the Pi itself, or in its own network."""
    is_tables_own: bool = False
    """The viewer is the table screen of the Pi itself: it shows the pass of the host, and where one
    reader serves all places, the next one is chosen on it."""
    came_known: bool = True
    """Whether the viewer was one of the table when the page was asked for."""

    def sees_names(self, context: AppContext) -> bool:
        """Return whether this screen shows names, or seats only."""
        return bool(self.seat) or context.may_see_names(self.browser, self.came_known)


class ShownView(NamedTuple):
    """The view of a game that a screen shows, if there is one, and the rules of that game."""

    view: View | None
    rules: AnyRulebook
    names: tuple[str, ...] = ()
    """What the viewer knows the players as, by seat."""
    recorded: bool = False


def requested_screen(page: str, seat: int = 0) -> Screen:
    """Return the screen of this page for the asking browser.

    Its seat is 0 unless the browser holds it; a seat beyond those of the current game counts as not
    held.
    """
    context, audience, browser = current_context(), PAGES[page], browser_id()
    holds = {"seat": context.seats.holds_seat, "hands": context.seats.may_move}.get(audience)
    seat = seat if holds is not None and holds(browser, seat) else 0
    context.seats.note_heard(browser)
    if context.table.seats and seat > context.table.seats:
        seat = 0
    language = templates.session_language(page)
    is_own = audience == "browser" or (audience == "host" and context.browsers.is_host(browser))
    place = requested_place()
    is_tables_own = page == "table" and place == "machine"
    own = browser if is_own else ""
    came_known = place == "machine" or (not own and came_as_known())
    return Screen(page, seat, language, own, place != "elsewhere", is_tables_own, came_known)


def requested_place() -> ViewerPlace:
    """Return the network a request comes from."""
    return find_viewer(request.remote_addr or "", request.host, tuple(request.headers.keys()))


def came_as_known() -> bool:
    """Check that the asking browser is one of the table, or on the Pi itself."""
    return requested_place() == "machine" or current_context().browsers.is_known(browser_id())


def requested_names() -> tuple[str, ...]:
    """Return the names of the players, by seat, as far as the asking browser may know them."""
    context = current_context()
    is_here = requested_place() == "machine"
    return context.shown_names(context.may_see_names(browser_id(), is_here))


def is_denied(screen: Screen) -> bool:
    """Check that a screen lacks the seat, or the signed-in host, that its page is for."""
    audience = PAGES[screen.page]
    no_seat = audience in ("seat", "hands") and not screen.seat
    return no_seat or (audience == "host" and not screen.browser)


def is_signed_out(context: AppContext, screen: Screen) -> bool:
    """Check that the host whose screen this was has been signed out since."""
    is_hosts = PAGES.get(screen.page) == "host"
    return is_hosts and not context.browsers.is_host(screen.browser)


def render_screen(screen: Screen, aside: str = "", status: int = 200) -> Response:
    """Return the whole page, with a sentence above it; without its game if that cannot be drawn."""
    if is_denied(screen):
        return redirect_away(_sign_in_path(screen.page))
    context = current_context()
    page = _draw_guarded(
        context,
        screen,
        lambda shown: render_page(template_facts(context, screen, shown) | {"aside": aside}),
    )
    return make_response(page, status)


def render_page(facts: Facts) -> str:
    """Return a page from its facts: its frame, and in it the part that follows the game."""
    if facts["page"] not in UNSTREAMED_PAGES:
        facts = facts | {"live": _draw_facts(current_app, facts).html}
    return render_template(f"{facts['folder']}/page.html", **facts)


def _folder(page: str) -> str:
    """Return the folder of the page's templates."""
    return "setup" if page == "first" else page


def _sign_in_path(page: str) -> str:
    """Return the address that leads into a page."""
    return "/host/enter" if PAGES[page] == "host" else "/"


def draw_live_part(
    app: Flask, context: AppContext, screen: Screen, before: LivePart | None = None
) -> LivePart:
    """Draw the part of the page that follows the game; what has not changed is as before."""
    return _draw_guarded(
        context,
        screen,
        lambda shown: _draw_facts(app, template_facts(context, screen, shown), before),
    )


def _find_view(context: AppContext, screen: Screen) -> ShownView:
    """Return the view of a screen: of the game on the table, or of the recorded one."""
    scene = context.demo_scene(screen.page)
    if scene is not None:
        return ShownView(scene.view, make_rulebook(scene.game), scene.names, recorded=True)
    names = context.shown_names(screen.sees_names(context))
    return ShownView(context.table.view(screen.seat), context.table.rules, names)


def _draw_guarded(context: AppContext, screen: Screen, draw: Callable[[ShownView], T]) -> T:
    """Draw with the view of a screen; without it if the game fails in that."""
    shown = _find_view(context, screen)
    try:
        return draw(shown)
    except Exception as error:
        if shown.view is None or context.table.guard.find_failure("screen", error) is None:
            raise
    return draw(shown._replace(view=None))


def _draw_facts(app: Flask, facts: Facts, before: LivePart | None = None) -> LivePart:
    view, box = facts["view"], cast(Box, facts["box"])
    if view is None:
        return _draw_layout(app, facts, "", before)
    context: AppContext = app.extensions[CONTEXT_KEY]
    return context.table.guard.ask(
        "screen", lambda: _draw_layout(app, facts, box.game, before), box
    )


def _draw_layout(app: Flask, facts: Facts, game: str, before: LivePart | None) -> LivePart:
    view: Any = facts["view"]
    layout = layout_of(cast(str, facts["page"]), game)
    if layout is not None:
        painter: BlockPainter = app.extensions[BLOCK_PAINTER]
        return painter.draw(layout, facts, before, cast(Facts | None, facts["held_facts"]))
    has_page = view is not None or facts["page"] in PAGES_WITHOUT_GAME
    folder = facts["folder"] if has_page else "shared"
    whole = app.jinja_env.get_template(f"{folder}/live.html").render(**facts)
    return LivePart(
        view.at if view is not None else 0,
        (surroundings_data(facts, app.jinja_env) + whole,),
        {},
        {},
    )


WITHOUT_GAME: Final[Mapping[str, object]] = MappingProxyType(
    {
        "correction_url": "",
        "seat_requests": (),
        "hints": None,
        "by_hand": (),
        "taps_only": False,
        "story": None,
        "held_facts": None,
    }
)
"""What templates know as long as no game says otherwise."""


def template_facts(
    context: AppContext,
    screen: Screen,
    shown: ShownView | None = None,
) -> Facts:
    """Return everything that the templates of a screen know."""
    view, rules, names, recorded = shown or _find_view(context, screen)
    box = rules.box
    facts = _screen_facts(context, screen, view, box) | templates.template_words(
        screen.language, names
    )
    facts |= {"recorded": recorded}
    ask, clock = context.table.guard.ask, context.telling_clock(screen.page)
    if view is not None:
        named = get_language(screen.language).with_names(names).name_player
        facts |= ask("screen", lambda: _shown_facts(rules, view, screen, clock, named), box)
    for add_facts in _PAGE_FACTS.get(screen.page, ()):
        facts |= add_facts(context, screen)
    if view is not None:
        facts |= ask("screen", lambda: _hold_back(clock, screen, facts), box)
    return facts


def _screen_facts(context: AppContext, screen: Screen, view: View | None, box: Box) -> Facts:
    """Return the facts of a page that do not depend on the view of its game."""
    words = templates.template_words(screen.language)
    return {
        **words,
        **WITHOUT_GAME,
        "page": screen.page,
        "folder": _folder(screen.page),
        "seat": screen.seat,
        "view": view,
        "box": box,
        "game_template": find_template(box.game, "game.html"),
        "bids_template": find_template(box.game, "hand.html"),
        "title": box.title,
        "heading": box.title if view is not None else words["_"](NO_TITLE),
        "game_fault": context.table.faults.game_fault,
        "calm": context.is_calm,
        "leaving": context.is_demo_due(),
        "simulated": context.is_simulated,
        "requests_url": _requests_url(screen),
        "chooses_place": screen.is_tables_own,
        "can_settle": screen.seat > 0 and screen.page in REQUESTING_PAGES,
    }


def _hold_back(clock: TellingClock, screen: Screen, facts: Facts) -> Facts:
    """Return the facts of blocks that wait until the newest verdict is told; all blocks do if the
    game is over with it."""
    telling = clock.unfinished()
    earlier = None if telling is None else telling.view_before(screen.seat)
    if telling is None or earlier is None:
        return {}
    screens = screens_of(cast(Box, facts["box"]).game)
    held = (
        facts
        | {"view": earlier}
        | _game_facts(earlier, screens, screen, cast(Naming, facts["who_is"]), is_held=True)
    )
    return held | {"held_facts": held} if telling.is_last else {"held_facts": held}


def _requests_url(screen: Screen) -> str:
    """Return the address of a page's game requests."""
    return f"/api/seats/{screen.seat}/requests" if screen.seat else "/api/table/requests"


def _shown_facts(
    rules: AnyRulebook, view: View, screen: Screen, clock: TellingClock, named: Naming
) -> Facts:
    """Return the facts that follow from the shown view alone."""
    return {
        "hints": hints.current_hints(rules, view) if screen.seat else None,
        "by_hand": places_without_reader(rules, view),
        "taps_only": is_tap_only(rules, view),
        "story": clock.story_of(view.public.verdict),
    } | _game_facts(view, screens_of(rules.box.game), screen, named)


def _game_facts(
    view: View, screens: Screens, screen: Screen, named: Naming, is_held: bool = False
) -> Facts:
    """Return the facts that follow from the view of a game; nothing is waited for in a held one."""
    public, seats = view.public, view.public.seats
    players = tuple(named(seat.name) for seat in seats)
    is_still = view.table.is_stopped if screen.page == "table" else view.table.ended
    waiting = () if is_still or is_held else tuple(public.waiting)
    is_sealing, is_short = any(may.do == "sealed" for may in view.may), screens.short_phases
    asked, starter = screen.seat in waiting, getattr(public, "starter", 0)
    hands_shown = public.phase in ("seal", "open")
    return {
        "players": players,
        "names": lambda numbers: [players[n - 1] for n in numbers],
        "chairs": {str(n): (seat, n in waiting, n == starter) for n, seat in enumerate(seats, 1)},
        "hands_shown": hands_shown,
        "change_shown": _shown_change(view),
        "is_scored": view.shows_end,
        "going_on": view.table.evening.say if view.table.evening else public.now,
        "me": seats[screen.seat - 1] if screen.seat else None,
        "waiting": waiting,
        "asked": asked,
        "waited_for": () if asked else waiting,
        "has_turn": waiting == (screen.seat,) and not (hands_shown or view.table.is_stopped),
        "is_idle": bool(public.waiting) and screen.seat not in public.waiting,
        "is_over": public.phase == "over",
        "is_frozen": bool(view.table.frozen),
        "is_opening": public.phase == "open",
        "is_sealing": is_sealing,
        "relays": is_sealing and public.phase != "seal",
        "shown": SimpleNamespace(**screens.show(view)),
        "board_items": screens.board_items(view),
        "short": asked and (not is_sealing if is_short is None else public.phase in is_short),
    }


def _shown_change(view: View) -> tuple[LogEntry, ChangeSummary] | None:
    """Return the last change and its moment, while that is one of the last; older ones are in the
    log."""
    last = view.table.change
    moment = next((one for one in view.table.log if last and one.at == last.at), None)
    return (moment, last) if last and moment else None


def places_without_reader(rules: AnyRulebook, view: View) -> list[tuple[int, Message]]:
    """Return the places that no reader sees, each with a sentence; none if there are no readers at
    all."""
    if is_tap_only(rules, view):
        return []
    name_place = rules.tracking.name_place
    return [(n, Message(NO_READER, {"use": name_place(n)})) for n in view.table.by_hand]


def place_names(rules: AnyRulebook, view: View) -> dict[int, Message]:
    """Return the names of the places at which cards lie, by the number of their readers."""
    return {n: rules.tracking.name_place(n) for n in range(1, count_open_places(view.public) + 1)}


def is_tap_only(rules: AnyRulebook, view: View) -> bool:
    """Check that no reader works anywhere, so that everything is tapped."""
    return len(view.table.by_hand) == count_open_places(view.public)


def provides_facts(page: str) -> Callable[[FactsFunction], FactsFunction]:
    """Register a function that adds facts to those of a page's templates."""

    def register(facts: FactsFunction) -> FactsFunction:
        _PAGE_FACTS.setdefault(page, []).append(facts)
        return facts

    return register


def install(app: Flask) -> None:
    """Set the template folders, and the functions about choices that every template may call."""
    app.jinja_loader = make_loader()
    set_whitespace(app.jinja_env)
    app.jinja_env.bytecode_cache = app.jinja_env.bytecode_cache or CompiledTemplates()
    app.jinja_env.filters["json"] = templates.as_json
    app.extensions[BLOCK_PAINTER] = BlockPainter(app.jinja_env)
    app.jinja_env.globals.update(
        button_choices=choices.button_choices,
        group_by_open_fields=choices.group_by_open_fields,
    )
