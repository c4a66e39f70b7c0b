"""The host's PIN: told once, kept as a hash, slow to guess at."""

import json
import re
from threading import Thread

import pytest

from companion.core.errors import Refusal
from companion.host.pin import Pin


class Terminal:
    """Where digits are told, and where what is kept is put."""

    def __init__(self, kept: bytes = b"") -> None:
        self.told: list[str] = []
        self.kept = kept
        self.pin = Pin(kept, self._keep, self.told.append)

    def _keep(self, kept: bytes) -> None:
        self.kept = kept

    def code(self, typed: str, now: float) -> str:
        refused = self.pin.check_pin(typed, now)
        return refused.code if isinstance(refused, Refusal) else ""

    @property
    def wrong(self) -> str:
        return f"{(int(self.told[-1]) + 1) % 1_000_000:06}"


@pytest.fixture
def terminal() -> Terminal:
    made = Terminal()
    made.pin.ensure_pin()
    return made


def test_a_pin_is_told_once_and_nobody_can_read_it_later(terminal: Terminal) -> None:
    terminal.pin.ensure_pin()
    (digits,) = terminal.told
    assert re.fullmatch("[0-9]{6}", digits)
    assert set(json.loads(terminal.kept)) == {"salt", "hash", "generation"}
    assert digits.encode() not in terminal.kept
    again = Terminal(terminal.kept)
    assert again.code(digits, 0.0) == ""
    assert (again.told, again.pin.generation) == ([], terminal.pin.generation)


@pytest.mark.parametrize("spoilt", [b"", b"{", b"[]", b"{}", b'{"salt":1}', b"\xff"])
def test_an_unreadable_pin_file_is_replaced(spoilt: bytes) -> None:
    made = Terminal(spoilt)
    made.pin.ensure_pin()
    assert made.code(made.told[0], 0.0) == ""


def test_two_tables_have_two_salts(terminal: Terminal) -> None:
    other = Terminal()
    other.pin.ensure_pin()
    mine, theirs = json.loads(terminal.kept), json.loads(other.kept)
    assert all(mine[field] != theirs[field] for field in mine)


def test_wrong_guesses_wait_longer_each_time_and_at_most_a_minute(terminal: Terminal) -> None:
    now, waits = 0.0, list[int]()
    for _ in range(12):
        assert terminal.code(terminal.wrong, now) == "wrong_pin"
        waits.append(terminal.pin.wait_seconds(now))
        now += waits[-1]
    assert waits == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_the_right_pin_is_refused_during_the_wait(terminal: Terminal) -> None:
    for _ in range(4):
        terminal.code(terminal.wrong, 10.0)
    answers = {str(terminal.pin.check_pin(typed, 10.5)) for typed in (terminal.told[0], "123", "")}
    assert len(answers) == 1
    assert "pin_wait" in answers.pop()
    assert terminal.code(terminal.told[0], 11.0) == ""
    assert terminal.code(terminal.wrong, 11.0) == "wrong_pin"
    assert terminal.pin.wait_seconds(11.0) == 0, "the count begins anew"


def test_a_new_pin_signs_everyone_out_and_waits_for_nobody(terminal: Terminal) -> None:
    before = terminal.pin.generation
    for _ in range(4):
        terminal.code(terminal.wrong, 0.0)
    digits = terminal.pin.renew_pin()
    assert terminal.told[1:] == [digits]
    assert terminal.pin.generation != before
    assert terminal.code(digits, 0.0) == ""


@pytest.mark.parametrize("typed", ["", " ", "12345", "\ud800", "9" * 10_000, "\0"])
def test_any_text_is_just_a_wrong_pin(terminal: Terminal, typed: str) -> None:
    assert terminal.code(typed, 0.0) == "wrong_pin"


def test_sessions_are_checked_while_a_pin_is_hashed() -> None:
    heard: list[str] = []

    def slowly(_kept: bytes) -> None:
        asking = Thread(target=lambda: heard.append(pin.generation), daemon=True)
        asking.start()
        asking.join(5)

    pin = Pin(keep=slowly)
    pin.renew_pin()
    assert heard == [pin.generation]
