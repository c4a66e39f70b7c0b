"""The units: systemd understands every line, they are locked as far as the wires permit, and the
README says why each line is there."""

import argparse
import json
import re
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.cli import backup, run
from companion.hotspot.wifi import TABLE_ADDRESS
from hardware import pi_temperature
from installer.system import CONFIG, DATA, EXAMPLE, GROUPS, USER
from installer.version import CURRENT
from tests.worlds.paths import ROOT

FOLDER = ROOT / "systemd"
UNITS = (
    "companion.service", "companion-kiosk.service",
    "companion-backup.service", "companion-backup.timer",
    "companion-tidy.service", "companion-tidy.timer",
    "companion-caretaker.service", "companion-caretaker.path", "companion-floor.service",
    "companion-broker.path", "companion-broker.service", "companion-first.service",
    "companion-guard.service",
)  # fmt: skip
FOR_ROOT = ("companion-caretaker.service", "companion-first.service")
"""They run installers, and what sets Wi-Fi and country: there is little that those do not need."""
LOCKED = [n for n in UNITS if n.endswith(".service") and n not in FOR_ROOT]
README = (FOLDER / "README.md").read_text("utf-8")
MOST_EXPOSED = 20
"""Tenths: what `systemd-analyze security` may find at most."""
MOST_EXPOSED_SCREEN = 40
"""A browser needs a screen, three kinds of namespaces, and to compile scripts."""
POLICY = json.loads((FOLDER / "companion-kiosk.json").read_text("utf-8"))

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is missing",
)


def lines(name: str) -> dict[str, list[str]]:
    """What a unit says, key by key; a key may come more than once."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        key, is_set, value = line.partition("=")
        if is_set and key.isalnum() and key != "Description":
            found.setdefault(key, []).append(value)
    return found


@analyze
@pytest.mark.parametrize("name", UNITS)
def test_systemd_has_nothing_to_say_against_it(name: str, tmp_path: Path) -> None:
    text = (FOLDER / name).read_text("utf-8")
    text = re.sub(
        r"/opt/companion/current/bin/(companion|python)|/opt/companion/(tidy|answers|broker|guard)|/usr/bin/cage",
        "/bin/true",
        text,
    )
    (tmp_path / name).write_text(text)
    command = ["systemd-analyze", "verify", "--man=no", f"./{name}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if name in line]
    assert (done.returncode, said) == (0, [])


@analyze
@pytest.mark.parametrize("name", LOCKED)
def test_the_service_is_not_exposed(name: str) -> None:
    most = MOST_EXPOSED_SCREEN if "kiosk" in name else MOST_EXPOSED
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={most}"]
    done = subprocess.run(
        [*command, f"./{name}"], cwd=FOLDER, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("address", "reaches"),
    [
        ("127.0.0.1", True), ("::1", True), ("192.168.178.20", True), ("10.71.0.7", True),
        ("172.31.255.9", True), ("169.254.7.7", True), ("fe80::1", True), ("fd12::7", True),
        ("172.32.0.1", False), ("11.0.0.1", False), ("192.0.2.1", False), ("2001:db8::1", False),
    ],
)  # fmt: skip
def test_the_networks_of_homes_reach_the_table_and_no_other(address: str, reaches: bool) -> None:
    unit = lines("companion.service")
    assert unit["IPAddressDeny"] == ["any"]
    named = unit["IPAddressAllow"][0].replace("localhost", "127.0.0.0/8 ::1/128").split()
    networks = [ip_network(each) for each in named]
    assert any(ip_address(address) in network for network in networks) is reaches
    assert ip_address(TABLE_ADDRESS) in networks[2]


def test_the_screen_opens_the_table_and_switches_to_no_other_console() -> None:
    (start,) = lines("companion-kiosk.service")["ExecStart"]
    words = start.split()
    cage = words[words.index("/usr/bin/cage") + 1 : words.index("--")]
    assert cage == ["-d"], "-s would let keys switch to another console"
    page = urlsplit(words[-1])
    assert POLICY["URLBlocklist"] == ["*"]
    assert POLICY["URLAllowlist"] == [f"{page.scheme}://{page.netloc}"]


def test_the_browser_of_the_screen_has_no_way_out() -> None:
    forbidden = {
        "DownloadRestrictions": 3, "DeveloperToolsAvailability": 2, "IncognitoModeAvailability": 1,
        "ExtensionInstallBlocklist": ["*"], "BrowserGuestModeEnabled": False,
        "AllowFileSelectionDialogs": False, "RemoteDebuggingAllowed": False,
    }  # fmt: skip
    assert {name: POLICY[name] for name in forbidden} == forbidden


def test_wires_are_allowed_and_nothing_else() -> None:
    unit = lines("companion.service")
    assert unit["DevicePolicy"] == ["closed"]
    allowed = ["char-spi rw", "char-gpiochip rw", "char-*gpiomem rw"]
    assert unit["DeviceAllow"] == allowed
    assert unit["SupplementaryGroups"] == [" ".join(GROUPS)]
    assert "PrivateDevices" not in unit, "it would take the wires away"


def test_the_service_waits_for_no_network_and_restarts_for_ever() -> None:
    unit = lines("companion.service")
    assert "network" not in " ".join(unit.get("After", []) + unit.get("Wants", []))
    assert unit["Type"] == ["notify"]
    assert unit["Restart"] == ["always"]
    assert unit["StartLimitIntervalSec"] == ["0"]
    assert int(unit["WatchdogSec"][0]) > 0


def test_the_guard_comes_before_each_start_of_the_table() -> None:
    """A release without this line could not be gone back from if the power fails."""
    assert lines("companion.service")["ExecStartPre"] == ["-+/opt/companion/guard"]
    assert lines("companion-guard.service")["WantedBy"] == ["multi-user.target"]


def test_the_service_starts_with_known_options() -> None:
    (start,) = lines("companion.service")["ExecStart"]
    program, command, *words = start.replace(CONFIG, str(EXAMPLE)).split()
    assert (program, command) == (f"{CURRENT}/bin/companion", "run")
    parser = argparse.ArgumentParser()
    run.add_arguments(parser)
    chosen = parser.parse_args(words)
    assert (chosen.address, str(chosen.data), chosen.game) == ("0.0.0.0", DATA, None)


def test_the_backup_is_taken_with_words_that_the_program_knows() -> None:
    (start,) = lines("companion-backup.service")["ExecStart"]
    program, command, *words = start.split()
    assert (program, command) == (f"{CURRENT}/bin/companion", "backup")
    parser = argparse.ArgumentParser()
    backup.add_arguments(parser)
    chosen = parser.parse_args(words)
    assert (str(chosen.data), chosen.keep, chosen.to) == (DATA, 14, None)


def test_the_backup_touches_no_wire_and_no_network() -> None:
    unit = lines("companion-backup.service")
    assert unit["PrivateDevices"] == unit["PrivateNetwork"] == ["yes"]
    assert (unit["User"], unit["WorkingDirectory"]) == ([USER], [DATA])


def test_the_service_uses_the_folders_of_the_installer() -> None:
    unit = lines("companion.service")
    assert f"/var/lib/{unit['StateDirectory'][0]}" == DATA == unit["WorkingDirectory"][0]
    assert unit["User"] == [USER]
    assert unit["Environment"][0].startswith(f"LG_WD=/run/{unit['RuntimeDirectory'][0]} ")


@pytest.mark.parametrize("name", UNITS)
def test_the_readme_says_why_each_line_is_there(name: str) -> None:
    heading = README.index(f"`{name}`")
    section = README[heading : README.find("\n## ", heading)]
    assert [key for key in lines(name) if f"`{key}=" not in section] == []


HIDES = ("InaccessiblePaths", "TemporaryFileSystem", "RootDirectory", "ProcSubset", "BindPaths")


def test_the_service_may_read_the_status_of_the_pi() -> None:
    assert not set(HIDES) & set(lines("companion.service"))
    read = [
        value for name, value in vars(pi_temperature).items() if name.isupper() and _is_path(value)
    ]
    assert {Path(path).parts[0] for path in read} == {"proc", "sys", "run"}
    assert [path for path in read if Path(path).name not in README] == []


def _is_path(value: object) -> bool:
    return isinstance(value, str) and "/" in value
