"""`companion hotspot on|off|status`: a network of the table's own, made by NetworkManager.

Law: it is on as a whole or not at all; what keeps it from being switched is one sentence and
status 2, and then everything is as it was.
"""

import argparse
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path, PurePosixPath

from companion.cli import language_argument, own_network
from companion.cli.config import read
from companion.cli.greeting import drawn
from companion.cli.own_network import (
    CONNECTION,
    HIDDEN,
    KEYS,
    NAME,
    RULES,
    Network,
    Remove,
    Step,
    Write,
)
from companion.errors import Malformed
from companion.texts import N_, Language, language
from hardware.errors import Said
from web.no_internet import ASKED

CONFIG = "/etc/companion/companion.toml"
PORT = 8000
RADIO = "wlan0"
"""What it is called on every Pi that has one."""
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
    if chosen.act == "off":
        steps = own_network.off()
    else:
        made = HIDDEN if chosen.dry_run else own_network.password()
        network = Network(_named(chosen.name), made, RADIO, _port(chosen, root))
        steps = own_network.on(network, ASKED)
    if chosen.dry_run:
        return [line for step in steps for line in own_network.lines(step)]
    _may(chosen.act, root)
    if chosen.act == "off":
        for step in steps:
            _take(step, root)
        return [words.render(OFF, {})]
    _all_or_none(steps, root)
    return _shown(network, words)


def _status(port: int, root: Path, words: Language) -> list[str]:
    """Whether it is on; to root, how one gets in."""
    if not _at(root, RULES).exists():
        return [words.render(OFF, {})]
    active = _nmcli("-t", "-f", "NAME", "connection", "show", "--active") if _manager() else None
    if active is None or CONNECTION not in active.stdout.splitlines():
        return [words.render(NOT_HEARD, {"name": CONNECTION})]
    try:
        name, password = own_network.kept(_at(root, KEYS).read_text("utf-8"))
    except PermissionError:
        return [words.render(HIDES, {})]
    return _shown(Network(name, password, RADIO, port), words)


def _shown(network: Network, words: Language) -> list[str]:
    """How one gets in, for eyes and cameras."""
    found = [words.render(ON, {"name": network.name, "use": network.password})]
    if sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
        found += ["", words.render(SCAN, {}), drawn(own_network.scanned(network))]
    return [*found, words.render(THEN, {"use": network.page})]


def _manager() -> bool:
    return shutil.which("nmcli") is not None


# What keeps it from being switched.


def _may(act: str, root: Path) -> None:
    if root == ROOT and os.geteuid() != 0:
        raise Malformed(act, N_("Only root may switch the hotspot: sudo companion hotspot {field}"))
    if not _manager():
        raise Malformed(act, N_("There is no NetworkManager here, which makes the hotspot."))
    if shutil.which("nft") is None:
        raise Malformed("nft", N_("The command {field} is missing: sudo systemd/install"))
    if _at(root, RULES).exists() is (act == "on"):
        raise Malformed(act, ALREADY[act])
    if act == "on":
        _radio()


ALREADY = {
    "on": N_("The hotspot is on already: sudo companion hotspot status shows its password."),
    "off": N_("The hotspot is off already."),
}


def _radio() -> None:
    """Whether the Wi-Fi of this Pi can be had."""
    told = _nmcli("-t", "-f", "DEVICE,TYPE,STATE", "device").stdout.splitlines()
    state = next((row.split(":")[2] for row in told if row.startswith(f"{RADIO}:wifi:")), None)
    if state is None:
        raise Malformed(RADIO, N_("This machine has no Wi-Fi called {field}."))
    if state in ("unavailable", "unmanaged"):
        text = N_("The Wi-Fi {field} is switched off; set its country with sudo raspi-config.")
        raise Malformed(RADIO, text)


def _named(name: str) -> str:
    if not own_network.fits(name):
        text = N_("{field}: a Wi-Fi has 1 to 32 plain characters, no semicolon and no backslash.")
        raise Malformed("--name", text)
    return name


def _port(chosen: argparse.Namespace, root: Path) -> int:
    config = chosen.config or _at(root, PurePosixPath(CONFIG))
    if chosen.config is None and not config.exists():
        return PORT
    port: int = read(config).get("port", PORT)
    return port


# The steps.


def _all_or_none(steps: tuple[Step, ...], root: Path) -> None:
    """Take every step; if one fails, none was taken."""
    try:
        for step in steps:
            _take(step, root)
    except BaseException:  # Somebody's Ctrl-C too.
        for step in own_network.off():
            with suppress(OSError):
                _take(step, root)
        raise


def _take(step: Step, root: Path) -> None:
    if isinstance(step, Write):
        _write(_at(root, step.path), step)
    elif isinstance(step, Remove):
        _at(root, step.path).unlink(missing_ok=True)
    else:
        done = subprocess.run(step.words, capture_output=True, text=True, check=False)
        if done.returncode and step.must:
            last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
            text = N_("The hotspot cannot be switched on; {field} says: {reason}")
            raise Malformed(step.words[0], text, reason=last)


def _write(path: Path, step: Write) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, step.mode), "wb") as file:
            file.write(step.text.encode())
        path.chmod(step.mode)  # Whatever the umask took away.
    except OSError as error:
        text = N_("{field} cannot be written: {reason}.")
        raise Malformed(str(path), text, reason=error.strerror) from None


def _at(root: Path, path: PurePosixPath) -> Path:
    return root / path.relative_to("/")


def _nmcli(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["nmcli", *words], capture_output=True, text=True, check=False)
