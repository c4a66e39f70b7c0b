"""A network of the table's own: its name and password, and every step that makes or ends it.

Laws: the password stands in two files, one for root alone and one that the companion's own user may
read too, and in no command; guests reach the table and nothing behind it. Nothing is done here:
steps are data, which somebody may print.
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
"""Our rules for packets are gone, whether or not there were any."""
HIDDEN = "…"

MANAGER = PurePosixPath("/etc/NetworkManager")
CONNECTION_FILE = MANAGER / "system-connections" / f"{CONNECTION}.nmconnection"
DISPATCHER_SCRIPT = MANAGER / "dispatcher.d" / f"90-{CONNECTION}"
DNS_NAMES = MANAGER / "dnsmasq-shared.d" / f"{CONNECTION}.conf"
WIFI_FILE = PurePosixPath("/etc/companion/hotspot.json")
"""From it the companion knows what its table screen may show."""
GROUP = "companion"
"""The group of the companion's own user, where it is installed."""

MARK = "# Made by companion hotspot on; companion hotspot off takes it away.\n"


class HotspotNetwork(msgspec.Struct, frozen=True):
    """The network: how one joins it, the radio that makes it, the port of the pages."""

    wifi: Wifi
    radio: str
    port: int


class WriteFile(msgspec.Struct, frozen=True):
    """A file is written; who may read it. Where there is no such group, only root may."""

    path: PurePosixPath
    mode: int
    text: str
    group: str = "root"


class RemoveFile(msgspec.Struct, frozen=True):
    """A file is taken away."""

    path: PurePosixPath


class RunCommand(msgspec.Struct, frozen=True):
    """A command is run; on the way back it does not matter whether it finds anything."""

    words: tuple[str, ...]
    must: bool = True


HotspotStep = WriteFile | RemoveFile | RunCommand


def new_password() -> str:
    """Sixteen digits: read aloud and typed alike in every language, too many to be tried out."""
    digits = f"{secrets.randbelow(10**16):016}"
    return "-".join(digits[n : n + 4] for n in range(0, 16, 4))


def is_valid_name(name: str) -> bool:
    """Whether a Wi-Fi may be called so, and NetworkManager reads it as it is written."""
    plain = name.isprintable() and name == name.strip() and not set(name) & {*";\\"}
    return plain and 1 <= len(name.encode("utf-8", "replace")) <= 32


def page_address(port: int) -> str:
    """Where the table is in it."""
    return f"http://{ADDRESS}:{port}/"


def steps_on(network: HotspotNetwork, probe_names: tuple[str, ...]) -> tuple[HotspotStep, ...]:
    """From nothing to a network; `asked` are the names by which phones look for the internet."""
    return (
        WriteFile(
            DNS_NAMES, 0o644, MARK + "".join(f"address=/{name}/{ADDRESS}\n" for name in probe_names)
        ),
        WriteFile(DISPATCHER_SCRIPT, 0o755, _dispatcher_script(network)),
        WriteFile(CONNECTION_FILE, 0o600, _connection_file(network)),
        WriteFile(WIFI_FILE, 0o640, msgspec.json.encode(network.wifi).decode(), GROUP),
        RunCommand(("nft", _packet_rules(network))),  # First: there is no moment without them.
        RunCommand(("nmcli", "connection", "load", str(CONNECTION_FILE))),
        RunCommand(("nmcli", "connection", "up", CONNECTION)),
    )


def steps_off() -> tuple[HotspotStep, ...]:
    """From whatever there is of it to nothing."""
    return (
        RunCommand(("nmcli", "connection", "delete", CONNECTION), must=False),
        RemoveFile(WIFI_FILE),
        RemoveFile(CONNECTION_FILE),
        RemoveFile(DISPATCHER_SCRIPT),
        RemoveFile(DNS_NAMES),
        RunCommand(("nft", CLEAR_PACKETS), must=False),
    )


def parse_wifi(connection: str) -> Wifi:
    """Name and password, from what NetworkManager reads."""
    said = dict(line.split("=", 1) for line in connection.splitlines() if "=" in line)
    return Wifi(said.get("ssid", ""), said.get("psk", ""))


def load_wifi(root: Path = Path("/")) -> Wifi | None:
    """Name and password, from what was left for us; None where nothing is, or not for our eyes."""
    try:
        return msgspec.json.decode((root / WIFI_FILE.relative_to("/")).read_bytes(), type=Wifi)
    except (OSError, ValueError, RecursionError):
        return None


def describe_step(step: HotspotStep) -> list[str]:
    """A step for somebody who wants to read it; never the password."""
    if isinstance(step, WriteFile):
        text = [f"    {line}" for line in step.text.splitlines()]
        whose = f", group {step.group}" if step.group != "root" else ""
        return [f"write {step.path} ({step.mode:o}{whose})", *text]
    if isinstance(step, RemoveFile):
        return [f"remove {step.path}"]
    return [f"run {' '.join(step.words)}"]


def _connection_file(network: HotspotNetwork) -> str:
    """What NetworkManager reads. The radio of a Pi refuses the keys of protected frames (pmf)."""
    return f"""{MARK}[connection]
id={CONNECTION}
type=wifi
interface-name={network.radio}
autoconnect=true
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
    """Guests who ask at the usual port reach the table; nobody goes through the Pi to elsewhere."""
    doors = (
        "type nat hook prerouting priority dstnat; "
        f"ip daddr {ADDRESS} tcp dport 80 redirect to :{network.port};"
    )
    ways = f'type filter hook forward priority filter; iifname "{network.radio}" drop;'
    chains = f"chain doors {{ {doors} }}; chain ways {{ {ways} }};"
    return f"{CLEAR_PACKETS}; table ip {PACKET_TABLE} {{ {chains} }}"


def _dispatcher_script(network: HotspotNetwork) -> str:
    """NetworkManager runs this when a network comes or goes, so also after the Pi was off."""
    return f"""#!/bin/sh
{MARK}[ "$CONNECTION_ID" = {CONNECTION} ] || exit 0
case "$2" in
up) exec nft '{_packet_rules(network)}' ;;
down) exec nft '{CLEAR_PACKETS}' ;;
esac
"""
