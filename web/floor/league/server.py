"""Serve the page of a league: members, rounds, results, and the proof for everyone.

Laws: only who may see the floor sees the league, and every act is an act of the organiser there.
What is asked of the disk, of a pairing or of a record is worked out beside the event loop, one act
after the other, so that no tile waits. What is refused is said on the page in one sentence.
"""

import asyncio
import io
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypeVar

from tornado.web import HTTPError, stream_request_body

from companion.core.errors import ExplainedError
from companion.core.i18n import N_, Language, Message, get_language, message
from companion.floor.arrival_note import ArrivalNote
from companion.identity.browser_keys import body_digest
from companion.league.acts import (
    add_record,
    choose_points,
    found_league,
    join_league,
    leave_league,
    pair_next_round,
    parse_points,
    strike_result,
)
from companion.league.arrival import Refused, name_sheet
from companion.league.lists import write_csv
from companion.league.pairing import Pairing
from companion.league.proof import BOOK, RECORDS
from companion.league.standing import make_standing
from companion.league.store import FILE, LeagueStore, create_store
from web.floor.league.drawing import Place, draw_league, draw_live, hash_text, list_places
from web.floor.refusals import UNPROVEN, SaidError
from web.floor.server import FloorHandler, FloorPages, FloorRoute
from web.upload_paths import DIGEST_HEADER, read_digest

MOST_UPLOAD = 24_000_000
"""Bytes of a record that is brought."""
MOST_NAME = 200
"""Letters of the name of its file that are said."""
PAGE = "/league"
FIELDS = {
    "--title": N_("What it is called"),
    "--seats": N_("Seats at a table, if the numbers allow"),
    "--points": N_("Points of the places"),
    "NAME": N_("Name (without one: a number)"),
}
"""What a form calls the options of `companion league`."""
T = TypeVar("T")
Routes = list[FloorRoute]


class LeagueDesk:
    """The league of a floor, in a folder of its own; one act after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: dict[str, ArrivalNote] = {}
        """Which finished games did not count by themselves, by their table."""
        self._turn = asyncio.Lock()

    @property
    def is_founded(self) -> bool:
        """Return whether there is a league."""
        return (self.folder / FILE).exists()

    def list_notes(self) -> list[ArrivalNote]:
        """Return the notes by the names of their tables."""
        return sorted(self.notes.values(), key=lambda note: note.name)

    async def run_work(self, work: Callable[[], T]) -> T:
        """Do this in a thread, when nothing else is being done."""
        async with self._turn:
            return await asyncio.to_thread(work)

    async def use_store(self, work: Callable[[LeagueStore], T]) -> T:
        """Do this with the store of the league; raise ExplainedError if it cannot be done."""
        return await self.run_work(partial(self._with_store, work))

    def _with_store(self, work: Callable[[LeagueStore], T]) -> T:
        with closing(LeagueStore(self.folder)) as store:
            return work(store)


def league_routes(pages: FloorPages, desk: LeagueDesk) -> Routes:
    """Return who answers for the league of this desk."""
    facts: dict[str, object] = {"pages": pages, "desk": desk}
    return [
        (r"/league", LeagueHandler, facts),
        (r"/league/live", LeagueLiveHandler, facts),
        (r"/league/records", LeagueRecordsHandler, facts),
        (r"/league/(standing\.csv|proof\.zip)", LeagueFileHandler, facts),
        (r"/league/(found|join|leave|pair|points|strike)", LeagueActHandler, facts),
    ]


def name_field(say: Message, words: Language) -> Message:
    """Return a sentence with the field of the form in it, instead of the option of the command."""
    field = FIELDS.get(str(say.facts.get("field", "")))
    return Message(say.text, {**say.facts, "field": words.render(field, {})}) if field else say


class LeagueDeskHandler(FloorHandler):
    """What all of them have in common."""

    def initialize(self, pages: FloorPages, desk: LeagueDesk | None = None) -> None:
        super().initialize(pages)
        assert desk is not None
        self.desk = desk

    @property
    def places(self) -> list[Place]:
        """Return the tables at which a game can be begun."""
        return list_places(self.pages.tiles)


class LeagueHandler(LeagueDeskHandler):
    """The page."""

    async def get(self) -> None:
        """Draw the league; without the PIN lead to its form."""
        if not self.is_let_in:
            self.redirect("/")
            return
        notes = self.desk.list_notes()
        draw = partial(draw_league, self.desk.folder, self.places, self.language, notes)
        self.finish(await self.desk.run_work(draw))


class LeagueLiveHandler(LeagueDeskHandler):
    """The part of it that follows the league."""

    async def get(self) -> None:
        """Draw it; nothing if the page has it already (`since`)."""
        self.require_pin()
        if not self.desk.is_founded:
            raise HTTPError(404)
        notes = self.desk.list_notes()
        draw = partial(draw_live, self.desk.folder, self.places, self.language, notes)
        drawn = await self.desk.run_work(draw)
        mark = hash_text(drawn)
        if self.get_query_argument("since", "") == mark:
            self.set_status(204)
            return
        self.set_header("Companion-Mark", mark)
        self.finish(drawn)


class LeagueActHandler(LeagueDeskHandler):
    """What an organiser decides."""

    async def post(self, act: str) -> None:
        """Do it and lead back to the page, or say why it cannot be done."""
        self.require_pin()
        try:
            await self._decide_act(act)
        except ExplainedError as refused:
            raise SaidError(409, name_field(refused.say, get_language(self.language))) from None
        self.redirect(PAGE, status=303)

    async def _decide_act(self, act: str) -> None:
        typed = self.get_body_argument
        if act == "found":
            await self.desk.run_work(self._found_new_league)
        elif act == "join":
            agreed = date.today().isoformat() if typed("agrees", "") else ""
            await self.desk.use_store(partial(join_league, name=typed("name", ""), agreed=agreed))
        elif act == "leave":
            await self.desk.use_store(partial(leave_league, told=typed("member", "")))
        elif act == "points":
            chosen = parse_points(typed("points", ""))
            await self.desk.use_store(partial(choose_points, points=chosen))
        elif act == "strike":
            played, table = self.read_number("round"), self.read_number("table")
            await self.desk.use_store(partial(strike_result, round=played, table=table))
        else:
            await self.desk.use_store(partial(pair_next_round, anyway=bool(typed("anyway", ""))))

    def _found_new_league(self) -> None:
        typed = self.get_body_argument
        pairing: Pairing = "round_robin" if typed("pairing", "") == "round_robin" else "swiss"
        seats = self.read_number("seats") if typed("seats", "") else None
        founded = found_league(
            typed("title", ""), typed("game", ""), seats=seats, pairing=pairing,
            points=parse_points(typed("points", "")), phones=bool(typed("phones", "")),
        )  # fmt: skip
        create_store(self.desk.folder, founded).close()


@stream_request_body
class LeagueRecordsHandler(LeagueDeskHandler):
    """Take the record of a finished game as a whole body, larger than any form."""

    async def prepare(self) -> None:
        """Let only the organiser send so much, and keep only what that browser has signed."""
        self._is_signed, self._sent = False, list[bytes]()
        self.check_upload()
        self.request.connection.set_max_body_size(MOST_UPLOAD)  # type: ignore[union-attr]
        self._promised = read_digest(self.request.headers.get(DIGEST_HEADER, ""))
        await self.require_signature(self._promised)
        self._is_signed = True

    def data_received(self, chunk: bytes) -> None:
        if self._is_signed:
            self._sent.append(chunk)

    async def post(self) -> None:
        """Verify and count it, and say what became of it."""
        data = b"".join(self._sent)
        if body_digest(data) != self._promised:
            raise SaidError(403, message(UNPROVEN["bad_signature"]), "bad_signature")
        name = self.get_query_argument("name", "")[:MOST_NAME]
        try:
            say = await self.desk.use_store(partial(_count_record, name=name, data=data))
        except ExplainedError as refused:
            raise SaidError(409, refused.say) from None
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(get_language(self.language)(say))


def _count_record(store: LeagueStore, name: str, data: bytes) -> Message:
    found = add_record(store, data)
    say = found.say if isinstance(found, Refused) else message(
        "Counted: {use}.", use=name_sheet(found))  # fmt: skip
    return message("{name}: {use}", name=name, use=say)


class LeagueFileHandler(LeagueDeskHandler):
    """The standing for a spreadsheet, and the proof for everyone."""

    async def get(self, name: str) -> None:
        """Send the file."""
        self.require_pin()
        if not self.desk.is_founded:
            raise HTTPError(404)
        words = get_language(self.language)
        if name == "standing.csv":
            self.set_header("Content-Type", "text/csv; charset=utf-8")
            data: str | bytes = await self.desk.use_store(
                lambda store: write_csv(
                    league := store.read_league(), store.read_names(), make_standing(league), words
                )
            )
        else:
            self.set_header("Content-Type", "application/zip")
            data = await self.desk.use_store(_pack_proof)
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.finish(data)


def _pack_proof(store: LeagueStore) -> bytes:
    """Return book and records, without the names, as they are verified elsewhere."""
    store.write_proof()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(store.folder / BOOK, f"league/{BOOK}")
        for path in sorted((store.folder / RECORDS).glob("*.jsonl")):
            archive.write(path, f"league/{RECORDS}/{path.name}")
    return packed.getvalue()
