"""The units, the scripts and the package: systemd and shellcheck understand every line, the
services are locked as far as the wires permit, and the package built twice has the same bytes."""

import json
import shutil
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from companion.cli import COMMANDS, make_parser
from companion.core import installation
from companion.core.installation import PACKAGE
from companion.hotspot.addresses import TABLE_ADDRESS
from companion.hotspot.network import GUARD
from releasing.debian_package import FILES, HOME, LINKS, SCRIPTS, UNITS, make_package
from releasing.source import Source
from tests.systemd.built_wheel import source_here
from tests.systemd.test_trixie import write_game
from tests.worlds.paths import ROOT

FOLDER = ROOT / "systemd"
SERVICES = {
    "companion": 20, "companion-previous": 20, "companion-trial": 20, "companion-backup": 20,
    "companion-floor": 20, "companion-kiosk": 40,
}  # fmt: skip
"""The services, and the tenths that `systemd-analyze security` may find at most: a browser needs a
screen, three kinds of namespaces, and to compile scripts."""
analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing"
)
packs = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is missing")


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units as they lie in the package, whose programs are there."""
    for name, where in FILES.items():
        if where.startswith(UNITS):
            (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
            text = (FOLDER / name).read_text("utf-8")
            for program in ("/usr/bin/companion", f"/{HOME}/systemd/kiosk"):
                text = text.replace(f"ExecStart={program}", "ExecStart=/bin/true")
            (tmp_path / where).write_text(text)
    for name, leads_to in LINKS.items():
        if name.startswith(UNITS):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).symlink_to(leads_to)
    return tmp_path / UNITS


@analyze
def test_systemd_has_nothing_to_say_against_them(units: Path) -> None:
    names = [
        path.name for path in units.iterdir() if path.suffix in (".service", ".path", ".timer")
    ]
    command = ["systemd-analyze", "verify", "--man=no", *(f"./{name}" for name in names)]
    done = subprocess.run(command, cwd=units, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "companion" in line]
    assert (done.returncode, said) == (0, [])


@analyze
@pytest.mark.parametrize("name", SERVICES)
def test_the_service_is_not_exposed(name: str, units: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={SERVICES[name]}"]
    done = subprocess.run(
        [*command, f"./{name}.service"], cwd=units, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("address", "reaches"),
    [
        ("127.0.0.1", True), ("192.168.178.20", True), (TABLE_ADDRESS, True), ("fe80::1", True),
        ("172.31.255.9", True), ("172.32.0.1", False), ("192.0.2.1", False), ("2001:db8::1", False),
    ],
)  # fmt: skip
def test_the_networks_of_homes_reach_the_table_and_no_other(address: str, reaches: bool) -> None:
    lines = (FOLDER / "sandbox.conf").read_text("utf-8").splitlines()
    (named,) = (line.partition("=")[2] for line in lines if line.startswith("IPAddressAllow="))
    networks = map(ip_network, named.replace("localhost", "127.0.0.0/8 ::1/128").split())
    assert any(ip_address(address) in network for network in networks) is reaches


@pytest.mark.parametrize("name", ["companion.service", "companion-backup.service"])
def test_what_a_unit_types_the_program_understands(name: str) -> None:
    (line,) = [
        line
        for line in (FOLDER / name).read_text("utf-8").splitlines()
        if line.startswith("ExecStart=")
    ]
    program, command, *words = line.partition("=")[2].split()
    assert program == "/usr/bin/companion"
    assert command in COMMANDS
    config = words.index("--config") + 1 if "--config" in words else None
    if config is not None:
        words[config] = str(FOLDER / "companion.toml")
    make_parser(command).parse_args([command, *words])


def test_the_browser_of_the_screen_opens_the_table_and_nothing_else() -> None:
    policy = json.loads((FOLDER / "companion-kiosk.json").read_text("utf-8"))
    assert (policy["URLBlocklist"], policy["URLAllowlist"]) == (["*"], ["http://localhost"])
    forbidden = {
        "DownloadRestrictions": 3, "DeveloperToolsAvailability": 2, "IncognitoModeAvailability": 1,
        "ExtensionInstallBlocklist": ["*"], "BrowserGuestModeEnabled": False,
        "AllowFileSelectionDialogs": False, "RemoteDebuggingAllowed": False,
    }  # fmt: skip
    assert {name: policy[name] for name in forbidden} == forbidden


def test_shellcheck_has_nothing_to_say_against_the_scripts() -> None:
    scripts = [
        FOLDER / name for name in ("environment", "take-back", "kiosk", "hotspot/dispatcher")
    ]
    scripts += [FOLDER / "debian" / name for name in SCRIPTS]
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.wide
@packs
def test_the_package_built_twice_has_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source: Source = source_here()
    first = make_package(source, tmp_path / "one")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    second = make_package(source, tmp_path / "two")
    assert first.read_bytes() == second.read_bytes()
    listed = subprocess.run(
        ["dpkg-deb", "--contents", first], capture_output=True, text=True, check=True
    ).stdout
    names = {line.split()[5].removeprefix("./") for line in listed.splitlines()}
    owners = {line.split()[1] for line in listed.splitlines()}
    assert owners == {"root/root"}
    assert {*FILES.values(), *LINKS} <= names
    assert f"{HOME}/companion/games/robby_solo/locale/de/LC_MESSAGES/robby_solo.mo" in names
    assert any(name.startswith(f"{HOME}/gpiozero/") for name in names)
    assert not [name for name in names if name.endswith((".po", ".pyc"))]
    told = subprocess.run(
        ["dpkg-deb", "--field", first], capture_output=True, text=True, check=True
    )
    assert f"Package: {PACKAGE}\n" in told.stdout
    assert "Architecture: all\n" in told.stdout


def test_program_and_package_name_the_same_places() -> None:
    assert str(GUARD).lstrip("/") == FILES["hotspot/dispatcher"]
    assert f"/{HOME}" == str(installation.PACKAGED)
    unit = (FOLDER / "companion-previous.service").read_text("utf-8")
    assert f"{installation.PREVIOUS}/start" in unit
    assert str(installation.FAILED) in (FOLDER / "companion.service").read_text("utf-8")


@pytest.mark.parametrize("cut_off", range(8))
def test_the_data_from_before_comes_back_whatever_cuts_that_off(
    cut_off: int, tmp_path: Path
) -> None:
    """Each program that the script calls is the last one once."""
    data, trial, programs = (tmp_path / name for name in ("data", "trial", "programs"))
    files = {data: ("journal", "new", "backups/one"), trial / "before": ("journal", "old")}
    for folder, names in files.items():
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(folder.name)
    (trial / "failed").touch()
    programs.mkdir()
    for name in ("find", "mv", "mkdir", "rm", "sync"):
        (programs / name).write_text(
            f"#!/bin/sh\necho >>{tmp_path}/calls\n"
            f"[ $(wc -l <{tmp_path}/calls) != {cut_off + 1} ] || exit 9\n"
            f'exec {shutil.which(name)} "$@"\n'
        )
        (programs / name).chmod(0o755)
    command = [FOLDER / "take-back", data, trial]
    subprocess.run(command, env={"PATH": f"{programs}:/usr/bin:/bin"}, check=False)
    subprocess.run(command, check=True)
    assert (data / "journal").read_text() == "before"
    assert sorted(path.name for path in data.iterdir()) == ["backups", "journal", "old"]
    assert (trial / "refused/new").read_text() == "data"
    assert not (trial / "before").exists()


def test_config_txt_is_on_disk_before_it_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    """On the card's FAT a name may be there before its contents; power may go at any moment."""
    text, boot, log = (FOLDER / "debian/postinst").read_text(), tmp_path / "boot", tmp_path / "log"
    boot.write_text("arm_64bit=1\n")
    asks = f"boot={boot} config=/dev/null\nenv() {{ echo dtparam=spi=on; }}\n"
    notes = "".join(
        f'{name}() {{ echo {name} "$@" >>{log}; command {name} "$@"; }}\n'
        for name in ("sync", "mv")
    )
    writes = text[text.index("write_boot_lines() {") : text.index('\ncase "$1" in')]
    subprocess.run(["sh", "-ec", f"{asks}{notes}{writes}\nwrite_boot_lines"], check=True)
    assert boot.read_text().startswith("arm_64bit=1\n# >>> table companion")
    assert log.read_text().replace(f"{boot}", "it").splitlines() == [
        "sync it.new", "mv it.new it", "sync -f it",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [("", 0, ""), ("\nsys.exit('No luck.')\n", 1, "it ends: No luck.\n")],
)
def test_a_version_is_tried_on_a_copy_of_the_data(
    more: str, status: int, said: str, tmp_path: Path
) -> None:
    tree, data = tmp_path / "tree", tmp_path / "data"
    (tree / "systemd").mkdir(parents=True)
    data.mkdir()
    write_game(data / "journal.sqlite3")
    before = (data / "journal.sqlite3").read_bytes()
    for name in ("companion", "hardware", "web"):
        (tree / name).symlink_to(ROOT / name)
    start = (FOLDER / "start").read_text("utf-8")
    (tree / "start").write_text(start.replace("\nsys.exit", f"{more}\nsys.exit"), "utf-8")
    trial = shutil.copy(FOLDER / "trial.py", tree / "systemd")
    old = tmp_path / "old"
    (old / "systemd").mkdir(parents=True)
    (old / "systemd/trial.py").write_text(f"""import os, sys
os.write(2, b"?" * 100_000)
os.execl(sys.executable, "python", "-IB", {str(trial)!r}, *sys.argv[1:])
""")
    done = subprocess.run(
        [sys.executable, "-IB", trial, "prove", old, data, data / "none.toml", tmp_path / "copy"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (status, said)
    assert (data / "journal.sqlite3").read_bytes() == before
    assert not (tmp_path / "copy").exists()
