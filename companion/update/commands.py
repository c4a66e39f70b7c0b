"""What `companion update` and `companion rollback` do: run an installer, as root.

Laws: the installer's own words are the progress and the reason. Unpacked releases lie where only
root can write, and are removed afterwards. An older release is installed only if that was typed.
"""

import os
import shlex
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion import __version__
from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import N_, Language, message
from companion.update.outcome import RunInstaller, UpdateOutcome, run_installer
from companion.update.packages import install_command, is_package
from companion.update.releases import (
    INSTALLER,
    SDIST,
    Release,
    ReleaseFiles,
    find_release,
    is_older,
)
from companion.update.repository import TellBytes, fetch_release, tell_none
from companion.update.signature import KEY, SIGNATURE, check_signature
from companion.update.sticks import find_on_sticks, mount_device

Say = Callable[[str], None]
SCRATCH = "companion-release-"
UPDATE = ".update"
"""The end of the name of one file with a whole release in it."""
PYTHON = "/usr/bin/python3"
"""The system's own, which has nothing of a package index."""
NEW = N_("Version {name} in {use}, as its checksum says.")
UNCHECKED = N_("Version {name} in {use}; there is no SHA256SUMS beside it to compare it with.")
CLONE = N_("The clone in {use}.")
TYPE_OLDER = N_(
    "Version {field} is older than version {runs}, which runs. To install it all the same, add "
    "--older."
)
MEGA = 1_000_000
FETCHED = N_("Fetched {n} of {of} MB.")
FETCHED_SOME = N_("Fetched {n} MB.")
BROKEN = N_("{field} cannot be unpacked: copy the release again.")


def update(  # noqa: PLR0913, PLR0917
    place: str | Path | None,
    options: Sequence[str],
    words: Language,
    say: Say,
    run: RunInstaller,
    older: bool = False,
    wanted: ReleaseFiles = SDIST,
    key: Path = KEY,
) -> UpdateOutcome:
    """Install the release at a place, or on a stick if none is named; return how that ended.

    Malformed if it is older than the version that runs, unless `older` was typed.
    """
    with open_release(place, wanted, key, ProgressOfBytes(words, say)) as release:
        signed = key.is_file() and (release.folder / SIGNATURE).is_file()
        if signed:
            check_signature(release.folder, key)
        if is_older(release.version) and not older:
            raise Malformed(release.version, TYPE_OLDER, runs=__version__)
        text = CLONE if not release.version else NEW if release.is_checked else UNCHECKED
        say(words.render(text, {"name": release.version, "use": str(release.path)}))
        if is_package(release.path):
            command = install_command(release.path, options)
            return run_installer(command, run, release, signed, tells=True)
        with unpack_release(release) as folder:
            brought = () if release.libraries is None else ("--libraries", str(release.libraries))
            command = (PYTHON, "-sE", str(folder / INSTALLER), *options, *brought)
            return run_installer(command, run, release, signed)


def roll_back(installer: Path, options: Sequence[str], run: RunInstaller) -> UpdateOutcome:
    """Start the version before the one that runs; return how that ended."""
    return run_installer((PYTHON, "-sE", str(installer), "--rollback", *options), run)


def switch_package(installer: Path, options: Sequence[str], run: RunInstaller) -> UpdateOutcome:
    """Start the version that apt has unpacked, as its package does itself; how that ended."""
    return run_installer((PYTHON, "-sE", str(installer), "--packaged", *options), run)


def require_root() -> None:
    """Raise ExplainedError with the command to type, unless this is root."""
    if os.geteuid() != 0:
        typed = shlex.join(["sudo", "companion", *sys.argv[1:]])
        raise ExplainedError(message("Only root may change the version. Type: {command}",
                                     command=typed))  # fmt: skip


@contextmanager
def open_release(
    place: str | Path | None,
    wanted: ReleaseFiles = SDIST,
    key: Path = KEY,
    tell: TellBytes = tell_none,
) -> Iterator[Release]:
    """Yield the release at a place: a path, a file of an update that is unpacked meanwhile, a
    device that is mounted meanwhile, an address that is fetched from, or any stick."""
    if place is None:
        with find_on_sticks(wanted=wanted) as release:
            yield release
    elif isinstance(place, str):
        with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch:
            yield fetch_release(place, Path(scratch), key.is_file(), wanted, tell)
    elif place.is_block_device():
        with mount_device(str(place)) as folder:
            yield find_release(folder, wanted)
    elif place.suffix == UPDATE and place.is_file():
        with unpack_archive(place) as folder:
            yield find_release(folder, wanted)
    else:
        yield find_release(place.absolute(), wanted)


class ProgressOfBytes:
    """Says how much of a file has come, with every tenth of it."""

    def __init__(self, words: Language, say: Say) -> None:
        self._words, self._say, self._said = words, say, 0

    def __call__(self, come: int, of: int) -> None:
        """Say it, if a further tenth has come, or five megabytes where the size is unknown."""
        tenths = come * 10 // of if of else come // (5 * MEGA)
        if tenths > self._said:
            self._said = tenths
            facts = {"n": come // MEGA, "of": of // MEGA}
            self._say(self._words.render(FETCHED if of else FETCHED_SOME, facts))


@contextmanager
def unpack_release(release: Release) -> Iterator[Path]:
    """Yield a folder with the installer of this release; an archive is unpacked for it."""
    if release.path.is_dir():
        yield release.path
        return
    with unpack_archive(release.path) as scratch:
        found = [path.parents[1] for path in scratch.glob(f"*/{INSTALLER}")]
        if len(found) != 1:
            raise Malformed(release.path.name, BROKEN)
        yield found[0]


@contextmanager
def unpack_archive(archive: Path) -> Iterator[Path]:
    """Yield a folder, for root alone, with what is in an archive; Malformed if it is damaged."""
    with tempfile.TemporaryDirectory(prefix=SCRATCH) as scratch:
        try:
            with tarfile.open(archive) as packed:
                packed.extractall(scratch, filter="data")
        except (tarfile.TarError, EOFError, OSError):
            raise Malformed(archive.name, BROKEN) from None
        yield Path(scratch)
