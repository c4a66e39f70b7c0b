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
the tag was halted. This table is why a tag left lying answers only every other poll.
"""

from enum import Enum
from typing import NamedTuple

from hardware.simulator.frame import Frame, answer_wait, sealed

REQA, WUPA = 0x26, 0x52
CASCADE_TAG = 0x88
SELECTORS = (0x93, 0x95, 0x97)
HALT_FRAME = Frame.of(sealed(b"\x50\x00"))
UID_UNFINISHED = 0x04
"""The bit of SAK that says: more UID follows."""

_ATQA_OF_SIZE = {4: 0x00, 7: 0x40, 10: 0x80}
_AT_ONCE = answer_wait()


class State(Enum):
    """Where a tag is. The star of the standard is `Tag.woken`."""

    OFF = "off"
    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"


class Answer(NamedTuple):
    """What a tag sends, so long after the reader's frame."""

    frame: Frame
    wait_ns: int = _AT_ONCE


class Tag:
    """A tag known by its UID of 4, 7 or 10 bytes. Kinds of tags add what they do when ACTIVE."""

    kind = "tag"

    def __init__(self, uid: bytes, *, sak: int = 0x00, boot_ns: int = 4_500_000) -> None:
        if len(uid) not in _ATQA_OF_SIZE:
            raise ValueError(f"A UID has 4, 7 or 10 bytes, not {len(uid)}.")
        self.uid = uid
        self.sak = sak
        self.boot_ns = boot_ns
        """The standard allows 5 ms from field to first answer; this tag takes nearly all."""
        self.stays_when_unmatched = False
        """Some tags keep READY when another's bits are named; the standard says IDLE."""
        self.state = State.OFF
        self.level = 0
        self.woken = False
        self.levels = tuple(_levels(uid))
        self._selects = tuple(_select(n, bits) for n, bits in enumerate(self.levels))
        self._atqa = Answer(Frame.of(bytes([_ATQA_OF_SIZE[len(uid)] | 0x04, 0x00])))
        self._more = Answer(Frame.of(sealed(bytes([UID_UNFINISHED]))))
        self._done = Answer(Frame.of(sealed(bytes([sak]))))

    def __repr__(self) -> str:
        star = "*" if self.woken and self.state in (State.READY, State.ACTIVE) else ""
        return f"<{self.kind} {self.uid.hex()} {self.state.value}{star}>"

    def power_on(self) -> None:
        """The field has come and the tag has started."""
        self.state, self.level, self.woken = State.IDLE, 0, False

    def power_off(self) -> None:
        """The field has gone: everything that is not EEPROM is forgotten."""
        self.state, self.level, self.woken = State.OFF, 0, False

    def hear(self, frame: Frame) -> Answer | None:
        """What the tag answers to a frame, if anything; it may change its state."""
        state = self.state
        if frame.length == 7:
            return self._called(frame.bits)
        if state is State.READY:
            return self._asked(frame)
        if state is State.ACTIVE:
            return self._told(frame)
        return None

    def drop(self) -> None:
        """Back to waiting: to HALT for a tag that was halted before, else to IDLE."""
        self.state, self.level = (State.HALT if self.woken else State.IDLE), 0

    def obey(self, frame: Frame) -> Answer | None:
        """A command to the selected tag. A plain tag knows none."""
        self.drop()
        return None

    def _called(self, word: int) -> Answer | None:
        """REQA, WUPA or another short frame."""
        state = self.state
        if state is State.IDLE and word in (REQA, WUPA):
            self.state, self.level, self.woken = State.READY, 0, False
            return self._atqa
        if state is State.HALT and word == WUPA:
            self.state, self.level, self.woken = State.READY, 0, True
            return self._atqa
        if state is State.READY or state is State.ACTIVE:
            self.drop()
        return None

    def _asked(self, frame: Frame) -> Answer | None:
        """Anticollision or SELECT, at the level this tag has come to."""
        bits, length = frame
        if bits == self._selects[self.level].bits and length == 72:
            return self._selected()
        if bits & 0xFF == SELECTORS[self.level] and _splits(bits >> 8 & 0xFF, length):
            known, own = length - 16, self.levels[self.level]
            if (own ^ bits >> 16) & ((1 << known) - 1) == 0:
                return Answer(Frame(own >> known, 40 - known))
            if self.stays_when_unmatched:
                return None
        self.drop()
        return None

    def _selected(self) -> Answer:
        self.level += 1
        if self.level < len(self.levels):
            return self._more
        self.state = State.ACTIVE
        return self._done

    def _told(self, frame: Frame) -> Answer | None:
        """A frame while ACTIVE: HLTA, a frame of the activation, or a command."""
        if frame == HALT_FRAME:
            self.state, self.level = State.HALT, 0
            return None
        if frame.length % 8 or frame.bits & 0xFF in SELECTORS:
            self.drop()
            return None
        return self.obey(frame)


class Classic1K(Tag):
    """MIFARE Classic 1K as far as its UID: it is selected, and knows no key."""

    kind = "classic1k"

    def __init__(self, uid: bytes, *, boot_ns: int = 4_500_000) -> None:
        super().__init__(uid, sak=0x08, boot_ns=boot_ns)


def _levels(uid: bytes) -> list[int]:
    """The 40 bits, BCC included, that each cascade level sends."""
    parts = [uid]
    while len(parts[-1]) > 4:
        rest = parts.pop()
        parts += [bytes([CASCADE_TAG]) + rest[:3], rest[3:]]
    return [int.from_bytes(part + bytes([bcc(part)]), "little") for part in parts]


def bcc(part: bytes) -> int:
    """The check byte of one cascade level: its four bytes, exclusive-or."""
    return part[0] ^ part[1] ^ part[2] ^ part[3]


def _select(level: int, bits: int) -> Frame:
    return Frame.of(sealed(bytes([SELECTORS[level], 0x70]) + bits.to_bytes(5, "little")))


def _splits(nvb: int, length: int) -> bool:
    """Whether NVB says how many bits there are, and there is something left to answer."""
    return 16 <= length < 56 and nvb == (length // 8 << 4 | length % 8)
