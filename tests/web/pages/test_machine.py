"""The host's page switches the machine off and joins a Wi-Fi, and says how it goes."""

import pytest
from flask import Flask

from companion.app.simulated.simulation import Simulation
from companion.core.i18n import message
from companion.hotspot.machine import Machine, MachineStatus
from companion.seating.seats import Seats
from tests.worlds.declared_operations import NotedMachine
from tests.worlds.host_browser import HostsBrowser
from web.app import create_app
from web.context import AppContext


@pytest.fixture
def machine() -> NotedMachine:
    return NotedMachine()


@pytest.fixture
def host(evening: Simulation, seats: Seats, machine: NotedMachine) -> HostsBrowser:
    return HostsBrowser(make_app(evening, seats, machine)).signs_in()


def make_app(evening: Simulation, seats: Seats, machine: Machine | None) -> Flask:
    table = evening.host.table
    context = AppContext(table, seats, evening, host=evening.host, machine=machine)
    return create_app(context)


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (MachineStatus("1.2.0"), "Version 1.2.0"),
        (MachineStatus("1.2.0", "off"), "This Pi is shutting down"),
        (MachineStatus("1.2.0", "wifi"), "The Wi-Fi is being changed"),
        (MachineStatus("1.2.0", failed=message("Home was not joined.")), "Home was not joined."),
    ],
)
def test_the_page_says_how_it_goes(
    status: MachineStatus, says: str, host: HostsBrowser, machine: NotedMachine
) -> None:
    machine.status = status
    page = host.get("/host/care").text
    assert says in page
    assert "/api/host/machine/power" in page, "the power can be switched at any time"
    assert ("/api/host/machine/wifi" in page) is (status.doing == "")
