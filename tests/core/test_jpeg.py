"""JPEG files are kept without all that is no picture, and what is none is refused."""

from random import Random

import pytest

from companion.core.errors import Malformed
from companion.core.jpeg import MOST_PIXELS, strip_jpeg
from tests.worlds.campaign import pick
from tests.worlds.photographs import END, START, jpeg, segment

PLACE = b"Exif\0\0GPS 48.2082 N 16.3738 E"


def test_what_the_camera_wrote_is_gone_and_the_picture_stays() -> None:
    plain = jpeg()
    told = jpeg(
        segment(0xE0, b"JFIF\0"), segment(0xE1, PLACE), segment(0xE2, b"ICC_PROFILE"),
        segment(0xFE, b"made by Ana"), after=b"a second picture" + PLACE,
    )  # fmt: skip
    assert strip_jpeg(told) == strip_jpeg(plain) == plain
    assert PLACE not in strip_jpeg(told)


def test_a_comment_between_scans_is_gone_as_well() -> None:
    one_more = segment(0xFE, PLACE) + segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12\xff\0\xff\xd3\x34"
    told = jpeg()[: -len(END)] + one_more + END
    kept = strip_jpeg(told)
    assert PLACE not in kept
    assert kept.endswith(b"\x12\xff\0\xff\xd3\x34" + END)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\x89PNG\r\n\x1a\n", START, START + END, jpeg()[:-2], jpeg()[:40], jpeg()[2:],
        jpeg(high=0), jpeg(wide=MOST_PIXELS + 1), START + segment(0xDA, b"\1\1\0\0\x3f\0") + END,
        jpeg(segment(0xC0, b"\x08\0\x10\0\x10\1\1\x11\0")), jpeg(segment(0xC9, b"arithmetic")),
        START + b"\xff\xe1\0\1" + jpeg()[2:], START + b"\xff\xe1\xff\xff" + jpeg()[2:],
    ],
)  # fmt: skip
def test_what_is_no_ordinary_picture_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        strip_jpeg(data)


def test_no_damage_makes_more_of_a_picture_than_a_refusal() -> None:
    whole = jpeg(segment(0xE1, PLACE))
    for number in range(pick(500, 5_000, 50_000)):
        dice, data = Random(number), bytearray(whole)
        for _ in range(dice.randint(1, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        try:
            kept = strip_jpeg(bytes(data[: dice.randint(0, len(data))]))
        except Malformed:
            continue
        assert strip_jpeg(kept) == kept, number
