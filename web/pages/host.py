"""The host's page: decisions about the whole table, for browsers that are a host's.

Laws: it is built from the view of the table screen, from who sits where, and from the status
lights: the host sees no more of a game than any seat. The page about the health of the table holds
nothing of a game and no names, and sizes and times are rounded: how many lines the journal has
would tell that a hand was closed again. A colour never stands alone, a shape and a word go with it.
Opening the page for becoming the host changes nothing, since programs that preview links open pages
too.
"""

import time
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from flask import Blueprint, Response, abort, make_response, redirect, request

from companion.backup.service import BackupStatus
from companion.core.cards import Box
from companion.core.i18n import N_, Message
from companion.games import find_game, game_names, make_rulebook
from companion.games.open_table import count_open_places
from companion.games.rule_texts import Open
from companion.host.health import Colour, Health, Light
from companion.host.settings import TableSettings
from companion.host.status import NAMES, worst_colour
from companion.hotspot.machine import MachineStatus
from companion.journal import Journal
from companion.seating.waiting import Guest
from companion.setup.steps import WalkView
from companion.table.telling import Story
from web.browsers import browser_id
from web.context import AppContext, current_context
from web.pages import judge
from web.pages.join import ShownSeat, all_boxes, count_seats, lobby, needs_setup, seat_names
from web.rendering.blocks import Block, Layout, lay_out
from web.rendering.invite import WifiInvite, wifi_invite
from web.rendering.parts import Log, Mismatches, SeatNews, Status, Urgent
from web.rendering.scene import Facts, GameScene, Scene, Screen, of, of_game
from web.rendering.screens import is_denied, render_screen, requested_screen

blueprint = Blueprint("host", __name__, url_prefix="/host")


def show_host_page(page: str) -> Response:
    """Show a page to a signed-in host."""
    return render_screen(requested_screen(page))


COLOUR_WORDS = {
    "green": N_("fine"),
    "amber": N_("needs attention"),
    "red": N_("fix it now"),
}
"""The word for each colour of a light."""
COLOUR_SENTENCES = {
    "green": N_("All is well."),
    "amber": N_("You can play on. Something needs attention."),
    "red": N_("Something needs fixing now."),
}
"""The sentence for the worst colour of the table."""
CONDITIONS = {
    "well": ("green", N_("reads well")),
    "ailing": ("amber", N_("does not answer every time")),
    "offline": ("red", N_("does not answer")),
}
"""The colour and the words for each condition of a reader."""
HOST_PATHS = {
    "": "host",
    "/people": "people",
    "/table": "surroundings",
    "/care": "care",
    "/health": "health",
}
"""What is decided about the game; the seats and the waiting guests; the settings that stay from
game to game; backups and the machine; the status lights."""
for _path, _page in HOST_PATHS.items():
    blueprint.add_url_rule(_path, _page, partial(show_host_page, _page))


@blueprint.get("/enter")
def show_login() -> Response:
    """Show the ways to become the host; the script answers the pass in the fragment of the
    address."""
    if current_context().browsers.is_host(browser_id()):
        return make_response(redirect("/host", 303))
    return render_screen(requested_screen("login"))


@blueprint.get("/correct/<int:at>")
def show_host_correction(at: int) -> Response:
    """Show the possible corrections of a moment."""
    screen = requested_screen("host")
    return render_screen(screen) if is_denied(screen) else judge.show_correction(screen, at)


@blueprint.get("/new/<game>")
def show_new_game(game: str) -> Response:
    """Show the form of a new game in this box."""
    screen = requested_screen("new_game")
    if game not in game_names():
        abort(404)
    is_over = current_context().table.history.is_over
    return render_screen(screen) if is_over else make_response(redirect("/host", 303))


def has_record(context: AppContext) -> bool:
    """Return whether there is a game whose record can be taken along."""
    newest = context.table.read_journal(Journal.newest_game)
    return context.table.history.is_over and newest is not None


class StatusLights(Facts, frozen=True):
    """The lights as they were last checked."""

    lights: tuple[Light, ...] = of(lambda s: s.host.health_lights())
    light: Colour = of(lambda s: worst_colour(s.host.health_lights()))
    """The worst colour of them."""
    named: Mapping[str, str] = of(lambda _: NAMES)
    colour_words: Mapping[str, str] = of(lambda _: COLOUR_WORDS)


def list_chairs(context: AppContext, screen: Screen) -> list[ShownSeat]:
    """Return every seat that is played, and behind them those that a phone holds besides."""
    chairs = lobby(context, screen)
    beyond = [seat for seat in sorted(context.seats.taken_seats()) if seat > len(chairs)]
    return [*chairs, *(ShownSeat(seat, "", phone=True) for seat in beyond)]


class GameAtHost(Facts, frozen=True):
    """The game on the table, as the host sees it."""

    waiting: tuple[int, ...] = of_game(lambda s: tuple(s.public.waiting))
    is_opening: bool = of_game(lambda s: s.phase == "open" and not s.table.ended)
    """Whether hands have to open."""
    story: Story | None = of_game(lambda s: s.story)
    game_id: str = of_game(lambda s: s.public.id)
    round: int = of_game(lambda s: s.public.round)
    shown: msgspec.Struct = of_game(lambda s: s.screens.bid(s.view))
    news: SeatNews = of_game(SeatNews.find)
    status: Status = of_game(Status.find)
    urgent: Urgent = of_game(Urgent.find)
    mismatches: Mismatches = of_game(Mismatches.find)
    log: Log = of_game(Log.find)


class HostFacts(Facts, frozen=True):
    """Seats, unopened hands, lights and boxes."""

    over: bool = of(lambda s: s.context.table.history.is_over)
    game_fault: Message | None = of(lambda s: s.context.table.faults.game_fault)
    chairs: list[ShownSeat] = of(lambda s: list_chairs(s.context, s.screen))
    played: int = of(lambda s: count_seats(s.context))
    """The number of seats that are played."""
    own: Sequence[int] = of(lambda s: s.context.seats.seats_of(s.screen.browser))
    offered: Sequence[int] = of(lambda s: sorted(s.context.seats.handovers.offered))
    guests: tuple[Guest, ...] = of(lambda s: s.context.seats.waiting_guests())
    settings: TableSettings = of(lambda s: s.context.settings)
    boxes: tuple[Box, ...] = of(lambda _: all_boxes())
    status_lights: StatusLights = of(StatusLights.find)
    wifi: WifiInvite | None = of(lambda s: wifi_invite(s.context))
    on_table: str = of(lambda s: s.context.table.rules.box.title)
    checked: WalkView | None = of(lambda s: s.host.box_check())
    stickers: Mapping[str, Message] = of(lambda s: s.host.replaceable_pieces())
    last_replaced: Message | None = of(lambda s: s.host.last_replaced)
    has_record: bool = of(lambda s: has_record(s.context))
    pace: str = of(lambda s: s.bots.pace if s.bots else "")
    backup_state: BackupStatus | None = of(
        lambda s: s.context.backups.status() if s.context.backups else None
    )
    machine: MachineStatus | None = of(lambda s: s.context.machine.status)
    names_days: int = of(lambda s: s.context.names.days if s.context.names else 0)
    can_set_up: bool = of(lambda s: s.context.setup is not None)
    needs_setup: bool = of(lambda s: needs_setup(s.context))
    game: GameAtHost | None = of(lambda s: GameAtHost.find(s) if isinstance(s, GameScene) else None)


class HostScene(GameScene, pages=("host", "people", "surroundings", "care")):
    """Scene of the host's pages."""

    @property
    def requests_url(self) -> str:
        """Address for the forms that ask for something in the game."""
        return "/api/host/requests"

    @property
    def can_settle(self) -> bool:
        """True: a host settles differences between table and log."""
        return True


for _page in ("host", "people", "surroundings", "care"):
    lay_out(_page, Layout(Block("host/page.html"), Block(f"{_page}/live.html", HostFacts.find)))


def name_places(scene: Scene) -> Mapping[int, Message]:
    """Return the names of the places of the game on the table."""
    if not isinstance(scene, GameScene):
        return {}
    name_place, public = scene.rules.tracking.name_place, scene.public
    return {n: name_place(public, n) for n in range(1, count_open_places(public) + 1)}


class HealthFacts(Facts, frozen=True):
    """Lights, readers and machine."""

    said: Mapping[str, str] = of(lambda _: COLOUR_SENTENCES)
    health: Health = of(lambda s: s.host.read_health())
    clock: str = of(lambda _: time.strftime("%Y-%m-%d %H:%M"))
    conditions: Mapping[str, tuple[str, str]] = of(lambda _: CONDITIONS)
    can_set_up: bool = of(lambda s: s.context.setup is not None and s.context.table.history.is_over)
    places: Mapping[int, Message] = of(name_places)
    status_lights: StatusLights = of(StatusLights.find)


lay_out("health", Layout(Block("health/page.html"), Block("health/live.html", HealthFacts.find)))
lay_out("login", Layout(Block("login/page.html")))
# It tells nothing of the table, as its viewer is not signed in.


class NewGame(Facts, frozen=True):
    """The chosen box, its questions, and the possible players."""

    box: Box
    open_rules: Mapping[str, Open]
    lines: list[str]
    players: int
    has_junior: bool
    fronts: int
    row: tuple[str, ...]


def new_game(scene: Scene) -> NewGame:
    """Return the chosen box, and the possible players."""
    rules, names = make_rulebook(_chosen_game()), _known_players(scene.context)
    fields, box = rules.start_event.__struct_fields__, rules.box
    most, banks = box.players.most, getattr(box, "banks", ())
    return NewGame(
        box,
        find_game(box.game).rules.house_rules,
        [*names, *[""] * most][:most],
        max(sum(map(bool, names)), box.players.least),
        "junior" in fields,
        banks if "front" in fields and isinstance(banks, int) else 0,
        banks if "banks" in fields else (),
    )


lay_out("new_game", Layout(Block("new_game/page.html", new_game)))


def _chosen_game() -> str:
    game = str((request.view_args or {}).get("game", ""))
    return game if game in game_names() else next(iter(game_names()))


def _known_players(context: AppContext) -> list[str]:
    """Return the players of the last game, or the seated guests by seat, then the waiting ones."""
    names = seat_names(context)
    waiting = (guest.name for guest in context.seats.waiting_guests() if guest.name not in names)
    if context.table.state is None:
        return [name or next(waiting, "") for name in names]
    return names
