"""Screens: the one place that decides what a page shows, for a request and for a stream alike.

Law: a screen is a page for one viewer in one language, built from that viewer's View and from
nothing else; only the simulated table adds the hand of its own seat. The same template writes
the first page and every later fragment, so both are the same bytes.
"""

from typing import Any

import msgspec
from flask import Flask, Response, make_response, render_template
from markupsafe import escape

from companion.errors import Refusal
from companion.texts import N_, Say
from companion.tracking.todos import NOUN
from companion.view import View
from web import acts, forms, words
from web.room import Room, room
from web.seats import my_browser

LIVE = ("table", "phone", "play")
"""The pages that follow the game."""

ASKING = ("phone", "play")
"""The pages from which a seat asks for something."""
NO_READER = N_("{use} has no reader: tap there.")
BOARD = 5
"""The places of a game without banks: three open cards, the auction, the sale."""
ASIDE = "aside"
"""Where a refusal is shown whose form is no longer on the page."""


class Screen(msgspec.Struct, frozen=True):
    """A page, for whom (0 for everyone), in which language."""

    page: str
    seat: int
    language: str


class Refused(msgspec.Struct, frozen=True):
    """A refusal, and the form at which it is shown."""

    do: str
    text: str
    rule: str = ""


def my_screen(page: str) -> Screen:
    """The screen of this page for whoever asks; the table looks the same to everyone.

    A seat that was taken when more people played is nobody's now.
    """
    here = room()
    seat = 0 if page == "table" else here.seats.of(my_browser())
    if here.table.seats and seat > here.table.seats:
        seat = 0
    return Screen(page, seat, words.my_language(here.language))


def show(screen: Screen, refused: Refused | None = None, status: int = 200) -> Response:
    """The whole page; a refusal is never lost, even if its form is gone."""
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
        "settles": screen.seat > 0 and screen.page in ASKING,
        "by_hand": by_hand(here.game, view) if view else [],
    }
    return facts | MORE.get(screen.page, nothing_more)(here, screen)


def by_hand(game: str, view: View) -> list[tuple[int, Say]]:
    """The places that no reader sees, each in words; nothing if there are no readers at all."""
    places = len(getattr(view.public, "banks", ())) or BOARD
    if len(view.table.by_hand) == places:
        return []
    noun = NOUN[game]
    return [(n, Say(NO_READER, {"use": Say(noun, {"n": n})})) for n in view.table.by_hand]


def nothing_more(_here: Room, _screen: Screen) -> dict[str, Any]:
    """Most pages are made of the view alone."""
    return {}


def _for_join(here: Room, _screen: Screen) -> dict[str, Any]:
    languages = {code: words.NAMES[code] for code in words.offered()}
    return {"taken": here.seats.taken(), "languages": languages}


def _for_play(here: Room, screen: Screen) -> dict[str, Any]:
    """The one page with cards that no reader has seen: for the seat that holds them."""
    return {"hand": here.pieces.hand(screen.seat) if here.pieces else ()}


MORE = {"join": _for_join, "play": _for_play}


def in_language(screen: Screen, do: str, refused: Refusal) -> Refused:
    """A refusal in the words of this screen."""
    return Refused(do, words.words(screen.language)["say"](refused.say), refused.rule)


def teach(app: Flask) -> None:
    """Give every template the functions that know forms."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["json"] = words.as_json
    app.jinja_env.globals.update(
        fixed=forms.fixed,
        to_fill=forms.to_fill,
        open_fields=forms.open_fields,
        closed_fields=forms.closed_fields,
        with_pieces=acts.with_pieces,
        pieces=tuple(acts.PIECES),
    )
