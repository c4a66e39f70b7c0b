"""One question and what came of it: an answer, clean silence, or something garbled."""

from collections.abc import Sequence

import pytest

from hardware.rc522.anticollision import CollisionPositions, TagSearch
from hardware.rc522.exchange import (
    GARBLED,
    SILENCE,
    Exchange,
    ExchangeOutcome,
    HeardBits,
    ask_for_tag,
    select_tag,
)
from hardware.rc522.frames import REQA, anticollision_frame, select_frame
from hardware.rc522.reader import Rc522Reader
from hardware.simulator import faults
from tests.hardware.driver_stage import Stage, staged

CARD, OTHER = "04a1b2c3d4e5f6", "04778899aabbcc"
UID = bytes.fromhex(CARD)
FIRST_LEVEL = bytes.fromhex("8804a1b2")


def lit(stage: Stage) -> tuple[Rc522Reader, Exchange]:
    reader = stage.by_place[1]
    assert reader.switch_on() == "well"
    return reader, reader.exchange


def test_an_answer_silence_and_noise_are_three_things() -> None:
    with staged(1) as stage:
        _, exchange = lit(stage)
        assert exchange.call_tags(REQA) is SILENCE
        stage.put(CARD, 1)
        stage.world.sleep(0.01)
        assert isinstance(exchange.call_tags(REQA), HeardBits)
        assert exchange.ask_tag(anticollision_frame(0, 0, 0), 5) == HeardBits(FIRST_LEVEL + b"\x9f")
        quiet = faults.bit_errors(stage.world, 0, 0.5)
        assert exchange.ask_tag(select_frame(0, FIRST_LEVEL), 3) is GARBLED
        quiet()


def test_what_was_garbled_does_not_spoil_the_next_question() -> None:
    with staged(1) as stage:
        _, exchange = lit(stage)
        stage.put(CARD, 1)
        stage.world.sleep(0.01)
        assert isinstance(exchange.call_tags(REQA), HeardBits)
        garbled = 0
        for _ in range(20):
            quiet = faults.bit_errors(stage.world, 0, 0.5)
            garbled += exchange.ask_tag(anticollision_frame(0, 0, 0), 5) is GARBLED
            quiet()
            assert exchange.ask_tag(anticollision_frame(0, 0, 0), 5) == HeardBits(
                FIRST_LEVEL + b"\x9f"
            )
        assert garbled > 10


def test_a_tag_left_half_selected_is_found_all_the_same() -> None:
    """It drops the first call; that is why two must stay silent."""
    with staged(1) as stage:
        reader, exchange = lit(stage)
        stage.put(CARD, 1)
        stage.world.sleep(0.01)
        exchange.call_tags(REQA)
        assert select_tag(exchange, 0, FIRST_LEVEL) == 0x04
        assert TagSearch(exchange, reader.positions).find_all() == [UID]


def test_another_tag_on_the_reader_does_not_answer_for_an_absent_one() -> None:
    with staged(1) as stage:
        _, exchange = lit(stage)
        stage.put(OTHER, 1)
        stage.put(CARD[:8] + "000000", 1)  # the same first level
        stage.world.sleep(0.01)
        assert ask_for_tag(exchange, UID) == "silent"
        assert ask_for_tag(exchange, bytes.fromhex(OTHER)) == "seen"


class Parrot(Exchange):
    """An exchange that says what it is told to, and remembers what it was asked."""

    def __init__(self, answers: Sequence[bytes]) -> None:
        self.answers, self.asked, self.calls = list(answers), list[bytes](), 0

    def call_tags(self, call: bytes):  # type: ignore[no-untyped-def]
        self.calls += 1
        return HeardBits(b"") if self.answers else SILENCE

    def ask_tag(self, question: bytes, expect: int, known: int = 0):  # type: ignore[no-untyped-def]
        self.asked.append(question)
        return HeardBits(self.answers.pop(0)) if self.answers else SILENCE

    def send_order(self, order: bytes) -> None:
        self.asked.append(order)


@pytest.mark.parametrize(
    "answer",
    [FIRST_LEVEL + b"\x9e", FIRST_LEVEL, FIRST_LEVEL + b"\x9f\x00", b""],
    ids=["wrong check byte", "too short", "too long", "nothing"],
)
def test_a_level_that_does_not_check_is_never_selected(answer: bytes) -> None:
    parrot = Parrot([answer])
    assert TagSearch(parrot, CollisionPositions()).find_all() == []
    assert all(question[1] != 0x70 for question in parrot.asked)


@pytest.mark.parametrize(
    ("registers", "silent", "understood"),
    [
        ((0x01, 0, 0, 0, 0), True, False),
        ((0x21, 0, 0, 2, 0), False, True),  # late, but an answer
        ((0x01, 0x02, 0, 0, 0), False, False),  # parity
        ((0x01, 0, 0, 1, 0), False, False),  # something came
        ((0x20, 0x01, 0, 2, 0), False, False),  # protocol
        ((0x20, 0x08, 0, 5, 0x05), False, True),  # a collision
        ((0x20, 0x0A, 0, 5, 0x05), False, True),  # a collision breaks parity
        ((0x20, 0x08, 0, 5, 0x25), False, False),  # a collision nowhere
        ((0x20, 0, 0, 0, 0), False, False),  # an answer of nothing
        ((0x00, 0x00, 0x00, 0x00, 0x00), False, False),  # a dead bus
        ((0xFF, 0xFF, 0xFF, 0xFF, 0xFF), False, False),  # the other dead bus
    ],
)
def test_only_the_timer_with_nothing_else_is_silence(
    registers: tuple[int, int, int, int, int], silent: bool, understood: bool
) -> None:
    outcome = ExchangeOutcome(*registers)
    assert (outcome.is_silent, outcome.is_understood) == (silent, understood)


def test_a_chip_that_never_makes_up_its_mind_is_given_up() -> None:
    with staged(1) as stage:
        _, exchange = lit(stage)
        faults.silence_reader(stage.world, 0, 0x00)
        begun = stage.world.now
        assert exchange.call_tags(REQA) is GARBLED
        assert exchange.stalled == 1
        assert stage.world.now - begun < 0.004


def test_a_brown_out_during_a_visit_makes_nothing_absent() -> None:
    for moment in range(2, 40, 3):
        with staged(1) as stage:
            stage.put(CARD, 1)
            stage.rounds(3)
            transfers = 0

            def dip(stage: Stage = stage, moment: int = moment) -> None:
                nonlocal transfers
                transfers += 1
                if transfers == moment:
                    faults.brown_out(stage.world, 0)

            stage.world.bus.on_transfer = dip
            assert stage.by_place[1].inventory([UID]).signs.get(UID) != "silent"
