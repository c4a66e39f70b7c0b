"""The table screen: all public facts, to be read from afar.

Law: while a button is held on, all screens say who is the host by it; only the screen of the Pi
itself shows a code for another phone. That screen alone shows one at a new table, too, until
one phone is the host's.
"""

from typing import Any

import msgspec
from flask import Blueprint, Response

from companion.core.i18n import Message
from companion.games import find_game
from companion.host.host_pass import SHOWN_FOR
from companion.hotspot.addresses import visible_addresses
from companion.seating.waiting import Guest
from companion.table.telling import Story
from web.pages.join import ShownSeat, Startable, box_titles, lobby, needs_setup
from web.rendering import parts
from web.rendering.blocks import Block, Layout, lays_out
from web.rendering.invite import Invite, WifiInvite, find_shown_pass, pass_invite, wifi_invite
from web.rendering.parts import GamePart, Mismatches, Score, Status, VerdictTold
from web.rendering.scene import Facts, GameScene, Scene, of, of_game
from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("table", __name__, url_prefix="/table")


@blueprint.get("")
def show_table() -> Response:
    return render_screen(requested_screen("table"))


# What the page is drawn from.


class HostPass(Facts, frozen=True):
    """The seat whose button is held on, 0 for none, and whom it let in; on the screen of the Pi the
    code too, also that of a new table."""

    held_on: int = 0
    admitted: str = ""
    pass_seconds: int = 0
    host_pass: Invite | None = None


def host_pass(scene: Scene) -> HostPass:
    """Return the pass that this screen shows."""
    context, is_own = scene.context, scene.screen.is_tables_own
    shown = context.host.host_pass.shown_pass() if context.host else None
    if context.setup is not None:
        shown = find_shown_pass(context, is_own)
    if shown is None:
        return HostPass()
    visible = visible_addresses(context.machine.addresses, scene.screen.is_local)
    way = pass_invite(visible, shown.word) if is_own else None
    return HostPass(shown.seat, shown.admitted, round(SHOWN_FOR), way)


class JoinWays(Facts, frozen=True):
    """Ways to join, and the guests without a seat."""

    invite: Invite | None = of(lambda s: s.invite)
    wifi: WifiInvite | None = of(
        lambda s: wifi_invite(s.context) if s.screen.is_local and s.context.machine.wifi else None
    )
    guests: tuple[Guest, ...] = of(
        lambda s: s.context.seats.waiting_guests() if s.screen.sees_names(s.context) else ()
    )


class Headline(Facts, frozen=True):
    """The state of the game in a sentence, or the step being told of the newest verdict."""

    waiting: tuple[int, ...] = of_game(lambda s: s.waiting)
    story: Story | None = of_game(lambda s: s.story)
    laying: Message | None = of_game(lambda s: s.table.laying)
    status: Status = of_game(Status.find)


class PlayerPlate(Facts, frozen=True):
    """A player at the table, with all public possessions."""

    seated: Any
    waits: bool
    has_turn: bool
    leads: bool
    hands_shown: bool
    shown: msgspec.Struct | None


def player(scene: GameScene, of: str) -> PlayerPlate:
    """Return the player of a seat."""
    seat, starter = int(of), getattr(scene.public, "starter", 0)
    return PlayerPlate(
        scene.public.seats[seat - 1],
        seat in scene.waiting,
        scene.waiting == (seat,),
        seat == starter,
        scene.hands_shown,
        scene.beside,
    )


class LastResult(Facts, frozen=True):
    """The newest verdict, until the end is shown."""

    is_scored: bool = of_game(lambda s: s.view.shows_end)
    verdict: VerdictTold = of_game(VerdictTold.find)


class SmallCode(Facts, frozen=True):
    """A code to join by, beside a game."""

    is_scored: bool = of_game(lambda s: s.view.shows_end)
    ways: JoinWays = of_game(JoinWays.find)


class TableFrame(Facts, frozen=True):
    """Number of seats round the board, and the parts beside it."""

    is_scored: bool = of_game(lambda s: s.view.shows_end)
    board: GamePart = of_game(lambda s: GamePart(s.screens.board(s.view)))


# What it is drawn from before a game.


class Troubles(Facts, frozen=True):
    """Faults of the table."""

    troubles: tuple[Message, ...] = of(lambda s: s.context.table.faults.messages())


class NotSetUp(Facts, frozen=True):
    """Whether the table is new, and how it is set up."""

    needs_setup: bool = of(lambda s: needs_setup(s.context))
    ways: JoinWays = of(JoinWays.find)
    host_pass: HostPass = of(host_pass)


class WhoCame(Facts, frozen=True):
    """People who have joined."""

    lobby: list[ShownSeat] = of(lambda s: lobby(s.context, s.screen))
    ways: JoinWays = of(JoinWays.find)


class LobbyFrame(Facts, frozen=True):
    """The table screen before a game."""

    titles: list[str] = of(lambda s: [] if s.context.table.view() else list(box_titles().values()))
    game_fault: Message | None = of(lambda s: s.context.table.faults.game_fault)
    needs_setup: bool = of(lambda s: needs_setup(s.context))
    shows_code: bool = of(lambda s: bool((way := host_pass(s).host_pass) and way.svg))
    invite: Invite | None = of(lambda s: s.invite)


HOST_PASS = Block("table/host_pass.html", host_pass)


@lays_out("table")
def lay_out_table(game: str) -> Layout:
    """Return the layout of the table screen."""
    around = Block("table/page.html")
    if not game:
        blocks = {
            "host_pass": HOST_PASS,
            "troubles": Block("table/troubles.html", Troubles.find),
            "staff": parts.STAFF,
            "not_set_up": Block("table/not_set_up.html", NotSetUp.find),
            "who_came": Block("table/who_came.html", WhoCame.find),
            "start_with_bots": Block("shared/start_with_bots.html", Startable.find),
            "large_code": Block("table/large_code.html", JoinWays.find),
        }
        return Layout(around, Block("table/lobby.html", LobbyFrame.find), blocks)
    screens = find_game(game).screens
    blocks = {
        "host_pass": HOST_PASS,
        "status": Block("table/status.html", Headline.find, held=True),
        "demo": Block("table/demo.html", JoinWays.find),
        "player": Block("table/player.html", player, held=True),
        **parts.game_blocks(game),
        "stock": parts.game_part("table/stock.html", screens.stock),
        "more_players": parts.game_part("table/more_players.html", screens.beside),
        "mismatches": Block("table/mismatches.html", Mismatches.find),
        "faults": Block("table/faults.html", Mismatches.find),
        "stage": Block("table/stage.html", VerdictTold.find),
        "result": Block("table/result.html", LastResult.find),
        "ending": Block("table/ending.html", Score.find),
        "join": Block("table/join.html", SmallCode.find),
    }
    return Layout(around, Block("table/live.html", TableFrame.find, held=True), blocks)
