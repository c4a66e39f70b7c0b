"""Whatever is granted is kept: the disk fails at every call of every operation, and is asked again.

Law: granted means that it is there after a restart; `not_written` means that nothing has changed,
on disk or in memory; only `maybe_written` leaves it open, until the disk takes a write again: then
it holds what everyone sees.
"""

import errno
import itertools
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.core.databases import file_size, wal_path
from companion.core.durable_files import disk_sentence
from companion.core.errors import NotWritten
from companion.games.new_game import NewGame
from companion.host.host_pass import HostPass, HostSessions, write_pass
from companion.host.settings import TableSettings, load_choices
from companion.journal import Journal
from companion.seating.identity import IdentityStore
from companion.seating.names import Names
from companion.seating.seats import SeatHolder, Seats
from companion.table.faults import DISK_INTERVAL, TableFaults
from tests.worlds.campaign import pick
from tests.worlds.failing_disk import FailingDisk, Fault
from tests.worlds.hand_clock import HandClock
from tests.worlds.scripted_table import ScriptedTable
from tests.worlds.signer import REGISTER, Signer, signer_of
from tests.worlds.standing_tables import cookie
from tests.worlds.visitor import OURS, UNHURRIED
from web.api.operation import GRANTED, IdempotencyCache
from web.app import create_app
from web.browsers import Browsers
from web.context import CONTEXT_KEY, AppContext

FILE, KEY = "identity.sqlite3", bytes(range(32))
KINDS = list(itertools.product((errno.ENOSPC, errno.EIO), (False, True)))
"""The error, and whether it lasts."""
SIGNING = ("ana", "host", "ben")
NO_FAULT = Fault(0, 0)
Act = Callable[["Standing"], "TestResponse | None"]


class Standing:
    """A table on a folder: Ana at seat 1, a host, and a browser that has a key."""

    def __init__(self, folder: Path, app: Flask) -> None:
        self.folder, self.app, self.identity = folder, app, IdentityStore(folder / FILE)
        self.names = Names(self.identity.database)
        taken, save = self.identity.state.seats, self.identity.save_seats
        self.seats = Seats(taken, save, self.names, open_house=True)
        here = app.extensions[CONTEXT_KEY]
        here.seats = self.seats
        here.host.sessions = HostSessions(self.identity, time.monotonic)
        here.host.host_pass = HostPass(folder, time.monotonic)
        here.browsers = Browsers(self.identity, self.seats, here.host.sessions)
        here.settings = TableSettings(folder)
        app.extensions[GRANTED] = IdempotencyCache()
        for browser in SIGNING:
            signer_of(self.app, browser)

    def send(self, browser: str, path: str, **fields: Any) -> TestResponse:
        client = self.app.test_client()
        client.set_cookie("companion", cookie(self.app, browser))
        body = {"key": "k1", **fields}
        return client.post(path, json=body, headers={"Origin": OURS}, base_url=OURS)

    def register(self, signer: Signer) -> TestResponse:
        """Register the key of a browser that was never here."""
        body, client = signer.registration(), self.app.test_client(use_cookies=False)
        signer.start = self.app.extensions[CONTEXT_KEY].browsers.attempts.start
        head = {"Origin": OURS, "Content-Type": "application/json", **signer.head(REGISTER, body)}
        return client.post(REGISTER, data=body, headers=head, base_url=OURS)

    def answer_pass(self, browser: str) -> TestResponse:
        """Answer the pass that lies in the folder."""
        word = (self.folder / "host-pass").read_text()
        return self.send(
            browser, "/api/host/pass", answer=signer_of(self.app, browser).answers(word)
        )


def facts(identity: IdentityStore, names: Names, seats: Seats | None = None) -> object:
    """Return all permissions, seats and names."""
    state = identity.state
    seats = seats or Seats(state.seats, names=names)
    return (
        names.rows,
        state.hosts,
        {id: (one.language, one.public_key) for id, one in state.browsers.items()},
        seated(seats),
    )


def seated(seats: Seats) -> dict[int, tuple[object, ...]]:
    """Who sits where in the running companion: browser, name, mover."""
    names = seats.holder_names()
    return {n: (seats.holder_of(n), names[n], seats.mover_of(n)) for n in seats.taken_seats()}


def on_disk(folder: Path) -> tuple[object, object]:
    """What a companion finds that starts on this folder: the identity, and the choices."""
    with closing(IdentityStore(folder / FILE)) as identity:
        assert identity.notices == ()
        granted = facts(identity, Names(identity.database))
    return granted, load_choices(folder)


def refuses(change: Callable[[Standing], object]) -> Act:
    """Make an operation of a service that raises NotWritten where it is refused."""

    def act(table: Standing) -> None:
        change(table)

    return act


def post(browser: str, path: str, **fields: Any) -> Act:
    return lambda table: table.send(browser, path, **fields)


OPERATIONS: dict[str, Act] = {
    "sit": post("ben", "/api/join/seats/2"),
    "stand up": post("ana", "/api/join/seats/1/freed"),
    "host moves": post("host", "/api/host/seats/1/move", to=3),
    "host takes": post("host", "/api/host/seats/3/take"),
    "become host": lambda table: table.answer_pass("ben"),
    "sign out": post("host", "/api/host/session/end"),
    "sign all out": post("host", "/api/host/session/end-all"),
    "language": post("ana", "/api/join/language", language="fr"),
    "language of the table": post("host", "/api/host/language", language="de"),
    "give a seat": refuses(lambda table: table.seats.claim_seat(1, "cleo", "Cleo")),
    "clear": refuses(lambda table: table.seats.clear()),
    "key": refuses(lambda table: table.identity.bind_key("cleo", bytes(32))),
    "first key": lambda table: table.register(Signer(bytes(32))),
    "keep names": refuses(lambda table: table.names.keep_names("g2", [(1, "Ana", "ana")])),
    "erase all names": refuses(lambda table: table.names.erase_all()),
}


@pytest.fixture(scope="module")
def memory() -> Iterator[Path]:
    """A folder in memory if may be, where syncing costs nothing."""
    fast = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=fast) as name:
        yield Path(name).resolve()


@pytest.fixture(scope="module")
def app(memory: Path) -> Iterator[Flask]:
    """The pages of a table; each case puts another folder under it."""
    with closing(ScriptedTable(memory, enrolled=False)) as made:
        assert made.host.begin_game(NewGame("bankueberfall", ("Ana", "Ben", "Cleo"))) is None
        yield create_app(AppContext(made.table, host=made.host), limits=UNHURRIED)


@pytest.fixture(scope="module")
def start(memory: Path) -> Path:
    """The folder from which every case begins."""
    folder = memory / "start"
    folder.mkdir()
    with closing(IdentityStore(folder / FILE)) as identity:
        identity.save_seats({1: SeatHolder("ana", "Ana")})
        identity.add_host("host", "pass")
        write_pass(folder)
        identity.bind_key("keyed", KEY)
        Names(identity.database).keep_names("g1", [(1, "Ana", "ana"), (2, "Ben", "ben")])
    TableSettings(folder).set_language("en")
    return folder


class Cases:
    """Runs operations, each from the same start, and sorts the answers."""

    def __init__(self, start: Path, app: Flask) -> None:
        self._start, self._app = start, app
        self._begin().identity.close()
        self._before = on_disk(self._folder)
        self.counts: Counter[str] = Counter()

    @property
    def _folder(self) -> Path:
        return self._start.with_name("case")

    def _begin(self) -> Standing:
        """Put the table up on a copy of the start."""
        _copy_anew(self._start, self._folder)
        return Standing(self._folder, self._app)

    def run(self, name: str, fault: Fault) -> int:
        """Run an operation whose disk fails so; check the answer after a restart."""
        table, answers = self._begin(), list[str]()
        disk = FailingDisk(self._folder)
        n = disk.run(lambda: answers.append(answer(OPERATIONS[name], table)), fault)
        in_memory = facts(table.identity, table.names, table.seats)
        has_lost = table.seats.handovers.former_seat("ana") is not None
        assert not has_lost or answers == ["granted"], "she is told that she has lost her seat"
        if answers == ["maybe_written"]:
            table.identity.database.try_again()
        table.identity.close()
        self._check(f"{name}, {fault}", answers[0], in_memory, on_disk(self._folder))
        self.counts[answers[0]] += 1
        return n

    def _check(self, case: str, said: str, in_memory: object, found: tuple[object, object]) -> None:
        assert found[0] == in_memory, f"{case}: memory and disk differ"
        assert said in ("granted", "not_written", "maybe_written"), f"{case}: {said}"
        if said != "maybe_written":
            assert (found == self._before) is (said == "not_written"), f"{case}: {said}"


def answer(act: Act, table: Standing) -> str:
    """What is answered: granted, or the code of the refusal."""
    try:
        response = act(table)
    except NotWritten as refused:
        return refused.code
    if response is None or response.status_code in (200, 204):
        return "granted"
    return str(response.json["code"] if response.json else response.status)


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_is_granted_is_kept_wherever_the_disk_fails(
    name: str, start: Path, app: Flask
) -> None:
    FailingDisk(start).require()
    cases = Cases(start, app)
    calls = cases.run(name, NO_FAULT)
    assert cases.counts == {"granted": 1}
    assert calls >= 3, "it writes, syncs and renames something"
    for at in range(1, calls + 1, pick(2, 1, 1)):
        for error, lasting in pick([KINDS[at % len(KINDS)]], KINDS, KINDS):
            cases.run(name, Fault(at, error, lasting))
    assert cases.counts["not_written"] >= 1


def test_a_start_on_a_disk_that_takes_nothing_knows_everyone(start: Path, app: Flask) -> None:
    """Also where the last write was cut short, and the disk does not let it be taken back."""
    disk, lasting = FailingDisk(start), [Fault(1, errno.ENOSPC, True), Fault(1, errno.EIO, True)]
    disk.require()
    left, case = start.with_name("left"), start.with_name("case")
    rolled_back = 0
    for at in range(1, Cases(start, app).run("sit", NO_FAULT) + 1):
        _copy_anew(start, left)
        table = Standing(left, app)
        FailingDisk(left).run(partial(answer, OPERATIONS["sit"], table), Fault(at, errno.EIO, True))
        rolled_back += bool(file_size(wal_path(left / FILE)))
        for fault in lasting:
            _copy_anew(left, case)
            with (
                closing(_open_on_failing_disk(case, fault)) as identity,
                closing(IdentityStore(case / FILE)) as right,
            ):
                found, wanted = (facts(it, Names(it.database)) for it in (identity, right))
                assert found == wanted
                assert identity.state.cookie_key == right.state.cookie_key
                assert "ana" in {who.browser for who in identity.state.seats.values()}
        table.identity.close()
    assert rolled_back


def _open_on_failing_disk(folder: Path, fault: Fault) -> IdentityStore:
    opened = list[IdentityStore]()
    FailingDisk(folder).run(lambda: opened.append(IdentityStore(folder / FILE)), fault)
    return opened[0]


def _copy_anew(start: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder)


def test_a_failing_disk_is_told_at_once_and_until_it_takes_a_write_again(tmp_path: Path) -> None:
    clock = HandClock()
    with (
        closing(Journal(tmp_path / "journal.sqlite3")) as journal,
        closing(IdentityStore(tmp_path / FILE)) as identity,
    ):
        faults = TableFaults(journal, clock)
        faults.watch_database(identity.database)

        def sit() -> None:
            with pytest.raises(NotWritten):
                identity.save_seats({1: SeatHolder("ana")})

        FailingDisk(tmp_path).run(sit, Fault(1, errno.EIO))
        assert faults.has_changed()
        (told,) = faults.messages()
        assert told == faults.write_fault
        assert told.text == disk_sentence(errno.EIO)
        clock.now += DISK_INTERVAL
        assert faults.run_maintenance()
        assert faults.messages() == ()
