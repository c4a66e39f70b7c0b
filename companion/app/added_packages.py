"""Packages that are added to a table which runs as a service: games, libraries of a command.

Laws: only a wheel is added, whose SHA-256 was typed; nothing is built or fetched, and no code of it
runs meanwhile. A user who owns nothing unpacks it, and root copies it afterwards: plain files, no
programs. A package is added whole, or it stays as it was.
"""

import hashlib
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.core import installation
from companion.core.durable_files import make_folder, not_written
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_

BUILDERS = ("companion-build", "nobody")
"""Users who own nothing: that of the installer, else everyone's."""
SYSTEM_PYTHON = "/usr/bin/python3"
PIP = ("-m", "pip", "--isolated", "install", "--quiet", "--no-input", "--disable-pip-version-check")
UNPACK = (
    "--no-index",
    "--no-deps",
    "--only-binary",
    ":all:",
    "--no-compile",
    "--no-warn-script-location",
)
WHEEL = re.compile(r"([A-Za-z0-9][A-Za-z0-9._]*)-([A-Za-z0-9.!+_]+)(-[^-]+){3,4}\.whl", re.ASCII)
"""The name of a wheel: package, version, and for what it was built."""

NOT_A_WHEEL = N_("{field} is not named as a wheel, such as my_game-1.0-py3-none-any.whl.")
UNPROVEN = N_("{field} has the SHA-256 {use}. If that is what its author says, type: {command}")
NO_PIP = N_("{field} needs pip to unpack wheels; type: {command}")
NOT_UNPACKED = N_("{field} cannot be unpacked here; pip says: {reason}")
UNKNOWN = N_("No package {field} was added.")


class AddedPackage(msgspec.Struct, frozen=True):
    """A package that was added: its name, its version, and the SHA-256 of its wheel."""

    name: str
    version: str
    sha256: str = ""


class _Unpacker(NamedTuple):
    """A user who owns nothing, and a Python with pip that this user may run."""

    user: pwd.struct_passwd
    python: str


def add_packages(files: Sequence[Path], known: Sequence[str], typed: str) -> Iterator[AddedPackage]:
    """Add these wheels, each of which has one of the known SHA-256; yield each when it is there.

    Raise Malformed, before anything is added, with what to type if one is not known.
    """
    with tempfile.TemporaryDirectory(prefix="companion-wheels-") as scratch:
        copies = [_copy_wheel(file, Path(scratch)) for file in files]
        sums = [hashlib.sha256(copy.read_bytes()).hexdigest() for copy in copies]
        for file, found in zip(files, sums, strict=True):
            if found not in known:
                every = "".join(f" --sha256 {each}" for each in sums)
                raise Malformed(str(file), UNPROVEN, use=found, command=f"{typed}{every}")
        unpacker = _find_unpacker(Path(scratch))
        for copy, found in zip(copies, sums, strict=True):
            yield _add_wheel(copy, found, unpacker)


def remove_package(name: str) -> None:
    """Remove a package that was added; Malformed if there is none of this name."""
    folder = installation.ADDED / _plain(name)
    if not folder.is_dir() or folder.name.startswith("."):
        raise Malformed(name, UNKNOWN)
    shutil.rmtree(folder)


def _copy_wheel(file: Path, into: Path) -> Path:
    """Copy a wheel, so that it stays as it is when its hash is taken."""
    if not WHEEL.fullmatch(file.name):
        raise Malformed(str(file), NOT_A_WHEEL)
    try:
        return Path(shutil.copyfile(file, into / file.name))
    except OSError as error:
        raise not_read(file, error) from None


def _find_unpacker(scratch: Path) -> _Unpacker:
    """Return who unpacks; Malformed if no Python with pip is there for this user."""
    user = _find_user()
    for python in (sys.executable, SYSTEM_PYTHON):
        tried = _Unpacker(user, python)
        if not _run_as(tried, ("-m", "pip", "--version"), scratch).returncode:
            return tried
    raise Malformed("companion install", NO_PIP, command="sudo apt install python3-pip")


def _find_user() -> pwd.struct_passwd:
    for name in BUILDERS:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Malformed(BUILDERS[-1], N_("This machine has no user {field}."))


def _run_as(who: _Unpacker, words: Sequence[str], home: Path) -> "subprocess.CompletedProcess[str]":
    """Run Python with these words as the user who owns nothing, with nothing of ours around it."""
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8"}
    user, group = who.user.pw_uid, who.user.pw_gid
    try:
        return subprocess.run(
            [who.python, "-I", *words], capture_output=True, text=True, check=False, cwd="/",
            env=environ, user=user, group=group, extra_groups=(), umask=0o022,
        )  # fmt: skip
    except OSError as error:
        return subprocess.CompletedProcess(words, 1, "", str(error))


@contextmanager
def _room_of(user: pwd.struct_passwd) -> Iterator[Path]:
    """Yield a folder of this user, that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="companion-unpacked-") as room:
        os.chown(room, user.pw_uid, user.pw_gid)
        yield Path(room)


def _add_wheel(wheel: Path, found: str, who: _Unpacker) -> AddedPackage:
    name, version = wheel.name.split("-")[:2]
    with _room_of(who.user) as room:
        own = Path(shutil.copyfile(wheel, room / wheel.name))
        own.chmod(0o644)
        done = _run_as(who, (*PIP, *UNPACK, "--target", str(room / "unpacked"), str(own)), room)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [""]
            raise Malformed(wheel.name, NOT_UNPACKED, reason=lines[-1].removeprefix("ERROR: "))
        os.chown(room, 0, 0)  # What was unpacked is changed by no one any more.
        room.chmod(0o700)
        try:
            _put_in_place(room / "unpacked", _plain(name))
        except OSError as error:
            raise not_written(installation.ADDED, error) from None
    return AddedPackage(_plain(name), version, found)


def _put_in_place(unpacked: Path, name: str) -> None:
    """Copy what was unpacked, and have it take the place of an earlier version."""
    new, old = installation.ADDED / f".new-{name}", installation.ADDED / f".old-{name}"
    make_folder(installation.ADDED)
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    _copy_plain_files(unpacked, new)
    os.sync()
    place = installation.ADDED / name
    if place.exists():
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)
    installation.ADDED.chmod(0o755)


def _copy_plain_files(source: Path, target: Path) -> None:
    """Copy folders and plain files, as files of root that all may read; no links, no programs."""
    target.mkdir(0o755)
    target.chmod(0o755)
    for each in sorted(source.iterdir()):
        if each.is_symlink() or (each.name == "bin" and each.parent.name == "unpacked"):
            continue
        if each.is_dir():
            _copy_plain_files(each, target / each.name)
        elif each.is_file():
            shutil.copyfile(each, target / each.name, follow_symlinks=False)
            (target / each.name).chmod(0o644)


def _plain(name: str) -> str:
    """Return the name of a package as it is compared."""
    return re.sub(r"[-_.]+", "-", name).lower()
