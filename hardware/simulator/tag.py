"""A tag as the state machine of ISO 14443-3 type A, up to being selected.

    state      REQA      WUPA      matching      another     HLTA   anything else
    IDLE       READY     READY     -             -           -      -
    READY      IDLE      IDLE      READY/ACTIVE  IDLE        IDLE   IDLE
    ACTIVE     IDLE      IDLE      IDLE          IDLE        HALT   the tag's own commands
    HALT       -         READY*    -             -           -      -
    READY*     HALT      HALT      READY*/ACTIVE* HALT       HALT   HALT
    ACTIVE*    HALT      HALT      HALT          HALT        HALT   the tag's own commands

Law: a tag answers bit for bit or not at all. "Matching" is an anticollision whose known bits are
the tag's, or the SELECT of its whole level. A dash is silence. The star (`woken`) remembers that
the tag was halted. This table is why a tag left lying answers only every other poll. Its memory is
not here: nobody at the table reads it, and a selected sticker refuses every command.
"""

from enum import Enum
from typing import NamedTuple

from hardware.simulator.frame import Frame, answer_wait, has_valid_crc, with_crc

REQA, WUPA = 0x26, 0x52
CASCADE_TAG = 0x88
SELECTORS = (0x93, 0x95, 0x97)
HALT_FRAME = Frame.of(with_crc(b"\x50\x00"))
UID_UNFINISHED = 0x04
"""The bit of SAK that says: more UID follows."""

_ATQA_OF_SIZE = {4: 0x00, 7: 0x40, 10: 0x80}
_AT_ONCE = answer_wait()
_NAK_ARGUMENT, _NAK_CRC = 0x0, 0x1


class TagState(Enum):
    """The state of a tag; the star of the standard is `Tag.woken`."""

    OFF = "off"
    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


class TagAnswer(NamedTuple):
    """The frame that a tag sends, and how long after the reader's frame."""

    frame: Frame
    wait_ns: int = _AT_ONCE


class Tag:
    """A tag with a UID of 4, 7 or 10 bytes; subclasses add the commands when ACTIVE."""

    kind = "tag"
    boot_ns = 4_500_000
    """The standard allows 5 ms from field to first answer; this tag takes nearly all."""

    def __init__(self, uid: bytes, *, sak: int = 0x00) -> None:
        if len(uid) not in _ATQA_OF_SIZE:
            raise ValueError(f"A UID has 4, 7 or 10 bytes, not {len(uid)}.")
        self.uid = uid
        self.sak = sak
        self.state = TagState.OFF
        self.level = 0
        self.woken = False
        self.levels = tuple(_level_bits(uid))
        self._selects = tuple(_select_frame(n, bits) for n, bits in enumerate(self.levels))
        self._atqa = TagAnswer(Frame.of(bytes([_ATQA_OF_SIZE[len(uid)] | 0x04, 0x00])))
        self._more = TagAnswer(Frame.of(with_crc(bytes([UID_UNFINISHED]))))
        self._done = TagAnswer(Frame.of(with_crc(bytes([sak]))))

    def __repr__(self) -> str:
        star = "*" if self.woken and self.state in (TagState.READY, TagState.ACTIVE) else ""
        return f"<{self.kind} {self.uid.hex()} {self.state.value}{star}>"

    def power_on(self) -> None:
        """Start the tag after its field has come."""
        self.state, self.level, self.woken = TagState.IDLE, 0, False

    def power_off(self) -> None:
        """Forget everything that is not EEPROM."""
        self.state, self.level, self.woken = TagState.OFF, 0, False

    def answer_frame(self, frame: Frame) -> TagAnswer | None:
        """Return the answer to a frame, None for silence; the state may change."""
        state = self.state
        if frame.length == 7:
            return self._answer_call(frame.bits)
        if state is TagState.READY:
            return self._answer_anticollision(frame)
        if state is TagState.ACTIVE:
            return self._answer_active(frame)
        return None

    def drop_selection(self) -> None:
        """Return to HALT if the tag was halted before, else to IDLE."""
        self.state, self.level = (TagState.HALT if self.woken else TagState.IDLE), 0

    def obey_command(self, frame: Frame) -> TagAnswer | None:
        """Answer a command to the selected tag; a plain tag knows none."""
        self.drop_selection()
        return None

    def _answer_call(self, word: int) -> TagAnswer | None:
        """Answer REQA, WUPA or another short frame."""
        state = self.state
        if state is TagState.IDLE and word in (REQA, WUPA):
            self.state, self.level, self.woken = TagState.READY, 0, False
            return self._atqa
        if state is TagState.HALT and word == WUPA:
            self.state, self.level, self.woken = TagState.READY, 0, True
            return self._atqa
        if state is TagState.READY or state is TagState.ACTIVE:
            self.drop_selection()
        return None

    def _answer_anticollision(self, frame: Frame) -> TagAnswer | None:
        """Answer anticollision or SELECT at the level this tag has come to."""
        bits, length = frame
        if bits == self._selects[self.level].bits and length == 72:
            return self._answer_select()
        if bits & 0xFF == SELECTORS[self.level] and _is_valid_nvb(bits >> 8 & 0xFF, length):
            known, own = length - 16, self.levels[self.level]
            if (own ^ bits >> 16) & ((1 << known) - 1) == 0:
                return TagAnswer(Frame(own >> known, 40 - known))
        self.drop_selection()
        return None

    def _answer_select(self) -> TagAnswer:
        self.level += 1
        if self.level < len(self.levels):
            return self._more
        self.state = TagState.ACTIVE
        return self._done

    def _answer_active(self, frame: Frame) -> TagAnswer | None:
        """Answer a frame while ACTIVE: HLTA, a frame of the activation, or a command."""
        if frame == HALT_FRAME:
            self.state, self.level = TagState.HALT, 0
            return None
        if frame.length % 8 or frame.bits & 0xFF in SELECTORS:
            self.drop_selection()
            return None
        return self.obey_command(frame)


class Ntag213(Tag):
    """A sticker: a UID of seven bytes."""

    kind = "ntag213"

    def __init__(self, uid: bytes) -> None:
        if len(uid) != 7:
            raise ValueError(f"An NTAG213 has a UID of 7 bytes, not {len(uid)}.")
        super().__init__(uid)

    def obey_command(self, frame: Frame) -> TagAnswer:
        """Refuse a command with four bits (data sheet 9.3), and wait again."""
        self.drop_selection()
        sound = has_valid_crc(frame.to_bytes())
        return TagAnswer(Frame(_NAK_ARGUMENT if sound else _NAK_CRC, 4))


class Classic1K(Tag):
    """MIFARE Classic 1K as far as its UID: it can be selected, and has no key."""

    kind = "classic1k"

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid, sak=0x08)


def _level_bits(uid: bytes) -> list[int]:
    """Return the 40 bits, BCC included, that each cascade level sends."""
    parts = [uid]
    while len(parts[-1]) > 4:
        rest = parts.pop()
        parts += [bytes([CASCADE_TAG]) + rest[:3], rest[3:]]
    return [int.from_bytes(part + bytes([bcc(part)]), "little") for part in parts]


def bcc(part: bytes) -> int:
    """Return the check byte of one cascade level: its four bytes, exclusive-or."""
    return part[0] ^ part[1] ^ part[2] ^ part[3]


def _select_frame(level: int, bits: int) -> Frame:
    return Frame.of(with_crc(bytes([SELECTORS[level], 0x70]) + bits.to_bytes(5, "little")))


def _is_valid_nvb(nvb: int, length: int) -> bool:
    """Return whether NVB matches the number of bits and leaves something to answer."""
    return 16 <= length < 56 and nvb == (length // 8 << 4 | length % 8)
