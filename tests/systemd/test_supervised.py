"""The unit under a real systemd: it comes up without a network, comes back whatever ends it, and
stops when it is asked to. Nothing of the unit is left out; only its watchdog is less patient.
"""

import re
import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.games import make_rulebook
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from tests.worlds.campaign import pick
from tests.worlds.paths import ROOT
from tests.worlds.real_systemd import PROGRAM, Machine, booted, furnish

UNIT = (ROOT / "systemd/companion.service").read_text("utf-8")
LESS_PATIENT = re.sub("WatchdogSec=.*", "WatchdogSec=10", UNIT)
CONFIG = "etc/companion/companion.toml"
PHONES = 'profile = "phones-only"\naddress = "0.0.0.0"\n'
GAME = "Robby Solo, fill; 0 of 0 readers well"


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A table of phones, switched on, at which a game is under way."""
    root = tmp_path / "machine"
    with booted(root, furnish(root, LESS_PATIENT)) as made:
        (root / CONFIG).write_text(PHONES)
        begin(root / "lib/companion")
        made.run("systemctl", "start", "companion")
        yield made


def begin(folder: Path) -> None:
    """A game, as another start of the companion left it."""
    folder.mkdir()
    with closing(Journal(folder / "journal.sqlite3")) as journal:
        rules = make_rulebook("robby_solo")
        table = Table(rules, journal, None, time.time)
        assert table.start(rules.start_event("g", ("Ana", "Ben", "Cem")), HOST_AUTHOR) is None


def test_it_is_ready_when_the_first_page_can_be_asked_for(machine: Machine) -> None:
    assert "<html" in machine.page("/table")
    assert machine.knows("ActiveState") == "active"
    assert machine.run("ip", "-brief", "-4", "address").split() == ["lo", "UNKNOWN", "127.0.0.1/8"]


@pytest.mark.parametrize("sign", pick(["KILL"], ["KILL", "STOP"], ["KILL", "STOP"]))
def test_killed_or_hung_it_comes_back_with_the_same_game(sign: str, machine: Machine) -> None:
    before = machine.knows("MainPID")
    machine.until(StatusText=GAME)
    machine.run("systemctl", "kill", f"--signal={sign}", "companion")
    machine.until(NRestarts="[1-9]", ActiveState="active", StatusText=GAME)
    assert machine.knows("MainPID") != before
    assert "<html" in machine.page("/table")


def test_it_sees_its_own_folder_and_nobodys_home(machine: Machine) -> None:
    inside = ("nsenter", f"--target={machine.knows('MainPID')}", "--mount")
    assert machine.run(*inside, "ls", "/home", "/root").split() == ["/home:", "/root:"]
    write = "for each in /etc /opt /var/lib /var/lib/companion; do touch $each/x; done 2>&1; true"
    said = machine.run(*inside, "sh", "-c", write).splitlines()
    assert [line.rpartition(": ")[2] for line in said] == ["Read-only file system"] * 3


def test_it_stops_in_good_order(machine: Machine) -> None:
    machine.run("systemctl", "stop", "companion")
    ended = [machine.knows(name) for name in ("Result", "ExecMainCode", "ExecMainStatus")]
    assert ended == ["success", "1", "0"], "it exited, with status 0"


def test_refused_it_says_why_and_goes_on_once_that_is_mended(machine: Machine) -> None:
    config = machine.root / CONFIG
    config.write_text('lang = "es"\n')
    machine.run("systemctl", "restart", "--no-block", "companion")
    machine.until(ActiveState="activating", StatusText=".* the key lang is es; write one of .*")
    config.write_text(PHONES)
    machine.run("systemctl", "restart", "companion")
    machine.until(ActiveState="active", StatusText=GAME)


ENDS = "#!/bin/sh\nexit 1\n"
SILENT = """\
#!/bin/sh
export LD_LIBRARY_PATH=/opt/companion/python/lib
exec /opt/companion/python/bin/python3 -c '
import os, socket, time
systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
while True:
    systemd.sendto(b"READY=1\\nWATCHDOG=1", os.environ["NOTIFY_SOCKET"])
    time.sleep(0.3)
'
"""
"""It says that all is well, and shows no page."""


CONVERTS = """\
#!/bin/sh
export LD_LIBRARY_PATH=/opt/companion/python/lib
exec /opt/companion/python/bin/python3 -c '
import os, sqlite3
disk = sqlite3.connect("/var/lib/companion/journal.sqlite3", isolation_level=None)
disk.execute("BEGIN")
disk.execute("DROP TABLE line")
disk.execute("PRAGMA user_version=3")
disk.execute("PRAGMA application_id=1128923139")
disk.execute("COMMIT")
os._exit(1)
'
"""
"""It writes the journal in a schema of its own, in the log beside the file, and ends."""


def begin_trial(machine: Machine, program: str, unit: str = "") -> Path:
    """Switch to a version with this program, and with this unit, as an installer leaves it whose
    power fails; return the folder of the versions."""
    machine.run("systemctl", "stop", "companion")
    home, units = machine.root / "opt/companion", machine.root / "etc/systemd/system"
    (home / "versions").mkdir()
    (home / "current").rename(home / "versions/old")
    (home / "versions/new/bin").mkdir(parents=True)
    (home / "versions/new/bin/companion").write_text(program)
    for name in ("guard", "answers"):
        (home / name).write_text((ROOT / "systemd" / name).read_text("utf-8"))
    for path in (home / "versions/new/bin/companion", home / "guard", home / "answers"):
        path.chmod(0o755)
    (home / "served").write_text("8000 127.0.0.1\n")
    (home / "kept/units").mkdir(parents=True)
    shutil.copy(units / "companion.service", home / "kept/units")
    if unit:
        (units / "companion.service").write_text(unit)
        machine.run("systemctl", "daemon-reload")
    (home / "trial").write_text("versions/old - 0 0\n")
    (home / "current").symlink_to("versions/new")
    return home


def assert_went_back(machine: Machine, home: Path) -> None:
    """Check that the version before runs, with its game, its program and its unit."""
    machine.until(ActiveState="active", StatusText=GAME)
    assert str((home / "current").readlink()) == "versions/old"
    assert (home / "refused").read_text() == "new\n"
    assert not (home / "trial").exists()
    assert not (home / "kept").exists()
    assert (machine.root / "etc/systemd/system/companion.service").read_text() == LESS_PATIENT
    assert machine.knows("NeedDaemonReload") == "no"


@pytest.mark.wide
@pytest.mark.parametrize("program", [ENDS, SILENT, CONVERTS])
def test_a_new_version_that_is_not_well_is_left_for_the_one_before(
    program: str, machine: Machine
) -> None:
    home = begin_trial(machine, program)
    machine.run("systemctl", "start", "--no-block", "companion")
    assert_went_back(machine, home)
    assert (machine.root / "lib/companion/journal.sqlite3.newer-1").exists() is (
        program == CONVERTS
    )


@pytest.mark.wide
def test_a_new_version_with_a_unit_too_strict_is_left_with_its_unit(machine: Machine) -> None:
    strict = LESS_PATIENT.replace("UMask=", "InaccessiblePaths=/opt/companion/python\nUMask=")
    home = begin_trial(machine, PROGRAM, strict)
    machine.run("systemctl", "start", "--no-block", "companion")
    assert_went_back(machine, home)


@pytest.mark.wide
def test_a_unit_that_cannot_be_started_is_left_by_the_guard_alone(machine: Machine) -> None:
    units = machine.root / "etc/systemd/system"
    guarding = (ROOT / "systemd/companion-guard.service").read_text("utf-8")
    (units / "companion-guard.service").write_text(guarding.replace("watch", "watch '' 3"))
    (units / "multi-user.target.wants").mkdir()
    (units / "multi-user.target.wants/companion.service").symlink_to("../companion.service")
    home = begin_trial(machine, PROGRAM, LESS_PATIENT.replace("ExecStart=", "ExecStrat="))
    with pytest.raises(AssertionError, match="bad unit file"):
        machine.run("systemctl", "start", "companion")
    machine.run("systemctl", "start", "companion-guard")
    assert_went_back(machine, home)


@pytest.mark.wide
def test_refused_it_tries_again_by_itself(machine: Machine) -> None:
    config = machine.root / CONFIG
    config.write_text('lang = "es"\n')
    machine.run("systemctl", "kill", "--signal=KILL", "companion")
    machine.until(ActiveState="activating", StatusText=".* the key lang is es; write one of .*")
    config.write_text(PHONES)
    machine.until(NRestarts="[2-9]", ActiveState="active", StatusText=GAME)
