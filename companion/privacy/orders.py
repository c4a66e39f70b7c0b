"""Orders to erase, on disk until they are carried out.

Laws: an order names games and seats by their numbers only; it is on disk before anything is erased,
and each of its steps can be taken twice. So an erasure that the power ended is finished by the
next start.
"""

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.durable_files import make_folder, remove_file, write_file

FILE = "erasing.json"


class EraseOrder(msgspec.Struct, frozen=True):
    """What is to be erased: names in games, and the names of people who sit at the table."""

    games: dict[str, tuple[int, ...]] = {}
    seats: tuple[int, ...] = ()

    def with_order(self, other: "EraseOrder") -> "EraseOrder":
        """Return both orders as one."""
        games = dict(self.games)
        for id, seats in other.games.items():
            before = games.get(id, seats)
            games[id] = tuple(sorted({*before, *seats})) if before and seats else ()
        return EraseOrder(games, tuple(sorted({*self.seats, *other.seats})))


def load_order(folder: Path) -> EraseOrder | None:
    """Return the order that was not carried out yet; None if there is none."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=EraseOrder)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return None


def save_order(folder: Path, order: EraseOrder) -> None:
    """Write an order; NotWritten or MaybeWritten if that fails."""
    make_folder(folder)
    write_file(folder / FILE, msgspec.json.encode(order))


def remove_order(folder: Path) -> None:
    """Remove an order that was carried out; OSError if that fails."""
    with suppress(FileNotFoundError):
        remove_file(folder / FILE)
