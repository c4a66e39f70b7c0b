"""`companion hotspot`, with a NetworkManager that only writes down what it is asked for."""

import argparse
import errno
import io
import json
import os
import re
import stat
import subprocess
import sys
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.welcome import draw_qr_code
from companion.cli import main, run_explained
from companion.cli.hotspot import add_arguments, run
from companion.hotspot import plan, switch
from companion.hotspot.plan import (
    CONNECTION_FILE,
    DISPATCHER_SCRIPT,
    DNS_NAMES,
    KEPT_FILE,
    WIFI_FILE,
    HotspotNetwork,
    load_wifi,
)
from companion.hotspot.wifi import Wifi
from installer import discovery
from tests.worlds.failing_disk import FailingDisk, Fault

Said = pytest.CaptureFixture[str]
NMCLI = """#!/bin/sh
echo "nmcli $*" >> {log}
case "$*" in
*DEVICE,TYPE,STATE*) printf '{devices}' ;;
*--active*) echo companion-hotspot ;;
*"connection up"*) {up} ;;
esac
"""


class World:
    """A folder for a system, and programs on the path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.bin, self.log = folder / "pi", folder / "bin", folder / "log"
        for made in (self.root, self.bin):
            made.mkdir()
        monkeypatch.setenv("PATH", f"{self.bin}:/usr/bin:/bin")
        self.has()
        self.program("nft", f'#!/bin/sh\necho "nft $*" >> {self.log}\n')

    def has(self, *radios: str, up: str = ":") -> None:
        """NetworkManager knows these, each with its state; if none is named, one that is free."""
        found = radios or ("wlan0:wifi:disconnected",)
        devices = "".join(rf"{row}\n" for row in ("lo:loopback:unmanaged", *found))
        self.program("nmcli", NMCLI.format(log=self.log, devices=devices, up=up))

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def types(self, *words: str) -> int:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        parser.set_defaults(lang="en")
        options = parser.parse_args(words)
        return run_explained("hotspot", "en", lambda: run(options, self.root))

    def reads(self, path: object) -> str:
        return (self.root / str(path)[1:]).read_text("utf-8")

    def files(self) -> list[Path]:
        return [path for path in self.root.rglob("*") if path.is_file()]

    def asked(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


def test_on_makes_a_network_with_a_password_that_only_root_reads(
    network: World, capsys: Said
) -> None:
    assert network.types("on", "--name", "Our table") == 0
    wifi = plan.parse_wifi(network.reads(CONNECTION_FILE))
    name, password = wifi.name, wifi.password
    said = capsys.readouterr().out
    assert name == "Our table"
    assert f"its password is {password}\n" in said
    assert "http://10.71.0.1:8000/" in said
    assert stat.S_IMODE((network.root / str(CONNECTION_FILE)[1:]).stat().st_mode) == 0o600
    assert not any(password in line for line in network.asked()), "everybody may see commands"
    assert password not in network.reads(DISPATCHER_SCRIPT) + network.reads(DNS_NAMES)
    assert network.asked()[-2:] == [
        f"nmcli connection load {CONNECTION_FILE}",
        "nmcli connection up companion-hotspot",
    ]


def test_off_leaves_nothing_and_on_again_has_another_password(network: World) -> None:
    network.types("on")
    first = plan.parse_wifi(network.reads(CONNECTION_FILE))
    assert network.types("off") == 0
    assert network.files() == []
    assert "nmcli connection delete companion-hotspot" in network.asked()
    network.types("on")
    assert plan.parse_wifi(network.reads(CONNECTION_FILE)) != first


def test_status_says_how_one_gets_in(network: World, capsys: Said) -> None:
    assert network.types("status") == 0
    assert capsys.readouterr().out == "The hotspot is off.\n"
    network.types("on")
    told = capsys.readouterr().out
    assert network.types("status") == 0
    assert capsys.readouterr().out == told
    network.program("nmcli", "#!/bin/sh\n")
    network.types("status")
    assert "not on the air" in capsys.readouterr().out


def test_status_tells_programs_no_password(network: World, capsys: Said) -> None:
    assert network.types("status", "--json") == 0
    assert json.loads(capsys.readouterr().out)["state"] == "off"
    network.types("on", "--name", "Our table")
    wifi = plan.parse_wifi(network.reads(CONNECTION_FILE))
    capsys.readouterr()
    assert network.types("status", "--json") == 0
    said = capsys.readouterr().out
    told = {"state": "on", "wifi": "Our table", "address": "http://10.71.0.1:8000/"}
    assert json.loads(said) == told
    assert wifi.password not in said


def test_a_dry_run_tells_every_step_and_does_none(network: World, capsys: Said) -> None:
    assert network.types("on", "--dry-run") == 0
    said = capsys.readouterr().out
    for step in plan.steps_on(HotspotNetwork(Wifi("n", "p"), "wlan0", 8000), ()):
        assert plan.describe_step(step)[0] in said
    assert "psk=…" in said
    assert network.types("off", "--dry-run") == 0
    assert network.files() == []
    assert network.asked() == ["nmcli -t -f DEVICE,TYPE,STATE device"], "to ask is no step"


def test_what_networkmanager_refuses_leaves_everything_as_it_was(
    network: World, capsys: Said
) -> None:
    network.has(up="echo 'Error: no such radio.' >&2; exit 4")
    assert network.types("on") == 2
    heard = capsys.readouterr()
    assert heard.err == (
        "companion hotspot: The hotspot cannot be switched on; nmcli says: Error: no such radio.\n"
    )
    assert (heard.out, network.files()) == ("", [])
    assert network.asked()[-1] == f"nft {plan.CLEAR_PACKETS}"


def test_a_disk_that_takes_no_file_leaves_everything_as_it_was(
    network: World, capsys: Said
) -> None:
    (network.root / "etc/NetworkManager").mkdir(parents=True)
    (network.root / "etc/NetworkManager/dispatcher.d").write_text("no folder")
    assert network.types("on") == 2
    assert "90-companion-hotspot cannot be written: " in capsys.readouterr().err
    assert [path.name for path in network.files()] == ["dispatcher.d"]


def test_where_the_disk_fails_it_is_on_as_a_whole_or_not_at_all(
    network: World, capsys: Said
) -> None:
    disk = FailingDisk(network.root)
    disk.require()
    for n in count(1):
        status = types_while_failing(network, disk, "on", n)
        if status == 0:
            break
        (said,) = capsys.readouterr().err.splitlines()
        assert re.fullmatch(r"companion hotspot: (The disk |\S+ cannot be written: ).+\.", said)
        assert network.files() == []
    assert n > 12, "four files are written, synced and renamed"
    assert len(network.files()) == 4


def test_where_the_disk_fails_it_can_be_switched_off_again(network: World, capsys: Said) -> None:
    disk = FailingDisk(network.root)
    disk.require()
    for n in count(1):
        assert network.types("on") == 0
        status = types_while_failing(network, disk, "off", n)
        if status == 0:
            break
        (said,) = capsys.readouterr().err.splitlines()
        assert re.fullmatch(r"companion hotspot: .+ cannot be removed: .+\.", said)
        network.types("off")
        assert network.files() == []
        capsys.readouterr()
    assert n > 4, "four files are removed"
    assert network.files() == []


def types_while_failing(network: World, disk: FailingDisk, act: str, n: int) -> int:
    """The exit status of a command during which the n-th call to the disk fails."""
    status = list[int]()
    error = (errno.ENOSPC, errno.EIO)[n % 2]
    disk.run(lambda: status.append(network.types(act)), Fault(n, error))
    return status[0]


TYPED = """
import sys, argparse
from pathlib import Path
from companion.cli.hotspot import add_arguments, run
parser = argparse.ArgumentParser()
add_arguments(parser)
parser.set_defaults(lang="en")
run(parser.parse_args(["on"]), Path(sys.argv[1]))
"""


def test_somebody_who_breaks_it_off_finds_everything_as_it_was(network: World) -> None:
    network.has(up="kill -INT $PPID; sleep 1")
    command = [sys.executable, "-c", TYPED, str(network.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "KeyboardInterrupt" in done.stderr
    assert network.files() == []


class Terminal(io.StringIO):
    """Somebody looks at it."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_for_eyes_there_is_a_code_that_joins_the_wifi(network: World, capsys: Said) -> None:
    with redirect_stdout(Terminal()) as seen:
        network.types("on")
    assert draw_qr_code(plan.parse_wifi(network.reads(CONNECTION_FILE)).qr_text) in seen.getvalue()
    network.types("status")
    assert "█" not in capsys.readouterr().out, "not into a file or a log"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_only_root_sees_the_password_again(network: World, capsys: Said) -> None:
    network.types("on")
    (network.root / str(CONNECTION_FILE)[1:]).chmod(0)
    capsys.readouterr()
    assert network.types("status") == 0
    assert "Only root may see its password" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("radio", "says"),
    [
        ("wlan0:wifi:unavailable", "The Wi-Fi wlan0 is switched off"),
        ("wlp1s0:wifi:unmanaged", "The Wi-Fi wlp1s0 is switched off"),
        ("p2p-dev-wlan0:wifi-p2p:disconnected", "no Wi-Fi that NetworkManager knows of"),
    ],
)
def test_without_a_radio_there_is_no_hotspot(
    radio: str, says: str, network: World, capsys: Said
) -> None:
    network.has(radio)
    assert network.types("on") == 2
    assert says in capsys.readouterr().err
    assert network.files() == []


@pytest.mark.parametrize(
    ("radios", "chosen"),
    [
        (["wlp1s0:wifi:disconnected", "p2p-dev-wlp1s0:wifi-p2p:disconnected"], "wlp1s0"),
        (["wlan0:wifi:unavailable", "wlan1:wifi:connected"], "wlan1"),
    ],
)
def test_the_one_radio_that_there_is_need_not_be_named(
    radios: list[str], chosen: str, network: World
) -> None:
    network.has(*radios)
    assert network.types("on") == 0
    assert f"interface-name={chosen}\n" in network.reads(CONNECTION_FILE)
    assert f'iifname "{chosen}" drop' in network.reads(DISPATCHER_SCRIPT)


def test_of_several_radios_somebody_says_which(network: World, capsys: Said) -> None:
    network.has("wlan0:wifi:connected", "wlan1:wifi:disconnected")
    assert network.types("on") == 2
    assert capsys.readouterr().err == (
        "companion hotspot: This machine has more than one Wi-Fi: wlan0, wlan1. "
        "Say which: sudo companion hotspot on --radio wlan1\n"
    )
    assert network.types("on", "--radio", "wlan2") == 2
    assert "This machine has no Wi-Fi called wlan2." in capsys.readouterr().err
    assert network.files() == []
    assert network.types("on", "--radio", "wlan1") == 0
    assert "interface-name=wlan1\n" in network.reads(CONNECTION_FILE)


def test_the_companions_own_user_may_read_how_one_joins_and_nobody_else(network: World) -> None:
    (network.root / "etc").mkdir()
    (network.root / "etc/group").write_text(f"root:x:0:\ncompanion:x:{os.getgid()}:\n")
    network.types("on")
    there = (network.root / str(WIFI_FILE)[1:]).stat()
    assert (stat.S_IMODE(there.st_mode), there.st_gid) == (0o640, os.getgid())
    assert load_wifi(network.root) == plan.parse_wifi(network.reads(CONNECTION_FILE))
    network.types("off")
    assert load_wifi(network.root) is None


def test_where_it_is_not_installed_only_root_may(network: World) -> None:
    network.types("on")
    assert stat.S_IMODE((network.root / str(WIFI_FILE)[1:]).stat().st_mode) == 0o600
    for spoilt in (b"{}", b'{"name": "\xff", "password": ""}', b'{"x": ' + b"[" * 10**5):
        (network.root / str(WIFI_FILE)[1:]).write_bytes(spoilt)
        assert load_wifi(network.root) is None, "what somebody else wrote there is no Wi-Fi"


def test_what_is_so_already_is_said(network: World, capsys: Said) -> None:
    assert network.types("off") == 2
    assert capsys.readouterr().err == "companion hotspot: The hotspot is off already.\n"
    network.types("on")
    capsys.readouterr()
    assert network.types("on") == 2
    assert "on already" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["nmcli", "nft"])
def test_what_is_missing_is_named(
    missing: str, network: World, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    monkeypatch.setenv("PATH", str(network.bin))
    (network.bin / missing).unlink()
    assert network.types("on") == 2
    assert ("nft" if missing == "nft" else "NetworkManager") in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", " table", "a;b", "a\\b", "line\nbreak", "é" * 17])
def test_a_name_that_no_wifi_can_have_is_refused(name: str, network: World, capsys: Said) -> None:
    assert network.types("on", "--name", name) == 2
    assert "--name: a Wi-Fi has" in capsys.readouterr().err
    assert network.files() == []


def test_it_is_typed_like_any_other_command(capsys: Said) -> None:
    assert main(["hotspot", "on", "--dry-run", "--lang", "fr"]) == 0
    assert "run nmcli connection up companion-hotspot" in capsys.readouterr().out


def test_the_port_of_the_pages_is_that_of_the_config(
    network: World, tmp_path: Path, capsys: Said
) -> None:
    (tmp_path / "mine.toml").write_text("port = 8080\n")
    assert network.types("on", "--config", str(tmp_path / "mine.toml")) == 0
    assert "http://10.71.0.1:8080/" in capsys.readouterr().out
    assert "dport 80 redirect to :8080;" in network.reads(DISPATCHER_SCRIPT)


def test_rules_that_are_not_understood_leave_no_network_without_them(
    network: World, capsys: Said
) -> None:
    network.program("nft", "#!/bin/sh\necho 'syntax error' >&2; exit 1\n")
    assert network.types("on") == 2
    assert "nft says: syntax error" in capsys.readouterr().err
    assert "nmcli connection up companion-hotspot" not in network.asked()
    assert network.files() == []


def test_after_the_pi_was_off_the_same_rules_hold(
    network: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    network.types("on")
    rules = [line for line in network.asked() if "redirect" in line]
    assert 'iifname "wlan0" drop' in rules[0]
    for named in ("other", "companion-hotspot"):
        monkeypatch.setenv("CONNECTION_ID", named)
        subprocess.run([network.root / str(DISPATCHER_SCRIPT)[1:], "wlan0", "up"], check=True)
    assert [line for line in network.asked() if "redirect" in line] == rules * 2
    subprocess.run([network.root / str(DISPATCHER_SCRIPT)[1:], "wlan0", "down"], check=True)
    assert network.asked()[-1] == f"nft {plan.CLEAR_PACKETS}"


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C"])), st.text())
def test_a_code_says_name_and_password_whatever_is_in_them(name: str, password: str) -> None:
    code = Wifi(name, password).qr_text
    fields, field = [], ""
    signs = iter(code.removeprefix("WIFI:"))
    for sign in signs:
        if sign == ";":
            fields, field = [*fields, field], ""
        else:
            field += next(signs) if sign == "\\" else sign
    assert fields == ["T:WPA", f"S:{name}", f"P:{password}", ""]


def test_the_installer_takes_away_what_the_hotspot_leaves() -> None:
    assert set(discovery.LEFT) == {
        str(path) for path in (CONNECTION_FILE, DISPATCHER_SCRIPT, DNS_NAMES, WIFI_FILE, KEPT_FILE)
    }
    ours = [step.words for step in plan.steps_off() if isinstance(step, plan.RunCommand)]
    assert list(discovery.SWITCHED_OFF) == ours


def test_the_wifi_that_the_table_makes_by_itself_has_the_same_password_each_time(
    network: World,
) -> None:
    made = []
    for name in ("", "Küche", ""):
        steps = switch.plan_passing(name, 8000, (), network.root)
        switch.switch_on(steps, network.root)
        made.append(plan.parse_wifi(network.reads(CONNECTION_FILE)))
        assert load_wifi(network.root) == made[-1]
        switch.switch_off(network.root)
    assert [wifi.name for wifi in made] == [plan.DEFAULT_NAME, "Küche", "Küche"]
    assert len({wifi.password for wifi in made}) == 1
    kept = network.root / str(KEPT_FILE)[1:]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not any(made[0].password in line for line in network.asked())


@given(st.text())
def test_a_wifi_can_be_named_after_any_table(table: str) -> None:
    assert plan.is_valid_name(plan.name_after(table))


@pytest.mark.parametrize(
    ("table", "wifi"),
    [("Runder Tisch", "Runder Tisch"), ("", plan.DEFAULT_NAME), (";\\", plan.DEFAULT_NAME)],
)
def test_the_wifi_has_the_name_of_the_table(table: str, wifi: str) -> None:
    assert plan.name_after(table) == wifi


@pytest.mark.parametrize(
    "password", ["", "short", "x" * 64, " leading1", "back\\slash", "ümlaut12"]
)
def test_a_password_that_no_phone_could_type_is_none(password: str) -> None:
    assert not plan.is_valid_password(password)
    assert plan.is_valid_password(plan.new_password())
