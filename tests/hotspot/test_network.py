"""The table's own Wi-Fi, with a NetworkManager that only notes what it is asked for."""

import argparse
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import run_command
from companion.cli.hotspot import add_arguments, run
from companion.core.errors import Malformed
from companion.hotspot import network
from companion.hotspot.machine import Machine
from companion.hotspot.network import DEFAULT_NAME, Wifi
from tests.worlds.paths import ROOT
from web.captive_portal import PROBE_REPLIES

Said = pytest.CaptureFixture[str]
NMCLI = """#!/bin/sh
cd {folder}
echo "$*" >>log
for last; do :; done
case "$*" in
*"connection edit"*) tee told >known-$last ;;
*--active*) cat up ;;
*"connection up"*) {fails}; rm -f up; grep -q "psk wrong" known-$last && exit 4; echo "$last" >up ;;
*"connection delete"*) rm known-$last; grep -qx "$last" up && rm up ;;
*"connection.id"*) mv known-$3 known-$5; sed -i "s/$3/$5/" up ;;
*"connection show"*) sed -n 's/^set .*[.]\\(ssid\\|psk\\) //p' known-$last ;;
esac
"""


class Air:
    """A NetworkManager that notes what it is asked for; no Wi-Fi has a wrong password."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log, self.told = folder, folder / "log", folder / "told"
        self.has()

    def has(self, fails: str = ":") -> None:
        """Have this line of shell fail to bring a connection up."""
        self.put("nmcli", NMCLI.format(folder=self.folder, fails=fails))

    def put(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def asked(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def settings(self) -> dict[str, str]:
        """The connection that was written last."""
        lines = self.told.read_text().splitlines()
        sets = [line.split(" ", 2) for line in lines if line.startswith("set ")]
        return {key: value for _, key, value in sets}


@pytest.fixture
def air(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Air:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    made = Air(tmp_path)
    made.put("nft", "#!/bin/sh\n")
    monkeypatch.setattr(network, "GUARD", tmp_path / "nft")
    return made


def types(*words: str) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    parser.set_defaults(lang="en")
    return run_command("hotspot", "en", lambda: run(parser.parse_args(words)))


def test_on_makes_a_wifi_whose_password_stands_in_no_command(air: Air, capsys: Said) -> None:
    assert types("on", "--name", "Our table") == 0
    made, said = air.settings(), capsys.readouterr().out
    password = made["802-11-wireless-security.psk"]
    assert f"its password is {password}\n" in said
    assert password not in air.asked()
    assert (made["802-11-wireless.ssid"], made["ipv4.method"]) == ("Our table", "shared")
    assert "modify companion-hotspot connection.autoconnect yes" in air.asked()
    assert types("status") == 0
    assert password in capsys.readouterr().out
    assert types("on") == 2, "it is on already"
    assert types("off") == 0
    capsys.readouterr()
    types("status")
    assert capsys.readouterr().out == "The hotspot is off.\n"


def test_without_what_keeps_guests_out_there_is_no_wifi(air: Air, capsys: Said) -> None:
    (air.folder / "nft").unlink()
    assert types("on") == 2
    assert "guests out of other networks" in capsys.readouterr().err
    assert "connection up" not in air.asked()


def test_the_wifi_that_the_table_makes_by_itself_keeps_its_password(air: Air) -> None:
    made = []
    for table in ("", "Küche", ""):
        machine = Machine(version="1.0", name=lambda: table)  # noqa: B023  It is called at once.
        assert machine.open_hotspot() is None
        wait_for(machine)
        made.append(network.read_wifi())
    assert [wifi.name for wifi in made if wifi] == [DEFAULT_NAME, "Küche", "Küche"]
    assert len({wifi.password for wifi in made if wifi}) == 1
    assert air.settings()["connection.autoconnect"] == "no"


def wait_for(machine: Machine) -> None:
    """Wait until the machine has changed its Wi-Fi."""
    for thread in threading.enumerate():
        if thread.name == "wifi":
            thread.join()
    assert machine.status.doing == ""


def test_a_wifi_that_cannot_be_joined_leaves_the_hotspot(air: Air) -> None:
    types("on")
    machine = Machine(version="1.0")
    machine.join_wifi(Wifi("Home", "wrong horse"))
    wait_for(machine)
    assert getattr(machine.status.failed, "text", "") == network.NOT_JOINED
    assert network.is_on_the_air()
    assert "wrong horse" not in air.asked()
    air.has(fails="exit 4")
    with pytest.raises(Malformed, match="Home was not joined"):  # What stayed up is left alone.
        network.join_wifi(Wifi("Home", "correct horse"))


def test_a_wifi_that_cannot_be_joined_leaves_the_one_before(air: Air) -> None:
    for name in ("Home", "Garden"):
        network.join_wifi(Wifi(name, "correct horse"))
    with pytest.raises(Malformed, match="Attic was not joined"):
        network.join_wifi(Wifi("Attic", "wrong horse"))
    assert (air.folder / "up").read_text() == "companion-wifi\n"
    (known,) = air.folder.glob("known-*")
    assert "ssid Garden" in known.read_text()


def test_what_networkmanager_says_is_told(air: Air, capsys: Said) -> None:
    air.has(fails="echo 'Error: No suitable device found.' >&2; exit 4")
    assert types("on", "--radio", "wlan1") == 2
    assert "nmcli says: Error: No suitable device found." in capsys.readouterr().err
    assert air.settings()["connection.interface-name"] == "wlan1"


@pytest.mark.parametrize("name", ["", " table", "a;b", "a\\b", "line\nbreak", "é" * 17])
def test_a_name_that_no_wifi_can_have_is_refused(name: str, air: Air) -> None:
    with pytest.raises(Malformed, match="1 to 32 plain characters"):
        network.open_hotspot(Wifi(name, "correct horse"), stays=True)


@pytest.mark.parametrize("password", ["short", "x" * 64, " leading1", "ümlaut12", "line\nbreak"])
def test_a_password_that_no_phone_could_type_is_refused(password: str, air: Air) -> None:
    with pytest.raises(Malformed, match="8 to 63 plain characters"):
        network.join_wifi(Wifi("Home", password))


def test_power_that_is_not_allowed_is_refused(air: Air) -> None:
    air.put("systemctl", f'#!/bin/sh\necho "systemctl $*" >>{air.log}\nexit 1\n')
    refused = Machine(version="1.0").switch_power("off")
    assert refused is not None
    assert refused.code == "no_power"
    assert "systemctl --no-ask-password poweroff" in air.asked()


def test_the_names_of_the_package_lead_phones_to_their_answers() -> None:
    text = (ROOT / "systemd/hotspot/dnsmasq.conf").read_text("utf-8")
    led = [line for line in text.splitlines() if not line.startswith("#")]
    names = dict.fromkeys(name for name, _path in PROBE_REPLIES)
    assert led == [f"address=/{name}/10.71.0.1" for name in names]


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
