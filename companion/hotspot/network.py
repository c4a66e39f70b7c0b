"""Make the table's own Wi-Fi, or join another, through NetworkManager.

Laws: a password is handed to nmcli on its standard input and kept by NetworkManager alone, so it
stands in no command and in no file of ours. What keeps guests out of other networks is not here:
the Debian package brings a script that NetworkManager runs for this connection
(`systemd/hotspot/dispatcher`); without it there is no hotspot.
"""

import os
import secrets
import shutil
import subprocess
from pathlib import Path

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.hotspot.addresses import TABLE_ADDRESS

DEFAULT_NAME = "Table companion"
CONNECTION, JOINED, TRIED = "companion-hotspot", "companion-wifi", "companion-wifi-tried"
"""The connections that are made here, as NetworkManager calls them."""
GUARD = Path("/usr/lib/NetworkManager/dispatcher.d/90-companion-hotspot")
"""Script that keeps guests of the table's own Wi-Fi out of other networks, with nft."""
LONGEST_NAME = 32
"""Bytes of the name of a Wi-Fi."""
BAD_NAME = N_("{field}: a Wi-Fi has 1 to 32 plain characters, no semicolon and no backslash.")
BAD_PASSWORD = N_("The password of {field} has 8 to 63 plain characters.")
UNGUARDED = N_(
    "The table's own Wi-Fi needs the Debian package of the companion and nftables, which keep its "
    "guests out of other networks."
)
NOT_JOINED = N_("{field} was not joined; is its password right, and is it near?")
FAILED = N_(
    "The Wi-Fi cannot be changed; {field} says: {reason} "
    "Its country has to be set: sudo raspi-config"
)
WIFI, SECRET = "802-11-wireless", "802-11-wireless-security"
ACCESS_POINT = {
    f"{WIFI}.mode": "ap",
    f"{WIFI}.band": "bg",
    f"{WIFI}.ap-isolation": "yes",
    f"{SECRET}.key-mgmt": "wpa-psk",
    f"{SECRET}.proto": "rsn",
    f"{SECRET}.pairwise": "ccmp",
    f"{SECRET}.group": "ccmp",
    f"{SECRET}.pmf": "disable",  # A Pi's Wi-Fi cannot do protected frames.
    "ipv4.method": "shared",
    "ipv4.addresses": f"{TABLE_ADDRESS}/24",
    "ipv6.method": "disabled",
}


class Wifi(msgspec.Struct, frozen=True):
    """Name and password of a Wi-Fi."""

    name: str
    password: str

    @property
    def qr_text(self) -> str:
        """The text of a QR code that lets a phone join the Wi-Fi."""
        return f"WIFI:T:WPA;S:{_escape_qr(self.name)};P:{_escape_qr(self.password)};;"


def _escape_qr(text: str) -> str:
    return "".join(f"\\{sign}" if sign in '\\;,:"' else sign for sign in text)


def new_password() -> str:
    """Return sixteen random digits in groups of four: easy to read aloud and to type."""
    digits = f"{secrets.randbelow(10**16):016}"
    return "-".join(digits[n : n + 4] for n in range(0, 16, 4))


def name_after(table: str) -> str:
    """Return the name of the Wi-Fi of a table with this name; the usual one if it has none."""
    plain = "".join(sign for sign in table if sign.isprintable() and sign not in ";\\")
    short = plain.strip().encode("utf-8", "ignore")[:LONGEST_NAME].decode("utf-8", "ignore").strip()
    return short or DEFAULT_NAME


def is_on_the_air() -> bool:
    """Return whether the table's own Wi-Fi is on."""
    return CONNECTION in _list_active()


def _list_active() -> list[str]:
    return _run("-t", "-f", "NAME", "connection", "show", "--active").splitlines()


def read_wifi() -> Wifi | None:
    """Return name and password of the table's own Wi-Fi; None if there is none, or if this user
    may not read them."""
    told = _run(
        "-e", "no", "-s", "-g", f"{WIFI}.ssid,{SECRET}.psk", "connection", "show", CONNECTION
    )
    name, _, password = told.rstrip("\n").partition("\n")
    return Wifi(name, password) if password else None


def open_hotspot(wifi: Wifi, radio: str | None = None, *, stays: bool) -> None:
    """Put the table's own Wi-Fi on the air; it comes back at each start if it `stays`."""
    if not GUARD.exists() or shutil.which("nft") is None:
        raise Malformed(str(GUARD), UNGUARDED)
    device = {} if radio is None else {"connection.interface-name": radio}
    _save_connection(CONNECTION, wifi, ACCESS_POINT | device)
    _bring_up(CONNECTION)
    if stays:
        how = ("connection.autoconnect", "yes", "connection.autoconnect-priority", "100")
        _run("connection", "modify", CONNECTION, *how)


def close_hotspot() -> None:
    """Take the table's own Wi-Fi off the air, and forget it."""
    _run("connection", "delete", CONNECTION)


def join_wifi(wifi: Wifi) -> None:
    """Join a Wi-Fi and keep it instead of the one joined before; if that fails, forget it, and have
    that one or the table's own come back."""
    before = [name for name in _list_active() if name in (CONNECTION, JOINED)]
    secured = {f"{SECRET}.key-mgmt": "wpa-psk"} if wifi.password else {}
    _save_connection(TRIED, wifi, secured)
    try:
        _bring_up(TRIED)
    except Malformed:
        _run("connection", "delete", TRIED)
        for name in before:
            if name not in _list_active():
                _bring_up(name)
        raise Malformed(wifi.name, NOT_JOINED) from None
    _run("connection", "delete", JOINED)
    kept = ("connection.id", JOINED, "connection.autoconnect", "yes")
    _run("connection", "modify", TRIED, *kept)


def _save_connection(name: str, wifi: Wifi, settings: dict[str, str]) -> None:
    """Write a connection of this name anew; Malformed if a Wi-Fi can have no such name or
    password."""
    ssid, password = wifi.name, wifi.password
    plain = ssid.isprintable() and ssid == ssid.strip() and not set(ssid) & {*";\\"}
    if not (plain and 1 <= len(ssid.encode("utf-8", "replace")) <= LONGEST_NAME):
        raise Malformed(ssid, BAD_NAME)
    plain = password.isascii() and password.isprintable() and password == password.strip()
    if password and not (plain and 8 <= len(password) <= 63):
        raise Malformed(ssid, BAD_PASSWORD)
    _run("connection", "delete", name)
    secret = {f"{SECRET}.psk": password} if password else {}
    told = {"connection.autoconnect": "no", f"{WIFI}.ssid": ssid, **settings, **secret}
    lines = [f"set {key} {value}" for key, value in told.items()]
    edit = ("connection", "edit", "type", "wifi", "con-name", name)
    _run(*edit, told="\n".join([*lines, "save persistent", "quit", ""]))


def _bring_up(name: str) -> None:
    done = _ask("--wait", "45", "connection", "up", name)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
        raise Malformed("nmcli", FAILED, reason=last)


def _run(*words: str, told: str = "") -> str:
    """Run nmcli; return its output, whether it succeeds or not."""
    return _ask(*words, told=told).stdout


def _ask(*words: str, told: str = "") -> "subprocess.CompletedProcess[str]":
    """Run nmcli in English, since its states are compared as words, and without its history of
    typed lines, passwords included."""
    command = ["nmcli", *words]
    environ = {**os.environ, "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": "/dev/null"}
    try:
        return subprocess.run(
            command, input=told, capture_output=True, text=True, check=False, env=environ
        )
    except FileNotFoundError:
        text = N_("There is no NetworkManager here, which makes the table's own Wi-Fi.")
        raise Malformed("nmcli", text) from None
