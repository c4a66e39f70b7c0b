"""Which tags lie in which antenna's field, and what an antenna hears back.

Law: a field gives power, carries frames and brings answers back; who reaches whom, and how
well, is all it knows.

A tag's *coupling* is 1.0 flat on the antenna, 0.0 far away. It has power from 0.05 on; a receiver
hears it when 20·log10(coupling) + gain reaches 18 dB, surely from 3 dB above that. A tag 10 dB
stronger than another drowns it. A tag that two fields reach hears only one twice as strong.
"""

import math
from collections.abc import Callable

from hardware.simulator.clock import NEVER, SimulatedClock
from hardware.simulator.echo import Reception, add_noise, superpose_answers
from hardware.simulator.frame import FDT_LISTEN, Frame, cycles_ns
from hardware.simulator.noise import Noise
from hardware.simulator.tag import Tag, TagAnswer, TagState

POWER_FLOOR = 0.05
HEARING_FLOOR_DB = 18
DROWNED = 10 ** (-10 / 20)
FORGETS_NS = 4_500_000
"""The standard calls 5 ms without field a reset; this tag remembers nearly as long."""


class TagSupply:
    """A tag, the antennas that reach it, and its power."""

    __slots__ = ("dark_since", "deaf_until", "lit", "reach", "since", "tag")

    def __init__(self, tag: Tag) -> None:
        self.tag = tag
        self.reach: dict[Antenna, float] = {}
        self.lit = False
        self.since = 0
        self.dark_since = -NEVER
        self.deaf_until = 0

    def update_power(self, now: int) -> None:
        """Start the tag or let it begin to forget, after a field or the tag has changed."""
        lit = any(a.drive * coupling >= POWER_FLOOR for a, coupling in self.reach.items())
        if lit and not self.lit and now - self.dark_since >= FORGETS_NS:
            self.tag.power_off()
            self.since = now
        if self.lit and not lit:
            self.dark_since = now
        self.lit = lit

    def can_hear(self, antenna: "Antenna", at: int) -> bool:
        """Return whether the tag is awake, ready for a frame, and follows this field."""
        if not self.lit or at < self.since + self.tag.boot_ns or at < self.deaf_until:
            return False
        if len(self.reach) > 1 and self._follows_another(antenna):
            return False
        if self.tag.state is TagState.OFF:
            self.tag.power_on()
        return True

    def _follows_another(self, antenna: "Antenna") -> bool:
        own = antenna.drive * self.reach[antenna]
        return any(2 * a.drive * c > own for a, c in self.reach.items() if a is not antenna)


class Antenna:
    """One reader's coil: its field, the tags it reaches, its noise."""

    def __init__(self, clock: SimulatedClock, number: int, seed: int = 0) -> None:
        self.number = number
        self.drive = 0.0
        self.noise = Noise(seed)
        self.frames = 0
        self._clock = clock
        self._wanted = 0.0
        self._cut = False
        self._reached: list[tuple[TagSupply, float, float]] = []

    def set_drive(self, drive: float) -> None:
        """Switch the field off (0.0), on from one driver (0.5) or from both (1.0)."""
        self._wanted = drive
        if drive == self.drive or self._cut:
            return
        self.drive = drive
        for supply, _, _ in self._reached:
            supply.update_power(self._clock.now)

    def set_cut(self, cut: bool) -> None:
        """Break the coil or mend it; a broken one makes no field whatever the chip does."""
        wanted = self._wanted
        self._cut = False
        self.set_drive(0.0 if cut else wanted)
        self._wanted, self._cut = wanted, cut

    def set_reach(self, supplies: list[tuple[TagSupply, float]]) -> None:
        """Set the tags that lie here now and how strongly each couples."""
        self._reached = [
            (s, c, HEARING_FLOOR_DB - 20 * math.log10(c)) for s, c in supplies if c > 0
        ]

    def send_frame(self, frame: Frame, started: int, ended: int, gain_db: int) -> Reception | None:
        """Send a frame to all tags here; return their joint answer, if any."""
        self.frames += 1
        answers = []
        for supply, coupling, needs_db in self._reached:
            if not supply.can_hear(self, started) or self.noise.is_frame_lost():
                continue
            answer = supply.tag.answer_frame(frame)
            if answer is None:
                continue
            sent = ended + answer.wait_ns + answer.frame.answered_ns()
            supply.deaf_until = sent + cycles_ns(FDT_LISTEN)
            if self._is_received(gain_db - needs_db):
                answers.append((answer, coupling))
        return self._combine_answers(answers) if answers else None

    def _is_received(self, margin_db: float) -> bool:
        if margin_db < 0 or self.noise.is_frame_lost():
            return False
        return margin_db >= 3 or not self.noise.is_weak_answer_lost(margin_db)

    def _combine_answers(self, answers: list[tuple[TagAnswer, float]]) -> Reception:
        if len(answers) == 1:
            (bits, length), wait = answers[0][0]
            echo = Reception(bits, length, wait_ns=wait)
        else:
            echo = superpose_answers(_not_drowned(answers))
        return echo if self.noise.quiet else add_noise(echo, self.noise)


class Field:
    """The table top: every antenna, every tag in a field, and stickers that disturb each other."""

    def __init__(self, clock: SimulatedClock, antennas: list[Antenna]) -> None:
        self.antennas = antennas
        self.settle: Callable[[], None] = lambda: None
        """Called before anything moves, so that frames already under way end first."""
        self._clock = clock
        self._supplies: dict[Tag, TagSupply] = {}
        self._couplings: dict[Tag, dict[int, float]] = {}
        self._detuned: dict[frozenset[Tag], float] = {}

    def place_tag(self, tag: Tag, antenna: int, coupling: float = 1.0) -> None:
        """Put a tag into one more antenna's field, or change how well it couples."""
        if not 0 <= antenna < len(self.antennas):
            raise LookupError(f"There is no reader {antenna}.")
        self.settle()
        self._couplings.setdefault(tag, {})[antenna] = coupling
        self._update_couplings()

    def remove_tag(self, tag: Tag, antenna: int | None = None) -> None:
        """Take a tag out of one field, or off the table."""
        self.settle()
        if antenna is None:
            self._couplings.pop(tag, None)
        else:
            self._couplings.get(tag, {}).pop(antenna, None)
        self._update_couplings()

    def detune_tags(self, one: Tag, other: Tag, factor: float = 0.02) -> None:
        """Have two tags weaken each other by a factor while they lie together; 1.0 ends it."""
        self.settle()
        self._detuned[frozenset((one, other))] = factor
        self._update_couplings()

    def tags_at(self, antenna: int) -> list[Tag]:
        """Return the tags in an antenna's field, in the order they came."""
        return [tag for tag, at in self._couplings.items() if antenna in at]

    def tag_couplings(self, tag: Tag) -> dict[int, float]:
        """Return the antennas that reach a tag, with its coupling at each by itself."""
        return dict(self._couplings.get(tag, {}))

    def _update_couplings(self) -> None:
        """Compute every coupling again and pass it to antennas and tags."""
        for antenna in self.antennas:
            here = [(self._supply_of(tag), self._coupling_at(tag, antenna.number))
                    for tag in self.tags_at(antenna.number)]  # fmt: skip
            antenna.set_reach(here)
        for tag, supply in list(self._supplies.items()):
            at = self._couplings.get(tag, {})
            supply.reach = {self.antennas[n]: self._coupling_at(tag, n) for n in at}
            supply.update_power(self._clock.now)
            if not at:
                del self._supplies[tag]

    def _supply_of(self, tag: Tag) -> TagSupply:
        return self._supplies.setdefault(tag, TagSupply(tag))

    def _coupling_at(self, tag: Tag, antenna: int) -> float:
        coupling = self._couplings[tag][antenna]
        for pair, factor in self._detuned.items():
            if tag in pair and all(antenna in self._couplings.get(t, {}) for t in pair):
                coupling *= factor
        return coupling


def _not_drowned(answers: list[tuple[TagAnswer, float]]) -> list[TagAnswer]:
    loudest = max(coupling for _, coupling in answers)
    return [answer for answer, coupling in answers if coupling >= DROWNED * loudest]
