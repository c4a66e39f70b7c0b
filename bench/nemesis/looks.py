"""The views that people were shown, in a file: memory holds only what tells them apart.

Law: each view is written once, however often it was shown.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

PARTS = ("at", "public", "mine", "may")
"""What of a view follows from the game alone."""
MOST_DIFFERENCES = 5
encode = msgspec.json.Encoder(order="sorted").encode


class Look(NamedTuple):
    """A view that was shown: its game, the line that it says it is of, and where it is kept."""

    game: str
    at: int
    digest: bytes
    place: int


def view_parts(view: Any) -> bytes:
    """Return what of this view follows from the game alone, in one spelling."""
    return encode({part: view[part] for part in PARTS})


def view_digest(parts: bytes) -> bytes:
    return sha256(parts).digest()[:16]


class Looks:
    """Keeps views in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.write_bytes(b"")
        self._places: dict[bytes, int] = {}
        self._end = 0

    def keep(self, view: Any) -> Look:
        """Keep a view; one thread at a time."""
        parts = view_parts(view)
        digest = view_digest(parts)
        if digest not in self._places:
            self._places[digest] = self._end
            with self.path.open("ab") as file:
                self._end += file.write(parts + b"\n")
        return Look(view["public"]["id"], view["at"], digest, self._places[digest])


def read_look(path: Path, look: Look) -> Any:
    """Return the parts of a view that was kept in this file."""
    with path.open("rb") as file:
        file.seek(look.place)
        return msgspec.json.decode(file.readline())


def list_differences(seen: Any, right: Any, path: str = "") -> list[str]:
    """Return where these two differ, and what stands there."""
    if isinstance(seen, dict) and isinstance(right, dict):
        pairs = [(f"{path}.{k}", seen.get(k), right.get(k)) for k in {**seen, **right}]
    elif isinstance(seen, list) and isinstance(right, list) and len(seen) == len(right):
        pairs = [(f"{path}.{n}", *both) for n, both in enumerate(zip(seen, right, strict=True))]
    else:
        return [] if seen == right else [f"{path[1:]}: {seen!r}, not {right!r}"]
    found = [each for where, *both in pairs for each in list_differences(both[0], both[1], where)]
    return found[:MOST_DIFFERENCES]
