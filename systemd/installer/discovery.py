"""Discovery on the network: the Avahi announcement, and removal of a hotspot.

Law: the hotspot is switched by `companion hotspot`, never from here; but what it left in the
system is removed with everything else.
"""

from __future__ import annotations

from contextlib import suppress

from .machine import InstallFailed, TargetMachine
from .step import InstallStep, file_step
from .system import UNITS

ANNOUNCED = "/etc/avahi/services/companion.service"
EXAMPLE = UNITS / "companion.avahi.service"
HOTSPOT = "companion-hotspot"
PACKETS = "companion_hotspot"
"""Its rules for packets."""
LEFT = (
    "/etc/companion/hotspot.json",
    "/etc/companion/own-wifi.json",
    f"/etc/NetworkManager/system-connections/{HOTSPOT}.nmconnection",
    f"/etc/NetworkManager/dispatcher.d/90-{HOTSPOT}",
    f"/etc/NetworkManager/dnsmasq-shared.d/{HOTSPOT}.conf",
)
"""What `companion hotspot on` writes, and the Wi-Fi that a table makes by itself."""
SWITCHED_OFF = (
    ("nmcli", "connection", "delete", HOTSPOT),
    ("nft", f"add table ip {PACKETS}; delete table ip {PACKETS}"),
)


def announce_step(machine: TargetMachine, port: int) -> InstallStep:
    """Return the step that has Avahi announce the table and its port."""
    text = EXAMPLE.read_text("utf-8").replace("8000", str(port))
    return file_step(machine, f"announcement {ANNOUNCED}", ANNOUNCED, text)


def remove_hotspot_step(machine: TargetMachine) -> InstallStep:
    """Return the step that removes the hotspot; it does something only when uninstalling."""

    def can_undo() -> bool:
        return any(map(machine.has_traces, LEFT))

    def undo() -> None:
        for words in SWITCHED_OFF if machine.live else ():
            with suppress(InstallFailed):  # Somebody took that program away.
                machine.run(*words)
        for name in LEFT:
            machine.remove(name)

    return InstallStep("the hotspot", lambda: True, lambda: None, can_undo, undo)
