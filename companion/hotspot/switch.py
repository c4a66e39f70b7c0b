"""Switch the hotspot on or off, or tell its state, through NetworkManager and nft.

Law: the hotspot is on as a whole or not at all; where it cannot be switched, everything is as it
was and the reason is raised as Malformed.
"""

import os
import shutil
from pathlib import Path
from typing import Literal, NamedTuple

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.hotspot import apply, plan, radio
from companion.hotspot.plan import (
    CONNECTION,
    CONNECTION_FILE,
    DISPATCHER_SCRIPT,
    HIDDEN,
    HotspotNetwork,
    HotspotStep,
)
from companion.hotspot.wifi import Wifi

ROOT = Path("/")
ALREADY = {
    "on": N_("The hotspot is on already: sudo companion hotspot status shows its password."),
    "off": N_("The hotspot is off already."),
}


class HotspotStatus(NamedTuple):
    """The state of the hotspot; `wifi` is None where only root may read the password."""

    state: Literal["off", "not on the air", "on"]
    wifi: Wifi | None = None


def plan_on(
    name: str,
    device: str | None,
    port: int,
    probe_names: tuple[str, ...],
    *,
    dry_run: bool = False,
) -> tuple[Wifi, tuple[HotspotStep, ...]]:
    """Return name and password of a new Wi-Fi, and the steps that set it up.

    In a dry run the password is hidden, and a machine without Wi-Fi plans for that of a Pi.
    """
    if not plan.is_valid_name(name):
        text = N_("{field}: a Wi-Fi has 1 to 32 plain characters, no semicolon and no backslash.")
        raise Malformed("--name", text)
    wifi = Wifi(name, HIDDEN if dry_run else plan.new_password())
    chosen = radio.choose_radio(device, dry_run)
    return wifi, plan.steps_on(HotspotNetwork(wifi, chosen, port), probe_names)


def plan_passing(
    name: str, port: int, probe_names: tuple[str, ...], root: Path = ROOT
) -> tuple[HotspotStep, ...]:
    """Return the steps of the Wi-Fi that the table makes by itself, until the next start.

    Its password is the same each time, as there may be no screen that shows a new one; its name is
    the given one, else that of the last time.
    """
    kept = plan.load_kept_wifi(root)
    wifi = Wifi(
        name or (kept.name if kept else plan.DEFAULT_NAME),
        kept.password if kept else plan.new_password(),
    )
    chosen = radio.choose_radio(None, dry_run=False)
    network = HotspotNetwork(wifi, chosen, port, passing=True)
    return (plan.keep_step(wifi), *plan.steps_on(network, probe_names))


def switch_on(steps: tuple[HotspotStep, ...], root: Path = ROOT) -> None:
    """Take every step; where one fails, undo all of them and raise."""
    apply.take_steps_or_undo(steps, plan.steps_off(), root)


def switch_off(root: Path = ROOT) -> None:
    """Remove the hotspot and its files."""
    apply.take_steps(plan.steps_off(), root)


def read_status(root: Path = ROOT) -> HotspotStatus:
    """Return whether the hotspot is set up and on the air, with its password if readable."""
    if not apply.system_path(root, DISPATCHER_SCRIPT).exists():
        return HotspotStatus("off")
    if not _is_on_the_air():
        return HotspotStatus("not on the air")
    try:
        return HotspotStatus(
            "on", plan.parse_wifi(apply.system_path(root, CONNECTION_FILE).read_text("utf-8"))
        )
    except PermissionError:
        return HotspotStatus("on")


def _is_on_the_air() -> bool:
    if not radio.has_network_manager():
        return False
    active = radio.run_nmcli("-t", "-f", "NAME", "connection", "show", "--active").stdout
    return CONNECTION in active.splitlines()


def require_can_switch(action: str, root: Path = ROOT) -> None:
    """Raise Malformed without root or the tools, or where nothing is to be switched."""
    if root == ROOT and os.geteuid() != 0:
        text = N_("Only root may switch the hotspot: sudo companion hotspot {field}")
        raise Malformed(action, text)
    if not radio.has_network_manager():
        raise Malformed(action, N_("There is no NetworkManager here, which makes the hotspot."))
    if shutil.which("nft") is None:
        raise Malformed(
            "nft", N_("The command {field} is missing; type: sudo apt install nftables")
        )
    if apply.system_path(root, DISPATCHER_SCRIPT).exists() is (action == "on"):
        raise Malformed(action, ALREADY[action])
