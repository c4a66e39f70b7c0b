"""What the system gives: Debian's packages, the user with its groups and folder.

Law: what was played is theirs who played; it is taken away only where that is asked for in so many
words.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from .machine import Machine
from .pi import Pi, installed
from .step import Step, file

UNITS = Path(__file__).resolve().parents[1]
DATA = "/var/lib/companion"
CONFIG = "/etc/companion/companion.toml"
EXAMPLE = UNITS / "companion.toml"
ACCOUNTS = "/opt/companion/accounts.conf"
USER = "companion"
GROUPS = ("spi", "gpio")
SCREEN_USER = "companion-kiosk"
BUILDING = ("gcc", "libc6-dev", "python3-dev", "python3-venv")
"""The bus and the old package for the pins come as source."""
FINDING = ("avahi-daemon", "dnsmasq-base", "nftables")
"""By its name, and in a hotspot of its own."""
SCREEN = ("cage", "chromium")


def packages(machine: Machine, pi: Pi, screen: bool) -> Step:
    """What the companion needs of Debian."""
    pins = ("python3-lgpio",) if pi.system != "bookworm" else ()
    wanted = (*BUILDING, *FINDING, *pins, *(SCREEN if screen else ()))

    def missing() -> list[str]:
        found = installed(machine)
        return [name for name in wanted if name not in found]

    def do() -> None:
        command = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends")
        if machine.run(*command, *missing()).returncode:
            machine.must("apt-get", "update", "--quiet")
            machine.must(*command, *missing())

    return Step(
        f"Debian's packages {', '.join(wanted)}", lambda: not missing(), do,
        lambda: False, lambda: None,
    )  # fmt: skip


def accounts(machine: Machine, screen: bool) -> list[Step]:
    """The users who run it: described in a file, made by systemd from it."""
    lines = [f'u {USER} - "Table companion" {DATA}', *(f"m {USER} {group}" for group in GROUPS)]
    names = [USER]
    if screen:
        names.append(SCREEN_USER)
        lines.append(f'u {SCREEN_USER} - "Table screen" /var/lib/{SCREEN_USER}')
        lines += [f"m {SCREEN_USER} {group}" for group in ("video", "render", "input")]
    described = "# Made by systemd/install of the table companion.\n" + "\n".join(lines) + "\n"

    def done() -> bool:
        members = [_groups(machine, name) for name in names]
        return None not in members and set(GROUPS) <= (members[0] or set())

    def do() -> None:
        machine.must("systemd-sysusers", ACCOUNTS)

    def undo() -> None:
        for name in (USER, SCREEN_USER):
            if _groups(machine, name) is not None:
                machine.must("userdel", name)

    people = " and ".join(names)
    return [
        file(machine, f"what {people} may, in {ACCOUNTS}", ACCOUNTS, described),
        Step(
            f"user {people}, in the groups {' and '.join(GROUPS)}",
            done,
            do,
            lambda: any(_groups(machine, name) is not None for name in (USER, SCREEN_USER)),
            undo,
        ),
    ]


def _groups(machine: Machine, user: str) -> set[str] | None:
    """The groups a user was put into; none at all if there is no such user."""
    if _number(machine, user) is None:
        return None
    rows = [line.split(":") for line in machine.text("/etc/group").splitlines()]
    return {row[0] for row in rows if user in row[-1].split(",")}


def _number(machine: Machine, user: str) -> int | None:
    rows = [line.split(":") for line in machine.text("/etc/passwd").splitlines()]
    return next((int(row[2]) for row in rows if row[0] == user and len(row) > 2), None)


def data(machine: Machine, purge: bool) -> Step:
    """The folder with journal and decks, for the user alone."""
    path = machine.path(DATA)

    def done() -> bool:
        if not path.is_dir():
            return False
        alone = path.stat().st_mode & 0o777 == 0o700
        return alone and machine.owner(DATA) == _number(machine, USER)

    def do() -> None:
        machine.folder(path)
        path.chmod(0o700)
        machine.must("chown", "--recursive", f"{USER}:{USER}", DATA)

    def undo() -> str | None:
        if purge or not any(path.iterdir()):
            shutil.rmtree(path)
            return None
        machine.must("chown", "--recursive", "root:root", DATA)
        return f"{DATA}: what you played and enrolled; --purge takes that away too"

    return Step(f"folder {DATA}, for {USER} alone", done, do, path.is_dir, undo)


def screen_folder(machine: Machine) -> Step:
    """What the browser of the table screen leaves behind."""
    name = f"/var/lib/{SCREEN_USER}"
    there = machine.path(name).is_dir
    return Step(f"folder {name}", lambda: True, lambda: None, there, lambda: machine.remove(name))


def command(words: Sequence[str]) -> list[str]:
    """How the user of the companion is asked to run something."""
    return ["runuser", "-u", USER, "--", *words]
