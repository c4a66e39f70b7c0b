"""Frames: the published CRC_A vectors, and the durations the NTAG21x data sheet prints."""

import pytest

from hardware.simulator.frame import Frame, answer_wait, with_crc


@pytest.mark.parametrize(
    ("data", "expected"),
    [("0000", "a01e"), ("1234", "26cf"), ("5000", "57cd"), ("3004", "26ee"), ("04", "da17")],
)
def test_the_published_vectors_of_crc_a(data: str, expected: str) -> None:
    assert with_crc(bytes.fromhex(data))[-2:].hex() == expected


@pytest.mark.parametrize(
    ("nanoseconds", "microseconds"),
    [
        (Frame.of(bytes(3)).sent_ns(), 283),
        (Frame.of(bytes(4)).sent_ns(), 368),
        (Frame.of(bytes(10)).answered_ns(), 868),
        (Frame.of(bytes(18)).answered_ns(), 1548),
        (Frame(0x0, 4).answered_ns(), 57),
    ],
)
def test_frames_take_as_long_as_the_data_sheet_says(nanoseconds: int, microseconds: int) -> None:
    assert nanoseconds / 1000 == pytest.approx(microseconds, abs=0.6)


@pytest.mark.parametrize(("last_bit", "delay", "end"), [(0, 1172, 256), (1, 1236, 320)])
def test_a_tag_waits_equally_long_after_either_last_bit(
    last_bit: int, delay: int, end: int
) -> None:
    pause = 30  # carrier cycles; the delay counts from its end, the frame ends after `end`
    assert answer_wait() == pytest.approx((delay - (end - pause)) / 13.56e6 * 1e9, abs=1)
