"""Screens: the one place that decides what a page shows, for a request and for a stream alike.

Law: a screen is a page for one viewer in one language, built from that viewer's View and from
nothing else; only the simulated table adds the hand of its own seat. The same template writes
the first page and every later fragment, so both are the same bytes.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Flask, Response, make_response, redirect, render_template
from markupsafe import escape

from companion.texts import N_, Say
from companion.tracking.todos import NOUN
from companion.view import View
from web import acts, forms, words
from web.room import Room, room
from web.seats import my_browser

PAGES = {
    "join": "browser", "table": "everyone", "judge": "everyone",
    "phone": "seat", "share": "browser", "play": "seat",
}  # fmt: skip
"""Every page, and whose it is: everyone's, one browser's, or the browser's that holds a seat."""

ASKING = ("phone", "play")
"""The pages from which a seat asks for something."""
NO_READER = N_("{use} has no reader: tap there.")
BOARD = 5
"""The places of a game without banks: three open cards, the auction, the sale."""
ASIDE = "aside"
"""Where a refusal is shown whose form is no longer on the page."""


Facts = Callable[[Room, "Screen"], dict[str, Any]]
_MORE: dict[str, Facts] = {}


class Screen(msgspec.Struct, frozen=True):
    """A page for one viewer in one language: for a seat, for a browser, or for everyone."""

    page: str
    seat: int
    language: str
    browser: str = ""


class Refused(msgspec.Struct, frozen=True):
    """A refusal, and the form at which it is shown."""

    do: str
    text: str
    rule: str = ""


def here(page: str) -> bool:
    """Whether this table has such a page."""
    return page in PAGES and (page != "play" or room().play_page)


def my_screen(page: str, seat: int = 0) -> Screen:
    """The screen of this page for whoever asks; a seat only for the browser that holds it.

    A seat that was taken when more people played is nobody's now.
    """
    here, whose, browser = room(), PAGES[page], my_browser()
    seat = seat if whose == "seat" and here.seats.holds(browser, seat) else 0
    if here.table.seats and seat > here.table.seats:
        seat = 0
    language = words.my_language(here.language)
    return Screen(page, seat, language, browser if whose == "browser" else "")


def lost(screen: Screen) -> bool:
    """Whether this page is for a seat that the asking browser does not hold."""
    return PAGES[screen.page] == "seat" and not screen.seat


def to_own_seat(page: str) -> Response:
    """The way to this page of one's own seat; to the choice of a seat for whoever has none."""
    own = room().seats.of(my_browser())
    return make_response(redirect(f"/{page}/{own[0]}" if own else "/", 303))


def show(screen: Screen, refused: Refused | None = None, status: int = 200) -> Response:
    """The whole page; a refusal is never lost, even if its form is gone."""
    if lost(screen):
        return make_response(redirect("/", 303))
    here, template = room(), f"{screen.page}/page.html"
    page = render_template(template, **facts_of(here, screen, refused))
    if refused is not None and escape(refused.text) not in page:
        aside = msgspec.structs.replace(refused, do=ASIDE)
        page = render_template(template, **facts_of(here, screen, aside))
    return make_response(page, status)


def fragment(app: Flask, here: Room, screen: Screen) -> str:
    """The part of the page that follows the game."""
    template = app.jinja_env.get_template("shared/now.html")
    return template.render(**facts_of(here, screen))


def facts_of(here: Room, screen: Screen, refused: Refused | None = None) -> dict[str, Any]:
    """All that a template of this screen knows."""
    view = here.table.view(screen.seat)
    facts: dict[str, Any] = {
        **words.words(screen.language),
        "page": screen.page,
        "seat": screen.seat,
        "view": view,
        "names": lambda seats: [view.public.seats[n - 1].name for n in seats] if view else [],
        "box": here.table.rules.box,
        "middle": f"games/{here.game}.html",
        "bids_of": f"bids/{here.game}.html",
        "title": here.table.rules.box.title,
        "simulated": here.pieces is not None,
        "play_page": here.play_page,
        "refused": refused,
        "asks_at": f"/api/seats/{screen.seat}/requests",
        "settles": screen.seat > 0 and screen.page in ASKING,
        "by_hand": by_hand(here.game, view) if view else [],
        "taps_only": taps_only(view) if view else False,
    }
    return facts | _MORE.get(screen.page, _nothing_more)(here, screen)


def by_hand(game: str, view: View) -> list[tuple[int, Say]]:
    """The places that no reader sees, each in words; nothing if there are no readers at all."""
    if taps_only(view):
        return []
    noun = NOUN[game]
    return [(n, Say(NO_READER, {"use": Say(noun, {"n": n})})) for n in view.table.by_hand]


def taps_only(view: View) -> bool:
    """Whether no reader works anywhere: then everything is tapped."""
    return len(view.table.by_hand) == (len(getattr(view.public, "banks", ())) or BOARD)


def adds(page: str) -> Callable[[Facts], Facts]:
    """Have this function say what the templates of a page know besides the view."""

    def added(facts: Facts) -> Facts:
        _MORE[page] = facts
        return facts

    return added


def _nothing_more(_here: Room, _screen: Screen) -> dict[str, Any]:
    """Most pages are made of the view alone."""
    return {}


def teach(app: Flask) -> None:
    """Give every template the functions that know forms."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["json"] = words.as_json
    app.jinja_env.globals.update(
        fixed=forms.fixed,
        by_field=forms.by_field,
        with_pieces=acts.with_pieces,
        pieces=tuple(acts.PIECES),
    )
