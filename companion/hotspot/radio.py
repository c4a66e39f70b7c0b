"""Choose the Wi-Fi device of this machine that makes the hotspot, through NetworkManager.

Law: a device has to be named only if there are several.
"""

import os
import shutil
import subprocess

from companion.core.errors import Malformed
from companion.core.i18n import N_

BUILT_IN = "wlan0"
"""The device of a Pi, for a dry run on another machine."""
SWITCHED_OFF = ("unavailable", "unmanaged")


def choose_radio(device: str | None, dry_run: bool) -> str:
    """Return the named device or the only one; in a dry run without any, that of a Pi."""
    radios = _list_radios()
    if dry_run and not radios:
        return device or BUILT_IN
    if device and device not in radios:
        raise Malformed(device, N_("This machine has no Wi-Fi called {field}."))
    if not radios:
        raise Malformed("nmcli", N_("This machine has no Wi-Fi that NetworkManager knows of."))
    return _find_usable([device] if device else list(radios), radios)


def _find_usable(wanted: list[str], radios: dict[str, str]) -> str:
    """Return the one of these devices that is usable; Malformed if none or several are."""
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
    """Return every Wi-Fi device of this machine with its state."""
    if not has_network_manager():
        return {}
    rows = run_nmcli("-t", "-f", "DEVICE,TYPE,STATE", "device").stdout.splitlines()
    told = [row.split(":") for row in rows]
    return {row[0]: row[2] for row in told if len(row) == 3 and row[1] == "wifi"}


def has_network_manager() -> bool:
    """Return whether NetworkManager is installed."""
    return shutil.which("nmcli") is not None


def run_nmcli(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run nmcli in English, since its states are words that are compared here."""
    command, environ = ["nmcli", *words], {**os.environ, "LC_ALL": "C"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
