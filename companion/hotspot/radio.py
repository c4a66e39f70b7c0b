"""The radio: which Wi-Fi of this machine makes the hotspot, as NetworkManager knows them.

Law: nobody has to know what it is called, unless there are several; then somebody says which.
"""

import os
import shutil
import subprocess

from companion.core.errors import Malformed
from companion.core.i18n import N_

BUILT_IN = "wlan0"
"""What that of a Pi is called, for whoever only reads the steps on another machine."""
SWITCHED_OFF = ("unavailable", "unmanaged")


def choose_radio(device: str | None, dry_run: bool) -> str:
    """The Wi-Fi that there is, or the one that was named; in a dry run, if need be, a Pi's."""
    radios = _list_radios()
    if dry_run and not radios:
        return device or BUILT_IN
    if device and device not in radios:
        raise Malformed(device, N_("This machine has no Wi-Fi called {field}."))
    if not radios:
        raise Malformed("nmcli", N_("This machine has no Wi-Fi that NetworkManager knows of."))
    return _find_usable([device] if device else list(radios), radios)


def _find_usable(wanted: list[str], radios: dict[str, str]) -> str:
    """The one of these that can be switched on."""
    ready = [radio for radio in wanted if radios[radio] not in SWITCHED_OFF]
    if not ready:
        text = N_("The Wi-Fi {field} is switched off; set its country with sudo raspi-config.")
        raise Malformed(wanted[0], text)
    if len(ready) > 1:
        text = N_("This machine has more than one Wi-Fi: {options}. Say which: {use}")
        use = f"sudo companion hotspot on --radio {ready[-1]}"
        raise Malformed("--radio", text, options=", ".join(ready), use=use)
    return ready[0]


def _list_radios() -> dict[str, str]:
    """Every Wi-Fi of this machine, and its state."""
    if not has_network_manager():
        return {}
    rows = run_nmcli("-t", "-f", "DEVICE,TYPE,STATE", "device").stdout.splitlines()
    told = [row.split(":") for row in rows]
    return {row[0]: row[2] for row in told if len(row) == 3 and row[1] == "wifi"}


def has_network_manager() -> bool:
    """Whether NetworkManager is here."""
    return shutil.which("nmcli") is not None


def run_nmcli(*words: str) -> "subprocess.CompletedProcess[str]":
    """What NetworkManager says; its states are words, and only in English are they known here."""
    command, environ = ["nmcli", *words], {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
