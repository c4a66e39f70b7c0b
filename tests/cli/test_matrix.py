"""Every command as the login user, as one of the group, as root and as the service's own user, with
and without the service: never a wrong or an empty answer.

The service is the unit as it is installed, under a real systemd (tests/worlds/real_systemd.py).
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.cli import COMMANDS
from companion.games import make_rulebook
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table as LiveTable
from tests.worlds.pi_folder import ROOT
from tests.worlds.real_systemd import BARE, GROUPS, PEOPLE, Machine, booted, furnish

pytestmark = pytest.mark.wide
SERVICE_USER = 990
USERS = {"login": 1000, "member": 1001, "root": 0, "service": SERVICE_USER}
UNIT = (ROOT / "systemd/companion.service").read_text("utf-8")
PHONES = 'profile = "phones-only"\n'
FOLDER = "/var/lib/companion"
CLOSED = f"companion {{name}}: {FOLDER} belongs to the service of this Pi"
BY_ROOT = "Type: sudo companion "
BY_SERVICE = "Type: sudo -u companion companion "


class Told(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


class Table:
    """The machine with the service, and its people."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def types(self, user: str, *words: str) -> Told:
        """What one of these people types."""
        number = USERS[user]
        group = 0 if number == 0 else number
        also = ["--groups=990"] if user == "member" else ["--clear-groups"]
        entered = [
            "nsenter", f"--target={self._machine.first}", "--mount", "--pid", "--net",
            "setpriv", f"--reuid={number}", f"--regid={group}", *also,
            "env", "-i", "HOME=/run/home", "PATH=/usr/bin:/bin", "LANG=C.UTF-8",
            "/opt/companion/current/bin/companion", *words,
        ]  # fmt: skip
        done = subprocess.run(
            entered, capture_output=True, text=True, check=False, env=BARE, timeout=120, input=""
        )
        return Told(done.returncode, done.stdout, done.stderr)

    def serve(self, *, runs: bool) -> None:
        """Start or stop the service."""
        self._machine.run("systemctl", "start" if runs else "stop", "companion")
        self._machine.until(ActiveState="active" if runs else "inactive")

    def owners(self) -> set[str]:
        """The numbers of those who own something in the data folder."""
        told = self._machine.run("find", FOLDER, "-printf", "%U\\n")
        return set(told.split())


def begin(folder: Path) -> None:
    """A game, as another start of the companion left it."""
    folder.mkdir()
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        rules = make_rulebook("robby_solo")
        table = LiveTable(rules, journal, None, time.time)
        assert table.start(rules.start_event("g", ("Ana", "Ben", "Cem")), HOST_AUTHOR) is None
    for each in (folder, *folder.iterdir()):
        os.chown(each, SERVICE_USER, SERVICE_USER)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    root = tmp_path_factory.mktemp("pi") / "root"
    mounts = furnish(root, UNIT)
    people = "".join(
        f"{name}:x:{n}:{n}::/run/home:/bin/sh\n" for name, n in USERS.items() if n > 999
    )
    (root / "etc/passwd").write_text(PEOPLE + people)
    (root / "etc/group").write_text(GROUPS)
    (root / "etc/companion/companion.toml").write_text(PHONES)
    for folder in (root, *root.parents):
        if folder.owner() == "root" and folder.stat().st_mode & 0o005 != 0o005:
            folder.chmod(0o755)
    with booted(root, mounts) as machine:
        begin(root / "lib/companion")
        machine.run("systemctl", "start", "companion")
        machine.run("mkdir", "--mode=777", "/run/home")
        yield Table(machine)


FREE = {
    "rules": (), "phases": (), "judge": ("--example", "robby_solo"), "wiring": ("five-readers",),
    "completion": ("bash",),
    "arena": ("robby_solo", "--list"), "hotspot": ("status",),
    "doctor": ("five-readers", "--sim", "--stage", "reader", "1"),
}  # fmt: skip
"""What needs no table: everyone gets the same answer."""
BY_FILES = {
    "records": (("--check",), BY_ROOT), "backup": ((), BY_ROOT),
    "restore": (("none.zip",), BY_ROOT),
    "wiring": ((), BY_ROOT), "enrol": (("robby_solo", "--check"), BY_SERVICE),
    "key": (("list",), BY_ROOT), "pin": ((), ""), "floors": ((), BY_ROOT),
}  # fmt: skip
"""What reads the folder: closed to all but root and the service's user, with what to type."""
ASKS = {"status": (), "records": (), "bundle": ("--to", "/run/home/{user}-{runs}.zip")}
"""What asks the running service."""
CHANGES = ("update", "rollback")
ELSEWHERE = {
    "play": "tests/cli/test_play.py", "rehearse": "tests/cli/test_run.py",
    "run": "it is the service itself", "floor": "tests/app/test_floor.py",
    "replay": "it reads a file", "new-game": "it writes a file",
    "install": "tests/cli/test_install.py: root adds packages",
    "check-game": "it needs no table", "texts": "it writes files", "logs": "below",
}  # fmt: skip
"""Why a command is not asked here."""


def test_every_command_has_its_place_in_this_matrix() -> None:
    assert {*FREE, *BY_FILES, *ASKS, *CHANGES, *ELSEWHERE} == {*COMMANDS}
    places = [each for each in ELSEWHERE.values() if each.startswith("tests/")]
    files = [each.partition(": ")[0] for each in places]
    assert [each for each in files if not (ROOT / each).is_file()] == []


@pytest.fixture(params=[True, False], ids=["with the service", "without"], scope="module")
def wanted(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def runs(table: Table, wanted: bool) -> bool:
    """Whether the service runs. It is seen to before each test: workers take over tests from each
    other, so that they come in any order."""
    table.serve(runs=wanted)
    return wanted


@pytest.mark.parametrize("user", USERS)
def test_what_needs_no_table_is_answered_alike(table: Table, runs: bool, user: str) -> None:
    for name, words in FREE.items():
        told = table.types(user, name, *words)
        assert told.status in (0, 1), (name, told)
        assert told.out.strip(), name


@pytest.mark.parametrize("user", USERS)
def test_what_reads_the_folder_says_what_to_type(table: Table, runs: bool, user: str) -> None:
    for name, (words, typed) in BY_FILES.items():
        told = table.types(user, name, *words)
        if user in ("login", "member") and typed:
            assert told.status == 2, (name, told)
            assert told.err.startswith(CLOSED.format(name=name)), (name, told)
            assert told.err.endswith(f"{typed}{' '.join((name, *words))}\n"), (name, told)
            assert told.out == ""
        else:
            assert "belongs to" not in told.err
            assert told.out or told.err, name
            assert told.status in (0, 1, 2), (name, told)
            assert "Traceback" not in told.out + told.err, (name, told)
    if user in ("root", "service"):
        assert "phones-only" in table.types(user, "wiring").out, "the profile of the config"
    assert table.owners() == {"990"}


@pytest.mark.parametrize("user", USERS)
def test_what_is_asked_of_the_service_is_right_or_says_what_to_type(
    table: Table, runs: bool, user: str
) -> None:
    for name, words in ASKS.items():
        told = table.types(user, name, *(w.format(user=user, runs=runs) for w in words))
        is_told = user in ("root", "service") or (runs and user == "member")
        if name == "status" and not runs:
            assert told.status == 1, told
            assert told.out.startswith("The companion is not running."), told
        elif is_told:
            assert told.status == 0, (name, told)
            assert told.err == "", (name, told)
            assert told.out.strip(), name
        else:
            assert told.status == 2, (name, told)
            assert told.err.endswith(f"Type: sudo companion {name}{told_words(name, user, runs)}\n")
            assert told.out == ""
    assert table.owners() == {"990"}


def told_words(name: str, user: str, runs: bool) -> str:
    return "".join(f" {w.format(user=user, runs=runs)}" for w in ASKS[name])


def test_the_facts_are_those_of_the_service(table: Table) -> None:
    table.serve(runs=True)
    asked = ("root", "service", "member")
    said = [json.loads(table.types(user, "status", "--json").out) for user in asked]
    assert all(each["folder"] == FOLDER and each["running"] for each in said)
    assert {each["table"]["game"] for each in said} == {said[0]["table"]["game"]}
    listed = [table.types(user, "records", "--json").out for user in asked]
    assert len({*listed}) == 1


@pytest.mark.parametrize("user", USERS)
def test_versions_are_changed_by_root_and_nowhere_else(table: Table, user: str) -> None:
    for name in CHANGES:
        told = table.types(user, name)
        assert told.status == 2
        assert "is no installed table" in told.err


def test_the_log_is_shown_to_those_who_may_read_it(table: Table) -> None:
    for user in ("login", "member", "service"):
        told = table.types(user, "logs")
        assert (told.status, told.out) == (2, "")
        assert told.err.endswith("Type: sudo companion logs\n")
    assert "belongs" not in table.types("root", "logs").err
