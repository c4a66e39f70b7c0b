"""One USB reader: which card is on it, as the PC/SC service tells.

Laws: a card counts once its UID has been read, and is asked for it again whenever cards came or
went in between. A reader that is unplugged, or whose card another program keeps for itself, is
dead until that is over; the card that lay there meanwhile is read then.
"""

import re
from collections.abc import Sequence
from typing import Literal

from companion.core.sensor_events import Oddity
from hardware.clock import Clock
from hardware.pcsc.service import CardService, ReaderState, ServiceError
from hardware.presence import Sign
from hardware.reader import Visit, is_random_uid

GET_UID = bytes.fromhex("ffca000000")
BEEPER_OFF = bytes.fromhex("ff00520000")
"""Of an ACR122U, which otherwise beeps at every card; it forgets this when it is unplugged."""
BEEPS = "ACR122"
DONE = b"\x90\x00"
UID_SIZES = (4, 7, 10)
PAUSE = 0.02
"""Seconds that a visit waits for a change; a hand is ten times slower."""

ANY = "*"
CONTACTLESS = re.compile(r"PICC|NFC|Contactless|\bCL\b|\dCL\b", re.IGNORECASE)
"""In the names of readers that stickers are held to; card slots and keys with a chip lack it."""
Choice = Literal["none", "several"]


def find_reader(part: str, names: Sequence[str]) -> str | Choice:
    """Return the one reader whose name contains this part, or else their number; `*` is the first
    that its name calls contactless, else the first of all."""
    if part == ANY:
        without_contact = [name for name in names if CONTACTLESS.search(name)]
        return next(iter(without_contact or names), "none")
    if part in names:
        return part
    found = [name for name in names if part.casefold() in name.casefold()]
    return found[0] if len(found) == 1 else "several" if found else "none"


class UsbReader:
    """The reader whose name contains a part; its field is its own affair."""

    def __init__(self, service: CardService, part: str, clock: Clock) -> None:
        self._service, self._part, self._clock = service, part, clock
        self.name = ""
        """The name of the reader; empty while it is not found."""
        self._state = ReaderState(False, False, -1)
        self._uid: bytes | None = None
        self._is_quiet = False
        self._odd: Oddity = "nothing"

    def start(self, anew: bool = False) -> bool:
        """Find the reader among those that are plugged in; `anew` connects to the service again."""
        if anew:
            self._service.close()
        self._forget_reader()
        self._service.connect()
        return self._is_found()

    def inventory(self, known: Sequence[bytes]) -> Visit:
        """Wait a moment for a change, and return a sign for the card that is on the reader."""
        try:
            self._service.connect()
            if not self._is_found():
                return self._wait_dead()
            self._follow_change()
        except ServiceError as refused:
            if refused.trouble != "busy":
                self._forget_reader()
            return self._wait_dead()
        signs: dict[bytes, Sign] = dict.fromkeys(known, "silent")
        if self._uid is not None:
            signs[self._uid] = "seen"
        return Visit("well", signs, self._odd)

    def is_present(self, uid: bytes) -> bool | None:
        """Return whether this card was on the reader at the last visit; None if it is not found."""
        return self._uid == uid if self.name else None

    def sleep(self) -> None:
        """Do nothing, because the reader switches its field by itself."""

    def close(self) -> None:
        """End the connection to the service."""
        self._service.close()

    def _wait_dead(self) -> Visit:
        """Let time pass, for a reader that is gone is not waited for by the service."""
        self._clock.sleep(PAUSE)
        return Visit("dead")

    def _forget_reader(self) -> None:
        """Forget the properties of a reader that may have been exchanged."""
        self.name, self._uid, self._is_quiet = "", None, False
        self._state = ReaderState(False, False, -1)

    def _is_found(self) -> bool:
        if not self.name:
            found = find_reader(self._part, self._service.list_readers())
            self.name = "" if found in ("none", "several") else found
        return bool(self.name)

    def _follow_change(self) -> None:
        """Wait for a change of the reader's state, and read the card that came."""
        state = self._service.await_change(self.name, self._state.raw, PAUSE)
        if not state.has_card or state.changes != self._state.changes:
            self._uid = None
        self._state = state
        self._odd = "unreadable" if state.is_mute else "nothing"
        if state.has_card and self._uid is None and not state.is_mute:
            self._read_card()

    def _read_card(self) -> None:
        """Read the UID; a card that is gone by now, or does not understand, has none."""
        try:
            answer = self._ask_for_uid()
        except ServiceError as refused:
            if refused.trouble not in ("no card", "mute"):
                raise
            return
        uid = answer.removesuffix(DONE)
        if not answer.endswith(DONE) or len(uid) not in UID_SIZES:
            self._odd = "unreadable"
        elif is_random_uid(uid):
            self._odd = "telephone"
        else:
            self._uid = uid

    def _ask_for_uid(self) -> bytes:
        if BEEPS in self.name and not self._is_quiet:
            uid, _ = self._service.ask_card(self.name, GET_UID, BEEPER_OFF)
            self._is_quiet = True
            return uid
        return self._service.ask_card(self.name, GET_UID)[0]
