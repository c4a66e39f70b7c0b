"""The release that staff gave to the floor, to be handed to its tables.

Laws: it is one file, there whole or not at all. The floor believes nothing of it: each table has it
checked by root, against the key of the maker that this table knows.
"""

import hashlib
from pathlib import Path

FILE = "release.update"


class HeldRelease:
    """The release in the folder of a floor, if there is one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def is_there(self) -> bool:
        """Return whether the floor has a release."""
        return self.path.is_file()

    def read_size(self) -> int:
        """Return the bytes of the release; 0 if there is none."""
        return self.path.stat().st_size if self.is_there() else 0

    def read_digest(self) -> str:
        """Return the SHA-256 of the release, in hexadecimal."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def drop(self) -> None:
        """Forget it: the tables are updated from what each of them is offered."""
        self.path.unlink(missing_ok=True)
