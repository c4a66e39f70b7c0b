"""The plan of the hotspot: every step that sets it up or removes it, as data.

Laws: the password is written to files for root only and to one that the companion's user may
read, and appears in no command. Guests reach the table and nothing behind it. Nothing is run here,
so that the steps can be printed.
"""

import secrets
from pathlib import Path, PurePosixPath

import msgspec

from companion.hotspot.wifi import TABLE_ADDRESS as ADDRESS
from companion.hotspot.wifi import Wifi

DEFAULT_NAME = "Table companion"
CONNECTION = "companion-hotspot"
PACKET_TABLE = "companion_hotspot"
CLEAR_PACKETS = f"add table ip {PACKET_TABLE}; delete table ip {PACKET_TABLE}"
"""The nft command that removes our packet rules, whether or not there are any."""
HIDDEN = "…"

MANAGER = PurePosixPath("/etc/NetworkManager")
CONNECTION_FILE = MANAGER / "system-connections" / f"{CONNECTION}.nmconnection"
DISPATCHER_SCRIPT = MANAGER / "dispatcher.d" / f"90-{CONNECTION}"
DNS_NAMES = MANAGER / "dnsmasq-shared.d" / f"{CONNECTION}.conf"
WIFI_FILE = PurePosixPath("/etc/companion/hotspot.json")
"""The file from which the companion reads the name and password for its table screen."""
KEPT_FILE = PurePosixPath("/etc/companion/own-wifi.json")
"""Name and password that the Wi-Fi which the table makes by itself has each time; for root only."""
LONGEST_NAME = 32
"""Bytes of the name of a Wi-Fi."""
GROUP = "companion"
"""The group of the companion's user, where it is installed."""

MARK = "# Made by companion hotspot on; companion hotspot off takes it away.\n"


class HotspotNetwork(msgspec.Struct, frozen=True):
    """The network: name and password, the Wi-Fi device, the port of the pages."""

    wifi: Wifi
    radio: str
    port: int
    passing: bool = False
    """Whether it is gone after the next start of this machine."""


class WriteFile(msgspec.Struct, frozen=True):
    """Write a file readable by a group; without that group only root may read it."""

    path: PurePosixPath
    mode: int
    text: str
    group: str = "root"


class RemoveFile(msgspec.Struct, frozen=True):
    """Remove a file."""

    path: PurePosixPath


class RunCommand(msgspec.Struct, frozen=True):
    """Run a command; its failure counts only if it `must` succeed."""

    words: tuple[str, ...]
    must: bool = True


HotspotStep = WriteFile | RemoveFile | RunCommand


def new_password() -> str:
    """Return sixteen random digits in groups of four: easy to read aloud and to type."""
    digits = f"{secrets.randbelow(10**16):016}"
    return "-".join(digits[n : n + 4] for n in range(0, 16, 4))


def is_valid_name(name: str) -> bool:
    """Return whether this is a Wi-Fi name that NetworkManager reads back as it is written."""
    plain = name.isprintable() and name == name.strip() and not set(name) & {*";\\"}
    return plain and 1 <= len(name.encode("utf-8", "replace")) <= LONGEST_NAME


def is_valid_password(password: str) -> bool:
    """Return whether this is a Wi-Fi password that NetworkManager reads back as it is written."""
    plain = password.isascii() and password.isprintable() and password == password.strip()
    return plain and "\\" not in password and 8 <= len(password) <= 63


def name_after(table: str) -> str:
    """Return the name of the Wi-Fi of a table with this name; the usual one if it has none."""
    plain = "".join(sign for sign in table if sign.isprintable() and sign not in ";\\")
    short = plain.strip().encode("utf-8", "ignore")[:LONGEST_NAME].decode("utf-8", "ignore").strip()
    return short or DEFAULT_NAME


def page_address(port: int) -> str:
    """Return the address of the pages in the hotspot."""
    return f"http://{ADDRESS}:{port}/"


def steps_on(network: HotspotNetwork, probe_names: tuple[str, ...]) -> tuple[HotspotStep, ...]:
    """Return the steps that set up the network; probe names are answered by the table.

    The dispatcher script is the first file that is there and the last that goes: by it the hotspot
    counts as on, so that what was broken off can be switched off.
    """
    return (
        WriteFile(DISPATCHER_SCRIPT, 0o755, _dispatcher_script(network)),
        WriteFile(
            DNS_NAMES, 0o644, MARK + "".join(f"address=/{name}/{ADDRESS}\n" for name in probe_names)
        ),
        WriteFile(CONNECTION_FILE, 0o600, _connection_file(network)),
        WriteFile(WIFI_FILE, 0o640, msgspec.json.encode(network.wifi).decode(), GROUP),
        RunCommand(("nft", _packet_rules(network))),  # First: there is no moment without them.
        RunCommand(("nmcli", "connection", "load", str(CONNECTION_FILE))),
        RunCommand(("nmcli", "connection", "up", CONNECTION)),
    )


def steps_off() -> tuple[HotspotStep, ...]:
    """Return the steps that remove whatever there is of the network."""
    return (
        RunCommand(("nmcli", "connection", "delete", CONNECTION), must=False),
        RemoveFile(WIFI_FILE),
        RemoveFile(CONNECTION_FILE),
        RemoveFile(DNS_NAMES),
        RunCommand(("nft", CLEAR_PACKETS), must=False),
        RemoveFile(DISPATCHER_SCRIPT),
    )


def keep_step(wifi: Wifi) -> WriteFile:
    """Return the step that keeps name and password for the next time."""
    return WriteFile(KEPT_FILE, 0o600, msgspec.json.encode(wifi).decode())


def load_kept_wifi(root: Path = Path("/")) -> Wifi | None:
    """Read the name and password that were kept; None if none were, or only root may read them."""
    return _load_wifi(root / KEPT_FILE.relative_to("/"))


def parse_wifi(connection: str) -> Wifi:
    """Parse name and password from NetworkManager's connection file."""
    said = dict(line.split("=", 1) for line in connection.splitlines() if "=" in line)
    return Wifi(said.get("ssid", ""), said.get("psk", ""))


def load_wifi(root: Path = Path("/")) -> Wifi | None:
    """Read name and password from the companion's file; None if it cannot be read."""
    return _load_wifi(root / WIFI_FILE.relative_to("/"))


def _load_wifi(path: Path) -> Wifi | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Wifi)
    except (OSError, ValueError, RecursionError):
        return None


def describe_step(step: HotspotStep) -> list[str]:
    """Return a step as lines to print, in a dry run without the password."""
    if isinstance(step, WriteFile):
        text = [f"    {line}" for line in step.text.splitlines()]
        whose = f", group {step.group}" if step.group != "root" else ""
        return [f"write {step.path} ({step.mode:o}{whose})", *text]
    if isinstance(step, RemoveFile):
        return [f"remove {step.path}"]
    return [f"run {' '.join(step.words)}"]


def _connection_file(network: HotspotNetwork) -> str:
    """Return NetworkManager's connection file. A Pi's Wi-Fi cannot do protected frames (pmf)."""
    return f"""{MARK}[connection]
id={CONNECTION}
type=wifi
interface-name={network.radio}
autoconnect={"false" if network.passing else "true"}
autoconnect-priority=100

[wifi]
mode=ap
band=bg
ap-isolation=1
ssid={network.wifi.name}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn;
pairwise=ccmp;
group=ccmp;
pmf=1
psk={network.wifi.password}

[ipv4]
method=shared
address1={ADDRESS}/24

[ipv6]
method=disabled
"""


def _packet_rules(network: HotspotNetwork) -> str:
    """Return the nft rules: port 80 leads to the pages, nothing is forwarded to elsewhere."""
    doors = (
        "type nat hook prerouting priority dstnat; "
        f"ip daddr {ADDRESS} tcp dport 80 redirect to :{network.port};"
    )
    ways = f'type filter hook forward priority filter; iifname "{network.radio}" drop;'
    chains = f"chain doors {{ {doors} }}; chain ways {{ {ways} }};"
    return f"{CLEAR_PACKETS}; table ip {PACKET_TABLE} {{ {chains} }}"


def _dispatcher_script(network: HotspotNetwork) -> str:
    """Return the script that NetworkManager runs when a network goes up or down."""
    return f"""#!/bin/sh
{MARK}[ "$CONNECTION_ID" = {CONNECTION} ] || exit 0
case "$2" in
up) exec nft '{_packet_rules(network)}' ;;
down) exec nft '{CLEAR_PACKETS}' ;;
esac
"""
