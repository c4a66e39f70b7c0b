"""The field: the tags in reach of each antenna, and their answers.

Law: a field gives power, carries frames and brings answers back; who reaches whom, and how
well, is all it knows. How strongly a tag couples, what it needs to run and what a receiver hears
is the air's (`air/airs.py`).

An answer is heard from the air's floor on, surely from 3 dB above that. A tag 10 dB stronger than
another drowns it. A tag that two fields reach hears only one twice as strong.

The strength of a field follows from the transmitter's registers (data sheet 9.3.2.5, 9.3.3.7 and
9.3.3.8). TX1 and TX2 drive the two ends of the antenna, each by a p-driver and an n-driver whose
conductance is binary weighted (CWGsP, CWGsN); InvTx2RFOn inverts TX2 against TX1. A driver that
conducts fully drops 0.15 V at 32 mA, and the antenna is assumed to be matched to 40 Ω. A field of
1.0 is that of the values after a reset.
"""

from collections.abc import Callable
from typing import NamedTuple

from hardware.simulator import registers as r
from hardware.simulator.air.airs import Air, LaidTag
from hardware.simulator.air.poses import Pose
from hardware.simulator.clock import NEVER, SimulatedClock
from hardware.simulator.echo import Noise, Reception, add_noise, superpose_answers
from hardware.simulator.frame import FDT_LISTEN, Frame, cycles_ns
from hardware.simulator.tag import Tag, TagAnswer, TagState

FULL_OHM = 0.15 / 0.032
MATCHED_OHM = 40.0
MOST_P, MOST_N = 63, 15


def field_strength(tx_control: int, gs_n: int, cw_gs_p: int) -> float:
    """Return the field of an unmodulated carrier; a driver alone gives half of it."""
    one = _phase(tx_control, r.TX1_RF_EN, r.INV_TX1_RF_ON)
    two = _phase(tx_control, r.TX2_RF_EN, r.INV_TX2_RF_ON)
    return abs(one - two) / 2 * _current(gs_n, cw_gs_p) / _USUAL_CURRENT


def _phase(tx_control: int, enabled: int, inverted: int) -> int:
    if not tx_control & enabled:
        return 0
    return -1 if tx_control & inverted else 1


def _current(gs_n: int, cw_gs_p: int) -> float:
    """Return the current through antenna and drivers; a driver that never conducts passes none."""
    n, p = gs_n >> 4, cw_gs_p & 0x3F
    if not n or not p:
        return 0.0
    return 1 / (MATCHED_OHM + FULL_OHM * MOST_P / p + FULL_OHM * MOST_N / n)


_USUAL_CURRENT = _current(r.RESET[r.GS_N], r.RESET[r.CW_GS_P])


DROWNED_DB = 10
FORGETS_NS = 4_500_000
"""The standard calls 5 ms without field a reset; this tag remembers nearly as long."""


class TagSupply:
    """A tag, the antennas that reach it, and its power."""

    __slots__ = ("_air", "dark_since", "deaf_until", "lit", "reach", "starts", "tag")

    def __init__(self, tag: Tag, air: Air) -> None:
        self.tag = tag
        self._air = air
        self.reach: dict[Antenna, float] = {}
        self.lit = False
        self.starts = 0
        """The time when it is ready for a frame, if it is lit."""
        self.dark_since = -NEVER
        self.deaf_until = 0

    def update_power(self, now: int) -> None:
        """Start the tag or let it begin to forget, after a field or the tag has changed."""
        power = max((a.drive * coupling for a, coupling in self.reach.items()), default=0.0)
        lit = power >= self._air.power_floor
        if lit and not self.lit and now - self.dark_since >= FORGETS_NS:
            self.tag.power_off()
            self.starts = now + self._air.start_ns(self.tag.boot_ns, power)
        if self.lit and not lit:
            self.dark_since = now
        self.lit = lit

    def can_hear(self, antenna: "Antenna", at: int) -> bool:
        """Return whether the tag is awake, ready for a frame, and follows this field."""
        if not self.lit or at < self.starts or at < self.deaf_until:
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

    def __init__(self, clock: SimulatedClock, number: int, air: Air, seed: int = 0) -> None:
        self.number = number
        self._air = air
        self.drive = 0.0
        self.noise = Noise(seed)
        self.frames = 0
        self._clock = clock
        self._wanted = 0.0
        self._cut = False
        self._reached: list[tuple[TagSupply, float]] = []

    def set_drive(self, drive: float) -> None:
        """Set the strength of the field: 0.0 is off, 1.0 a chip's after a reset."""
        self._wanted = drive
        if drive == self.drive or self._cut:
            return
        self.drive = drive
        for supply, _ in self._reached:
            supply.update_power(self._clock.now)

    def set_cut(self, cut: bool) -> None:
        """Break the coil or mend it; a broken one makes no field."""
        wanted = self._wanted
        self._cut = False
        self.set_drive(0.0 if cut else wanted)
        self._wanted, self._cut = wanted, cut

    def set_reach(self, supplies: list[tuple[TagSupply, float]]) -> None:
        """Set the tags that lie here now and how strongly each couples."""
        self._reached = [(s, self._air.loudness_db(c)) for s, c in supplies if c > 0]

    def send_frame(self, frame: Frame, started: int, ended: int, gain_db: int) -> Reception | None:
        """Send a frame to all tags here; return their joint answer, if any."""
        self.frames += 1
        answers = []
        over_floor = gain_db - self._air.hearing_floor_db
        for supply, loudness in self._reached:
            if not supply.can_hear(self, started) or self.noise.is_frame_lost():
                continue
            answer = supply.tag.answer_frame(frame)
            if answer is None:
                continue
            sent = ended + answer.wait_ns + answer.frame.answered_ns()
            supply.deaf_until = sent + cycles_ns(FDT_LISTEN)
            if self._is_received(over_floor + loudness + self._air.field_db(self.drive)):
                answers.append((answer, loudness))
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


class PosedTag(NamedTuple):
    """A tag on a card that lies at a place."""

    antenna: int
    pose: Pose


class Field:
    """The table top: every antenna, and every tag in a field."""

    def __init__(self, clock: SimulatedClock, antennas: list[Antenna], air: Air) -> None:
        self.antennas = antennas
        self.settle: Callable[[], None] = lambda: None
        """Called before anything moves, so that frames already under way end first."""
        self._clock, self._air = clock, air
        self._supplies: dict[Tag, TagSupply] = {}
        self._forced: dict[Tag, dict[int, float]] = {}
        self._posed: dict[Tag, PosedTag] = {}
        self._met: dict[Tag, dict[int, LaidTag]] = {}

    def lay_tag(self, tag: Tag, antenna: int, pose: Pose) -> None:
        """Lay a card with a tag on the pile over an antenna; the air decides its range."""
        self._check_antenna(antenna)
        self.settle()
        self._posed.pop(tag, None)
        self._posed[tag] = PosedTag(antenna, pose)
        self._update_couplings()

    def place_tag(self, tag: Tag, antenna: int, coupling: float = 1.0) -> None:
        """Put a tag into one more antenna's field, or change how well it couples."""
        self._check_antenna(antenna)
        self.settle()
        self._forced.setdefault(tag, {})[antenna] = coupling
        self._update_couplings()

    def remove_tag(self, tag: Tag) -> None:
        """Take a tag off the table."""
        self.settle()
        self._forced.pop(tag, None)
        self._posed.pop(tag, None)
        self._update_couplings()

    def tags_at(self, antenna: int) -> list[Tag]:
        """Return the tags in an antenna's field, in the order they came."""
        return [tag for tag, at in self._met.items() if antenna in at]

    def tag_couplings(self, tag: Tag) -> dict[int, float]:
        """Return the antennas that reach a tag, with its coupling at each by itself."""
        return {n: met.coupling for n, met in self._met.get(tag, {}).items()}

    def _check_antenna(self, number: int) -> None:
        if not 0 <= number < len(self.antennas):
            raise LookupError(f"There is no reader {number}.")

    def _update_couplings(self) -> None:
        """Compute every coupling again and pass it to antennas and tags."""
        self._met = self._meet_tags()
        reach: dict[Tag, dict[Antenna, float]] = {tag: {} for tag in self._met}
        for antenna in self.antennas:
            tags = self.tags_at(antenna.number)
            joined = self._air.join_couplings([self._met[tag][antenna.number] for tag in tags])
            for tag, coupling in zip(tags, joined, strict=True):
                reach[tag][antenna] = coupling
            antenna.set_reach([(self._supply_of(t), reach[t][antenna]) for t in tags])
        for tag, supply in list(self._supplies.items()):
            supply.reach = reach.get(tag, {})
            supply.update_power(self._clock.now)
            if not supply.reach:
                del self._supplies[tag]

    def _meet_tags(self) -> dict[Tag, dict[int, LaidTag]]:
        """Return the coupling of each tag to each antenna by itself: by geometry, or as forced."""
        met: dict[Tag, dict[int, LaidTag]] = {tag: {} for tag in self._posed}
        for place in {posed.antenna for posed in self._posed.values()}:
            pile = {t: posed.pose for t, posed in self._posed.items() if posed.antenna == place}
            found = self._air.pile_couplings(place, list(pile.values()), len(self.antennas))
            met.update(zip(pile, found, strict=True))
        for tag, forced in self._forced.items():
            for antenna, coupling in forced.items():
                lies = met.setdefault(tag, {}).get(antenna, LaidTag(coupling, antenna))
                met[tag][antenna] = lies._replace(coupling=coupling)
        return {tag: at for tag, at in met.items() if at}

    def _supply_of(self, tag: Tag) -> TagSupply:
        return self._supplies.setdefault(tag, TagSupply(tag, self._air))


def _not_drowned(answers: list[tuple[TagAnswer, float]]) -> list[TagAnswer]:
    loudest = max(loudness for _, loudness in answers)
    return [answer for answer, loudness in answers if loudness >= loudest - DROWNED_DB]
