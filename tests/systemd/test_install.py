"""The installer on a folder shaped like a Pi: first run, second run, update, and the way back."""

import json
import os
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.update.installed import KEPT_INSTALLER
from installer import discovery, floor, service, system
from installer.libraries import KEPT, locked_names
from installer.pi import CONFIG_TXT as BOOT
from tests.worlds.paths import ROOT
from tests.worlds.pi_folder import CONFIG_TXT, Workbench, install, tree

Said = pytest.CaptureFixture[str]
BLOCK = """
# >>> table companion: for its wiring profile; systemd/install writes this anew
[all]
dtparam=spi=on
dtoverlay=spi0-1cs
# <<< table companion
"""


def runs(bench: Workbench) -> str:
    """The version that runs from its next start on."""
    return str(bench.path_of("/opt/companion/current").readlink())


def test_the_first_run_makes_a_table_of_a_pi(bench: Workbench, source: Path) -> None:
    assert install(bench, source) == 0
    wanted = bench.path_of("/etc/systemd/system/multi-user.target.wants/companion.service")
    assert str(wanted.readlink()) == "/etc/systemd/system/companion.service"
    assert "\nspi:x:989:ana,companion\ngpio:x:986:companion\n" in bench.read_text("/etc/group")
    assert bench.path_of(system.DATA).stat().st_mode & 0o777 == 0o700
    assert bench.read_text(system.CONFIG) == system.EXAMPLE.read_text("utf-8")
    assert bench.read_text(BOOT) == f"{CONFIG_TXT}\n{BLOCK.lstrip()}"
    assert bench.path_of(f"/opt/companion/{runs(bench)}/bin/python").is_symlink()


def test_the_second_run_changes_nothing(bench: Workbench, source: Path, capsys: Said) -> None:
    install(bench, source)
    before, _ = tree(bench.root), capsys.readouterr()
    assert install(bench, source) == 0
    assert tree(bench.root) == before
    assert "Everything is as it should be; nothing was changed." in capsys.readouterr().out


def test_what_is_taken_away_leaves_nothing(bench: Workbench, source: Path) -> None:
    before = tree(bench.root)
    install(bench, source, "--kiosk")
    assert "companion-kiosk:x:" in bench.read_text("/etc/passwd")
    assert install(bench, source, "--uninstall") == 0
    assert tree(bench.root) == before


def test_a_floor_is_installed_where_it_is_asked_for_and_stays(
    bench: Workbench, source: Path, capsys: Said
) -> None:
    before = tree(bench.root)
    install(bench, source)
    assert not bench.path_of(f"{system.UNIT_FOLDER}/{floor.FLOOR}").exists()
    install(bench, source, "--floor")
    for name in (floor.FLOOR, floor.LOGINS):
        assert bench.path_of(f"{service.WANTS}/{name}").is_symlink(), "it starts with the Pi"
    assert bench.read_text(floor.OPTIONS) == (ROOT / "systemd/floor.env").read_text("utf-8")
    bench.write_file(floor.OPTIONS, "FLOOR=--mqtt mqtt://localhost\n")
    first, _ = tree(bench.root), capsys.readouterr()
    install(bench, source)
    assert tree(bench.root) == first, "another run keeps it, and the options of its owner"
    bench.write_file(f"{floor.DATA[1]}/floor-id", "0123456789ab")
    bench.make_link(floor.DATA[0], "private/companion-floor")
    install(bench, source, "--uninstall")
    said = capsys.readouterr().out
    assert "pairings and backups of the floor" in said
    assert f"{floor.OPTIONS}: you changed it" in said
    assert bench.read_text(f"{floor.DATA[1]}/floor-id") == "0123456789ab"
    install(bench, source, "--uninstall", "--purge")
    left = {name: says for name, says in tree(bench.root).items() if "lib/private" not in name}
    assert left == before


@pytest.mark.parametrize("how", [(), ("--uninstall",)])
def test_a_dry_run_tells_every_step_and_does_none(
    how: tuple[str, ...], bench: Workbench, source: Path, capsys: Said
) -> None:
    if how:
        install(bench, source)
    before, _ = tree(bench.root), capsys.readouterr()
    assert install(bench, source, "--dry-run", *how) == 0
    said = capsys.readouterr().out
    assert tree(bench.root) == before
    for word in ("user companion", "folder /var/lib", "config /etc", BOOT, "companion.service"):
        assert any(word in line for line in said.splitlines() if line.startswith("  would "))


def test_what_was_played_stays_unless_that_is_asked_for(
    bench: Workbench, source: Path, capsys: Said
) -> None:
    before = tree(bench.root)
    install(bench, source)
    bench.path_of(f"{system.DATA}/journal.sqlite3").write_text("an evening")
    bench.write_file(system.CONFIG, "port = 80\n")
    install(bench, source, "--uninstall")
    assert "what you played and enrolled" in capsys.readouterr().out
    assert bench.read_text(f"{system.DATA}/journal.sqlite3") == "an evening"
    assert bench.read_text(system.CONFIG) == "port = 80\n"
    assert ("chown", "--recursive", "root:root", system.DATA) in bench.asked
    install(bench, source)
    assert install(bench, source, "--uninstall", "--purge") == 0
    assert tree(bench.root) == before


def test_an_update_is_built_beside_and_swapped(bench: Workbench, source: Path) -> None:
    install(bench, source)
    old = runs(bench)
    (source / "web/__init__.py").write_text('"""Better."""\n')
    install(bench, source)
    assert runs(bench) != old
    kept = {f"versions/{name}" for name in os.listdir(bench.path_of("/opt/companion/versions"))}
    assert kept == {old, runs(bench)}


def test_running_it_again_mends_what_was_damaged(bench: Workbench, source: Path) -> None:
    install(bench, source)
    before = tree(bench.root)
    bench.path_of(f"/opt/companion/{runs(bench)}/installed").write_text("worn out card")
    bench.write_file("/etc/systemd/system/companion.service", "[Service]\n")
    bench.path_of("/usr/local/bin/companion").unlink()
    assert install(bench, source) == 0
    assert runs(bench).endswith("-again"), "it is not built where the damaged one still runs"
    again = {name.replace("-again", ""): says for name, says in tree(bench.root).items()}
    assert again.keys() == before.keys()


def test_another_wiring_profile_changes_our_lines_and_no_other(
    bench: Workbench, source: Path
) -> None:
    install(bench, source)
    bench.write_file(system.CONFIG, 'profile = "five-readers"\n')
    install(bench, source)
    five = BLOCK.replace("dtoverlay=spi0-1cs", "dtoverlay=spi1-3cs").lstrip()
    assert bench.read_text(BOOT) == f"{CONFIG_TXT}\n{five}"
    bench.write_file(system.CONFIG, 'profile = "phones-only"\n')
    install(bench, source)
    assert bench.read_text(BOOT) == CONFIG_TXT


def test_the_network_is_told_where_the_table_is(bench: Workbench, source: Path) -> None:
    install(bench, source)
    assert bench.read_text(discovery.ANNOUNCED) == discovery.EXAMPLE.read_text("utf-8")
    bench.write_file(system.CONFIG, "port = 8080\n")
    install(bench, source)
    told = ElementTree.fromstring(bench.read_text(discovery.ANNOUNCED)).find("service")
    assert told is not None
    assert {part.tag: part.text for part in told} == {
        "type": "_http._tcp", "port": "8080", "txt-record": "path=/",
    }  # fmt: skip


def test_a_hotspot_goes_with_everything_else(bench: Workbench, source: Path, capsys: Said) -> None:
    install(bench, source)
    assert "hotspot" not in capsys.readouterr().out, "the installer switches none on"
    for name in discovery.LEFT:
        bench.write_file(name, "psk=1234\n")
    install(bench, source, "--uninstall")
    assert not any(map(bench.has_traces, discovery.LEFT))


def test_what_debian_lacks_is_installed(bench: Workbench, source: Path) -> None:
    status = bench.read_text("/var/lib/dpkg/status")
    bench.path_of("/var/lib/dpkg/status").write_text(status.replace("Package: gcc", "Package: tcc"))
    assert install(bench, source) == 0
    apt = next(words for words in bench.asked if words[0] == "apt-get")
    assert apt[-1] == "gcc"
    assert "Package: gcc" in bench.read_text("/var/lib/dpkg/status")


def test_a_screen_stays_a_screen_and_follows_the_port(bench: Workbench, source: Path) -> None:
    install(bench, source, "--kiosk")
    bench.write_file(system.CONFIG, "port = 8080\n")
    install(bench, source)
    unit = bench.read_text("/etc/systemd/system/companion-kiosk.service")
    assert "http://localhost:8080/table?kiosk" in unit
    assert "8000" not in unit
    assert '"http://localhost:8080"' in bench.read_text(service.POLICY)


@pytest.mark.parametrize(
    ("said", "asked"),
    [("0.0.0.0", "127.0.0.1"), ("192.168.4.7", "192.168.4.7"), ("fe80::7%eth0", "fe80::7%eth0")],
)
def test_a_version_on_trial_is_asked_where_the_pages_listen(
    said: str, asked: str, bench: Workbench, source: Path
) -> None:
    bench.write_file(system.CONFIG, f'address = "{said}"\nport = 8080\n')
    install(bench, source)
    assert bench.read_text(service.SERVED) == f"8080 {asked}\n"


def test_only_a_screen_brings_the_policy_of_its_browser(bench: Workbench, source: Path) -> None:
    install(bench, source)
    assert not bench.has_traces(service.POLICY)
    install(bench, source, "--kiosk")
    assert json.loads(bench.read_text(service.POLICY))["URLBlocklist"] == ["*"]
    others = bench.path_of(service.POLICY).with_name("owner.json")
    others.write_text("{}")
    install(bench, source, "--uninstall")
    assert not bench.has_traces(service.POLICY)
    assert others.read_text() == "{}", "what others put there stays"


def test_what_is_here_already_is_not_fetched(
    bench: Workbench, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The index is asked for the libraries only if their files are neither kept nor brought."""
    assert install(bench, source) == 0
    fetched = [words for words in bench.asked if "download" in words]
    libraries = len(locked_names((source / "systemd/packaging/locks/play.txt").read_text()))
    assert f"  built   5 of {libraries} libraries (play)\n" in capsys.readouterr().out
    assert len(fetched) > libraries / 5
    assert all("--no-index" in words for words in fetched)
    assert all("--no-index" in words for words in bench.asked if words[-1] == "install")
    name = "itsdangerous-2.2.0-py3-none-any.whl"
    lock = source / "systemd/packaging/locks/play.txt"
    digest = sha256(b"a library").hexdigest()
    lock.write_text(f"{lock.read_text()}itsdangerous==2.2.0 \\\n    --hash=sha256:{digest}\n")
    (tmp_path / name).write_bytes(b"a library")
    (tmp_path / "other.whl").write_bytes(b"another library")
    assert install(bench, source, "--libraries", str(tmp_path)) == 0
    kept = bench.path_of(KEPT)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == {name: b"a library"}
    (source / "web/__init__.py").write_text('"""Better."""\n')
    assert install(bench, source) == 0
    assert [path.name for path in kept.iterdir()] == [name], "the next version finds it there"


def test_a_version_has_the_installer_by_which_it_is_left(bench: Workbench, source: Path) -> None:
    for name in ("systemd/install", "systemd/installer/trial.py", "hardware/gpio_package.py"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    assert install(bench, source) == 0
    kept = bench.path_of(f"/opt/companion/{runs(bench)}") / KEPT_INSTALLER
    assert kept.read_bytes() == (ROOT / "systemd/install").read_bytes()
    assert (kept.parents[1] / "hardware/gpio_package.py").is_file()
    assert not (kept.parents[1] / "web").exists()
