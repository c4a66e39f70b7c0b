"""What `companion update` and `companion rollback` do: run an installer, as root.

Laws: the installer's own words are the progress and the reason, and its status is the command's.
Unpacked releases lie where only root can write, and are removed afterwards.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import LANGUAGES, N_, Language, message
from companion.update.releases import INSTALLER, Release, find_release
from companion.update.sticks import find_on_sticks, mount_device

Run = Callable[[Sequence[str]], int]
Say = Callable[[str], None]
PYTHON = "/usr/bin/python3"
"""The system's own, which has nothing of a package index."""
NEW = N_("Version {name} in {use}, as its checksum says.")
UNCHECKED = N_("Version {name} in {use}; there is no SHA256SUMS beside it to compare it with.")
CLONE = N_("The clone in {use}.")
BROKEN = N_("{field} cannot be unpacked: copy the release again.")


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Add the option --lang."""
    say = "language of our own sentences; the installer speaks English (default: en)"
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help=say)


def run_command(words: Sequence[str]) -> int:
    """Run a command that speaks for itself; return its exit status."""
    return subprocess.run(words, check=False).returncode


def update(place: Path | None, options: Sequence[str], words: Language, say: Say, run: Run) -> int:
    """Install the release at a place, or on a stick if none is named; return the exit status."""
    with open_release(place) as release, unpack_release(release) as folder:
        text = CLONE if not release.version else NEW if release.is_checked else UNCHECKED
        say(words.render(text, {"name": release.version, "use": str(release.path)}))
        brought = () if release.libraries is None else ("--libraries", str(release.libraries))
        return run((PYTHON, "-sE", str(folder / INSTALLER), *options, *brought))


def roll_back(installer: Path, options: Sequence[str], run: Run) -> int:
    """Start the version before the one that runs; return the exit status."""
    return run((PYTHON, "-sE", str(installer), "--rollback", *options))


def require_root() -> None:
    """Raise ExplainedError with the command to type, unless this is root."""
    if os.geteuid() != 0:
        typed = shlex.join(["sudo", "companion", *sys.argv[1:]])
        raise ExplainedError(message("Only root may change the version. Type: {command}",
                                     command=typed))  # fmt: skip


@contextmanager
def open_release(place: Path | None) -> Iterator[Release]:
    """Yield the release at a place: a path, a device that is mounted meanwhile, or any stick."""
    if place is None:
        with find_on_sticks() as release:
            yield release
    elif place.is_block_device():
        with mount_device(str(place)) as folder:
            yield find_release(folder)
    else:
        yield find_release(place.absolute())


@contextmanager
def unpack_release(release: Release) -> Iterator[Path]:
    """Yield a folder with the installer of this release; an archive is unpacked for it."""
    if release.path.is_dir():
        yield release.path
        return
    with tempfile.TemporaryDirectory(prefix="companion-release-") as scratch:
        try:
            with tarfile.open(release.path) as archive:
                archive.extractall(scratch, filter="data")
            (folder,) = [path.parents[1] for path in Path(scratch).glob(f"*/{INSTALLER}")]
        except (tarfile.TarError, EOFError, OSError, ValueError):
            raise Malformed(release.path.name, BROKEN) from None
        yield folder
