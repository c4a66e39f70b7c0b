"""The backup service as the host's page uses it: download, upload, check and restore.

Laws: pages know the service by this Protocol only. Its status is built field by field: no path, no
tag, no name of a player. One activity runs at a time; nothing is restored before it was verified,
shown and confirmed, and nothing goes out while a game can go on.
"""

from collections.abc import Iterator
from typing import Literal, Protocol

import msgspec

from companion.core.errors import Refusal
from companion.core.i18n import Message, message

BackupActivity = Literal["", "packing", "coming", "proving", "restoring"]
"""The activity that runs now; none other begins meanwhile."""
MAX_UPLOAD_SIZE = 64 << 20
"""Bytes of the largest backup that can be uploaded."""


def describe_upload_limit(size: int) -> Message | None:
    """Return that a backup of so many bytes cannot be uploaded; None if it can."""
    if size <= MAX_UPLOAD_SIZE:
        return None
    text = (
        "This backup has {n} MB, and the page takes back {most} MB at most: restore it on"
        " the Pi, with companion restore."
    )
    return message(text, n=-(-size // (1 << 20)), most=MAX_UPLOAD_SIZE >> 20)


class BackupContents(msgspec.Struct, frozen=True):
    """The contents of a verified backup, compared with this table."""

    made: str
    companion: str
    games: int
    boxes: tuple[str, ...]
    wiring: bool
    config: bool
    """Whether there is a config in it, which stays in it."""
    foreign: bool
    """Whether another table began its journal."""
    goes_on: bool
    """Whether a game in it can still be played."""
    missing: int
    """So many games of this table are not in it."""


class PendingRestore(msgspec.Struct, frozen=True):
    """A verified backup that waits for confirmation by its id."""

    id: str
    contents: BackupContents


class BackupStatus(msgspec.Struct, frozen=True):
    """The running activity, the backup that waits for confirmation, and the last message."""

    doing: BackupActivity = ""
    proven: PendingRestore | None = None
    says: Message | None = None
    trouble: bool = False
    """Whether the last message is an error."""
    last_copy: Message | None = None
    """When a copy left this Pi last, as far as is known."""


class OutgoingBackup(Protocol):
    """A backup that is downloaded; its receiver closes it."""

    name: str
    size: int

    def read_chunks(self) -> Iterator[bytes]:
        """Yield its bytes in chunks."""
        ...

    def close(self) -> None:
        """Delete it; the download is complete or broken off."""
        ...


class IncomingBackup(Protocol):
    """A backup that is uploaded."""

    id: str

    def write(self, chunk: bytes) -> None:
        """Append bytes; a fault is reported by `check_upload`."""
        ...

    def abort_upload(self) -> None:
        """End the upload without a check."""
        ...


class BackupService(Protocol):
    """Make, check and restore backups of one table."""

    def status(self) -> BackupStatus:
        """Return the state for the host's page."""
        ...

    def pack(self) -> OutgoingBackup | Refusal:
        """Pack a backup of everything but seats and hosts; blocks until it is ready."""
        ...

    def begin_upload(self, name: str) -> IncomingBackup | None:
        """Begin an upload of this file name; None if none can be received now."""
        ...

    def check_upload(self, id: str) -> Refusal | None:
        """Verify an upload and keep it for confirmation; blocks until it is done."""
        ...

    def discard_upload(self) -> Refusal | None:
        """Discard the upload that waits for confirmation."""
        ...

    def restore(self, id: str) -> Refusal | None:
        """Restore the backup of this id: prepare it, then restart the table."""
        ...
