"""Under which addresses we answer, what to type, and what a camera reads."""

from companion.cli import greeting
from companion.core.i18n import get_language
from companion.hotspot.addresses import (
    TABLE_ADDRESS,
    answered_hosts,
    own_addresses,
    page_addresses,
    parse_local_addresses,
    sort_addresses,
)
from companion.hotspot.machine import EVERY, Machine
from tests.worlds.hand_clock import HandClock

ROUTES = """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 127.0.0.1
        /32 host LOCAL
     +-- 192.168.1.0/24 2 0 2
        |-- 192.168.1.20
           /32 host LOCAL
        |-- 192.168.1.255
           /32 link BROADCAST
     |-- 10.42.0.1
        /32 host LOCAL
"""
HOME = "http://192.168.1.20:8000/"


def test_the_addresses_of_every_network_are_ours_and_no_others() -> None:
    assert parse_local_addresses(ROUTES) == ["192.168.1.20", "10.42.0.1"]
    assert not any(address.startswith("127.") for address in own_addresses())


def test_in_a_network_of_its_own_the_table_is_found_there_first() -> None:
    assert sort_addresses(["192.168.1.20", TABLE_ADDRESS, "192.168.1.20"]) == [
        TABLE_ADDRESS,
        "192.168.1.20",
    ]
    assert sort_addresses(["192.168.1.20", "10.42.0.1"]) == ["192.168.1.20", "10.42.0.1"]


def test_what_is_served_everywhere_is_found_by_number_and_by_name() -> None:
    hosts = answered_hosts("0.0.0.0", ["192.168.1.20", "10.42.0.1"])
    assert hosts[:2] == ("192.168.1.20", "10.42.0.1")
    assert hosts[-1].endswith(".local")
    typed = page_addresses("0.0.0.0", 8000, ["192.168.1.20", "10.42.0.1"])
    assert typed == (HOME, f"http://{hosts[-1]}:8000/")
    assert page_addresses("0.0.0.0", 8000, [])[0].endswith(".local:8000/"), "no network at all"
    assert page_addresses("10.0.0.7", 80, []) == ("http://10.0.0.7:80/",)
    both = page_addresses("0.0.0.0", 8000, [TABLE_ADDRESS, "192.168.1.20", "10.42.0.1"])
    assert both == (f"http://{TABLE_ADDRESS}:8000/", *typed), (
        "each of two networks has a number for us"
    )


def test_an_address_that_changes_while_running_is_answered() -> None:
    own, clock = ["192.168.1.20"], HandClock(1.0)
    machine = Machine("0.0.0.0", own=lambda: own, clock=clock)
    answered = machine.hosts
    machine.refresh()
    told = list[str]()
    machine.watch(lambda: told.append(machine.addresses[0]))
    own[:] = ["192.168.1.77"]
    clock.now += EVERY - 1
    machine.refresh()
    assert "192.168.1.20" in answered
    clock.now += 1
    machine.refresh()
    assert "192.168.1.20" not in answered
    assert {"localhost", "127.0.0.1", "192.168.1.77"} <= {*answered}
    assert told == ["http://192.168.1.77:8000/"], "every screen shows the new code"


def test_the_terminal_names_every_number_and_then_the_name() -> None:
    said = greeting.address_lines(
        ["http://10.71.0.1:1/", HOME, "http://pi.local:1/"], get_language("en")
    )
    assert said[0] == "The companion is at http://10.71.0.1:1/"
    assert said[1:] == [f"The companion is at {HOME}", "or, by its name, at http://pi.local:1/"]
