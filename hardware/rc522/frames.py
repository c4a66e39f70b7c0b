"""Frames of ISO 14443-3 type A, their checks and their airtime.

Law: pure arithmetic. Bits are counted as they travel, lowest first, so a cascade level is one
little-endian number in which the first bit on air is bit 0.
"""

from collections.abc import Iterator

import msgspec

REQA, WUPA = b"\x26", b"\x52"  # seven bits each; REQA wakes the idle, WUPA the halted too
LEVELS = (0x93, 0x95, 0x97)
SELECT, CASCADE_TAG = 0x70, 0x88
MORE_UID = 0x04  # in SAK: this level was only a part of the UID

BIT = 128 / 13.56e6
ANSWER_GAP = 1236 / 13.56e6  # the longer of the two frame delay times


def crc_a(data: bytes) -> bytes:
    """Return the two check bytes that end a standard frame."""
    crc = 0x6363
    for byte in data:
        crc = (crc >> 8) ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc.to_bytes(2, "little")


def _crc_step(byte: int) -> int:
    for _ in range(8):
        byte = (byte >> 1) ^ (0x8408 if byte & 1 else 0)
    return byte


_CRC_TABLE = tuple(_crc_step(byte) for byte in range(256))


def with_crc(data: bytes) -> bytes:
    """Return the frame with its check bytes."""
    return data + crc_a(data)


def has_valid_crc(frame: bytes) -> bool:
    """Return whether a frame ends in the check bytes of the bytes before."""
    return len(frame) > 2 and crc_a(frame[:-2]) == frame[-2:]


HALT = with_crc(b"\x50\x00")


def bcc(part: bytes) -> int:
    """Return the exclusive-or that protects the four bytes of a cascade level."""
    return part[0] ^ part[1] ^ part[2] ^ part[3]


def level_parts(uid: bytes) -> Iterator[bytes]:
    """Yield the four bytes of each cascade level: UIDs of 4, 7 and 10 bytes take 1, 2 and 3."""
    while len(uid) > 4:
        yield bytes((CASCADE_TAG,)) + uid[:3]
        uid = uid[3:]
    yield uid


def select_frame(level: int, part: bytes) -> bytes:
    """Return the frame that selects the one tag with this part of a UID at this level."""
    return with_crc(bytes((LEVELS[level], SELECT)) + part + bytes((bcc(part),)))


def anticollision_frame(level: int, known: int, bits: int) -> bytes:
    """Return the frame that asks tags starting with these `known` bits for the rest."""
    whole, some = divmod(known, 8)
    valid = 0x20 + 0x10 * whole + some
    return bytes((LEVELS[level], valid)) + bits.to_bytes(5, "little")[: whole + (some > 0)]


class Airtime(msgspec.Struct, frozen=True):
    """The seconds that a question takes on air, and until its answer has ended."""

    question: float
    answer: float

    @classmethod
    def of(cls, asked_bits: int, answered_bytes: int) -> "Airtime":
        """Return the airtime; start and end of a frame are a bit each, every whole byte has a
        parity bit."""
        asked = (asked_bits + asked_bits // 8 + 2) * BIT
        return cls(asked, asked + ANSWER_GAP + (9 * answered_bytes + 2) * BIT)
