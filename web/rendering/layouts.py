"""Layouts: which blocks the pages of a game have, and the facts that each is drawn from.

Law: a fact that is named neither here nor by the game (`Screens.uses`) reaches no template of a
block.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import msgspec

from companion.games import find_game
from companion.games.screens import DEFAULT_USES, Screens, Uses
from web.rendering.blocks import IF, Block, Layout
from web.rendering.game_templates import find_template

VERDICT: Uses = ("story", "view.public.round", "players")
URGENT: Uses = ("view.table.trouble", "leaving", "can_settle", "seat",
                "requests_url", "view.table.paused", "view.table.frozen", "players",
                "story if is_frozen", "view.public.round if is_frozen")  # fmt: skip
SEATS: Uses = ("seat_notices", "seat")
STATUS: Uses = ("view.table.ended", "going_on")
MISMATCHES: Uses = ("view.table.todos", "can_settle", "requests_url", "change_shown",
                    "by_hand", "seat")  # fmt: skip
SCORE: Uses = ("view.table.evening", "is_scored", "view.public.score if is_scored", "me.name",
               "seat", "is_over", "view.table.ended", "may_begin")  # fmt: skip
LISTENING: Uses = ("view.table.listening", "can_settle", "chooses_place", "requests_url", "seat")
HINTS: Uses = ("hints", "is_idle", "view.public.id")
OPENING: Uses = ("view.public.id", "view.public.round", "view.public.seats if is_opening", "seat")
INVITE: Uses = ("invite", "wifi", "guests")
SPOT: Uses = ("spots[]", "is_holding", "turns", "seat", "place_names", "face_down")
STAFF: Uses = ("staff", "seat")
SCREEN_OF_PI: Uses = ("held_on", "admitted", "pass_seconds", "host_pass")


class GameParts(NamedTuple):
    """A game as layouts know it: what its templates draw from, and the blocks that only it has."""

    uses: Mapping[str, Uses]
    blocks: Mapping[str, Block]


@cache
def layout_of(page: str, game: str) -> Layout | None:
    """Return the layout of a page in this game, or with no game (""), before one; None for a page
    that is drawn as one."""
    make = LAYOUTS.get((page, bool(game)))
    return _without_covered(make(_take_game_apart(game))) if make else None


def _take_game_apart(name: str) -> GameParts:
    screens = find_game(name).screens if name else Screens()
    uses = {**DEFAULT_USES, **screens.uses}
    seen = ("board_items[]", *uses["board_item"])
    item = Block("table/board_item.html", seen, alike=True, held=True)
    blocks = {
        block: Block(find_template(name, own.template), own.uses, alike=True, held=True)
        for block, own in screens.blocks.items()
    }
    return GameParts(uses, {"board_item": item, **blocks})


def _only_if(condition: str, uses: Uses) -> Uses:
    """Return these facts, as None while the condition does not hold."""
    return tuple(f"{name}{IF}{condition}" for name in uses)


def _lay_out_phone(game: GameParts) -> Layout:
    verdict = (*VERDICT, *game.uses["verdict"])
    blocks = {
        "held_on": Block("phone/held_on.html", ("admitted",)),
        "me": Block("phone/me.html", ("me.name", "own", "seat")),
        "urgent": Block("shared/urgent.html", (*URGENT, *_only_if("is_frozen", verdict))),
        "seats": Block("shared/seats.html", (*SEATS, "seat_requests")),
        "result": Block("phone/result.html", ("me.name", "view.table.frozen", *verdict)),
        "ask": Block("phone/ask.html", (
            "view.table.woken", "view.table.is_stopped", "view.public.phase", "me.open", "me.seal",
            "asked", "short", "waited_for", "has_turn", "view.may", "own", "players", "taps_only",
            "bots_help", "unheard", "deaf", "requests_url", "view.table.laying", "is_taken_for",
            *STATUS, *OPENING, "waiting if is_opening", "relays", "is_sealing",
            *_only_if("is_sealing", game.uses["bids"]))),
        "wishes": Block("phone/wishes.html", ("wishes", "seat")),
        "mine": Block("phone/mine.html", (
            "me", "seat", "is_idle", "is_over", "view.public.phase", "view.public.id",
            "view.public.round", *game.uses["private"])),
        "listening": Block("shared/listening.html", LISTENING),
        "score": Block("phone/score.html", SCORE, held=True),
        "told": Block("shared/told.html", verdict),
        "mismatches": Block("shared/mismatches.html", (*MISMATCHES, "bots_help", "has_turn")),
        "hints": Block("shared/hints.html", HINTS),
        **game.blocks,
        "log": Block("shared/log.html", (
            "view.table.log", "requests_url", "correction_url", "seat",
            "view.table.is_stopped", "is_over"), folded=True, held=True),
        "staff": Block("shared/staff.html", STAFF),
        "go_home": Block("phone/go_home.html", ("is_over", "view.table.ended", "seat")),
        "private": Block("phone/private.html", (
            "me", "seat", "view.public.id", "view.public.round",
            *game.uses["private"]), held=True),
    }  # fmt: skip
    return Layout(Block("phone/live.html", ("is_over", "is_scored", *game.uses["frame"])), blocks)


def _lay_out_table(game: GameParts) -> Layout:
    verdict = (*VERDICT, *game.uses["verdict"])
    blocks = {
        "host_pass": Block("table/host_pass.html", SCREEN_OF_PI),
        "status": Block("table/status.html", (
            "waiting", "players", "story", "view.table.laying", *STATUS), held=True),
        "listening": Block("shared/listening.html", LISTENING),
        "urgent": Block("shared/urgent.html", (*URGENT, *_only_if("is_frozen", verdict))),
        "seats": Block("shared/seats.html", (*SEATS, "seat_requests")),
        "staff": Block("shared/staff.html", STAFF),
        "demo": Block("table/demo.html", ("invite", "wifi", "seat")),
        "player": Block("table/player.html", (
            "chairs[]", "hands_shown", *game.uses["player"]), held=True),
        **game.blocks,
        "stock": Block("table/stock.html", game.uses["stock"], held=True),
        "more_players": Block("table/more_players.html", game.uses["more_players"], held=True),
        "mismatches": Block("table/mismatches.html", MISMATCHES),
        "stage": Block("table/stage.html", verdict),
        "told": Block("shared/told.html", verdict),
        "result": Block("table/result.html", ("is_scored", *verdict)),
        "ending": Block("table/ending.html", ("view.table.evening", "is_scored", "hosted")),
        "join": Block("table/join.html", (*INVITE, "is_scored")),
    }  # fmt: skip
    frame = ("players", "is_scored", *game.uses["frame"])
    return Layout(Block("table/live.html", frame), blocks)


def _lay_out_play(game: GameParts) -> Layout:
    verdict = (*VERDICT, *game.uses["verdict"])
    blocks = {
        "bill": Block("play/bill.html", (
            "view.table.woken", "view.table.is_stopped", "view.public.phase", "is_scored",
            "may_begin", "asked", "has_turn", "waiting", "view.may", "mine", "unheard", "fingers",
            "phone_away", "seat_requests", "place_names", "bots", "lately",
            *STATUS, *SEATS, *URGENT, *MISMATCHES, *verdict)),
        "listening": Block("shared/listening.html", LISTENING),
        "final_score": Block("play/final_score.html", SCORE, held=True),
        "hints": Block("shared/hints.html", HINTS),
        "spot": Block("play/spot.html", SPOT),
        "titled_spot": Block("play/titled_spot.html", SPOT),
        "fingers": Block("play/fingers.html", ("fingers", "seat")),
        "plate": Block("play/plate.html", ("players", "lamps", "waiting", "seat", "bots", "mine")),
        "reader": Block("play/reader.html", (
            "view.table.by_hand", "view.table.tapped", "view.table.listening",
            "view.table.by_turns", "faults")),
        **game.blocks,
        "drawer": Block("play/drawer.html", (
            "players", "places", "seat", "pace", "bots", "mine", "game_sizes", "titles",
            "faults", "place_names"), folded=True),
    }  # fmt: skip
    frame = ("seat", "players", "is_scored", *game.uses["play"])
    return Layout(Block("play/live.html", frame), blocks)


def _lay_out_share(game: GameParts) -> Layout:
    verdict = (*VERDICT, *game.uses["verdict"])
    blocks = {
        "urgent": Block("shared/urgent.html", (*URGENT, *_only_if("is_frozen", verdict))),
        "seats": Block("shared/seats.html", (*SEATS, "seat_requests")),
        "ask": Block("share/ask.html", (
            "view.public.phase", "own", "waiting", "view.table.frozen", "view.table.paused",
            "players", "view.public.seats", *STATUS, *OPENING)),
        "result": Block("share/result.html", (
            "view.table.evening", "is_scored", "view.public.score if is_scored", *verdict)),
    }  # fmt: skip
    return Layout(Block("share/live.html", ("own", "players")), blocks)


def _lay_out_table_lobby(_game: GameParts) -> Layout:
    blocks = {
        "host_pass": Block("table/host_pass.html", SCREEN_OF_PI),
        "troubles": Block("table/troubles.html", ("troubles",)),
        "staff": Block("shared/staff.html", STAFF),
        "not_set_up": Block(
            "table/not_set_up.html", ("needs_setup", "invite", "wifi", "held_on", "host_pass")
        ),
        "who_came": Block("table/who_came.html", ("lobby", *INVITE)),
        "start_with_bots": Block("shared/start_with_bots.html", ("startable_games", "seat")),
        "large_code": Block("table/large_code.html", INVITE),
    }
    return Layout(Block("table/lobby.html", ("titles", "game_fault", "hosted")), blocks)


def _lay_out_seat_lobby(_game: GameParts) -> Layout:
    blocks = {
        "held_on": Block("phone/held_on.html", ("admitted",)),
        "staff": Block("shared/staff.html", STAFF),
        "lobby": Block("shared/lobby.html", ("lobby", "seat", "seat_requests", "game_fault")),
    }
    return Layout(Block("shared/lobby_frame.html", ()), blocks)


LAYOUTS = {
    ("phone", True): _lay_out_phone,
    ("phone", False): _lay_out_seat_lobby,
    ("play", True): _lay_out_play,
    ("play", False): _lay_out_seat_lobby,
    ("share", True): _lay_out_share,
    ("share", False): _lay_out_seat_lobby,
    ("table", True): _lay_out_table,
    ("table", False): _lay_out_table_lobby,
}
"""How the blocks of a page are chosen, with a game and before one."""


def _without_covered(layout: Layout) -> Layout:
    """Return the layout with each fact named once, and none that is a part of another one."""
    blocks = {name: _named_once(block) for name, block in layout.blocks.items()}
    return Layout(_named_once(layout.frame), blocks)


def _named_once(block: Block) -> Block:
    names = dict.fromkeys(block.uses)
    always = {name for name in names if IF not in name}
    whole = tuple(f"{name}." for name in always)
    uses = (name for name in names if not name.startswith(whole))
    needed = tuple(name for name in uses if name in always or name.split(IF)[0] not in always)
    return msgspec.structs.replace(block, uses=needed)
