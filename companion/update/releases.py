"""Find a release at a place: a file, the folder of a release, a USB stick, or a clone.

Laws: a file that differs from its checksum is refused; of several releases the newest counts. The
wheel has no installer in it, so the sdist beside it is taken. A table that came as a Debian package
takes the package for its system instead (`packages.py`), and nothing else.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from companion import __version__
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_
from companion.update.signature import SUMS

LIBRARIES, INSTALLER = "libraries", "systemd/install"
PATH = re.compile(r"(?:[\w+-][\w.+-]*/){0,3}[\w+-][\w.+-]*")
"""A path in a release, which leads nowhere else."""
NO_RELEASE = N_("In {field} there is no release: no table_companion-VERSION.tar.gz and no clone.")
WHEEL_ALONE = N_(
    "{field} has no installer for a Pi: put the .tar.gz of the same version beside it."
)
NO_PACKAGE = N_("In {field} there is no release for this Debian: no file {wanted}.")
NOT_A_RELEASE = N_("{field} is no release: that is a file table_companion-VERSION.tar.gz.")
DIFFERS = N_("{field} is not as SHA256SUMS says: copy the release again, from where you trust it.")
NOT_LISTED = N_("SHA256SUMS does not name {field}: copy the whole release again.")


class ReleaseFiles(NamedTuple):
    """How the file of a release is called that is installed."""

    pattern: re.Pattern[str]
    """Its first group is the version."""
    shown: str
    """The name, with VERSION in it."""
    depth: int = 3
    """So many folders deep it is looked for, on a stick with other files."""


SDIST = ReleaseFiles(
    re.compile(r"table_companion-(\d+(?:\.\d+)*)\.tar\.gz"), "table_companion-VERSION.tar.gz"
)


class NoRelease(Malformed):
    """There is no release at a place; a damaged one raises Malformed."""


class Release(NamedTuple):
    """A release that was found: its archive, or a folder with the installer; and its libraries."""

    path: Path
    version: str
    """Empty for a clone."""
    libraries: Path | None
    is_checked: bool
    """Whether it was compared with a checksum."""

    @property
    def folder(self) -> Path:
        """The folder of the release, with its checksums."""
        return _folder_of(self.path)


def find_release(place: Path, wanted: ReleaseFiles = SDIST) -> Release:
    """Return the newest release at a place, compared with its checksum; Malformed if none is.

    `wanted` is how the file is called that is installed of it.
    """
    try:
        if place.is_file():
            return _check_archive(_archive_of(place, wanted), wanted)
        if (place / INSTALLER).is_file() and wanted is SDIST:
            return Release(place, "", None, is_checked=False)
        found = list(_list_archives(place, wanted, wanted.depth))
    except OSError as error:
        raise not_read(place, error) from None
    if not found:
        raise no_release(str(place), wanted)
    newest = max(found, key=lambda path: _version_key(_version_of(path.name, wanted)))
    return _check_archive(newest, wanted)


def no_release(place: str, wanted: ReleaseFiles) -> NoRelease:
    """Return that there is no release at a place."""
    if wanted is SDIST:
        return NoRelease(place, NO_RELEASE)
    return NoRelease(place, NO_PACKAGE, wanted=wanted.shown)


def is_older(version: str, runs: str = __version__) -> bool:
    """Return whether a release is older than the version that runs; a clone has no version."""
    return bool(version) and _version_key(version) < _version_key(runs)


def newest_archive(names: Iterable[str], wanted: ReleaseFiles = SDIST) -> str | None:
    """Return the newest of these paths that is a file of a release; None if none is one."""
    found = [name for name in names if is_in_release(name, wanted.pattern)]
    return max(found, key=lambda name: _version_key(_version_of(name, wanted)), default=None)


def is_in_release(name: str, pattern: re.Pattern[str]) -> bool:
    """Return whether this is a path in a release, of a file that is called so."""
    return bool(PATH.fullmatch(name) and pattern.fullmatch(Path(name).name))


def _archive_of(file: Path, wanted: ReleaseFiles) -> Path:
    """Return the sdist or the package that a typed file means."""
    if wanted.pattern.fullmatch(file.name):
        return file
    if wanted is not SDIST:
        raise no_release(str(file), wanted)
    if file.suffix != ".whl":
        raise Malformed(str(file), NOT_A_RELEASE)
    archive = file.with_name(f"{'-'.join(file.name.split('-')[:2])}.tar.gz")
    if not archive.is_file():
        raise Malformed(str(file), WHEEL_ALONE)
    return archive


def _list_archives(folder: Path, wanted: ReleaseFiles, depth: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_file() and wanted.pattern.fullmatch(path.name):
            yield path
        elif path.is_dir() and not path.is_symlink() and depth > 1:
            yield from _list_archives(path, wanted, depth - 1)


def _folder_of(archive: Path) -> Path:
    """Return the folder with the checksums, in which an archive lies deeper if it is a package."""
    above = archive.parents[:1] if SDIST.pattern.fullmatch(archive.name) else archive.parents[:4]
    return next((folder for folder in above if (folder / SUMS).is_file()), archive.parent)


def _version_of(path: str, wanted: ReleaseFiles) -> str:
    found = wanted.pattern.fullmatch(Path(path).name)
    return found[1] if found else ""


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def _check_archive(archive: Path, wanted: ReleaseFiles) -> Release:
    folder = _folder_of(archive)
    libraries = folder / LIBRARIES
    brought = libraries if libraries.is_dir() else None
    version = _version_of(archive.name, wanted)
    return Release(archive, version, brought, check_listed(archive))


def check_listed(archive: Path) -> bool:
    """Compare a file of a release with its checksums; return whether there are any."""
    folder = _folder_of(archive)
    sums, name = folder / SUMS, archive.relative_to(folder).as_posix()
    if not sums.is_file():
        return False
    rows = [line.split(maxsplit=1) for line in sums.read_text("utf-8", "replace").splitlines()]
    told = {row[1].lstrip("*"): row[0] for row in rows if len(row) > 1}
    if name not in told:
        raise Malformed(archive.name, NOT_LISTED)
    with archive.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != told[name]:
            raise Malformed(archive.name, DIFFERS)
    return True
