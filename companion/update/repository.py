"""Releases at an address: the folder of a release on a server, fetched for this Pi.

Laws: only SHA256SUMS, its signature and the one archive are fetched, each up to a size. Whether
they are what the maker signed is decided by what is on this Pi, not by the server; an address that
is not https is only taken where a signature is demanded.
"""

import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.update.packages import list_beside
from companion.update.releases import (
    SDIST,
    Release,
    ReleaseFiles,
    find_release,
    newest_archive,
    no_release,
)
from companion.update.signature import SIGNATURE, SUMS

CONFIG = Path("/etc/companion/companion.toml")
SMALL, LARGE = 1 << 20, 256 << 20
"""Bytes of the lists, and of an archive, at most."""
CHUNK = 1 << 16
PATIENCE = 30.0
"""Seconds without a byte after which a server counts as gone."""
UNSAFE = N_("{field} is no address of releases: it begins with https://.")
NOT_FETCHED = N_("{field} cannot be fetched: {reason}.")
TOO_LARGE = N_("{field} is larger than a release is.")


TellBytes = Callable[[int, int], object]
"""Is told how many bytes have come, and of how many; of 0 if that is not known."""


def tell_none(_come: int, _of: int) -> None:
    """Tell nothing."""


def configured_address(config: Path = CONFIG) -> str:
    """Return the address of releases in the config; empty if there is none."""
    with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return str(tomllib.loads(config.read_text("utf-8")).get("updates", ""))
    return ""


def fetch_release(
    address: str,
    into: Path,
    demands_signature: bool,
    wanted: ReleaseFiles = SDIST,
    tell: TellBytes = tell_none,
) -> Release:
    """Fetch the newest release at an address into a folder, telling how much has come and is to
    come; Malformed if that fails."""
    schemes = ("https", "http") if demands_signature else ("https",)
    if urlsplit(address).scheme not in schemes:
        raise Malformed(address, UNSAFE)
    base = address.rstrip("/")
    if not _fetch(f"{base}/{SUMS}", into / SUMS, SMALL):
        raise no_release(address, wanted)
    _fetch(f"{base}/{SIGNATURE}", into / SIGNATURE, SMALL)
    names = [line.split(maxsplit=1)[-1].lstrip("*") for line in _lines_of(into / SUMS)]
    archive = newest_archive(names, wanted)
    if archive is None:
        raise no_release(address, wanted)
    (into / archive).parent.mkdir(parents=True, exist_ok=True)
    if not _fetch(f"{base}/{archive}", into / archive, LARGE, tell):
        raise no_release(address, wanted)
    for beside in list_beside(archive, names):
        (into / beside).parent.mkdir(parents=True, exist_ok=True)
        _fetch(f"{base}/{beside}", into / beside, LARGE)
    return find_release(into, wanted)


def _lines_of(sums: Path) -> list[str]:
    return [line for line in sums.read_text("utf-8", "replace").splitlines() if line.strip()]


def _fetch(address: str, into: Path, most: int, tell: TellBytes = tell_none) -> bool:
    """Write what is at an address into a file; False if the server says that it is not there."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer, into.open("wb") as file:
            while chunk := answer.read(CHUNK):
                if file.tell() + len(chunk) > most:
                    raise Malformed(address, TOO_LARGE)
                file.write(chunk)
                tell(file.tell(), int(answer.headers.get("Content-Length") or 0))
    except urllib.error.HTTPError as said:
        if said.code in (403, 404, 410):
            return False
        raise Malformed(address, NOT_FETCHED, reason=f"HTTP {said.code}") from None
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
        raise Malformed(address, NOT_FETCHED, reason=str(reason).rstrip(".")) from None
    return True
