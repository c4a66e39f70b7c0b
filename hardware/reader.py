"""A reader at its place, as rounds and arbitration know it, of any make.

Laws: a tag is a UID in bytes here. A reader that is not well says so and reports nothing else.
Every method may raise OSError when its wires fail, but for `sleep`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec

from companion.core.sensor_events import Oddity
from hardware.presence import Sign

Finding = Literal["well", "forgetful", "dead"]
"""Answers and remembers its settings; answers and has lost some; does not answer sensibly."""


class Visit(msgspec.Struct, frozen=True):
    """The result of a visit: the state of the reader, and a sign for every known or new tag."""

    finding: Finding
    signs: Mapping[bytes, Sign] = {}
    odd: Oddity = "nothing"
    """Answer of something that is no tag of a card."""


class Reader(Protocol):
    """One reader. Between two calls its field is off, or cannot be heard by any other reader."""

    def start(self, anew: bool = False) -> bool:
        """Set the reader up; return whether it kept its settings. `anew` also measures its wires
        again."""

    def inventory(self, known: Sequence[bytes]) -> Visit:
        """Ask for the known tags and look for new ones."""

    def is_present(self, uid: bytes) -> bool | None:
        """Return whether a tag answers here, asked insistently; None if that is unclear."""

    def sleep(self) -> None:
        """Switch the field off if it may be on; of wires that fail it is tried several times."""


def is_random_uid(uid: bytes) -> bool:
    """Return whether a UID is made again each time, as by telephones and passports."""
    return len(uid) == 4 and uid[0] == 0x08


def put_to_sleep(readers: Mapping[int, Reader]) -> None:
    """Switch every field off that may be on, such as one whose wires failed."""
    for reader in readers.values():
        reader.sleep()


def signs_by_tag(visit: Visit) -> dict[str, Sign]:
    """Return the signs of a visit, keyed by hex UID."""
    return {uid.hex(): sign for uid, sign in visit.signs.items()}
