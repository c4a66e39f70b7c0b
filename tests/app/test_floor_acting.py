"""A floor and its tables in programs of their own: paired, acted at, and heard by a guest."""

import asyncio
import errno
import json
import logging
import re
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from companion.app.floor.acting import TableActor
from companion.app.floor.answering import TableAccess
from companion.core.durable_files import disk_sentence
from companion.core.errors import NotWritten
from companion.core.i18n import Message, message
from companion.floor.rounds import FloorRound, RoundKind
from companion.floor.tiles import FloorTiles
from companion.host.pin import Pin
from companion.identity import IdentityStore
from companion.identity.schema import FILE
from companion.journal import Journal
from tests.worlds.floor_browser import FloorBrowser
from tests.worlds.heard_wire import HeardWire
from tests.worlds.paths import ROOT
from tests.worlds.ports import free_port

pytestmark = pytest.mark.usefixtures("patient_floor")


def start_program(log: Path, *words: str) -> "tuple[subprocess.Popen[bytes], int]":
    """Start a program of ours; return it with the port that it says it serves."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words], cwd=ROOT, stdout=out, stderr=out
        )
    until(lambda: re.search(rb"http://[a-z0-9.]+:([0-9]+)", log.read_bytes()))
    found = re.search(rb"http://[a-z0-9.]+:([0-9]+)", log.read_bytes())
    assert found is not None
    return process, int(found[1])


class TableProgram:
    """A simulated table in a program of its own, its host, and the wire to it."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir()
        with closing(IdentityStore(folder / FILE)) as store:
            self.pin = Pin(store).renew_pin()
        self.folder, self.name, self.wire = folder, name, HeardWire()
        self.begin()

    def begin(self) -> None:
        self.process, self.port = start_program(
            self.folder / "out",
            "run", "--sim", "robby_solo", "--pace", "slow", "--air", "ideal",
            "--players", "Ana,Ben,Cleo", "--port", str(free_port()),
            "--data", str(self.folder), "--name", self.name,
        )  # fmt: skip
        self.wire.port = self.port
        until(self.state)

    def state(self) -> dict[str, object]:
        with suppress(OSError):
            address = f"http://127.0.0.1:{self.port}/api/floor"
            with urllib.request.urlopen(address, timeout=60) as answer:
                return dict(json.loads(answer.read()))
        return {}

    async def ask_as_host(self, path: str, **fields: object) -> int:
        """Do something as the signed-in host."""
        host, address = TableAccess(), f"http://127.0.0.1:{self.port}"
        key = host._key.verify_key.encode().hex()
        await host._post_fields(address, "/api/browser/key", {"public_key": key})
        signed_in = await host._post_fields(address, "/api/host/session", {"pin": self.pin})
        assert signed_in.code == 204, signed_in.body
        done = await host._post_fields(address, path, fields)
        host.close()
        return done.code

    def acts_in_journal(self) -> list[tuple[str, str]]:
        journal = Journal(self.folder / "journal.sqlite3", read_only=True)
        with closing(journal):
            lines = list(journal.read_lines(journal.newest_game() or ""))
        events = ((line.via, msgspec.json.decode(line.event)["event"]) for line in lines)
        return [one for one in events if one[0].startswith("floor ")]

    def end(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def until(is_so: Callable[[], object], patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


class FloorProgram:
    """A floor in a program of its own, used by its pages."""

    def __init__(self, folder: Path, options: Sequence[str]) -> None:
        folder.mkdir()
        self.folder = folder
        self.process, port = start_program(
            folder / "out",
            "floor", *options, "--port", str(free_port()), "--data", str(folder),
        )  # fmt: skip
        self.address = f"http://127.0.0.1:{port}"
        self.browser = FloorBrowser(self.address)
        until(self._answers)

    def _answers(self) -> bool:
        with suppress(OSError):
            return bool(self.read("/"))
        return False

    def read(self, path: str) -> str:
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> str:
        """Send a form, signed; return the page that it leads to, or why it was refused."""
        status, said, head = self.browser.post(path, urllib.parse.urlencode(fields))
        return self.read(head["Location"]) if status == 303 else said

    def list_tables(self) -> set[str]:
        """The ids of the tables that it is paired with; what is being written is none yet."""
        return {path.stem for path in (self.folder / "tables").glob("[0-9a-f]*.json")}

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def room(tmp_path: Path) -> "Iterator[tuple[FloorProgram, list[TableProgram]]]":
    tables = [TableProgram(tmp_path / f"t{n}", f"Table {n}") for n in (1, 2)]
    addresses = [table.wire.address for table in tables]
    floor = FloorProgram(tmp_path / "floor", ["--pull", *addresses])
    yield floor, tables
    floor.end()
    for table in tables:
        table.end()
        table.wire.close()


def pair(floor: FloorProgram, table: TableProgram) -> str:
    """Pair both, as staff and the host of the table do; return the id of the table."""
    page = floor.post("/pair", address=table.wire.address)
    found = re.search(r"([A-Z0-9]{4}-){3}[A-Z0-9]{4}", page)
    assert found is not None
    known = floor.list_tables()
    assert asyncio.run(table.ask_as_host("/api/host/floors/await", code=found[0])) == 204
    until(lambda: len(floor.list_tables()) > len(known))
    (new,) = floor.list_tables() - known
    return new


@pytest.mark.wide
def test_a_guest_who_hears_everything_can_repeat_and_forge_nothing(
    room: tuple[FloorProgram, list[TableProgram]],
) -> None:
    floor, (one, two) = room
    ids = {table.name: pair(floor, table) for table in (one, two)}
    until(lambda: one.state().get("game"))
    assert "Done." in floor.post(f"/table/{ids['Table 1']}", act="pause")
    assert one.state()["stopped"] == "paused"
    assert "Done." in floor.post(f"/table/{ids['Table 1']}", act="continue")
    assert "Done." in floor.post(f"/table/{ids['Table 1']}", act="language", language="fr")
    assert "installed as a service" in floor.post(f"/table/{ids['Table 1']}", act="power-off")
    heard = [request for request in one.wire.requests if b"/api/floor/acts/" in request]
    assert len(heard) >= 4
    acts = one.acts_in_journal()
    author = f"floor {(floor.folder / 'floor-id').read_text()}"
    assert acts == [(author, "paused"), (author, "thawed"), (author, "floor_acted")]
    for request in heard:
        forged = [
            request,
            request.replace(b"/acts/continue", b"/acts/pause"),
            re.sub(rb"(Companion-Floor: [0-9a-f]{12}\.)\d+", rb"\g<1>999", request),
        ]
        for sent in forged:
            assert b" 403 " in one.wire.send_again(sent).split(b"\r\n")[0]
            other = sent.replace(str(urllib.parse.urlsplit(one.wire.address).port).encode(), b"80")
            assert b" 204 " not in two.wire.send_again(other).split(b"\r\n")[0]
    key = json.loads((floor.folder / "tables" / f"{ids['Table 1']}.json").read_text())["key"]
    assert key.encode() not in b"".join(one.wire.requests)
    assert one.acts_in_journal() == acts
    assert two.acts_in_journal() == []

    one.end()  # Killed, and started again: the counters are still known.
    one.begin()
    assert b" 403 " in one.wire.send_again(heard[0]).split(b"\r\n")[0]
    assert "Done." in floor.post(f"/table/{ids['Table 1']}", act="next-group")
    assert one.acts_in_journal()[-1] == (author, "cleared")

    floor.post("/all", kind="backup")
    until(lambda: "ru" not in floor.read("/all/state").split("-"))
    (kept,) = (floor.folder / "backups").glob(f"{ids['Table 1']}-000001-*.zip")
    with zipfile.ZipFile(kept) as backup:
        assert "journal.sqlite3" in backup.namelist()
        assert not any(b"Cleo" in backup.read(name) for name in backup.namelist())
    assert "No. 1, " in floor.read("/all")
    assert "Done." in floor.post(f"/table/{ids['Table 1']}", act="restart")
    assert one.acts_in_journal()[-2:] == [(author, "floor_acted")] * 2
    id = author.removeprefix("floor ")
    assert asyncio.run(two.ask_as_host("/api/host/floors/remove", floor=id)) == 204
    refused = floor.post(f"/table/{ids['Table 2']}", act="pause")
    assert "not paired with this floor any more" in refused


def test_a_table_that_answers_unsigned_is_not_believed(tmp_path: Path) -> None:
    async def story() -> None:
        actor = TableActor(tmp_path, "0f1e2d3c4b5a", "Bar", FloorTiles(time.monotonic))
        assert (await actor.act("0123456789ab", "pause")).failed is not None
        assert actor.find_table("0123456789ab") is None
        offered = actor.begin_pairing("http://127.0.0.1:1")
        await asyncio.sleep(0)
        assert offered.ended() is None
        actor.close()

    asyncio.run(story())


@pytest.mark.parametrize("broken", [0, 5, 11, None])
def test_a_broken_version_is_tried_at_one_table_and_a_good_one_at_all(broken: int | None) -> None:
    tried: list[str] = []

    async def update_one(table: str) -> Message | None:
        tried.append(table)
        return message("It is unwell.") if broken is not None and table == str(broken) else None

    going = FloorRound("update", [(str(n), f"Table {n}") for n in range(12)], update_one)
    asyncio.run(going.run())
    assert len(tried) == (12 if broken is None else broken + 1)
    outcomes = [row.outcome for row in going.rows]
    rest = 12 - len(tried)
    done = 12 if broken is None else broken
    assert outcomes == ["done"] * done + ["failed"] * (broken is not None) + ["left out"] * rest


def test_a_backup_goes_on_past_a_table_that_gives_none() -> None:
    async def fetch_one(table: str) -> Message | None:
        return message("It is off.") if table == "1" else None

    going = FloorRound("backup", [(str(n), f"Table {n}") for n in range(3)], fetch_one)
    asyncio.run(going.run())
    assert [row.outcome for row in going.rows] == ["done", "failed", "done"]
    assert going.is_over


@pytest.mark.parametrize("kind", ["backup", "update"])
def test_whatever_happens_at_a_table_a_round_comes_to_its_end(
    kind: RoundKind, caplog: pytest.LogCaptureFixture
) -> None:
    """What was not foreseen is in the log once, and is a failure of that table alone."""

    async def do_one(table: str) -> Message | None:
        if table == "1":
            raise UnicodeError(table)
        if table == "2":
            raise NotWritten("floor", disk_sentence(errno.ENOSPC))
        return None

    going = FloorRound(kind, [(str(n), f"Table {n}") for n in range(4)], do_one)
    with caplog.at_level(logging.ERROR, "companion.floor"):
        asyncio.run(going.run())
    rest = {"backup": ["failed", "done"], "update": ["left out", "left out"]}[kind]
    assert [row.outcome for row in going.rows] == ["done", "failed", *rest]
    assert going.is_over
    assert [one.msg.split()[0] for one in caplog.records] == ["floor_round_failed"]


def test_a_round_that_is_broken_off_is_over() -> None:
    async def never(_table: str) -> Message | None:
        await asyncio.Event().wait()
        return None

    async def story() -> None:
        going = FloorRound("backup", [("1", "Table 1")], never)
        task = asyncio.create_task(going.run())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert going.is_over

    asyncio.run(story())
