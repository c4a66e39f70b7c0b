"""The driver finds every tag on a reader, whatever lies there and however the chip counts."""

import random
from typing import Literal

import pytest

from companion.core.sensor_events import Arrived
from hardware.rc522.frames import bcc, crc_a, has_valid_crc, level_parts, with_crc
from hardware.simulator.transceiver import Make
from tests.hardware.driver_stage import staged, sticker, tag_set
from tests.worlds.campaign import pick

SETS = pick(25, 100, 1_000)
"""Tag sets of each size."""


@pytest.mark.parametrize("coll_pos", ["fifo", "absolute"])
@pytest.mark.parametrize("size", range(1, 9))
def test_all_of_any_tags_are_found(size: int, coll_pos: Literal["fifo", "absolute"]) -> None:
    chance = random.Random(f"{size} {coll_pos}")
    with staged(1, Make(coll_pos=coll_pos)) as stage:
        for _ in range(SETS):
            tags = tag_set(chance, size)
            lying = [stage.put(tag, 1) for tag in tags]
            assert stage.search(1)[0] == tags
            for tag in lying:
                stage.world.lift(tag)


def test_a_chip_that_is_idle_after_each_answer_finds_every_card() -> None:
    """Some chips end Transceive with an answer, although the data sheet has them go on."""
    chance = random.Random(1)
    with staged(8, Make(idles_after_answer=True)) as stage:
        lying = {(place, sticker(chance)) for place in range(1, 9) for _ in range(2)}
        for place, tag in lying:
            stage.put(tag, place)
        arrived = {(news.place, news.tag) for news in stage.run(3) if isinstance(news, Arrived)}
        assert arrived == lying
        assert [reader.exchange.stalled for reader in stage.by_place.values()] == 8 * [0]


def test_a_weak_tag_under_a_strong_one_is_found_too() -> None:
    with staged(1) as stage:
        stage.put("04a1b2c3d4e5f6", 1, coupling=1.0)
        stage.put("04778899aabbcc", 1, coupling=0.26)
        assert len(stage.search(1)[0]) == 2


def test_no_two_fields_are_ever_on_together() -> None:
    with staged(8) as stage:
        most = 0

        def count() -> None:
            nonlocal most
            most = max(most, len(stage.world.fields_on()))

        stage.world.bus.on_transfer = count
        for place in range(1, 9):
            stage.put(f"0411223344550{place}", place)
        stage.rounds(3)
        assert most == 1
        assert stage.world.fields_on() == []


def test_checks_are_those_of_the_standard() -> None:
    assert crc_a(b"\x00\x00") == b"\xa0\x1e"
    assert crc_a(b"\x12\x34") == b"\x26\xcf"
    assert with_crc(b"\x50\x00") == b"\x50\x00\x57\xcd"
    assert has_valid_crc(b"\x50\x00\x57\xcd")
    assert not has_valid_crc(b"\x50\x00\x57\xcc")
    assert bcc(bytes.fromhex("8804a1b2")) == 0x88 ^ 0x04 ^ 0xA1 ^ 0xB2


def test_a_uid_is_split_into_levels() -> None:
    assert [part.hex() for part in level_parts(bytes.fromhex("11223344"))] == ["11223344"]
    assert [p.hex() for p in level_parts(bytes.fromhex("04a1b2c3d4e5f6"))] == [
        "8804a1b2",
        "c3d4e5f6",
    ]
