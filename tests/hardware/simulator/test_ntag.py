"""An NTAG213's memory and commands, as its data sheet prints them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulator.frame import Frame, has_valid_crc, with_crc
from hardware.simulator.ntag import Ntag213
from hardware.simulator.tag import TagState

STICKER = bytes.fromhex("04a1b2c3d4e5f6")
ACK, BAD_ARGUMENT, BAD_CRC = Frame(0xA, 4), Frame(0x0, 4), Frame(0x1, 4)


def activated() -> Ntag213:
    """A sticker called and selected through both levels."""
    tag = Ntag213(STICKER)
    tag.power_on()
    tag.answer_frame(Frame(0x26, 7))
    for select in ("93708804a1b29f", "9570c3d4e5f604"):
        tag.answer_frame(Frame.of(with_crc(bytes.fromhex(select))))
    assert tag.state is TagState.ACTIVE
    return tag


def told(tag: Ntag213, command: str) -> Frame | None:
    """What a command brings, its CRC added."""
    answer = tag.answer_frame(Frame.of(with_crc(bytes.fromhex(command))))
    return answer.frame if answer else None


def test_a_selected_sticker_tells_its_version() -> None:
    answer = activated().answer_frame(Frame.of(with_crc(b"\x60")))
    assert answer is not None
    assert answer.frame.to_bytes() == with_crc(bytes.fromhex("0004040201000f03"))


def test_reading_past_the_end_goes_on_at_the_start() -> None:
    tag = activated()
    answer = tag.answer_frame(Frame.of(with_crc(b"\x30\x2b")))
    assert answer is not None
    assert answer.frame.to_bytes() == with_crc(bytes(8) + tag.read_page(0) + tag.read_page(1))


@pytest.mark.parametrize("start", range(45))
def test_every_page_can_be_read(start: int) -> None:
    answer = activated().answer_frame(Frame.of(with_crc(bytes([0x30, start]))))
    assert answer is not None
    assert has_valid_crc(answer.frame.to_bytes())
    assert answer.frame.length == 18 * 8


def test_the_first_pages_hold_the_uid_with_its_check_bytes_and_the_capabilities() -> None:
    tag = activated()
    assert tag.read_page(0) == bytes.fromhex("04a1b2") + bytes([0x88 ^ 0x04 ^ 0xA1 ^ 0xB2])
    assert tag.read_page(1) == bytes.fromhex("c3d4e5f6")
    assert tag.read_page(2)[0] == 0xC3 ^ 0xD4 ^ 0xE5 ^ 0xF6
    assert tag.read_page(3) == bytes.fromhex("e1101200")


@pytest.mark.parametrize("told", ["302d", "3a0403", "3a042d", "a2012a2a2a2a", "7700"])
def test_a_bad_argument_is_refused_and_ends_the_selection(told: str) -> None:
    tag = activated()
    answer = tag.answer_frame(Frame.of(with_crc(bytes.fromhex(told))))
    assert answer is not None
    assert answer.frame == Frame(0x0, 4)
    assert tag.state is TagState.IDLE


def test_a_bad_crc_is_refused_differently() -> None:
    answer = activated().answer_frame(Frame.of(b"\x30\x04\x00\x00"))
    assert answer is not None
    assert answer.frame == Frame(0x1, 4)


def test_what_is_written_is_read_back_and_takes_its_time() -> None:
    tag = activated()
    answer = tag.answer_frame(Frame.of(with_crc(b"\xa2\x04card")))
    assert answer is not None
    assert answer.frame == Frame(0xA, 4)
    assert 4_000_000 < answer.wait_ns < 10_000_000
    read = tag.answer_frame(Frame.of(with_crc(b"\x3a\x04\x04")))
    assert read is not None
    assert read.frame.to_bytes() == with_crc(b"card")


def test_a_locked_page_cannot_be_written() -> None:
    tag = activated()
    locked = tag.answer_frame(Frame.of(with_crc(b"\xa2\x02\x00\x00\x10\x00")))
    assert locked is not None
    assert locked.frame == Frame(0xA, 4)
    refused = tag.answer_frame(Frame.of(with_crc(b"\xa2\x04card")))
    assert refused is not None
    assert refused.frame == Frame(0x0, 4)


@given(old=st.binary(min_size=4, max_size=4), new=st.binary(min_size=4, max_size=4))
def test_capability_bits_are_only_ever_set(old: bytes, new: bytes) -> None:
    tag = activated()
    for data in (old, new):
        tag.answer_frame(Frame.of(with_crc(b"\xa2\x03" + data)))
    merged = bytes(a | b | c for a, b, c in zip(b"\xe1\x10\x12\x00", old, new, strict=True))
    assert tag.read_page(3) == merged


def test_only_seven_bytes_make_a_sticker() -> None:
    with pytest.raises(ValueError, match="7 bytes, not 4"):
        Ntag213(bytes(4))


@pytest.mark.parametrize("frame", [Frame.of(b"\x93\x20"), Frame(0x5, 4), Frame(0x1FF, 9)])
def test_a_frame_of_the_activation_ends_the_selection_without_a_word(frame: Frame) -> None:
    tag = activated()
    assert tag.answer_frame(frame) is None
    assert tag.state is TagState.IDLE


def test_the_password_opens_with_its_acknowledgement_and_is_never_read() -> None:
    tag = activated()
    assert told(tag, "a22b" + "70617373") == ACK
    assert told(tag, "a22c" + "abcd0000") == ACK
    assert told(tag, "3a2b2c") == Frame.of(with_crc(bytes(8)))
    assert told(tag, "1b70617373") == Frame.of(with_crc(b"\xab\xcd"))
    assert told(tag, "1b00000000") == BAD_ARGUMENT


def test_the_signature_has_thirty_two_bytes() -> None:
    assert told(activated(), "3c00") == Frame.of(with_crc(bytes(32)))
    assert told(activated(), "3c01") == BAD_ARGUMENT


@pytest.mark.parametrize(("locks", "page"), [("010000", 17), ("800000", 30), ("000800", 39)])
def test_dynamic_lock_bits_lock_two_pages_each(locks: str, page: int) -> None:
    tag = activated()
    write = f"a2{page:02x}01020304"
    assert told(tag, write) == ACK
    assert told(tag, "a228" + locks + "00") == ACK
    assert told(tag, "a22800000000") == ACK
    assert tag.read_page(0x28) == bytes.fromhex(locks) + b"\xbd"
    assert told(tag, write) == BAD_ARGUMENT
