"""Versions that come as Debian packages: side by side, proven, on trial, gone back from."""

from argparse import Namespace
from pathlib import Path

import pytest

from installer.command import Install
from installer.discovery import ANNOUNCED
from installer.floor import FLOOR
from installer.machine import InstallFailed
from installer.packaged import NAMES, SOURCE, check_packaged, install_package
from installer.service import SERVED, SERVICE
from installer.system import CONFIG, UNIT_FOLDER
from installer.trial import ANSWERS, CURRENT, GUARD, HOME, PREVIOUS, REFUSED, TRIAL, linked
from tests.systemd.test_trial import edit_unit
from tests.worlds.pi_folder import Workbench, copy_units
from tests.worlds.powered_pi import CRASHES, REFUSES, SILENT, TOO_STRICT, PoweredPi

COMMAND = f"#!{SOURCE}/bin/python -I\n"


@pytest.fixture
def pi(tmp_path: Path) -> PoweredPi:
    """A Debian that systemd runs; no package of ours was ever here."""
    for name in ("proc/sys/kernel/random", "run/systemd/system", "var/lib", "etc/systemd/system"):
        (tmp_path / name).mkdir(parents=True)
    return PoweredPi(tmp_path)


def unpack(pi: Workbench, number: int) -> None:
    """As apt unpacks a version in the place of the one before: every file is another one then."""
    files = {"bin/companion": COMMAND, "lib/companion.py": f"NUMBER = {number}\n"}
    pi.remove(f"{SOURCE}/lib/companion.py")
    for name, text in files.items():
        pi.write_file(f"{SOURCE}/{name}", text)
    pi.make_link(f"{SOURCE}/bin/python", "../../../bin/python3")
    pi.remove(f"{SOURCE}/release")
    pi.make_folder(pi.path_of(f"{SOURCE}/release"))
    copy_units(pi.path_of(f"{SOURCE}/release"))


def upgrade(pi: PoweredPi, number: int, fault: str = "") -> str:
    """Unpack a version and switch to it; return its name."""
    unpack(pi, number)
    before = {path.name for path in pi.path_of(f"{HOME}/versions").glob("*")}
    if fault:  # Its name is known once it is there.
        pi.faults = FaultOfNew(before, fault)
    install_package(pi, agreed=False, now=False, say=lambda _text: None)
    return Path(linked(pi, CURRENT)).name


class FaultOfNew(dict[str, str]):
    """Every version but the known ones fares badly."""

    def __init__(self, known: set[str], fault: str) -> None:
        super().__init__()
        self._known, self._fault = known, fault

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
        return default if name in self._known else self._fault


def test_the_first_version_starts_and_the_next_leaves_it_beside_itself(pi: PoweredPi) -> None:
    first = upgrade(pi, 1)
    assert first.startswith("deb-")
    assert SERVICE in pi.active
    assert not pi.has_traces(TRIAL), "there is nothing to go back to"
    command = pi.read_text(f"{HOME}/versions/{first}/bin/companion")
    assert command == f"#!{HOME}/versions/{first}/bin/python -I\n"
    assert pi.read_text(f"{SOURCE}/bin/companion") == COMMAND, "apt's own file is as it was"
    second = upgrade(pi, 2)
    assert (linked(pi, PREVIOUS), first != second) == (f"versions/{first}", True)
    assert pi.read_text(f"{HOME}/versions/{first}/lib/companion.py") == "NUMBER = 1\n"
    assert pi.path_of(GUARD).exists()
    assert pi.path_of(ANSWERS).exists()
    assert "<port>8000</port>" in pi.read_text(ANNOUNCED), "phones and floors find it by its name"
    assert upgrade(pi, 2) == second, "unpacked once more, it goes on"


def test_a_computer_that_is_a_floor_alone_restarts_it_and_tries_no_table(pi: PoweredPi) -> None:
    pi.disabled = set(NAMES) - {FLOOR}
    upgrade(pi, 1)
    second = upgrade(pi, 2, SILENT)
    assert (pi.active, Path(linked(pi, CURRENT)).name) == ({FLOOR}, second)
    assert not pi.has_traces(ANNOUNCED), "there is no table to be found"
    assert not pi.has_traces(TRIAL)


def test_the_units_that_apt_has_unpacked_are_written_with_the_switch(pi: PoweredPi) -> None:
    first = upgrade(pi, 1)
    unit = pi.read_text(f"{UNIT_FOLDER}/{SERVICE}")
    assert "UMask=0077" in unit
    unpack(pi, 2)
    edit_unit(pi.path_of(f"{SOURCE}/release"), "UMask=0077", f"{TOO_STRICT}\nUMask=0007")
    assert pi.read_text(f"{UNIT_FOLDER}/{SERVICE}") == unit
    with pytest.raises(InstallFailed, match="The version before runs again"):
        install_package(pi, agreed=False, now=False, say=lambda _text: None)
    assert (Path(linked(pi, CURRENT)).name, pi.is_dark()) == (first, False)
    assert pi.read_text(f"{UNIT_FOLDER}/{SERVICE}") == unit == pi.loaded


def test_a_version_whose_python_is_gone_is_not_gone_back_to(pi: PoweredPi) -> None:
    """As after an upgrade of Debian; nothing can be proven then, and there is no trial."""
    upgrade(pi, 1)
    pi.fails = ("import companion", "No such file or directory")
    second = upgrade(pi, 2)
    assert (Path(linked(pi, CURRENT)).name, linked(pi, PREVIOUS)) == (second, "")
    assert not pi.has_traces(TRIAL)
    pi.fails = ("", "")
    third = upgrade(pi, 3)
    assert (Path(linked(pi, CURRENT)).name, linked(pi, PREVIOUS)) == (third, f"versions/{second}")


@pytest.mark.parametrize("fault", [REFUSES, CRASHES, SILENT])
def test_a_version_that_fares_badly_is_left_for_the_one_before(fault: str, pi: PoweredPi) -> None:
    first = upgrade(pi, 1)
    begun = pi.clock
    with pytest.raises(InstallFailed, match="The version before runs again"):
        upgrade(pi, 2, fault)
    assert (Path(linked(pi, CURRENT)).name, pi.is_dark()) == (first, False)
    assert pi.read_text(REFUSED).startswith("deb-")
    assert pi.clock - begun <= 90


def test_one_can_go_back_and_forth(pi: PoweredPi) -> None:
    first, second = upgrade(pi, 1), upgrade(pi, 2)
    chosen = Namespace(dry_run=False, purge=False, agree=False, now=False, libraries=None,
                       profile="", kiosk=False, floor=False)  # fmt: skip
    install = Install(pi, pi.path_of(SOURCE), chosen)
    assert install.roll_back() == 0
    assert Path(linked(pi, CURRENT)).name == first
    assert install.roll_back() == 0
    assert Path(linked(pi, CURRENT)).name == second


def test_a_version_that_cannot_be_proven_is_not_switched_to(pi: PoweredPi) -> None:
    first = upgrade(pi, 1)
    pi.fails = ("-IB", "Traceback\nNo.")
    with pytest.raises(InstallFailed, match="is not installed"):
        upgrade(pi, 2)
    assert Path(linked(pi, CURRENT)).name == first
    assert not pi.has_traces(TRIAL)


def test_in_an_image_that_is_being_made_nothing_is_started(pi: PoweredPi) -> None:
    pi.path_of("/run/systemd/system").rmdir()
    name = upgrade(pi, 1)
    assert (pi.active, name.startswith("deb-")) == (set(), True)


def test_the_unit_is_told_where_the_pages_answer(pi: PoweredPi) -> None:
    pi.write_file(CONFIG, 'address = "10.0.0.7"\nport = 8080\n')
    upgrade(pi, 1)
    assert pi.read_text(SERVED) == "8080 10.0.0.7\n"


def test_without_a_package_there_is_nothing_to_switch_to(pi: PoweredPi) -> None:
    with pytest.raises(InstallFailed, match="is not installed here"):
        check_packaged(pi)
