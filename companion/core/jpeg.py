"""JPEG files, read strictly: a picture without anything that tells where it was taken, or how.

Laws: of a file only what draws the picture is kept; every application segment (EXIF, GPS,
thumbnail, profile, maker's notes), every comment, and what follows the end is left out. What is no
whole JPEG of an ordinary kind is refused, and nothing is decoded here.
"""

from collections.abc import Iterator

from companion.core.errors import Malformed
from companion.core.i18n import N_

START, END, SCAN = 0xD8, 0xD9, 0xDA
FRAMES = (0xC0, 0xC1, 0xC2)
"""Baseline, extended and progressive."""
KEPT = frozenset({*FRAMES, 0xC4, 0xDB, 0xDD, SCAN})
"""Frames, Huffman and quantization tables, restart interval, scans."""
DROPPED = frozenset({*range(0xE0, 0xF0), 0xFE})
"""Application segments and comments."""
MOST_PIXELS = 4096
"""The most pixels of a side."""
NO_JPEG = N_("{field}: this is not a JPEG picture.")
TOO_WIDE = N_("{field}: a side of the picture has more than {most} pixels.")


def strip_jpeg(data: bytes) -> bytes:
    """Return the picture alone; raise Malformed."""
    kept = [(kind, segment) for kind, segment in _read_segments(data) if kind in KEPT]
    drawing = [kind for kind, _ in kept if kind in (*FRAMES, SCAN)]
    if drawing[:1] == [SCAN] or drawing[1:] != [SCAN] * max(1, len(drawing) - 1):
        raise Malformed("photo", NO_JPEG)  # One frame, and then its scans.
    _check_frame(next(segment for kind, segment in kept if kind in FRAMES))
    return b"".join((
        bytes((0xFF, START)), *(segment for _, segment in kept), bytes((0xFF, END)),
    ))  # fmt: skip


def _read_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the bytes of each segment up to the end; a scan with its coded data."""
    if data[:2] != bytes((0xFF, START)):
        raise Malformed("photo", NO_JPEG)
    at = 2
    while True:
        if data[at : at + 1] != b"\xff" or at + 2 > len(data):
            raise Malformed("photo", NO_JPEG)
        kind = data[at + 1]
        if kind == 0xFF:  # Padding.
            at += 1
            continue
        if kind == END:
            return
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if kind not in KEPT | DROPPED or end < at + 4 or end > len(data):
            raise Malformed("photo", NO_JPEG)
        if kind == SCAN:
            end = _find_end_of_scan(data, end)
        yield kind, data[at:end]
        at = end


def _find_end_of_scan(data: bytes, at: int) -> int:
    """Return where the coded data ends that begins here: at the next marker that is no restart."""
    while (at := data.find(b"\xff", at)) >= 0 and at + 1 < len(data):
        if data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7:
            return at
        at += 2
    raise Malformed("photo", NO_JPEG)


def _check_frame(frame: bytes) -> None:
    """Raise Malformed unless both sides have a sensible length."""
    high, wide = int.from_bytes(frame[5:7], "big"), int.from_bytes(frame[7:9], "big")
    if len(frame) < 11 or not high or not wide:
        raise Malformed("photo", NO_JPEG)
    if max(high, wide) > MOST_PIXELS:
        raise Malformed("photo", TOO_WIDE, most=MOST_PIXELS)
