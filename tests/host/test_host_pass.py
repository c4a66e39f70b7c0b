"""The pass of the host: one at a time, for one browser, and only as long as it counts."""

import re
from threading import Barrier, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.host.host_pass import SHOWN_FOR, HostPass, pass_address
from companion.host.pin import Pin
from tests.worlds.host_browser import QUICK_WORK


class Door:
    """A PIN, a clock that the test holds, and the pass."""

    def __init__(self) -> None:
        self.now, self.pin = 100.0, Pin(work=QUICK_WORK)
        self.host_pass = HostPass(self.pin, lambda: self.now)

    def held(self, seat: int) -> str:
        """The token that the screens show while the button of a seat is held."""
        self.host_pass.show_pass(seat)
        shown = self.host_pass.shown_pass()
        assert shown is not None
        assert shown.seat == seat
        return shown.token


@pytest.fixture
def door() -> Door:
    return Door()


def test_a_token_has_128_bits_and_stands_behind_the_sign_that_browsers_keep(door: Door) -> None:
    token = door.held(2)
    assert re.fullmatch("[A-Za-z0-9_-]{22}", token)
    assert token != door.held(2)
    assert pass_address("http://10.71.0.1/", token) == f"http://10.71.0.1/host/pass#{token}"


def test_a_pass_counts_once(door: Door) -> None:
    token = door.held(3)
    assert door.host_pass.use_token(token)
    assert not door.host_pass.use_token(token)
    assert not door.host_pass.use_held_button(3)
    assert door.host_pass.shown_pass() is None


@given(st.floats(0, 3 * SHOWN_FOR))
def test_a_shown_pass_counts_for_its_thirty_seconds(later: float) -> None:
    door = Door()
    token = door.held(1)
    door.now += later
    counts = door.now < 100.0 + SHOWN_FOR
    assert (door.host_pass.shown_pass() is not None) is counts
    assert door.host_pass.use_token(token) is counts


def test_a_printed_pass_counts_until_it_is_used_and_no_screen_shows_it(door: Door) -> None:
    token = door.host_pass.print_pass()
    door.now += 1e6
    assert door.host_pass.shown_pass() is None
    assert not door.host_pass.use_held_button(0)
    assert door.host_pass.use_token(token)
    assert not door.host_pass.use_token(token)


def test_a_newer_pass_ends_the_one_before(door: Door) -> None:
    printed, shown = door.host_pass.print_pass(), door.held(1)
    newest = door.held(2)
    assert not door.host_pass.use_token(printed)
    assert not door.host_pass.use_token(shown)
    assert not door.host_pass.use_held_button(1)
    assert door.host_pass.use_token(newest)


def test_a_new_pin_and_signing_everyone_out_end_a_pass(door: Door) -> None:
    for end in (door.pin.renew_pin, door.pin.revoke_sessions):
        token = door.host_pass.print_pass()
        end()
        assert not door.host_pass.use_token(token)
        door.held(2)
        end()
        assert door.host_pass.expire_pass(), "the screens are to change"
        assert door.host_pass.shown_pass() is None


def test_the_button_of_another_seat_is_no_pass(door: Door) -> None:
    door.held(2)
    assert not door.host_pass.use_held_button(3)
    assert door.host_pass.use_held_button(2)


@given(st.text(max_size=40))
def test_no_other_text_is_a_pass_and_none_spoils_it(typed: str) -> None:
    door = Door()
    token = door.held(1)
    assert not door.host_pass.use_token(typed)
    assert door.host_pass.use_token(token)


def test_of_many_browsers_at_once_one_is_let_in(door: Door) -> None:
    token, start, let_in = door.held(1), Barrier(8), list[bool]()

    def come() -> None:
        start.wait()
        let_in.append(door.host_pass.use_token(token))

    browsers = [Thread(target=come) for _ in range(8)]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()
    assert sorted(let_in) == [False] * 7 + [True]


def test_a_new_table_offers_one_pass_that_counts_until_a_host_is_signed_in(door: Door) -> None:
    offered = door.host_pass.offer_pass()
    assert offered is not None
    door.now += 1e6
    assert door.host_pass.offer_pass() == offered
    assert not door.host_pass.use_held_button(offered.seat), "no button made it"
    assert door.host_pass.use_token(offered.token)
    again = door.host_pass.offer_pass()
    assert again is not None
    assert again.token != offered.token
    door.host_pass.withdraw_offer()
    assert not door.host_pass.use_token(again.token)


def test_an_offer_takes_the_place_of_no_other_pass_and_withdrawing_ends_no_other(
    door: Door,
) -> None:
    for make in (door.host_pass.print_pass, lambda: door.held(2)):
        token = make()
        assert door.host_pass.offer_pass() is None
        door.host_pass.withdraw_offer()
        assert door.host_pass.use_token(token)
