"""A table that stands without its wires says why everywhere, and the browser can put it right."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.wires import RETRY_EVERY, OpenedWires, TableWires
from companion.core.i18n import Message, message
from companion.games.new_game import NewGame
from companion.host.settings import load_choices
from companion.host.status import light_colours
from hardware.errors import NotConnected
from hardware.rc522.stock import NO_SPI
from hardware.wiring import Wiring, load_profile
from tests.worlds.fresh_table import EN, Fresh, code, cross_wires

MISSING = Message(NO_SPI, {"bus": 0, "device": 0, "file": "config.txt"})
TWO = NewGame("bankueberfall", ("Ana", "Ben"))


class Broken(Fresh):
    """A service whose readers of some wirings cannot be opened."""

    without: tuple[str, ...] = ("eight-readers",)
    busy = 0
    """So many times the pins are in use by somebody else."""
    missing = MISSING

    def opens(self, wiring: Wiring) -> None:
        if wiring.learnt_from in self.without:
            raise NotConnected(self.missing)
        if self.busy:
            self.busy -= 1
            raise NotConnected(message("BCM {bcm} is in use.", bcm=4))


@pytest.fixture
def broken_table(tmp_path: Path) -> Iterator[Broken]:
    made = Broken(tmp_path, patient=True)
    yield made
    made.shut()


def test_missing_wires_are_said_on_every_screen_and_in_the_health(broken_table: Broken) -> None:
    (trouble,) = broken_table.real.table.faults.messages()
    assert EN(trouble).startswith("The table runs without its wires")
    assert (broken_table.host.read_health().readers, broken_table.seats.open_house) == ((), True)
    assert light_colours(broken_table.host.health_lights())["wires"] == "red"
    assert broken_table.goes("banks").trouble
    assert broken_table.says().startswith("There is no /dev/spidev0.0")


def test_a_game_is_played_by_hand_until_the_wires_are_there(broken_table: Broken) -> None:
    assert broken_table.host.begin_game(TWO) is None
    view = broken_table.real.table.view()
    assert view is not None
    assert view.table.by_hand == (1, 2, 3, 4, 5)
    steps, broken_table.without = broken_table.real.wires.steps(), ()
    broken_table.wait(RETRY_EVERY + 3)
    assert (broken_table.real.table.faults.messages(), broken_table.seats.open_house) == ((), False)
    broken_table.host.read_health()
    assert light_colours(broken_table.host.health_lights())["wires"] == "green"
    assert broken_table.real.wires.steps() > steps
    assert broken_table.real.table.reports.is_listening
    assert broken_table.real.table.state is not None


def test_another_wiring_that_cannot_be_opened_is_refused(broken_table: Broken) -> None:
    broken_table.without = ("five-readers",)
    assert broken_table.first.choose_wiring("eight-readers") is None
    refused = broken_table.first.choose_wiring("five-readers")
    assert refused is not None
    assert refused.say == MISSING
    assert broken_table.real.wiring == "eight-readers", "the wires from before are open again"
    assert (
        broken_table.real.table.faults.messages(),
        len(broken_table.real.wires.conditions()),
    ) == ((), 8)
    assert "wiring" in load_choices(broken_table.folder).done


@pytest.mark.wide
def test_wires_that_cannot_follow_are_said_and_nothing_wrong_is_believed(
    broken_table: Broken,
) -> None:
    broken_table.without = ()
    broken_table.wait(RETRY_EVERY + 3)
    broken_table.through("banks")
    broken_table.busy = 1
    assert code(broken_table.first.go_to("buttons")) == "no_wires"
    assert broken_table.real.wires.wiring.readers == load_profile("eight-readers").readers, (
        "as before"
    )
    assert broken_table.goes("banks").done == 0, "so it is learnt anew"
    assert broken_table.through("banks").done == 8
    broken_table.goes("buttons")
    assert broken_table.real.wires.wiring.readers == cross_wires("eight-readers").readers


def test_what_the_machine_refuses_in_its_own_words_is_said() -> None:
    def opened(_wiring: Wiring) -> OpenedWires:
        raise OSError(5, "Input/output error")

    wires = TableWires(load_profile(), opened, patient=True)
    assert wires.trouble is not None
    assert EN(wires.trouble) == "The wires cannot be opened: Input/output error."
    assert (wires.sense(), wires.conditions(), wires.has_buttons) == ((), (), False)
