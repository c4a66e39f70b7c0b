"""The safe: backups that go out of the table and come into it, as the host's page asks for them.

Laws: pages know a safe by this Protocol and by nothing else. What it tells is built field by field:
no path, no tag, no name of a player. One thing at a time is done there; nothing is put back before
it was proven, shown and said yes to, and nothing goes out while a game can go on.
"""

from collections.abc import Iterator
from typing import Literal, Protocol

import msgspec

from companion.core.errors import Refusal
from companion.core.i18n import Message

BackupActivity = Literal["", "packing", "coming", "proving", "restoring"]
"""What is being done just now; while one thing is, no other begins."""
MAX_UPLOAD_SIZE = 64 << 20
"""So many bytes a backup may have that comes in by the page."""


class BackupContents(msgspec.Struct, frozen=True):
    """What a proven backup holds, and what of this table it does not."""

    made: str
    companion: str
    games: int
    boxes: tuple[str, ...]
    pin: bool
    """Whether the PIN becomes the one of the backup; else it stays."""
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
    """A backup that waits for a yes; the id names this one and no other."""

    id: str
    found: BackupContents


class BackupStatus(msgspec.Struct, frozen=True):
    """How it is with the safe: what is being done, what waits for a yes, what was said last."""

    doing: BackupActivity = ""
    proven: PendingRestore | None = None
    says: Message | None = None
    trouble: bool = False
    """Whether what was said is bad news."""


class OutgoingBackup(Protocol):
    """A backup on its way out; whoever has it closes it."""

    name: str
    size: int

    def read_chunks(self) -> Iterator[bytes]:
        """All of it, a piece at a time."""
        ...

    def close(self) -> None:
        """It is carried away, or nobody wants it any more."""
        ...


class IncomingBackup(Protocol):
    """A backup on its way in."""

    id: str

    def write(self, chunk: bytes) -> None:
        """The next bytes of it; whatever is wrong with them is said when it is proven."""
        ...

    def abort(self) -> None:
        """Nothing more comes."""
        ...


class BackupService(Protocol):
    """Where backups come from, and where they are put back."""

    def status(self) -> BackupStatus:
        """How it is with the safe."""
        ...

    def pack(self) -> OutgoingBackup | Refusal:
        """A backup of everything but the PIN. It takes its time."""
        ...

    def receive(self, name: str) -> IncomingBackup | None:
        """A place for a backup of this name; None where none can be received just now."""
        ...

    def check_upload(self, id: str) -> Refusal | None:
        """Prove what came, and have it wait for a yes. It takes its time."""
        ...

    def discard_upload(self) -> Refusal | None:
        """Put nothing back; what waits is thrown away."""
        ...

    def restore(self, id: str) -> Refusal | None:
        """Put back what waits: in a moment the table begins anew with it."""
        ...
