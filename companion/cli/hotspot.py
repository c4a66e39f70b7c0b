"""`companion hotspot on|off|status`: a network of the table's own, made by NetworkManager.

Law: it is on as a whole or not at all; what keeps it from being switched is one sentence and
status 2, and then everything is as it was.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path, PurePosixPath

from companion.app.settings import CONFIG, read
from companion.cli import language_argument
from companion.cli.greeting import drawn
from companion.core.errors import Malformed
from companion.core.i18n import N_, Language, language
from companion.hotspot import apply, plan, radio
from companion.hotspot.plan import CONNECTION, HIDDEN, KEYS, NAME, RULES, Network
from companion.hotspot.wifi import Wifi
from hardware.errors import Said
from web.captive_portal import ASKED

PORT = 8000
ROOT = Path("/")

ON = N_("The hotspot is on. The Wi-Fi is called {name}, its password is {use}")
SCAN = N_("Scan this with the camera of a phone to join the Wi-Fi:")
THEN = N_("Then open {use} on that phone.")
OFF = N_("The hotspot is off.")
NOT_HEARD = N_("The hotspot is set up, but not on the air: sudo nmcli connection up {name}")
HIDES = N_("The hotspot is on. Only root may see its password: sudo companion hotspot status")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion hotspot`."""
    add = parser.add_argument
    add("act", choices=("on", "off", "status"), help="on has a new password each time")
    add("--name", default=NAME, help=f"what the Wi-Fi is called (default: {NAME})")
    add("--radio", metavar="DEVICE",
        help="which Wi-Fi of this machine makes it, if there are several")  # fmt: skip
    add("--config", type=Path, metavar="FILE",
        help=f"where the port of the pages stands (default: {CONFIG}, if it is there)")  # fmt: skip
    add("--dry-run", action="store_true", help="print every step and do none")
    language_argument(parser)


def run(chosen: argparse.Namespace, root: Path = ROOT) -> int:
    """Switch it, or say how it is."""
    words = language(chosen.lang)
    try:
        for line in _done(chosen, root, words):
            print(line)
    except (Malformed, Said) as error:
        print(f"companion hotspot: {words(error.say)}", file=sys.stderr)
        return 2
    return 0


def _done(chosen: argparse.Namespace, root: Path, words: Language) -> list[str]:
    if chosen.act == "status":
        return _status(_port(chosen, root), root, words)
    if not chosen.dry_run:
        _may(chosen.act, root)
    if chosen.act == "off":
        steps = plan.off()
    else:
        wifi = Wifi(_named(chosen.name), HIDDEN if chosen.dry_run else plan.password())
        port = _port(chosen, root)
        made_by = radio.found(chosen.radio, chosen.dry_run)
        steps = plan.on(Network(wifi, made_by, port), ASKED)
    if chosen.dry_run:
        return [line for step in steps for line in plan.lines(step)]
    if chosen.act == "off":
        apply.all_of(steps, root)
        return [words.render(OFF, {})]
    apply.all_or_none(steps, plan.off(), root)
    return _shown(wifi, port, words)


def _status(port: int, root: Path, words: Language) -> list[str]:
    """Whether it is on; to root, how one gets in."""
    if not apply.at(root, RULES).exists():
        return [words.render(OFF, {})]
    if not _on_the_air():
        return [words.render(NOT_HEARD, {"name": CONNECTION})]
    try:
        wifi = plan.kept(apply.at(root, KEYS).read_text("utf-8"))
    except PermissionError:
        return [words.render(HIDES, {})]
    return _shown(wifi, port, words)


def _on_the_air() -> bool:
    if not radio.has_manager():
        return False
    told = radio.nmcli("-t", "-f", "NAME", "connection", "show", "--active").stdout
    return CONNECTION in told.splitlines()


def _shown(wifi: Wifi, port: int, words: Language) -> list[str]:
    """How one gets in, for eyes and cameras."""
    found = [words.render(ON, {"name": wifi.name, "use": wifi.password})]
    if sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
        found += ["", words.render(SCAN, {}), drawn(wifi.scanned)]
    return [*found, words.render(THEN, {"use": plan.page(port)})]


# What keeps it from being switched.


def _may(act: str, root: Path) -> None:
    if root == ROOT and os.geteuid() != 0:
        raise Malformed(act, N_("Only root may switch the hotspot: sudo companion hotspot {field}"))
    if not radio.has_manager():
        raise Malformed(act, N_("There is no NetworkManager here, which makes the hotspot."))
    if shutil.which("nft") is None:
        raise Malformed("nft", N_("The command {field} is missing: sudo systemd/install"))
    if apply.at(root, RULES).exists() is (act == "on"):
        raise Malformed(act, ALREADY[act])


ALREADY = {
    "on": N_("The hotspot is on already: sudo companion hotspot status shows its password."),
    "off": N_("The hotspot is off already."),
}


def _named(name: str) -> str:
    if not plan.fits(name):
        text = N_("{field}: a Wi-Fi has 1 to 32 plain characters, no semicolon and no backslash.")
        raise Malformed("--name", text)
    return name


def _port(chosen: argparse.Namespace, root: Path) -> int:
    config = chosen.config or apply.at(root, PurePosixPath(CONFIG))
    if chosen.config is None and not config.exists():
        return PORT
    port: int = read(config).get("port", PORT)
    return port
