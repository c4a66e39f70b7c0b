"""The Wi-Fi of this Pi, as root changes it: join one, or make one of the table's own.

Laws: a password is written to one file that only root may read, and appears in no command. A Wi-Fi
that cannot be joined leaves the hotspot as it was. A hotspot that was made for want of a Wi-Fi does
not come back by itself at the next start, so a Wi-Fi that is there again is joined.
"""

from pathlib import Path

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.hotspot import plan, radio, switch
from companion.hotspot.apply import take_steps
from companion.hotspot.plan import (
    MANAGER,
    HotspotStep,
    RemoveFile,
    RunCommand,
    WriteFile,
)

PROFILE = "companion-wifi"
"""The name of the connection that is made here."""
PROFILE_FILE = MANAGER / "system-connections" / f"{PROFILE}.nmconnection"
BAD_NAME = N_("{field}: a Wi-Fi has 1 to 32 plain characters, no semicolon and no backslash.")
BAD_PASSWORD = N_("The password of {field} has 8 to 63 plain characters.")
NOT_JOINED = N_("{field} was not joined; is its password right, and is it near?")


def open_hotspot(
    port: int, probe_names: tuple[str, ...], root: Path = switch.ROOT, table: str = ""
) -> None:
    """Switch a passing hotspot on, named after the table, unless it is on the air already."""
    state = switch.read_status(root).state
    if state == "on":
        return
    if state == "not on the air":
        switch.switch_off(root)
    name = plan.name_after(table) if table else ""
    switch.switch_on(switch.plan_passing(name, port, probe_names, root), root)


def join_wifi(
    name: str, password: str, port: int, probe_names: tuple[str, ...], root: Path = switch.ROOT
) -> None:
    """Join a Wi-Fi and keep it; the hotspot goes, and comes back if this fails."""
    steps = plan_join(name, password, radio.choose_radio(None, dry_run=False))
    had_hotspot = switch.read_status(root).state != "off"
    if had_hotspot:
        switch.switch_off(root)
    try:
        take_steps(steps, root)
    except Malformed:
        take_steps(plan_leave(), root)
        if had_hotspot:
            open_hotspot(port, probe_names, root)
        raise Malformed(name, NOT_JOINED) from None


def plan_join(name: str, password: str, device: str) -> tuple[HotspotStep, ...]:
    """Return the steps that join a Wi-Fi; Malformed if it can have no such name or password."""
    joined = RunCommand(("nmcli", "--wait", "45", "connection", "up", PROFILE))
    return (*plan_known_wifi(name, password, device), joined)


def plan_known_wifi(name: str, password: str, device: str) -> tuple[HotspotStep, ...]:
    """Return the steps that let NetworkManager join a Wi-Fi whenever it is there; Malformed too."""
    if not plan.is_valid_name(name):
        raise Malformed(name, BAD_NAME)
    plain = password.isascii() and password.isprintable()
    if password and not (plain and 8 <= len(password) <= 63 and password == password.strip()):
        raise Malformed(name, BAD_PASSWORD)
    secret = password.replace("\\", "\\\\")
    secured = f"\n[wifi-security]\nkey-mgmt=wpa-psk\npsk={secret}\n" if password else ""
    text = (
        f"[connection]\nid={PROFILE}\ntype=wifi\ninterface-name={device}\nautoconnect=true\n\n"
        f"[wifi]\nmode=infrastructure\nssid={name}\n{secured}\n[ipv4]\nmethod=auto\n"
    )
    return (
        WriteFile(PROFILE_FILE, 0o600, text),
        RunCommand(("nmcli", "connection", "load", str(PROFILE_FILE))),
    )


def plan_leave() -> tuple[HotspotStep, ...]:
    """Return the steps that forget a Wi-Fi that was joined here."""
    return (
        RunCommand(("nmcli", "connection", "delete", PROFILE), must=False),
        RemoveFile(PROFILE_FILE),
    )
