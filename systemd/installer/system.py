"""Debian packages, the user accounts with their groups, and the data folder.

Law: recorded games belong to the players; they are removed only with --purge.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from .machine import TargetMachine
from .pi import Pi, debian_packages
from .step import InstallStep, file_step

UNITS = Path(__file__).resolve().parents[1]
UNIT_FOLDER = "/etc/systemd/system"
DATA = "/var/lib/companion"
CONFIG = "/etc/companion/companion.toml"
EXAMPLE = UNITS / "companion.toml"
ACCOUNTS = "/opt/companion/accounts.conf"
PASSING = "/etc/tmpfiles.d/companion.conf"
PASSING_SOURCE = UNITS / "companion.tmpfiles.conf"
USER = "companion"
GROUPS = ("spi", "gpio")
BUILDER = "companion-build"
"""Runs what comes from an index while a version is built, and owns nothing afterwards."""
SCREEN_USER = "companion-kiosk"
BUILDING = ("gcc", "libc6-dev", "python3-dev", "python3-venv")
"""The bus and the old package for the pins come as source."""
FINDING = ("avahi-daemon", "dnsmasq-base", "nftables")
"""By its name, and in a hotspot of its own."""
CHECKING = ("gpgv",)
"""Whether a release is signed by its maker."""
SCREEN = ("cage", "chromium")
KEY = "/etc/companion/release-key.asc"
KEY_SOURCE = UNITS / "release-key.asc"
"""The public key of the maker, where a release brings one."""


def packages_step(machine: TargetMachine, pi: Pi, screen: bool) -> InstallStep:
    """Return the step that installs the Debian packages that the companion needs."""
    pins = ("python3-lgpio",) if pi.system != "bookworm" else ()
    wanted = (*BUILDING, *FINDING, *CHECKING, *pins, *(SCREEN if screen else ()))

    def missing_packages() -> list[str]:
        found = debian_packages(machine)
        return [name for name in wanted if name not in found]

    def apply() -> None:
        command = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends")
        if machine.run(*command, *missing_packages()).returncode:
            machine.run_checked("apt-get", "update", "--quiet")
            machine.run_checked(*command, *missing_packages())

    return InstallStep(
        f"Debian's packages {', '.join(wanted)}", lambda: not missing_packages(), apply,
        lambda: False, lambda: None,
    )  # fmt: skip


def account_steps(machine: TargetMachine, screen: bool) -> list[InstallStep]:
    """Return the steps that make the system users with systemd-sysusers."""
    lines = [f'u {USER} - "Table companion" {DATA}', *(f"m {USER} {group}" for group in GROUPS)]
    names = [USER, BUILDER]
    lines.append(f'u {BUILDER} - "Builder of the table companion"')
    if screen:
        names.append(SCREEN_USER)
        lines.append(f'u {SCREEN_USER} - "Table screen" /var/lib/{SCREEN_USER}')
        lines += [f"m {SCREEN_USER} {group}" for group in ("video", "render", "input")]
    described = "# Made by systemd/install of the table companion.\n" + "\n".join(lines) + "\n"

    def is_done() -> bool:
        members = [_user_groups(machine, name) for name in names]
        return None not in members and set(GROUPS) <= (members[0] or set())

    def apply() -> None:
        machine.run_checked("systemd-sysusers", ACCOUNTS)

    def undo() -> None:
        for name in (USER, BUILDER, SCREEN_USER):
            if _user_groups(machine, name) is not None:
                machine.run_checked("userdel", name)

    people = " and ".join(names)
    return [
        file_step(machine, f"what {people} may, in {ACCOUNTS}", ACCOUNTS, described),
        InstallStep(
            f"user {people}, in the groups {' and '.join(GROUPS)}",
            is_done,
            apply,
            lambda: any(_user_groups(machine, n) is not None for n in (USER, BUILDER, SCREEN_USER)),
            undo,
        ),
    ]


def _user_groups(machine: TargetMachine, user: str) -> set[str] | None:
    """Return the groups of a user; None if there is no such user."""
    if _user_id(machine, user) is None:
        return None
    rows = [line.split(":") for line in machine.read_text("/etc/group").splitlines()]
    return {row[0] for row in rows if user in row[-1].split(",")}


def _user_id(machine: TargetMachine, user: str) -> int | None:
    rows = [line.split(":") for line in machine.read_text("/etc/passwd").splitlines()]
    return next((int(row[2]) for row in rows if row[0] == user and len(row) > 2), None)


def data_step(machine: TargetMachine, purge: bool) -> InstallStep:
    """Return the step that makes the folder with journal and decks, readable by its user alone."""
    path = machine.path_of(DATA)

    def is_done() -> bool:
        if not path.is_dir():
            return False
        alone = path.stat().st_mode & 0o777 == 0o700
        return alone and machine.owner_id(DATA) == _user_id(machine, USER)

    def apply() -> None:
        machine.make_folder(path)
        path.chmod(0o700)
        machine.run_checked("chown", "--recursive", f"{USER}:{USER}", DATA)

    def undo() -> str | None:
        if purge or not any(path.iterdir()):
            shutil.rmtree(path)
            return None
        machine.run_checked("chown", "--recursive", "root:root", DATA)
        return f"{DATA}: what you played and enrolled; --purge takes that away too"

    return InstallStep(f"folder {DATA}, for {USER} alone", is_done, apply, path.is_dir, undo)


def passing_files_step(machine: TargetMachine) -> InstallStep:
    """Return the step that has the next boot remove what a power cut left in /var/tmp."""
    text = PASSING_SOURCE.read_text("utf-8")
    return file_step(machine, f"what is removed when the Pi starts, in {PASSING}", PASSING, text)


def key_step(machine: TargetMachine, source: Path = KEY_SOURCE) -> InstallStep:
    """Return the step that writes the maker's key once; another one never takes its place."""
    path = machine.path_of(KEY)
    return InstallStep(
        f"the key of the maker, for updates on the host's page, in {KEY}",
        lambda: path.exists() or not source.exists(),
        lambda: machine.write_file(KEY, source.read_text("utf-8")),
        path.exists,
        lambda: machine.remove_with_folder(KEY),
    )


def screen_folder_step(machine: TargetMachine) -> InstallStep:
    """Return the step that, when uninstalling, removes the data of the browser at the screen."""
    name = f"/var/lib/{SCREEN_USER}"
    can_undo = machine.path_of(name).is_dir
    return InstallStep(
        f"folder {name}", lambda: True, lambda: None, can_undo, lambda: machine.remove(name)
    )


def command_as_user(words: Sequence[str], user: str = USER) -> list[str]:
    """Return the command line that runs these words as a user, that of the companion by default."""
    return ["runuser", "-u", user, "--", *words]
