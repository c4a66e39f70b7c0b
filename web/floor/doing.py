"""Pages on which staff acts at one table, pairs it with the floor, and goes over all tables.

Laws: only a browser that is let in sees or does anything here. What an act came to is said on the
page that asked for it; a round over the tables goes on when its page is left.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol
from urllib.parse import urlsplit

from tornado.web import HTTPError

from companion.core.i18n import LANGUAGES, N_, Message, get_language, message
from companion.floor.held_release import HeldRelease
from companion.floor.kept_backups import BackupFolder
from companion.floor.paired_tables import Acted, PairedTable, PairedTables, PairingTry
from companion.floor.pairing import show_code
from companion.floor.rounds import FloorRound, Outcome, RoundKind, RoundRow
from companion.floor.tiles import is_page
from web.floor.drawing import draw_floor_page
from web.floor.refusals import SaidError
from web.floor.server import FloorHandler, FloorPages, FloorRoute
from web.rendering import languages

ACTS = {
    "pause": N_("Pause"),
    "continue": N_("Continue"),
    "next-group": N_("Next group"),
    "restart": N_("Restart the program"),
    "power-off": N_("Switch off"),
}
"""The acts that are one button each; the others ask for more."""
ASKED_TWICE = ("next-group", "restart", "power-off")
OUTCOMES: dict[Outcome, str] = {
    "waits": N_("not yet"),
    "runs": N_("under way …"),
    "done": N_("done"),
    "failed": N_("not done"),
    "left out": N_("left as it is"),
}
DONE = "done"
"""The query of the page of a table when an act there is done."""
NO_TABLE_THERE = N_("Type the address of a table as its screen shows it, http://192.168.1.21:8000")
UNDER_WAY = N_("A round is under way already.")
MOST_TRIES = 20
MEBIBYTE = 1 << 20


class Actor(Protocol):
    """Who acts at the tables."""

    tables: PairedTables
    backups: BackupFolder
    release: HeldRelease

    def find_table(self, tile: str) -> PairedTable | None: ...
    def begin_pairing(self, address: str) -> PairingTry: ...
    def unpair_table(self, tile: str) -> Message | None: ...
    async def act(
        self, tile: str, name: str, fields: Mapping[str, object] = {}, language: str = "en"
    ) -> Acted: ...
    async def fetch_backup(self, tile: str, language: str = "en") -> Message | None: ...
    async def update_table(self, tile: str) -> Message | None: ...


class FloorDesk:
    """What is being done from the pages: pairings that are offered, and the newest round."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        self.tries: dict[str, PairingTry] = {}
        self.round: FloorRound | None = None
        self._task: asyncio.Task[None] | None = None

    def offer_pairing(self, address: str) -> PairingTry:
        """Offer a pairing; the oldest offers are forgotten."""
        offered = self.actor.begin_pairing(address)
        self.tries[offered.code] = offered
        while len(self.tries) > MOST_TRIES:
            self.tries.pop(next(iter(self.tries)))
        return offered

    def begin_round(self, kind: RoundKind) -> bool:
        """Begin a round over all paired tables; return whether none is under way."""
        if self.round is not None and not self.round.is_over:
            return False
        does: dict[str, Callable[[str], Awaitable[Message | None]]] = {
            "backup": self.actor.fetch_backup,
            "update": self.actor.update_table,
        }
        tables = [(each.table, each.name) for each in self.actor.tables.list_tables()]
        self.round = FloorRound(kind, tables, does[kind])
        self._task = asyncio.create_task(self.round.run())
        return True


def doing_routes(pages: FloorPages, desk: FloorDesk) -> list[FloorRoute]:
    """Return who answers the addresses of these pages."""
    facts: dict[str, object] = {"pages": pages, "desk": desk}
    return [
        (r"/table/([0-9a-f]{12})", OneTableHandler, facts),
        (r"/pair", PairHandler, facts),
        (r"/pair/([A-Z0-9]{16})", PairingCodeHandler, facts),
        (r"/pair/([A-Z0-9]{16})/state", PairingStateHandler, facts),
        (r"/all", AllTablesHandler, facts),
        (r"/all/state", RoundStateHandler, facts),
    ]


def list_backups(actor: Actor, paired: PairedTable | None) -> list[tuple[int, str, int]]:
    """Return the backups that are kept of a table, the newest first: number, day, megabytes."""
    kept = [] if paired is None else actor.backups.list_backups(paired.table)
    return [(one.number, one.day, max(1, round(one.size / 1e6))) for one in kept]


class DoingHandler(FloorHandler):
    """A page of a browser that is let in."""

    def initialize(self, pages: FloorPages, desk: FloorDesk | None = None) -> None:
        super().initialize(pages)
        assert desk is not None
        self.desk = desk

    async def prepare(self) -> None:
        """Check what every request is checked for, and that this browser is let in."""
        await super().prepare()
        if not self.is_let_in and self.request.method == "GET":
            self.redirect("/", status=303)
        else:
            self.require_pin()

    def draw_page(self, page: str, **facts: object) -> None:
        """Answer with a page."""
        self.finish(draw_floor_page(page, self.language, **facts))


class OneTableHandler(DoingHandler):
    """One table: what staff may do there."""

    async def post(self, tile: str) -> None:
        """Do it and lead back to the page, or say why it was not done."""
        act = self.get_body_argument("act", "")
        if act == "unpair":
            failed, after = self.desk.actor.unpair_table(tile), "/all"
        else:
            failed, after = await self._do_act(tile, act), f"/table/{tile}?{DONE}"
        if failed is not None:
            raise SaidError(409, failed)
        self.redirect(after, status=303)

    async def _do_act(self, tile: str, act: str) -> Message | None:
        actor, fields = self.desk.actor, dict[str, object]()
        if act == "backup":
            return await actor.fetch_backup(tile, self.language)
        if act == "language":
            fields["language"] = self.get_body_argument("language", "")
            if fields["language"] not in LANGUAGES:
                raise HTTPError(400)
        elif act not in ACTS:
            raise HTTPError(400)
        return (await actor.act(tile, act, fields, self.language)).failed

    def get(self, tile: str) -> None:
        tiles, paired = self.pages.tiles, self.desk.actor.find_table(tile)
        if tile not in tiles and paired is None:
            raise HTTPError(404)
        state = tiles[tile].state if tile in tiles else None
        self.draw_page(
            "table",
            table=tile,
            title=state.name if state else paired and paired.name,
            address=state.address if state else "",
            paired=paired,
            acts=ACTS,
            asked_twice=ASKED_TWICE,
            table_languages=languages.language_names(),
            backups=list_backups(self.desk.actor, paired),
            is_done=DONE in self.request.query_arguments,
        )


class PairHandler(DoingHandler):
    """Offer a pairing to a table, by its tile or its address."""

    def get(self) -> None:
        self.draw_page("pair")

    def post(self) -> None:
        tile = self.get_body_argument("table", "")
        typed = self.get_body_argument("address", "").strip()
        address = self.pages.tiles[tile].state.address if tile in self.pages.tiles else typed
        address = address if "://" in address or not address else f"http://{address}"
        if not is_page(address) or urlsplit(address).path not in ("", "/"):
            raise SaidError(400, message(NO_TABLE_THERE))
        offered = self.desk.offer_pairing(address)
        self.redirect(f"/pair/{offered.code}", status=303)


class PairingCodeHandler(DoingHandler):
    """The code of a pairing, to be scanned or typed at the table."""

    def get(self, code: str) -> None:
        offered = self.desk.tries.get(code)
        if offered is None:
            raise HTTPError(404)
        way = f"{offered.address}/host#floor={offered.code}"
        from web.rendering.invite import qr_svg  # noqa: PLC0415  It brings a table's pages.

        title = get_language(self.language).render(N_("QR code for the host of the table"), {})
        self.draw_page(
            "pairing", svg=qr_svg(way, title), way=way, code=show_code(code), ended=offered.ended(),
            follow=f"/pair/{code}/state", seen=_name_end(offered),
        )  # fmt: skip


class PairingStateHandler(DoingHandler):
    """How a pairing goes, as one word for the script of its page."""

    def get(self, code: str) -> None:
        offered = self.desk.tries.get(code)
        self.finish("gone" if offered is None else _name_end(offered))


def _name_end(offered: PairingTry) -> str:
    return {None: "waits", True: "done", False: "over"}[offered.ended()]


class AllTablesHandler(DoingHandler):
    """Backups and updates of all tables."""

    def get(self) -> None:
        going = self.desk.round
        self.draw_page(
            "all",
            tables=self.desk.actor.tables.list_tables(),
            backups=[
                (each.name, kept)
                for each in self.desk.actor.tables.list_tables()
                if (kept := list_backups(self.desk.actor, each))
            ],
            rows=[] if going is None else [self._describe_row(row) for row in going.rows],
            kind="" if going is None else going.kind,
            is_over=going is None or going.is_over,
            seen=_name_round(going),
            held=-(-self.desk.actor.release.read_size() // MEBIBYTE),
        )

    def _describe_row(self, row: RoundRow) -> tuple[str, str, str, str]:
        words = get_language(self.language)
        say = "" if row.say is None else words(row.say)
        return row.name, words.render(OUTCOMES[row.outcome], {}), row.outcome, say

    def post(self) -> None:
        kind = self.get_body_argument("kind", "")
        if kind not in ("backup", "update"):
            raise HTTPError(400)
        if not self.desk.begin_round("backup" if kind == "backup" else "update"):
            raise SaidError(409, message(UNDER_WAY))
        self.redirect("/all", status=303)


class RoundStateHandler(DoingHandler):
    """How a round goes, as one word for the script of its page."""

    def get(self) -> None:
        self.finish(_name_round(self.desk.round))


def _name_round(going: FloorRound | None) -> str:
    return "-" if going is None else "-".join(row.outcome[:2] for row in going.rows)
