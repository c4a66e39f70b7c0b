"""One visit to one reader: whom it believes, and when silence does not count."""

from hardware.rc522.frames import REQA, Airtime
from hardware.simulator import faults
from hardware.simulator import registers as r
from tests.hardware.driver_stage import Stage, staged

CARD = "04a1b2c3d4e5f6"
UID = bytes.fromhex(CARD)


def at_transfer(stage: Stage, number: int, deed):  # type: ignore[no-untyped-def]
    """Something happens in the midst of a visit."""
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            deed()

    stage.world.bus.on_transfer = count


def test_a_stranger_that_is_gone_before_its_second_reading_was_never_there() -> None:
    with staged(1) as stage:
        card = stage.put(CARD, 1)
        at_transfer(stage, 60, lambda: stage.world.lift(card))
        assert stage.by_place[1].inventory([]).signs == {}


def test_silence_under_a_field_that_went_off_does_not_count() -> None:
    with staged(1) as stage:
        stage.put(CARD, 1)
        chip = stage.world.chips[0]
        at_transfer(stage, 5, lambda: chip.write_register(r.TX_CONTROL, 0x80))
        visit = stage.by_place[1].inventory([UID])
        assert visit.finding == "forgetful"
        assert visit.signs == {UID: "unclear"}


def test_one_garbled_answer_outweighs_any_silence() -> None:
    with staged(1) as stage:
        stage.put(CARD, 1)
        lost = faults.frame_loss(stage.world, 0, 0.999999)

        def clear_up() -> None:
            lost()
            faults.bit_errors(stage.world, 0, 0.5)

        at_transfer(stage, 30, clear_up)
        assert stage.by_place[1].inventory([UID]).signs == {UID: "unclear"}


def test_a_field_is_off_and_then_on_for_five_milliseconds_before_anybody_speaks() -> None:
    with staged(1) as stage:
        reader, frames = stage.by_place[1], stage.world.field.antennas[0]
        for _ in range(3):
            reader.switch_off()
            dark, spoken = stage.world.now, frames.frames
            assert reader.switch_on() == "well"
            assert frames.frames == spoken
            reader.exchange.call_tags(REQA)
            assert stage.world.now - dark >= 0.010 + Airtime.of(7, 2).question
