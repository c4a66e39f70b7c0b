"""`companion update` and `companion rollback`: which installer they run, with which words, and what
they tell programs."""

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import cli
from companion.core.errors import Malformed
from companion.core.i18n import get_language
from companion.update import outcome
from companion.update.commands import ProgressOfBytes, roll_back, update
from companion.update.outcome import (
    REFUSED,
    UpdateOutcome,
    print_outcome,
    run_aloud,
    run_aside,
    run_installer,
)
from companion.update.packages import choose_files, package_files
from companion.update.releases import SDIST, is_older
from companion.update.sticks import LIST, Stick, find_on_sticks, parse_sticks
from tests.update.test_releases import put_release
from tests.worlds.makers_key import Maker
from tests.worlds.paths import ROOT
from tests.worlds.stand_in_apt import package_that_tells, put_apt

ENGLISH = get_language("en")
TELLS = """import json, os, sys
print("builds", flush=True)
open(os.environ["COMPANION_TOLD"], "w").write(json.dumps(FACTS))
sys.exit(FACTS["code"] != "done")
"""
INSTALLER = "import sys\nprint('installs', *sys.argv[1:], flush=True)\nsys.exit(1)\n"


def pack(
    folder: Path, name: str = "systemd/install", text: str = INSTALLER, version: str = "1.2.0"
) -> Path:
    """A release whose installer prints how it was called, and fails."""
    archive = folder / f"table_companion-{version}.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        entry = tarfile.TarInfo(f"table_companion-{version}/{name}")
        entry.size = len(text)
        packed.addfile(entry, io.BytesIO(text.encode()))
    return archive


def test_the_installer_of_the_release_is_run_and_its_status_counts(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    archive, said = pack(tmp_path), list[str]()
    (tmp_path / "libraries").mkdir()
    assert update(archive, ["--now"], ENGLISH, said.append, run_aloud).status == 1
    assert capfd.readouterr().out == f"installs --now --libraries {tmp_path}/libraries\n"
    assert said[0].startswith(f"Version 1.2.0 in {archive}; there is no SHA256SUMS beside it")


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    return Maker(tmp_path_factory.mktemp("maker"))


@pytest.mark.parametrize(("code", "status"), [("done", 0), ("agree", 2), ("unwell", 1), ("", 1)])
def test_on_a_flashed_card_apt_installs_the_package_and_its_script_says_how_it_ended(
    code: str, status: int, maker: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", put_apt(tmp_path / "bin", tmp_path / "ran"))
    packed = maker.update(tmp_path / "made", package=package_that_tells(code, games=3))
    wanted, said = package_files("12", "arm64"), list[str]()
    ended = update(packed, ["--now"], ENGLISH, said.append, run_aside, False, wanted, maker.key)
    assert (ended.status, ended.ended) == (status, code or "failed")
    assert (ended.release, ended.checked, ended.signed) == ("9.9.0", True, True)
    assert ended.proven_games == (3 if code else None)
    assert (tmp_path / "ran").read_text() == "--now table-companion_9.9.0+deb12_arm64.deb"
    assert said[0].startswith("Version 9.9.0 in ")
    other = Maker(tmp_path / "other")
    with pytest.raises(Malformed, match="is not by the maker whose key this table knows"):
        update(packed, [], ENGLISH, said.append, run_aside, False, wanted, other.key)


def test_an_installed_table_knows_which_file_of_a_release_is_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert choose_files(lambda: ("12", "arm64")) is SDIST
    monkeypatch.setattr(sys, "prefix", "/opt/companion/versions/deb-0123456789ab")
    assert choose_files(lambda: ("12", "arm64")).shown == "table-companion_VERSION+deb12_arm64.deb"
    with pytest.raises(Malformed, match="does not say which Debian this is"):
        choose_files(lambda: ("", "arm64"))


def test_how_much_has_come_is_said_with_every_tenth() -> None:
    said = list[str]()
    for size, steps in ((40_000_000, 100), (0, 100)):
        tell = ProgressOfBytes(ENGLISH, said.append)
        for step in range(steps + 1):
            tell(step * 400_000, size)
    assert said[:2] == ["Fetched 4 of 40 MB.", "Fetched 8 of 40 MB."]
    assert said[9:11] == ["Fetched 40 of 40 MB.", "Fetched 5 MB."]
    assert len(said) == 18


def test_a_clone_is_installed_from_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "systemd").mkdir()
    (tmp_path / "systemd/install").touch()
    ran, said = list[Sequence[str]](), list[str]()

    def note(words: Sequence[str], told: Path) -> int:
        ran.append(words)
        return 0

    assert update(tmp_path, [], ENGLISH, said.append, note).status == 0
    assert ran[0][2:] == (str(tmp_path / "systemd/install"),)
    assert said == [f"The clone in {tmp_path}."]
    assert roll_back(Path("/v/install"), ["--now"], note).status == 0
    assert ran[1][2:] == ("/v/install", "--rollback", "--now")


@pytest.mark.parametrize("name", ["README", "systemd/install"])
def test_what_cannot_be_unpacked_is_said_in_a_sentence(name: str, tmp_path: Path) -> None:
    archive = pack(tmp_path, name)
    if name != "README":
        archive.write_bytes(archive.read_bytes()[:40])
    with pytest.raises(Malformed, match="cannot be unpacked: copy the release again"):
        update(archive, [], ENGLISH, print, run_aloud)


def test_a_real_release_says_what_its_installer_can(capfd: pytest.CaptureFixture[str]) -> None:
    """The words that we hand over are words that it knows."""
    options = ["--now", "--agree", "--libraries", "x", "--help"]
    assert update(ROOT, options, ENGLISH, print, run_aloud).status == 0
    assert "usage: systemd/install" in capfd.readouterr().out


@pytest.mark.parametrize("command", ["update", "rollback"])
def test_where_nothing_is_installed_it_is_refused(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"companion {command}: {sys.prefix} is no installed table: ")


def test_an_older_release_is_installed_only_if_that_is_typed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    older = pack(tmp_path, version="0.0.9")
    says = (
        r"^Version 0\.0\.9 is older than version .*, which runs\. To install it .* add --older\.$"
    )
    with pytest.raises(Malformed, match=says):
        update(older, [], ENGLISH, print, run_aloud)
    assert capfd.readouterr().out == "", "nothing of it was run"
    assert update(older, [], ENGLISH, lambda _text: None, run_aloud, older=True).status == 1
    assert capfd.readouterr().out == "installs\n"


@pytest.mark.parametrize(
    ("version", "runs", "older"),
    [("0.9.9", "0.10.0", True), ("0.10", "0.9.9", False), ("1.0", "1.0", False), ("", "1", False)],
)
def test_versions_are_compared_by_their_numbers(version: str, runs: str, older: bool) -> None:
    assert is_older(version, runs) is older


TOLD = {
    "code": "done", "stage": "watch", "games": 12, "tried": True, "runs": "ab", "before": "cd",
    "what_a_newer_one_tells": 1,
}  # fmt: skip


def test_programs_are_told_what_was_proven_and_switched(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    installer = f"FACTS = {TOLD}\n{TELLS}"
    ended = update(pack(tmp_path, text=installer), [], ENGLISH, lambda _text: None, run_aside)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "builds\n"), "only JSON goes to the output"
    assert ended == UpdateOutcome("done", "", 12, True, (), "ab", "cd", "1.2.0")
    assert ended.status == cli.DONE
    print_outcome(ended)
    assert json.loads(capfd.readouterr().out)["proven_games"] == 12


@pytest.mark.parametrize("code", [*REFUSED, "unwell", "disk_full", "failed"])
def test_what_was_refused_is_not_done_and_what_failed_is_amiss(code: str, tmp_path: Path) -> None:
    facts = {"code": code, "text": "It is so.", "cases": ["game evening"]}
    (tmp_path / "install").write_text(f"FACTS = {facts}\n{TELLS}")
    ended = run_installer((sys.executable, str(tmp_path / "install")), run_aside)
    assert (ended.ended, ended.says, ended.cases) == (code, "It is so.", ("game evening",))
    assert ended.status == (cli.NOT_DONE if code in REFUSED else cli.AMISS)


def test_of_an_installer_that_tells_nothing_nothing_is_assumed() -> None:
    for status, says in ((0, "done"), (7, "failed")):
        ended = run_installer((sys.executable, "-c", f"raise SystemExit({status})"), run_aloud)
        assert ended == UpdateOutcome(says, "", None, False, (), "", "")
    known = (outcome.DONE, outcome.FAILED, outcome.NOT_DONE)
    assert known == (cli.DONE, cli.AMISS, cli.NOT_DONE)


LISTED = """{"blockdevices": [
 {"path": "/dev/mmcblk0", "rm": true, "hotplug": true, "fstype": null, "children": [
  {"path": "/dev/mmcblk0p1", "rm": true, "fstype": "vfat", "mountpoint": "/boot/firmware"},
  {"path": "/dev/mmcblk0p2", "rm": true, "fstype": "ext4", "mountpoint": "/"}]},
 {"path": "/dev/sda", "rm": true, "hotplug": true, "fstype": null, "children": [
  {"path": "/dev/sda1", "rm": true, "fstype": "vfat", "mountpoint": null}]},
 {"path": "/dev/sdb", "hotplug": true, "fstype": "exfat", "mountpoint": "/media/ana/GAMES"},
 {"path": "/dev/nvme0n1", "rm": false, "hotplug": false, "fstype": "ext4", "mountpoint": "/data"}
]}"""


def test_sticks_are_what_can_be_unplugged_and_is_no_part_of_the_system() -> None:
    found = [Stick("/dev/sdb", Path("/media/ana/GAMES")), Stick("/dev/sda1", None)]
    assert parse_sticks(LISTED) == found
    assert parse_sticks("{}") == []


def plug_in(*folders: Path) -> str:
    """What lsblk says of sticks that are mounted there."""
    rows = [
        {"path": f"/dev/sd{n}", "rm": True, "fstype": "vfat", "mountpoint": str(folder)}
        for n, folder in enumerate(folders)
    ]
    return json.dumps({"blockdevices": rows})


def test_a_damaged_release_on_a_stick_is_named_unless_another_is_sound(tmp_path: Path) -> None:
    photos, damaged, sound = tmp_path / "photos", tmp_path / "damaged", tmp_path / "sound"
    photos.mkdir()
    put_release(damaged).write_bytes(b"half of it")
    with find_on_sticks(lambda: plug_in(photos, damaged, put_release(sound).parent)) as release:
        assert release.path.parent == sound
    with pytest.raises(Malformed, match="is not as SHA256SUMS says: copy the release again"):
        find_on_sticks(lambda: plug_in(damaged, photos)).__enter__()
    with pytest.raises(Malformed, match="There is no stick with a release in /dev/sd0"):
        find_on_sticks(lambda: plug_in(photos)).__enter__()


def test_the_list_of_devices_is_asked_for_in_words_that_are_known() -> None:
    done = subprocess.run(LIST, capture_output=True, text=True, check=False)
    assert "unknown column" not in done.stderr
