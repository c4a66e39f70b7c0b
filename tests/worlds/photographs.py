"""Photographs as cameras write them, put together segment by segment."""

START, END = b"\xff\xd8", b"\xff\xd9"


def segment(kind: int, inside: bytes) -> bytes:
    """One segment: its marker, its length, what is in it."""
    return bytes((0xFF, kind)) + (len(inside) + 2).to_bytes(2, "big") + inside


def jpeg(*first: bytes, high: int = 16, wide: int = 16, after: bytes = b"") -> bytes:
    """A small grey picture, after these segments."""
    size = high.to_bytes(2, "big") + wide.to_bytes(2, "big")
    return b"".join((
        START, *first, segment(0xDB, bytes(65)), segment(0xC0, b"\x08" + size + b"\1\1\x11\0"),
        segment(0xC4, bytes(18)), segment(0xDA, b"\1\1\0\0\x3f\0"), b"\x12\x34\xff\0\x56", END,
        after,
    ))  # fmt: skip
