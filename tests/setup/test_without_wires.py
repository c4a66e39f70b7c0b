"""A table that stands without its wires says why everywhere, and the browser can put it right."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import state_files
from companion.app.setup.rehearsal_hand import cross_wires
from companion.app.wires import RETRY_EVERY, load_wiring
from companion.core.i18n import Message, message
from companion.games.new_game import NewGame
from companion.host.status import light_colours
from hardware.errors import NotConnected
from hardware.rc522.stock import NO_DEVICE, NO_SPI
from hardware.wiring import Wiring, load_profile
from tests.worlds.rehearsal import EN, Rehearsal, code

MISSING = Message(NO_SPI, {"bus": 0, "device": 0, "file": "config.txt"})
TWO = NewGame("bankueberfall", ("Ana", "Ben"))


class Broken(Rehearsal):
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
def at(tmp_path: Path) -> Iterator[Broken]:
    made = Broken(tmp_path, patient=True)
    yield made
    made.end()


def test_it_is_said_on_every_screen_and_in_the_health(at: Broken) -> None:
    (trouble,) = at.real.table.faults.messages()
    assert EN(trouble).startswith("The table stands without its wires")
    assert at.host.read_health().trouble == (trouble,)
    assert (at.host.read_health().readers, at.seats.open_house) == ((), True)
    assert light_colours(at.host.health_lights())["wires"] == "red"
    assert at.goes("banks").trouble
    assert at.says().startswith("There is no /dev/spidev0.0")


def test_a_game_is_played_by_hand_until_the_wires_are_there(at: Broken) -> None:
    assert at.host.begin_game(TWO) is None
    view = at.real.table.view()
    assert view is not None
    assert view.table.by_hand == (1, 2, 3, 4, 5)
    steps, at.without = at.real.count_visits(), ()
    at.passes(RETRY_EVERY + 3)
    assert (at.real.table.faults.messages(), at.seats.open_house) == ((), False)
    at.host.read_health()
    assert light_colours(at.host.health_lights())["wires"] == "green"
    assert at.real.count_visits() > steps
    assert at.real.table.reports.is_listening
    assert at.real.table.state is not None


def test_another_wiring_is_chosen_and_the_table_has_wires(at: Broken) -> None:
    assert at.first.choose_wiring("five-readers") is None
    at.passes(2)
    assert (at.real.table.faults.messages(), len(at.real.reader_conditions())) == ((), 5)
    assert load_wiring(at.folder, None).learnt_from == "five-readers"


@pytest.mark.parametrize("text", NO_DEVICE)
def test_what_config_txt_lacks_is_said_with_what_to_type(at: Broken, text: str) -> None:
    at.without, at.missing = (
        ("five-readers",),
        Message(text, {**MISSING.facts, "command": "install"}),
    )
    assert at.first.choose_wiring("eight-readers") is None
    refused = at.first.choose_wiring("five-readers")
    assert refused is not None
    assert EN(refused.say) == (
        "/boot/firmware/config.txt lacks what this wiring needs; "
        "type: sudo systemd/install --profile five-readers, then restart the Pi."
    )
    assert at.real.wiring == "eight-readers", "the wires from before are open again"
    assert (at.real.table.faults.messages(), len(at.real.reader_conditions())) == ((), 8)
    assert "wiring" in state_files.load_choices(at.folder).done


def test_other_trouble_is_said_as_it_is(at: Broken) -> None:
    at.busy = 1
    refused = at.first.choose_wiring("five-readers")
    assert refused is not None
    assert (refused.code, EN(refused.say)) == ("no_wires", "BCM 4 is in use.")
    assert at.real.wires.trouble is not None, "and those from before cannot be opened either"
    at.without = ()
    at.passes(RETRY_EVERY + 1)
    assert at.real.wires.trouble is None


def test_wires_that_cannot_follow_are_said_and_nothing_wrong_is_believed(at: Broken) -> None:
    at.without = ()
    at.passes(RETRY_EVERY + 3)
    at.through("banks")
    at.busy = 1
    assert code(at.first.go_to("buttons")) == "no_wires"
    assert at.real.wires.wiring.readers == load_profile("eight-readers").readers, "as before"
    assert at.goes("banks").done == 0, "so it is learnt anew"
    assert at.through("banks").done == 8
    at.goes("buttons")
    assert at.real.wires.wiring.readers == cross_wires("eight-readers").readers
