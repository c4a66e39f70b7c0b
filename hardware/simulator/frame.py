"""Frames on the air at 106 kbit/s: bits, CRC_A, and how long each takes.

Law: a frame is its data bits in the order sent, bit 0 first; parity, start and end belong to the
air and only cost time. Durations follow ISO 14443-3 type A and the NTAG21x timing figures.
"""

from typing import NamedTuple

CARRIER_HZ = 13_560_000
FDT_LISTEN = 1172
"""Carrier cycles a reader leaves a tag in peace after its answer."""


def cycles_ns(count: int) -> int:
    """Return carrier cycles in nanoseconds."""
    return count * 1_000_000_000 // CARRIER_HZ


def bit_times_ns(count: int) -> int:
    """Return bit times of 128 carrier cycles in nanoseconds."""
    return count * 128_000_000_000 // CARRIER_HZ


def answer_wait() -> int:
    """Return the nanoseconds from the end of the reader's frame to a tag's first modulation (n is
    9). The frame delay time counts from the last pause and so includes the end of the
    frame, which is 226 carrier cycles whichever the last bit was."""
    return cycles_ns(9 * 128 + 20 - 226)


class Frame(NamedTuple):
    """Data bits on the air: bit 0 of `bits` goes first."""

    bits: int
    length: int

    @classmethod
    def of(cls, data: bytes) -> "Frame":
        """Return the frame of whole bytes, least significant bit first."""
        return cls(int.from_bytes(data, "little"), 8 * len(data))

    def to_bytes(self) -> bytes:
        """Return the bytes; a last byte that is not whole is filled with zeros."""
        return self.bits.to_bytes((self.length + 7) // 8, "little")

    def sent_ns(self) -> int:
        """Return the time a reader needs: start, bits with parity, logic 0, a bit of silence."""
        return bit_times_ns(self.length + self.length // 8 + 3)

    def answered_ns(self) -> int:
        """Return the time a tag needs: start, bits with parity, a bit of silence."""
        return bit_times_ns(self.length + self.length // 8 + 2)


def _crc_table() -> tuple[int, ...]:
    rows = []
    for row in range(256):
        for _ in range(8):
            row = (row >> 1) ^ (0x8408 if row & 1 else 0)  # noqa: PLW2901
        rows.append(row)
    return tuple(rows)


_CRC = _crc_table()


def compute_crc(data: bytes, preset: int = 0x6363) -> int:
    """Return the 16-bit CRC of ISO 14443, CRC_A with its preset of 6363h."""
    for byte in data:
        preset = (preset >> 8) ^ _CRC[(preset ^ byte) & 0xFF]
    return preset


def with_crc(data: bytes) -> bytes:
    """Return the bytes with their CRC_A, low byte first."""
    return data + compute_crc(data).to_bytes(2, "little")


def has_valid_crc(data: bytes) -> bool:
    """Return whether bytes end in the CRC_A of the bytes before."""
    return len(data) > 2 and compute_crc(data) == 0
