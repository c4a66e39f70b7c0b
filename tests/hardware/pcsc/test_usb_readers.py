"""USB readers at a real PC/SC service: tapped, pulled out, kept by another program, missing."""

import random
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from companion.core.i18n import Message, get_language
from companion.core.sensor_events import Arrived, Evidence, FellSilent, Odd, ReaderFound, ReaderLost
from hardware.assembly import Hardware, assemble_hardware
from hardware.doctor.examine import Workplace, examine_table
from hardware.doctor.rehearsal import healthy_machine
from hardware.doctor.report import DoctorReport, TerminalPerson
from hardware.errors import NotConnected
from hardware.wiring import Wiring, load_profile, parse_profile
from tests.hardware.driver_stage import sticker
from tests.hardware.pcsc.virtual_pcsc import (
    BEEPER_OFF,
    GET_UID,
    VirtualCard,
    VirtualService,
    missing_parts,
)
from tests.worlds.campaign import pick

MISSING = missing_parts()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

CARD = "04a1b2c3d4e5f6"
ENGLISH = get_language("en")
USB = load_profile("usb")
TWO = 'title = "Two"\n[readers]\n1 = "pcsc:00 00"\n2 = "pcsc:00 01"\n'
LONGEST = 60
"""Seconds: the service looks for cards a few times a second, on a busy machine seldom."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualService]:
    """A service of our own, at one socket for as long as this process runs: the library looks up
    its name once, and a worker that takes tests over from another comes back to this module."""
    service = VirtualService(tmp_path_factory.getbasetemp() / "pcsc")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PCSCLITE_CSOCK_NAME", str(service.socket_path))
        yield service
    service.stop()


@pytest.fixture
def plugged(service: VirtualService) -> VirtualService:
    """The service with its two readers plugged in and nothing on them."""
    service.stop()
    service.start()
    return service


class Table:
    """A table of USB readers, all that it has told, and that without what fell silent again."""

    def __init__(self, hardware: Hardware) -> None:
        self.hardware, self.evidence = hardware, list[Evidence]()

    @property
    def told(self) -> list[Evidence]:
        return [news for news in self.evidence if not isinstance(news, FellSilent)]

    def run_until(self, is_done: Callable[[], object]) -> None:
        end = time.monotonic() + LONGEST
        while not is_done():
            assert time.monotonic() < end, self.told
            self.hardware.step()
            self.evidence += [e for e in self.hardware.sense() if not self._is_warm_up(e)]

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.run_until(lambda: time.monotonic() >= end)

    def _is_warm_up(self, news: Evidence) -> bool:
        """Whether this is what every reader tells after its start."""
        lost = [e for e in self.told if isinstance(e, ReaderLost)]
        return isinstance(news, ReaderFound) and not lost

    def taps(self) -> list[tuple[int, str]]:
        return [(e.place, e.tag) for e in self.told if isinstance(e, Arrived)]

    def cards_lying(self) -> Sequence[str]:
        """The cards that are on a reader this moment, as the last visits found."""
        readers = (self.hardware.readers.reader_at(place) for place in (1, 2)[: self.places])
        return [tag for reader in readers for tag in reader.inventory([]).signs]  # type: ignore[misc]

    @property
    def places(self) -> int:
        return len(self.hardware.conditions())


@contextmanager
def table_of(wiring: Wiring) -> Iterator[Table]:
    hardware = assemble_hardware(wiring, time)
    try:
        yield Table(hardware)
    finally:
        hardware.close()


def lift(table: Table, *cards: VirtualCard) -> None:
    """Take the cards off, and wait until the readers know."""
    for card in cards:
        card.lift()
    table.run_until(lambda: not table.cards_lying())


@pytest.mark.timeout(3600)
def test_every_tap_is_told_once_and_in_order(plugged: VirtualService) -> None:
    chance, laid = random.Random(4), list[tuple[int, str]]()
    with table_of(USB) as table:
        for _ in range(pick(2, 15, 1_000)):
            laid.append((1, sticker(chance)))
            card = plugged.lay(laid[-1][1])
            table.run_until(lambda: len(table.taps()) >= len(laid))
            asked = [GET_UID] if len(laid) > 1 else [GET_UID, BEEPER_OFF]
            assert card.commands == asked
            lift(table, card)
        table.run(0.5)
        assert table.taps() == laid
        assert {type(news) for news in table.told} == {Arrived}


@pytest.mark.wide
def test_a_reader_that_is_pulled_out_is_lost_and_found_and_doubles_no_tap(
    plugged: VirtualService,
) -> None:
    with table_of(USB) as table:
        card = plugged.lay(CARD)
        table.run_until(table.taps)
        plugged.stop()
        plugged.start(readers=False)
        table.run_until(lambda: len(table.told) == 2)
        plugged.stop()
        plugged.start()
        again = plugged.lay(CARD)
        table.run_until(lambda: len(table.told) == 3 and table.cards_lying())
        assert [type(news) for news in table.told] == [Arrived, ReaderLost, ReaderFound]
        for one in (card, again):
            one.lift()


def test_what_is_no_card_of_a_box_is_said(plugged: VirtualService) -> None:
    with table_of(parse_profile("two", TWO)) as table:
        cards = [plugged.lay("08a1b2c3", 0), plugged.lay("0102", 1)]
        table.run_until(lambda: len(table.told) == 2)
        told = {(e.place, e.what) for e in table.told if isinstance(e, Odd)}
        assert told == {(1, "telephone"), (2, "unreadable")}
        for card in cards:
            card.lift()


class SnatchedCard(VirtualCard):
    """A card that is lifted as soon as it is asked for its UID."""

    def _reply(self, _command: bytes) -> bytes:
        self._socket.shutdown(socket.SHUT_RDWR)
        return b""


def test_a_card_that_is_snatched_away_is_no_fault_of_the_reader(plugged: VirtualService) -> None:
    with table_of(USB) as table:
        card = SnatchedCard(plugged.port, bytes.fromhex(CARD))
        table.run_until(lambda: card.commands)
        table.run(0.5)
        assert [(each.word, each.retries) for each in table.hardware.conditions()] == [("well", 0)]
        lift(table, card)


def test_without_the_service_or_a_reader_one_sentence_says_so(service: VirtualService) -> None:
    service.stop()
    with pytest.raises(NotConnected, match="does not run; type: sudo apt install pcscd"):
        assemble_hardware(USB, time)
    service.start(readers=False)
    with pytest.raises(NotConnected, match="No USB reader is plugged in; plug it in"):
        assemble_hardware(USB, time)
    service.stop()
    service.start()
    for part, sentence in (("Omnikey", "has 'Omnikey' in its name"), ("PICC", "write more of one")):
        wiring = parse_profile("mine", TWO.replace("00 01", part).replace("00 00", "00 01"))
        with pytest.raises(NotConnected, match=sentence):
            assemble_hardware(wiring, time)


def examined_by(wiring: Wiring, answer: Callable[[Message], str]) -> DoctorReport:
    """What the doctor says to a person who does and answers this when asked for a card."""
    person = TerminalPerson(lambda _: None, answer)
    return examine_table(wiring, person, Workplace(healthy_machine(wiring), time))


def test_the_doctor_reads_a_card_on_each(plugged: VirtualService) -> None:
    cards = list[VirtualCard]()

    def lay(_question: Message) -> str:
        cards.append(plugged.lay(CARD))
        return "y"

    report = examined_by(USB, lay)
    lines = {ENGLISH(line.what): (line.state, ENGLISH(line.said)) for line in report.lines}
    assert lines["USB readers"] == ("good", "plugged in: " + ", ".join(plugged.names))
    assert lines["reader 1, card"] == ("good", f"read by {plugged.names[0]}")
    assert report.exit_status == 0
    cards[0].lift()
    plugged.stop()
    assert examined_by(USB, lay).exit_status == 1


@pytest.mark.parametrize(("comes_back", "state"), [(False, "bad"), (True, "skipped")])
def test_the_doctor_goes_on_when_the_service_dies_between_two_questions(
    comes_back: bool, state: str, plugged: VirtualService
) -> None:
    def stop(_question: Message) -> str:
        plugged.stop()
        if comes_back:
            plugged.start()
        return "n"

    *_, first, second = examined_by(parse_profile("two", TWO), stop).lines
    assert (first.state, second.state) == ("skipped", state)
    assert ("does not run" in ENGLISH(second.said)) is not comes_back
