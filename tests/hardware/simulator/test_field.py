"""The field: collisions bit by bit, power, neighbours, and noise at its rate."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.simulator.clock import MILLISECOND
from hardware.simulator.echo import Noise, Reception, add_noise, superpose_answers
from hardware.simulator.frame import Frame
from hardware.simulator.tag import TagAnswer
from hardware.simulator.world import World

REQA = Frame(0x26, 7)
ONE = "04a1b2c3d4e5f6"


def lit(world: World, reader: int = 0, wait_ms: int = 5) -> None:
    """Switch a field on and wait."""
    world.field.antennas[reader].set_drive(1.0)
    world.sleep(wait_ms / 1000)


def call(world: World, reader: int = 0, gain_db: int = 33, frame: Frame = REQA) -> Reception | None:
    now = world.clock.now
    world.sleep(0.001)
    return world.field.antennas[reader].send_frame(frame, now, now + 94_000, gain_db)


frames = st.integers(1, 60).flatmap(
    lambda n: st.builds(Frame, st.integers(0, 2**n - 1), st.just(n))
)


@given(st.lists(frames, min_size=1, max_size=6))
def test_answers_add_up_bit_by_bit(answers: list[Frame]) -> None:
    echo = superpose_answers([TagAnswer(frame) for frame in answers])
    for place in range(max(frame.length for frame in answers)):
        sent = {frame.bits >> place & 1 for frame in answers if place < frame.length}
        assert echo.collided >> place & 1 == (len(sent) == 2)
        assert echo.bits >> place & 1 == max(sent)
    assert echo.length == max(frame.length for frame in answers)


def test_an_answer_that_starts_later_lies_further_on() -> None:
    late = TagAnswer(Frame(0b1111, 4)).wait_ns + 2 * 9440
    echo = superpose_answers([TagAnswer(Frame(0b0000, 4)), TagAnswer(Frame(0b1111, 4), late)])
    assert (echo.bits, echo.length, echo.collided) == (0b111100, 6, 0b001100)


def test_a_long_darkness_resets_a_tag_and_a_short_one_does_not() -> None:
    world = World(1)
    card = world.put(ONE, 0)
    lit(world)
    call(world)
    antenna = world.field.antennas[0]
    antenna.set_drive(0.0)
    world.sleep(0.002)
    antenna.set_drive(1.0)
    assert card.state.value == "ready"
    antenna.set_drive(0.0)
    world.sleep(0.005)
    antenna.set_drive(1.0)
    assert card.state.value == "off"


def test_a_tag_is_deaf_until_the_delay_after_its_answer_is_over() -> None:
    world = World(1)
    world.put(ONE, 0)
    lit(world)
    antenna, now = world.field.antennas[0], world.clock.now
    assert antenna.send_frame(REQA, now, now + 94_000, 33)
    assert antenna.send_frame(Frame(0x2093, 16), now + 300_000, now + 500_000, 33) is None
    assert antenna.send_frame(Frame(0x2093, 16), now + 440_000, now + 640_000, 33)


@pytest.mark.parametrize(
    ("coupling", "gain_db", "heard"),
    [(1.0, 18, True), (0.5, 33, True), (0.08, 33, False), (0.08, 48, True), (0.04, 48, False)],
)
def test_at_the_edge_a_tag_needs_more_gain_and_some_power(
    coupling: float, gain_db: int, heard: bool
) -> None:
    world = World(1)
    world.put(ONE, 0, coupling)
    lit(world)
    assert (call(world, gain_db=gain_db) is not None) is heard


def test_a_much_stronger_tag_drowns_the_other() -> None:
    world = World(1)
    world.put("11223344", 0)
    world.put(ONE, 0, 0.25)
    lit(world)
    echo = call(world)
    assert echo is not None
    assert (echo.bits, echo.collided) == (0x0004, 0)


def test_a_neighbour_hears_a_tag_and_two_fields_at_once_confuse_it() -> None:
    world = World(2)
    card = world.put(ONE, 0)
    world.field.place_tag(card, 1, 0.6)
    lit(world, 1)
    assert call(world, 1) is not None
    world.field.antennas[0].set_drive(1.0)
    assert call(world, 1) is None
    assert call(world, 0) is None
    assert world.fields_on() == [0, 1]


def test_frames_get_lost_at_the_rate_asked_for() -> None:
    world = World(1, seed=7)
    card = world.put(ONE, 0)
    lit(world)
    world.field.antennas[0].noise.set_rates(frame_loss=0.05)
    heard = 0
    for _ in range(4000):
        card.power_on()
        heard += call(world) is not None
    assert heard / 4000 == pytest.approx(0.95**2, abs=0.02)


class OneStrike(Noise):
    """Noise that hits one place of each answer."""

    def __init__(self, place: int, phantom: bool = False) -> None:
        super().__init__()
        self.place = place
        self.phantom_collisions = float(phantom)

    def wrong_bits(self, length: int) -> Iterator[int]:
        assert self.place < length
        yield self.place


@pytest.mark.parametrize("place", range(1, 28))
def test_one_wrong_bit_spoils_the_parity_of_its_byte(place: int) -> None:
    echo = add_noise(Reception(0x123456, 24), OneStrike(place))
    byte, bit = divmod(place - 1, 9)
    assert echo.odd == 1 << byte
    assert echo.bits ^ 0x123456 == (0 if bit == 8 else 1 << 8 * byte + bit)


def test_a_tag_that_arrives_in_a_lit_field_needs_its_moment_too() -> None:
    world = World(1)
    lit(world)
    world.put(ONE, 0)
    assert call(world) is None
    world.clock.advance_to(world.clock.now + 5 * MILLISECOND)
    assert call(world) is not None
