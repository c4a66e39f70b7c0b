"""The wires of a table: closed before others are opened, tried again, never a reason to be gone."""

from collections.abc import Sequence

import pytest

from companion.app.wires import OpenedWires, TableWires, load_unlearnt_wiring
from companion.core.i18n import message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, ReaderCondition
from hardware.errors import NotConnected
from hardware.wiring import Wiring

EIGHT, FIVE = load_unlearnt_wiring("eight-readers"), load_unlearnt_wiring("five-readers")


class Pins:
    """The one set of pins that a process has; `broken` wirings cannot be opened."""

    def __init__(self) -> None:
        self.open: Wiring | None = None
        self.broken: list[str] = []
        self.visits, self.now = 0, 0.0

    def opened(self, wiring: Wiring) -> OpenedWires:
        assert self.open is None, "the others are still open"
        if wiring.name in self.broken:
            raise NotConnected(message("There is no {wire}.", wire=wiring.name))
        self.open, self.visits = wiring, 0
        return self, self

    def sense(self) -> Sequence[Evidence]:
        self.visits += 1
        return [ButtonPressed(self.now, 1)]

    def conditions(self) -> Sequence[ReaderCondition]:
        return ()

    def steps(self) -> int:
        return self.visits

    def light(self, seat: int, lamp: Lamp) -> None:
        assert self.open is not None

    def close(self) -> None:
        assert self.open is not None
        self.open = None

    def wires(self, *, patient: bool = False) -> TableWires:
        return TableWires(EIGHT, self.opened, patient=patient, clock=lambda: self.now)


def test_others_are_opened_once_these_are_closed() -> None:
    pins = Pins()
    wires = pins.wires()
    wires.sense()
    steps = wires.count_visits()
    assert wires.rewire(FIVE) is None
    assert (pins.open, wires.wiring) == (FIVE, FIVE)
    assert wires.count_visits() > steps, "the visits go on"
    wires.close()
    wires.close()
    assert pins.open is None


def test_an_impatient_table_is_refused() -> None:
    pins = Pins()
    pins.broken = ["eight-readers"]
    with pytest.raises(NotConnected, match=r"There is no eight-readers\."):
        pins.wires()


def test_what_the_machine_refuses_in_its_own_words_is_said() -> None:
    def opened(_wiring: Wiring) -> OpenedWires:
        raise OSError(5, "Input/output error")

    wires = TableWires(EIGHT, opened, patient=True)
    assert wires.trouble == message(
        "The wires cannot be opened: {reason}.", reason="Input/output error"
    )
    wires.close()
