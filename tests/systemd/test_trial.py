"""Updates that are broken: the table goes back by itself, whatever is wrong and whenever the power
fails, and nothing that was played is touched."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from installer.command import CLAIM
from installer.machine import DISK_FULL, TargetMachine
from installer.pi import this_pi
from installer.system import CONFIG, DATA, UNIT_FOLDER
from installer.trial import (
    ANSWERS,
    GUARD,
    HOME,
    KEPT,
    PREVIOUS,
    REFUSED,
    SERVICE,
    TIDY,
    TRIAL,
    WELL,
    linked,
)
from installer.version import Version
from tests.systemd.test_interrupted_install import every_touch
from tests.worlds.campaign import pick
from tests.worlds.past_evening import files_of_evening, play_evening
from tests.worlds.pi_folder import install
from tests.worlds.powered_pi import (
    CONVERTS,
    CRASHES,
    HANGS,
    JOURNAL,
    LATER,
    LOGS,
    REFUSES,
    SILENT,
    TOO_STRICT,
    PoweredPi,
    PowerFailed,
)

Said = pytest.CaptureFixture[str]
LONGEST = 90
"""Seconds after which the old version runs again at the latest."""


@pytest.fixture
def pi(bench: TargetMachine) -> PoweredPi:
    return PoweredPi(bench.root)


def update(source: Path, word: str = "Better.") -> None:
    """Another version in the clone."""
    (source / "web/__init__.py").write_text(f'"""{word}"""\n')


def edit_unit(source: Path, old: str, new: str) -> None:
    """Change the unit of the service in the clone."""
    unit = source / "systemd" / SERVICE
    text = unit.read_text("utf-8")
    assert old in text
    unit.write_text(text.replace(old, new), "utf-8")


UNITS = {
    "is too strict": ("UMask=", f"{TOO_STRICT}\nUMask="),
    "cannot be read": ("ExecStart=", "ExecStrat="),
    "knows no guard": ("ExecStartPre=-+", "# "),
}
"""What is wrong with a unit, and how it differs then."""


class Installed:
    """A Pi with a version that is well, an evening on it, and the next version's name."""

    def __init__(self, pi: PoweredPi, source: Path) -> None:
        assert install(pi, source) == 0
        self.old = pi.runs
        play_evening(pi.path_of(DATA))
        self.evening = files_of_evening(pi.path_of(DATA))
        self.unit = pi.read_text(f"{UNIT_FOLDER}/{SERVICE}")
        update(source)
        self.new = Version(pi, this_pi(pi), source).name
        assert self.new != self.old


@pytest.fixture
def installed(pi: PoweredPi, source: Path) -> Installed:
    return Installed(pi, source)


def test_a_version_that_stays_well_stays_and_so_does_the_one_before(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    begun = pi.clock
    assert install(pi, source) == 0
    assert pi.runs == installed.new
    assert linked(pi, PREVIOUS) == f"versions/{installed.old}"
    assert not pi.has_traces(TRIAL)
    assert pi.clock - begun == WELL
    update(source, "Best.")
    assert install(pi, source) == 0
    assert versions(pi) == {pi.runs, installed.new, installed.old}, "not an hour has passed"


FIXED = 'profile = "phones-only"\naddress = "192.168.4.7"\n'


def test_a_version_at_one_fixed_address_stays(pi: PoweredPi, source: Path) -> None:
    pi.write_file(CONFIG, FIXED)
    installed = Installed(pi, source)
    assert install(pi, source) == 0
    assert (pi.runs, pi.has_traces(TRIAL), pi.has_traces(REFUSED)) == (installed.new, False, False)
    assert install(pi, source, "--rollback") == 0
    assert (pi.runs, pi.has_traces(TRIAL)) == (installed.old, False)


def test_a_silent_version_at_one_fixed_address_goes_back(pi: PoweredPi, source: Path) -> None:
    pi.write_file(CONFIG, FIXED)
    installed = Installed(pi, source)
    pi.faults[installed.new] = SILENT
    assert install(pi, source) == 1
    assert pi.runs == installed.old


def test_old_versions_are_removed_after_a_healthy_hour(
    pi: PoweredPi, installed: Installed, source: Path, tmp_path: Path
) -> None:
    for word in ("Better.", "Best."):
        update(source, word)
        assert install(pi, source) == 0
    everything = versions(pi)
    pi.sleep(HOUR - WELL - 1)
    tidy(pi, tmp_path)
    assert versions(pi) == everything, "it has not been well for an hour"
    pi.sleep(1)
    with claimed(pi):
        tidy(pi, tmp_path)
    assert versions(pi) == everything, "an installer is at work"
    tidy(pi, tmp_path)
    assert versions(pi) == {pi.runs, installed.new}
    tidy(pi, tmp_path)
    assert versions(pi) == {pi.runs, installed.new}
    pi.run("systemctl", "restart", "companion.service")
    assert pi.runs in everything


def test_a_healthy_hour_ends_the_trial(
    pi: PoweredPi, installed: Installed, source: Path, tmp_path: Path
) -> None:
    (pi.root / "dev/spidev0.0").unlink()
    install(pi, source)
    pi.switch_on()
    pi.sleep(HOUR)
    tidy(pi, tmp_path)
    assert not pi.has_traces(TRIAL)
    assert versions(pi) == {installed.old, installed.new}


HOUR = 3600


def versions(pi: PoweredPi) -> set[str]:
    """The versions that lie there."""
    return {path.name for path in pi.path_of("/opt/companion/versions").iterdir()}


def tidy(pi: PoweredPi, tmp_path: Path) -> None:
    """Run what the timer runs every hour; `systemctl` there knows since when the service is up."""
    systemctl = tmp_path / "bin/systemctl"
    systemctl.parent.mkdir(exist_ok=True)
    systemctl.write_text(f"#!/bin/sh\necho {round(pi.begun * 1_000_000)}\n")
    systemctl.chmod(0o755)
    (pi.root / "proc/uptime").write_text(f"{pi.clock} 1.0\n")
    places = [TIDY, HOME, "/proc", CLAIM]
    subprocess.run(
        [str(pi.path_of(place)) for place in places], check=True,
        env={"PATH": f"{systemctl.parent}:/usr/bin:/bin"},
    )  # fmt: skip


@contextmanager
def claimed(pi: PoweredPi) -> Iterator[None]:
    """While an installer is at work."""
    held = os.open(pi.path_of(CLAIM), os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(held)


CONVERTING = pick([LOGS], [CONVERTS, LOGS], [CONVERTS, LOGS])
FAULTS = [REFUSES, CRASHES, HANGS, SILENT, *pick([], CONVERTING, CONVERTING)]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_version_that_is_not_well_goes_back_by_itself(
    fault: str, pi: PoweredPi, installed: Installed, source: Path, capsys: Said
) -> None:
    pi.faults[installed.new] = fault
    begun = pi.clock
    assert install(pi, source) == 1
    assert pi.runs == installed.old
    assert not pi.is_dark()
    assert pi.clock - begun <= LONGEST
    assert "The new version did not stay well: " in capsys.readouterr().err
    assert pi.read_text(REFUSED) == f"{installed.new}\n"
    assert files_of_evening(pi.path_of(DATA)) == installed.evening
    assert not pi.has_traces(TRIAL)
    assert not pi.has_traces(KEPT)


@pytest.mark.parametrize("fault", FAULTS)
def test_without_anyone_who_watches_the_guard_goes_back(
    fault: str, pi: PoweredPi, installed: Installed, source: Path
) -> None:
    """SPI is missing, so the new version waits for a reboot, with no installer about."""
    (pi.root / "dev/spidev0.0").unlink()
    assert install(pi, source) == 0
    assert (pi.runs, linked(pi, PREVIOUS)) == (installed.new, f"versions/{installed.old}")
    pi.faults[installed.new] = fault
    pi.switch_on()
    pi.sleep(LONGEST)
    assert (pi.runs, pi.is_dark()) == (installed.old, False)
    assert pi.read_text(REFUSED) == f"{installed.new}\n"
    assert files_of_evening(pi.path_of(DATA)) == installed.evening


class BrokenUnit:
    """The next version is well, but for its unit; under that of the one before it would run."""

    def __init__(self, pi: PoweredPi, source: Path, unit: str) -> None:
        self.installed = Installed(pi, source)
        for name in ("guard", "answers", "tidy"):  # And its guard does not know the way back.
            (source / "systemd" / name).write_text("#!/bin/sh\n")
        edit_unit(source, *UNITS[unit])
        self.new = Version(pi, this_pi(pi), source).name
        if unit == "knows no guard":
            pi.faults[self.new] = REFUSES

    def assert_left(self, pi: PoweredPi) -> None:
        assert (pi.runs, pi.is_dark()) == (self.installed.old, False)
        assert pi.read_text(f"{UNIT_FOLDER}/{SERVICE}") == self.installed.unit == pi.loaded
        assert "five minutes" in pi.read_text(GUARD)
        assert "does not answer" in pi.read_text(ANSWERS)
        assert pi.read_text(REFUSED) == f"{self.new}\n"


@pytest.mark.parametrize("unit", pick(["is too strict"], list(UNITS), list(UNITS)))
def test_the_version_before_runs_under_its_own_unit_again(
    unit: str, pi: PoweredPi, source: Path
) -> None:
    broken, begun = BrokenUnit(pi, source, unit), pi.clock
    assert install(pi, source) == 1
    broken.assert_left(pi)
    assert pi.clock - begun <= LONGEST


@pytest.mark.parametrize("unit", pick(["cannot be read"], list(UNITS), list(UNITS)))
def test_without_anyone_who_watches_the_unit_of_the_version_before_comes_back(
    unit: str, pi: PoweredPi, source: Path
) -> None:
    broken = BrokenUnit(pi, source, unit)
    (pi.root / "dev/spidev0.0").unlink()
    assert install(pi, source) == 0
    pi.switch_on()
    pi.sleep(LONGEST)
    broken.assert_left(pi)


@pytest.mark.parametrize("fault", CONVERTING)
def test_what_a_version_made_of_the_data_stays_beside_it(
    fault: str, pi: PoweredPi, installed: Installed, source: Path, capsys: Said
) -> None:
    """Also where the power had failed that evening, so the last writes are in the log alone."""
    pi.remove(JOURNAL)
    play_evening(pi.path_of(DATA), closed=False)
    evening = files_of_evening(pi.path_of(DATA))
    assert any(name.endswith("-wal") for name in evening)
    pi.faults[installed.new] = fault
    assert install(pi, source) == 1
    assert files_of_evening(pi.path_of(DATA)) == evening
    assert pi.path_of(f"{JOURNAL}.newer-1").exists()
    assert f"what the new one made of it is {JOURNAL}.newer-1." in capsys.readouterr().err


@pytest.mark.wide
def test_a_version_that_cannot_read_the_data_is_left_for_the_newer_one(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    pi.faults[installed.new] = LATER
    assert install(pi, source) == 0
    converted = files_of_evening(pi.path_of(DATA))
    assert converted != installed.evening
    assert install(pi, source, "--rollback") == 1
    assert (pi.runs, pi.is_dark()) == (installed.new, False)
    assert files_of_evening(pi.path_of(DATA)) == converted


@pytest.mark.wide
def test_after_an_upgrade_of_debian_there_is_nothing_to_go_back_to(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    pi.fails = ("import companion", "No such file or directory")
    assert install(pi, source) == 0
    assert (pi.runs, linked(pi, PREVIOUS), pi.has_traces(TRIAL)) == (installed.new, "", False)


@pytest.mark.wide
@pytest.mark.parametrize("fault", [CONVERTS, LOGS])
def test_power_that_fails_while_it_goes_back_loses_nothing(
    fault: str, pi: PoweredPi, source: Path
) -> None:
    """The unit is another one, and the last writes of the evening are in the log alone."""
    installed = Installed(pi, source)
    pi.remove(JOURNAL)
    play_evening(pi.path_of(DATA), closed=False)
    evening = files_of_evening(pi.path_of(DATA))
    edit_unit(source, "UMask=0077", "UMask=0007")
    new = Version(pi, this_pi(pi), source).name
    (pi.root / "dev/spidev0.0").unlink()
    assert install(pi, source) == 0
    start, cuts = pi.root, 0
    for at in range(0, 1000, pick(7, 3, 1)):
        root = start.with_name("cut")
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(start, root, symlinks=True)
        left = PoweredPi(root, on=False)
        left.faults[new], left.guard_is_cut_at = fault, at
        try:
            left.switch_on()
            left.sleep(LONGEST)
            break
        except PowerFailed:
            cuts += 1
        left = PoweredPi(root, on=False)
        left.faults[new] = fault
        left.switch_on()
        left.sleep(LONGEST)
        assert (left.runs, left.is_dark()) == (installed.old, False), at
        assert left.loaded == installed.unit, at
        assert files_of_evening(left.path_of(DATA)) == evening, at
    assert cuts >= pick(3, 10, 20)


def test_without_room_for_what_the_table_knows_nothing_is_switched(
    pi: PoweredPi, installed: Installed, source: Path, capsys: Said
) -> None:
    with pi.path_of(f"{DATA}/large.sqlite3").open("wb") as file:
        file.truncate(2**43)
    assert install(pi, source) == 1
    assert capsys.readouterr().err == f"{DISK_FULL}\n"
    assert (pi.runs, pi.has_traces(TRIAL)) == (installed.old, False)
    assert pi.read_text(f"{UNIT_FOLDER}/{SERVICE}") == installed.unit


def test_going_back_and_forth_takes_the_units_along(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    edit_unit(source, "UMask=0077", "UMask=0007")
    assert install(pi, source) == 0
    assert "UMask=0007" in pi.loaded
    assert install(pi, source, "--rollback") == 0
    assert pi.loaded == installed.unit
    assert install(pi, source, "--rollback") == 0
    assert "UMask=0007" in pi.loaded


def test_a_version_that_was_well_for_five_minutes_is_not_left_later(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    (pi.root / "dev/spidev0.0").unlink()
    install(pi, source)
    for _ in range(4):  # Evenings with a Pi that is switched off and on again.
        pi.switch_on()
        pi.sleep(10_000)
    assert pi.has_traces(TRIAL), "each start was the first of its boot"
    for _ in range(4):
        pi.run("systemctl", "restart", "companion.service")
        pi.sleep(400)
    assert (pi.runs, pi.has_traces(TRIAL)) == (installed.new, False)


def test_an_update_over_one_that_waits_for_a_reboot_keeps_what_runs(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    (pi.root / "dev/spidev0.0").unlink()
    install(pi, source)
    update(source, "Another one.")
    install(pi, source)
    assert linked(pi, PREVIOUS) == f"versions/{installed.old}", "nothing newer was ever well"
    assert pi.path_of(f"/opt/companion/versions/{installed.old}/bin/python").is_symlink()


def test_power_that_fails_at_any_moment_leaves_no_dark_table(
    pi: PoweredPi, installed: Installed, source: Path
) -> None:
    cuts = 0
    for left in every_touch(pi.root, source, nth=pick(17, 2, 1)):
        cuts += 1
        rebooted = PoweredPi(left.root)
        rebooted.faults[installed.new] = REFUSES
        rebooted.switch_on()
        rebooted.sleep(LONGEST)
        assert rebooted.runs == installed.old
        assert not rebooted.is_dark()
        assert files_of_evening(rebooted.path_of(DATA)) == installed.evening
    assert cuts >= pick(5, 20, 40)


def test_it_goes_back_and_forth_when_that_is_asked_for(
    pi: PoweredPi, installed: Installed, source: Path, capsys: Said
) -> None:
    assert install(pi, source, "--rollback") == 1
    assert capsys.readouterr().err == "There is no version before this one to go back to.\n"
    install(pi, source)
    assert install(pi, source, "--rollback") == 0
    assert f"The version {installed.old} runs again." in capsys.readouterr().out
    assert (pi.runs, linked(pi, PREVIOUS)) == (installed.old, f"versions/{installed.new}")
    pi.faults[installed.new] = CRASHES
    assert install(pi, source, "--rollback") == 1
    assert pi.runs == installed.old
    assert not pi.has_traces(TRIAL)
