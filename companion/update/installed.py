"""The installed version: which one runs this program, its installer, and a version that was left.

Law: what the installer and the guard note beside the versions is only read here.
"""

import sys
from contextlib import suppress
from pathlib import Path

from companion.core.durable_files import write_file
from companion.core.errors import Malformed, NotWritten
from companion.core.i18n import N_, Message, message
from companion.core.installation import HOME, PACKAGE, PACKAGED

REFUSED = "refused"
"""In the folder of the versions: the name of a version that did not stay well."""
KEPT_INSTALLER = "release/systemd/install"
"""In the folder of a version."""
TOLD = "left_version"
"""In the data folder: of which of them the screens told."""
NOT_INSTALLED = N_(
    "{field} is no installed table: versions are changed where systemd/install set up the service."
)

BY_APT = N_(
    "{field} is a Debian package: versions are changed with sudo apt update && sudo apt install "
    "{package}."
)


def find_installer(environment: Path | None = None, home: Path = HOME) -> Path:
    """Return the installer of the version in this environment; Malformed if it has none."""
    folder = Path(sys.prefix) if environment is None else environment
    installer = folder / KEPT_INSTALLER
    if environment is None and folder.is_relative_to(PACKAGED):
        raise Malformed(str(folder), BY_APT, package=PACKAGE)
    if folder.resolve().parent != (home / "versions").resolve() or not installer.is_file():
        raise Malformed(str(folder), NOT_INSTALLED)
    return installer


def read_left_version(environment: Path | None = None, home: Path = HOME) -> str:
    """Return the name of a newer version that was left for this one; empty if none was."""
    folder = Path(sys.prefix) if environment is None else environment
    if folder.parent != home / "versions":
        return ""
    with suppress(OSError, UnicodeDecodeError):
        name = (home / REFUSED).read_text("utf-8").strip()
        return "" if name == folder.name else name
    return ""


def tell_left_version(data: Path, left: str) -> tuple[Message, ...]:
    """Return what the screens are to say of a version that was left, until the next start."""
    told = data / TOLD
    with suppress(OSError, UnicodeDecodeError):
        if told.read_text("utf-8") == left:
            return ()
    if not left:
        return ()
    with suppress(NotWritten):  # Then it is told once more.
        write_file(told, left.encode())
    text = "The update did not stay well: the version before runs again, and no game was changed."
    return (message(text),)
