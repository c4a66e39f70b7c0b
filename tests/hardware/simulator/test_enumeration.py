"""Every tag can be found by the book, whichever way the chip counts its collisions.

The search below is the recursive one of ISO 14443-3, told which way the chip counts. It is here
to hold the simulator against, not to be fast.
"""

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.simulator import registers as r
from hardware.simulator.frame import with_crc
from hardware.simulator.world import Make, World
from tests.worlds.campaign import pick
from tests.worlds.probe import Probe, ProbeResult

Counting = Literal["fifo", "absolute"]


def ask(host: Probe, level: int, bits: int, known: int) -> ProbeResult:
    whole, part = divmod(known, 8)
    told = bits.to_bytes(5, "little")[: whole + (part > 0)]
    head = bytes([(0x93, 0x95, 0x97)[level], 2 + whole << 4 | part])
    return host.send_frame(head + told, last_bits=part, align=part)


def one_level(host: Probe, counting: Counting, level: int) -> bytes | None:
    """The five bytes of one tag at this level, always taking the branch of ones."""
    bits = known = 0
    while True:
        outcome = ask(host, level, bits, known)
        if not outcome.irq & r.RX_IRQ:
            return None
        heard = bits | outcome.answer.bits << known
        if not outcome.error & r.COLL_ERR:
            return heard.to_bytes(5, "little")
        place = (outcome.coll & 0x1F) or 32
        if counting == "fifo":
            place += known // 8 * 8
        bits, known = heard & ((1 << place) - 1) | 1 << place - 1, place


def next_uid(host: Probe, counting: Counting) -> bytes | None:
    """Call, select through all levels, halt; None when nobody answers."""
    if not host.send_frame(b"\x26", last_bits=7).irq & r.RX_IRQ:
        return None
    uid = b""
    for level in range(3):
        part = one_level(host, counting, level)
        assert part is not None
        sak = host.send_frame(
            with_crc(bytes([(0x93, 0x95, 0x97)[level], 0x70]) + part)
        ).answer.to_bytes()
        more = sak[0] & 0x04
        uid += part[1:4] if more else part[:4]
        if not more:
            break
    host.send_frame(with_crc(b"\x50\x00"))
    return uid


def all_uids(host: Probe, counting: Counting) -> list[bytes]:
    """Until two calls in a row stay silent."""
    found, silent = [], 0
    while silent < 2:
        uid = next_uid(host, counting)
        silent = silent + 1 if uid is None else 0
        found += [uid] if uid is not None else []
    return found


uid_sets = st.lists(
    st.sampled_from([4, 7, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)),
    min_size=1,
    max_size=8,
    unique=True,
)
CASCADE_TAG = b"\x88"


@pytest.mark.parametrize("counting", ["fifo", "absolute"])
@settings(max_examples=pick(20, 60, 500))
@given(uids=uid_sets)
def test_all_tags_are_found_once(counting: Counting, uids: list[bytes]) -> None:
    uids = [uid for uid in uids if not (len(uid) == 4 and uid[:1] == CASCADE_TAG)]
    world = World(1, make=Make(coll_pos=counting))
    for uid in uids:
        world.put(uid, 0)
    host = Probe(world)
    assert sorted(all_uids(host, counting)) == sorted(uids)


@settings(max_examples=pick(15, 40, 400))
@given(st.integers(0, 31), st.integers(1, 2**12 - 1), st.integers(0, 2**32 - 1))
def test_counting_the_wrong_way_is_only_right_while_no_byte_is_known(
    first: int, mask: int, base: int
) -> None:
    """The two ways agree on the first collision of a level."""
    base &= ~0xFF | 0x11
    other = (base ^ mask << first) & 0xFFFFFFFF
    if base == other or 0x88 in (base & 0xFF, other & 0xFF):
        return
    places = set()
    for counting in ("fifo", "absolute"):
        world = World(1, make=Make(coll_pos="fifo" if counting == "fifo" else "absolute"))
        for uid in (base, other):
            world.put(uid.to_bytes(4, "little"), 0)
        host = Probe(world)
        host.send_frame(b"\x26", last_bits=7)
        places.add(ask(host, 0, 0, 0).coll)
    assert len(places) == 1
