"""One reader at its place: a visit, from field on to field off.

Law: a visit asks for the tags known to lie here, then for strangers, and believes a stranger
only when it answers to its full name a second time. Silence counts only when the chip was well
before *and* after it. What a visit cannot say for certain it calls unclear.
"""

from collections.abc import Sequence
from contextlib import suppress

from companion.core.sensor_events import Oddity
from hardware.clock import Clock
from hardware.presence import Sign
from hardware.rc522.anticollision import CollisionPositions, TagSearch
from hardware.rc522.chip import Chip, is_answering
from hardware.rc522.exchange import Exchange, ask_for_tag, leave_selected
from hardware.rc522.link import Link
from hardware.reader import Finding, Visit, is_random_uid

SETTLE = 0.005  # ISO 14443-3 gives a tag so long to wake up in a new field, and to die without one
BROWN_OUT = 0.003  # a supply that cannot bear the field has given way by then
ASKINGS, STRAINS = 3, 2
SENSITIVE = 48  # dB
CONFIRMATIONS = 3
DOUSINGS = 3
DARK_ALONE, DARK_BESIDE = 2, 16
"""One visit in this many begins with the field off, without and with known tags: otherwise a tag
left half woken or halted would be missed."""


class Rc522Reader:
    """A chip, its antenna, and the tags on top of it."""

    def __init__(self, link: Link, clock: Clock, gain: int = 33) -> None:
        self.chip = Chip(link, clock, gain)
        self.exchange = Exchange(link, clock)
        self.positions = CollisionPositions()
        self._clock = clock
        self._dark_since = float("-inf")
        self.lit = False
        """Whether the field may be on, for all anybody knows."""
        self._visits = 0
        self._is_silent = False  # since the last visit, the chip has answered nothing sensible

    def start(self, anew: bool = False) -> bool:
        """Set the chip up; return whether it kept its settings. `anew` finds the speed again too,
        because perhaps it is not the chip but a wire that no longer carries it."""
        if anew:
            self.chip.forget_speed()
        self._drop_field()
        self.exchange.note_set_up()
        self.lit = True  # the package's own start-up switches it on
        started = self.chip.start()
        self.lit = False
        return started

    def inventory(self, known: Sequence[bytes]) -> Visit:
        """Ask for the known tags, look for new ones, and leave the field off. A chip that was dead
        at the last visit is asked first, in one transfer."""
        if self._is_silent and not self._is_answering():
            return Visit("dead")
        self._is_silent = True  # if the wires fail from here on
        self._visits += 1
        if self._visits % (DARK_BESIDE if known else DARK_ALONE) == 0:
            self._clock.sleep(SETTLE)
        visit = self._visit_tags(known)
        self._is_silent = visit.finding == "dead"
        return visit

    def _visit_tags(self, known: Sequence[bytes]) -> Visit:
        finding = self.switch_on()
        if finding != "well":
            return Visit(finding)
        signs = {uid: ask_for_tag(self.exchange, uid) for uid in known[:-1]}
        # The last one drops the call to strangers, which is nearly always the only one.
        signs.update({uid: leave_selected(self.exchange, uid) for uid in known[-1:]})
        met, odd = self._find_new_tags(signs)
        signs.update(dict.fromkeys(met, "seen"))
        for uid in [uid for uid in known if signs[uid] != "seen"]:
            signs[uid] = self._ask_insistently(uid, signs[uid])
        return self._finish_visit(signs, odd)

    def is_present(self, uid: bytes) -> bool | None:
        """Return whether a tag is heard here, asked as insistently as on a visit."""
        if self.switch_on() != "well":
            return None
        sign = self._ask_insistently(uid, "silent")
        heard = self._finish_visit({uid: sign}).signs[uid]
        return None if heard == "unclear" else heard == "seen"

    def switch_on(self) -> Finding:
        """Switch the field on; it stays on only if the chip is well. The tags are awake when the
        first frame starts."""
        self.chip.link.select_chip()
        self._clock.sleep(max(0.0, self._dark_since + SETTLE - self._clock.monotonic()))
        self.lit = True
        self.chip.switch_field(True)
        self.exchange.quiet_until = self._clock.monotonic() + SETTLE
        self._clock.sleep(BROWN_OUT)
        finding = self.chip.read_vitals().assess_finding(self.chip.version)
        if finding != "well":
            self._drop_field()
        return finding

    def switch_off(self) -> None:
        """Switch the field off; the tags forget their state."""
        self._drop_field()

    def sleep(self) -> None:
        """Switch a field off that was left on when its wires failed, trying several times."""
        for _ in range(DOUSINGS):
            if self.lit:
                with suppress(OSError):
                    self._drop_field()

    def _is_answering(self) -> bool:
        """Return whether a chip that was dead answers sensibly; one transfer, no waiting."""
        self.chip.link.select_chip()
        return is_answering(self.chip.read_vitals().version)

    def _find_new_tags(self, signs: dict[bytes, Sign]) -> tuple[list[bytes], Oddity]:
        """Search for tags, and keep those that answer by name; the rest are an oddity."""
        search = TagSearch(self.exchange, self.positions)
        met = search.find_all(patient=False)  # one that is missed is met on a later visit
        lasting = [uid for uid in met if not is_random_uid(uid)]
        found = [uid for uid in lasting if uid in signs or self._hears_tag(uid, CONFIRMATIONS)]
        if len(lasting) < len(met):
            return found, "telephone"
        return found, "unreadable" if search.gave_up else "nothing"

    def _hears_tag(self, uid: bytes, askings: int) -> bool:
        """Return whether a tag answers clearly to its name within this many questions."""
        return any(ask_for_tag(self.exchange, uid) == "seen" for _ in range(askings))

    def _ask_insistently(self, uid: bytes, sign: Sign) -> Sign:
        """Ask until the tag answers; one garbled answer makes the silences unclear."""
        for _ in range(ASKINGS):
            heard = ask_for_tag(self.exchange, uid)
            if heard == "seen":
                return "seen"
            if heard == "unclear":
                sign = "unclear"
        return sign if sign == "unclear" else self._ask_sensitively(uid)

    def _ask_sensitively(self, uid: bytes) -> Sign:
        """Ask once more at the highest gain, where only a clear answer counts against the noise."""
        self.chip.set_gain(SENSITIVE)
        heard = self._hears_tag(uid, STRAINS)
        self.chip.set_gain(self.chip.gain)
        return "seen" if heard else "silent"

    def _finish_visit(self, signs: dict[bytes, Sign], odd: Oddity = "nothing") -> Visit:
        finding: Finding = "well"
        if "silent" in signs.values():
            finding = self.chip.read_vitals().assess_finding(self.chip.version)
        self._drop_field()
        if finding != "well":
            signs = {uid: "unclear" if sign == "silent" else sign for uid, sign in signs.items()}
        return Visit(finding, signs, odd)

    def _drop_field(self) -> None:
        self.chip.link.select_chip()
        self.chip.switch_field(False)
        self.lit = False
        self._dark_since = self._clock.monotonic()
