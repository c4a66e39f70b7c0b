"""A reader at its place, as the rounds and the arbitration know it, whatever is behind it.

Laws: a tag is a UID in bytes here. A reader that is not well says so and reports nothing else.
Every method may raise OSError when its wires fail, but for `sleep` and `condition`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec

from companion.core.sensor_events import Oddity
from hardware.presence import Sign

Finding = Literal["well", "forgetful", "dead"]
"""Answers and remembers its settings; answers and has lost some; does not answer sensibly."""


class Visit(msgspec.Struct, frozen=True):
    """The result of a visit: the state of the reader, and a sign for every known or new tag."""

    finding: Finding
    signs: Mapping[bytes, Sign] = {}
    askings: int = 0
    """How often known tags had to be asked, to tell an easy visit from a hard one."""
    odd: Oddity = "nothing"
    """What answered, and was no tag of a card."""


class DeviceCondition(NamedTuple):
    """What a driver knows of its reader: its make, its speed, and counts since the start."""

    make: str
    hertz: int = 0
    garbled: int = 0
    transfers: int = 0


class Reader(Protocol):
    """One reader. Between two calls its field is off, or cannot be heard by any other reader."""

    def start(self, anew: bool = False) -> bool:
        """Set the reader up; return whether it kept its settings. `anew` also finds out again what
        was learnt of its wires."""
        ...

    def inventory(self, known: Sequence[bytes]) -> Visit:
        """Ask for the known tags and look for new ones."""
        ...

    def is_present(self, uid: bytes) -> bool | None:
        """Return whether a tag answers here, asked insistently; None if that is unclear."""
        ...

    def sleep(self) -> None:
        """Switch the field off if it may be on; of wires that fail it is tried several times."""
        ...

    def condition(self) -> DeviceCondition:
        """Return the reader's last known condition, without asking it."""
        ...


def is_random_uid(uid: bytes) -> bool:
    """Return whether a UID is made anew each time, as by telephones and passports."""
    return len(uid) == 4 and uid[0] == 0x08


def put_to_sleep(readers: Mapping[int, Reader]) -> None:
    """Switch every field off that may be on, such as one whose wires failed."""
    for reader in readers.values():
        reader.sleep()


def signs_by_tag(visit: Visit) -> dict[str, Sign]:
    """Return the signs of a visit, keyed by hex UID."""
    return {uid.hex(): sign for uid, sign in visit.signs.items()}
