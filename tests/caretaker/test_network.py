"""The Wi-Fi as root changes it: the steps, and what is refused."""

import pytest

from companion.caretaker.network import PROFILE_FILE, plan_join, plan_leave
from companion.core.errors import Malformed
from companion.hotspot.plan import (
    CONNECTION_FILE,
    HotspotNetwork,
    RemoveFile,
    RunCommand,
    WriteFile,
    steps_on,
)
from companion.hotspot.wifi import Wifi


def test_a_password_is_in_one_private_file_and_in_no_command() -> None:
    steps = plan_join("Home sweet home", "correct horse", "wlan0")
    (file,) = (step for step in steps if isinstance(step, WriteFile))
    assert (file.path, file.mode) == (PROFILE_FILE, 0o600)
    assert "ssid=Home sweet home\n" in file.text
    assert "psk=correct horse\n" in file.text
    words = [word for step in steps if isinstance(step, RunCommand) for word in step.words]
    assert "up" in words
    assert not [word for word in words if "horse" in word]
    assert RemoveFile(PROFILE_FILE) in plan_leave()


def test_an_open_wifi_has_no_password() -> None:
    (file,) = (s for s in plan_join("Café", "", "wlan0") if isinstance(s, WriteFile))
    assert "psk" not in file.text


@pytest.mark.parametrize(
    ("name", "password", "says"),
    [
        ("", "correct horse", "a Wi-Fi has 1 to 32 plain characters"),
        ("a\n[evil]", "correct horse", "a Wi-Fi has 1 to 32 plain characters"),
        ("Home", "short", "has 8 to 63 plain characters"),
        ("Home", "x" * 64, "has 8 to 63 plain characters"),
        ("Home", "line\nbreak", "has 8 to 63 plain characters"),
    ],
)
def test_what_no_wifi_is_called_is_refused(name: str, password: str, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        plan_join(name, password, "wlan0")


@pytest.mark.parametrize("passing", [True, False])
def test_a_hotspot_for_want_of_a_wifi_is_gone_after_the_next_start(passing: bool) -> None:
    network = HotspotNetwork(Wifi("Table", "1234-5678"), "wlan0", 8000, passing)
    (text,) = (s.text for s in steps_on(network, ()) if getattr(s, "path", "") == CONNECTION_FILE)
    assert ("autoconnect=false" in text) is passing
