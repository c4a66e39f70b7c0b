"""The pass of the host: for one browser, once, and only as long as it counts."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.host.host_pass import FILE, SHOWN_FOR, HostPass, write_pass

KEY, OTHER = bytes(range(32)), bytes(32)


def answer(word: str, key: bytes = KEY) -> str:
    """What the phone with this key sends."""
    return hashlib.sha256(word.encode() + key).hexdigest()


class Door:
    """A folder, a clock that the test holds, and the passes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, 100.0
        self.host_pass = HostPass(folder, lambda: self.now)

    def held(self, seat: int) -> str:
        """The word that the screen of the Pi shows while the button of a seat is held."""
        self.host_pass.show_pass(seat, "")
        shown = self.host_pass.shown_pass()
        assert shown is not None
        assert shown.seat == seat
        return shown.word

    def opens(self, word: str, key: bytes = KEY) -> bool:
        return self.host_pass.use_answer(answer(word, key), key)


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def test_a_shown_and_a_printed_pass_count_once_each(door: Door) -> None:
    for word in (door.held(3), write_pass(door.folder)):
        assert door.opens(word)
        assert not door.opens(word)
    assert door.host_pass.shown_pass() is None
    assert not (door.folder / FILE).exists()


def test_an_answer_heard_on_its_way_is_worth_nothing_with_another_key(door: Door) -> None:
    for word in (door.held(1), write_pass(door.folder)):
        assert not door.host_pass.use_answer(answer(word), OTHER)
        assert not door.host_pass.use_answer(word, KEY)
        assert door.opens(word), "a wrong answer ends no pass"


@given(st.floats(0, 3 * SHOWN_FOR))
def test_a_shown_pass_counts_for_its_thirty_seconds(later: float) -> None:
    door = Door(Path("/nowhere"))
    word = door.held(1)
    door.now += later
    counts = door.now < 100.0 + SHOWN_FOR
    assert (door.host_pass.shown_pass() is not None) is counts
    assert door.opens(word) is counts


def test_signing_everyone_out_ends_every_pass(door: Door) -> None:
    words = [write_pass(door.folder), door.held(2)]
    door.host_pass.revoke_all()
    assert not any(map(door.opens, words))


def test_a_new_table_offers_one_pass_that_counts_until_it_has_a_host(door: Door) -> None:
    offered = door.host_pass.offer_pass()
    assert offered is not None
    door.now += 1e6
    assert door.host_pass.offer_pass() == offered
    assert door.opens(offered.word)
    again = door.host_pass.offer_pass()
    assert again is not None
    assert again.word != offered.word
    door.host_pass.withdraw_offer()
    assert not door.opens(again.word)
    held = door.held(2)
    assert door.host_pass.offer_pass() is None
    door.host_pass.withdraw_offer()
    assert door.opens(held), "it was no offer"
