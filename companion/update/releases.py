"""Find a release at a place: a file, the folder of a release, a USB stick, or a clone.

Laws: a file that differs from its checksum is refused; of several releases the newest counts. The
wheel has no installer in it, so the sdist beside it is taken.
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

SDIST = re.compile(r"table_companion-(\d+(?:\.\d+)*)\.tar\.gz")
LIBRARIES, INSTALLER = "libraries", "systemd/install"
DEPTH = 3
"""So many folders deep a release is looked for, on a stick with other files."""
NO_RELEASE = N_("In {field} there is no release: no table_companion-VERSION.tar.gz and no clone.")
WHEEL_ALONE = N_(
    "{field} has no installer for a Pi: put the .tar.gz of the same version beside it."
)
NOT_A_RELEASE = N_("{field} is no release: that is a file table_companion-VERSION.tar.gz.")
DIFFERS = N_("{field} is not as SHA256SUMS says: copy the release again, from where you trust it.")
NOT_LISTED = N_("SHA256SUMS does not name {field}: copy the whole release again.")


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


def find_release(place: Path) -> Release:
    """Return the newest release at a place, compared with its checksum; Malformed if none is."""
    try:
        if place.is_file():
            return _check_archive(_archive_of(place))
        if (place / INSTALLER).is_file():
            return Release(place, "", None, is_checked=False)
        found = list(_list_archives(place, DEPTH))
    except OSError as error:
        raise not_read(place, error) from None
    if not found:
        raise NoRelease(str(place), NO_RELEASE)
    return _check_archive(max(found, key=lambda path: _version_key(_version_of(path))))


def is_older(version: str, runs: str = __version__) -> bool:
    """Return whether a release is older than the version that runs; a clone has no version."""
    return bool(version) and _version_key(version) < _version_key(runs)


def newest_archive(names: Iterable[str]) -> str | None:
    """Return the name of the newest release among names of files; None if none is one."""
    found = [name for name in names if SDIST.fullmatch(name)]
    return max(found, key=lambda name: _version_key(_version_of(Path(name))), default=None)


def _archive_of(file: Path) -> Path:
    """Return the sdist that a typed file means."""
    if SDIST.fullmatch(file.name):
        return file
    if file.suffix != ".whl":
        raise Malformed(str(file), NOT_A_RELEASE)
    archive = file.with_name(f"{'-'.join(file.name.split('-')[:2])}.tar.gz")
    if not archive.is_file():
        raise Malformed(str(file), WHEEL_ALONE)
    return archive


def _list_archives(folder: Path, depth: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_file() and SDIST.fullmatch(path.name):
            yield path
        elif path.is_dir() and not path.is_symlink() and depth > 1:
            yield from _list_archives(path, depth - 1)


def _version_of(archive: Path) -> str:
    found = SDIST.fullmatch(archive.name)
    return found[1] if found else ""


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def _check_archive(archive: Path) -> Release:
    """Compare an archive with the checksums beside it, if there are any."""
    sums = archive.with_name(SUMS)
    if sums.is_file():
        rows = [line.split(maxsplit=1) for line in sums.read_text("utf-8", "replace").splitlines()]
        told = {row[1].lstrip("*"): row[0] for row in rows if len(row) > 1}
        if archive.name not in told:
            raise Malformed(archive.name, NOT_LISTED)
        with archive.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != told[archive.name]:
                raise Malformed(archive.name, DIFFERS)
    libraries = archive.with_name(LIBRARIES)
    brought = libraries if libraries.is_dir() else None
    return Release(archive, _version_of(archive), brought, is_checked=sums.is_file())
