"""A tag's states against the table of ISO 14443-3."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from hardware.simulator.frame import Frame, with_crc
from hardware.simulator.tag import Classic1K, Ntag213, Tag, TagAnswer
from tests.worlds.campaign import pick

REQA, WUPA = Frame(0x26, 7), Frame(0x52, 7)
HLTA = Frame.of(with_crc(b"\x50\x00"))
STICKER = bytes.fromhex("04a1b2c3d4e5f6")


def cascade(uid: bytes) -> list[bytes]:
    """The five bytes of each level, written out by hand for each size."""
    parts = {
        4: [uid],
        7: [b"\x88" + uid[:3], uid[3:]],
        10: [b"\x88" + uid[:3], b"\x88" + uid[3:6], uid[6:]],
    }[len(uid)]
    return [part + bytes([part[0] ^ part[1] ^ part[2] ^ part[3]]) for part in parts]


def anticollision(level: int, own: bytes, known: int) -> Frame:
    """SEL, NVB and so many bits of the level."""
    bits = int.from_bytes(own, "little") & ((1 << known) - 1)
    head = (0x93, 0x95, 0x97)[level] | (2 + known // 8 << 4 | known % 8) << 8
    return Frame(head | bits << 16, 16 + known)


def select(level: int, own: bytes) -> Frame:
    return Frame.of(with_crc(bytes([(0x93, 0x95, 0x97)[level], 0x70]) + own))


def say(tag: Tag, *frames: Frame) -> TagAnswer | None:
    """Say several frames; the last answer."""
    answer = None
    for frame in frames:
        answer = tag.answer_frame(frame)
    return answer


class TagLife(RuleBasedStateMachine):
    """The state diagram of the standard as a second, slower model beside the tag."""

    def __init__(self) -> None:
        super().__init__()
        self.tag: Tag = Tag(bytes(4))
        self.levels: list[bytes] = []
        self.state, self.level, self.star = "OFF", 0, False

    @rule(uid=st.sampled_from([4, 7, 10]).flatmap(lambda n: st.binary(min_size=n, max_size=n)))
    @precondition(lambda self: self.state == "OFF")
    def comes_into_the_field(self, uid: bytes) -> None:
        self.tag, self.levels = Tag(uid), cascade(uid)
        self.tag.power_on()
        self.state, self.level, self.star = "IDLE", 0, False

    def answers(self, frame: Frame) -> Frame | None:
        answer = self.tag.answer_frame(frame)
        return answer.frame if answer else None

    def falls_back(self) -> None:
        if self.state in ("READY", "ACTIVE"):
            self.state, self.level = ("HALT" if self.star else "IDLE"), 0

    @rule(wake=st.booleans())
    @precondition(lambda self: self.state != "OFF")
    def is_called(self, wake: bool) -> None:
        answer = self.answers(WUPA if wake else REQA)
        if self.state == "IDLE" or (self.state == "HALT" and wake):
            assert answer is not None
            assert answer.length == 16
            self.state, self.level, self.star = "READY", 0, self.state == "HALT"
        else:
            assert answer is None
            self.falls_back()

    @rule(level=st.integers(0, 2), known=st.integers(0, 39), flip=st.integers(0, 80))
    @precondition(lambda self: self.state != "OFF")
    def is_asked_for_its_bits(self, level: int, known: int, flip: int) -> None:
        own = self.levels[min(level, len(self.levels) - 1)]
        frame = anticollision(level, own, known)
        if flip < known:
            frame = Frame(frame.bits ^ 1 << 16 + flip, frame.length)
        answer = self.answers(frame)
        if self.state == "READY" and level == self.level and flip >= known:
            bits = int.from_bytes(own, "little")
            assert answer == Frame(bits >> known, 40 - known)
        else:
            assert answer is None
            self.falls_back()

    @rule(level=st.integers(0, 2), good=st.booleans())
    @precondition(lambda self: self.state != "OFF")
    def is_selected(self, level: int, good: bool) -> None:
        own = self.levels[min(level, len(self.levels) - 1)]
        frame = select(level, own)
        answer = self.answers(frame if good else Frame(frame.bits ^ 1 << 70, frame.length))
        if self.state == "READY" and level == self.level and good:
            assert answer is not None
            self.level += 1
            finished = self.level == len(self.levels)
            assert answer.to_bytes() == with_crc(b"\x00" if finished else b"\x04")
            self.state = "ACTIVE" if finished else "READY"
        else:
            assert answer is None
            self.falls_back()

    @rule()
    @precondition(lambda self: self.state != "OFF")
    def is_halted(self) -> None:
        assert self.answers(HLTA) is None
        if self.state == "ACTIVE":
            self.state, self.level = "HALT", 0
        else:
            self.falls_back()

    @rule(bits=st.integers(0, 2**30), length=st.integers(1, 30).filter(lambda n: n != 7))
    @precondition(lambda self: self.state != "OFF")
    def hears_nonsense(self, bits: int, length: int) -> None:
        frame = Frame(bits & ((1 << length) - 1) & ~0x90, length)
        assert self.answers(frame) is None
        self.falls_back()

    @rule()
    def leaves_the_field(self) -> None:
        self.tag.power_off()
        self.state, self.level, self.star = "OFF", 0, False

    @invariant()
    def is_where_the_standard_says(self) -> None:
        assert self.tag.state.name == self.state
        assert self.tag.level == self.level or self.state != "READY"


TestTagLife = TagLife.TestCase
TestTagLife.settings = settings(max_examples=pick(20, 60, 500), stateful_step_count=40)


@pytest.mark.parametrize(
    ("tag", "atqa", "sak"),
    [
        (Ntag213(STICKER), "4400", 0x00),
        (Classic1K(bytes.fromhex("deadbeef")), "0400", 0x08),
        (Tag(bytes(range(10))), "8400", 0x00),
    ],
)
def test_atqa_and_sak_tell_the_kind(tag: Tag, atqa: str, sak: int) -> None:
    tag.power_on()
    called = tag.answer_frame(REQA)
    assert called is not None
    assert called.frame.to_bytes().hex() == atqa
    last = say(tag, *(select(n, own) for n, own in enumerate(cascade(tag.uid))))
    assert last is not None
    assert last.frame.to_bytes() == with_crc(bytes([sak]))
