"""The host's PIN: told once, kept as a hash, slow to guess at."""

import hashlib
import re
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread

import msgspec
import pytest

from companion.core.errors import Refusal
from companion.host.fair_threads import CrowdedError
from companion.host.pin import AT_THE_MACHINE, Pin, draw_digits, is_easily_guessed
from companion.host.pin_guesses import Guesser
from companion.identity import IdentityStore, StoredPin


class Terminal:
    """Where digits are told, and where what is kept is put."""

    def __init__(self, kept: IdentityStore | None = None) -> None:
        self.told: list[str] = []
        self.kept = kept or IdentityStore()
        self.pin = Pin(self.kept, self.told.append)

    @property
    def stored(self) -> StoredPin:
        found = self.kept.pin()
        assert found is not None
        return found

    def code(self, typed: str, now: float, guesser: Guesser = AT_THE_MACHINE) -> str:
        refused = self.pin.check_pin(typed, now, guesser)
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
    assert digits not in msgspec.json.encode(terminal.stored).decode()
    again = Terminal(terminal.kept)
    assert again.code(digits, 0.0) == ""
    assert (again.told, again.pin.generation) == ([], terminal.pin.generation)


def test_a_first_pin_does_not_replace_one_made_while_it_was_hashed(tmp_path: Path) -> None:
    file = tmp_path / "identity.sqlite3"
    with closing(IdentityStore(file)) as ours, closing(IdentityStore(file)) as theirs:
        told: list[str] = []
        first = StoredPin("salt", "hash", "first")
        assert theirs.save_first_pin(first) == first
        assert ours.save_first_pin(StoredPin("other", "hash", "second")) == first
        Pin(ours, told.append).ensure_pin()
        assert (told, ours.pin()) == ([], first)


def test_a_pin_made_anew_meanwhile_makes_a_sign_in_worthless(terminal: Terminal) -> None:
    generation = terminal.pin.check_pin(terminal.told[0], 0.0)
    assert generation == terminal.pin.generation
    terminal.pin.renew_pin()
    assert generation != terminal.pin.generation


def test_every_guess_costs_sixteen_mebibytes(terminal: Terminal) -> None:
    (digits,), stored = terminal.told, terminal.stored
    how = {"n": 2**14, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}
    assert hashlib.scrypt(digits.encode(), salt=stored.salt.encode(), **how).hex() == stored.hash
    quick = Pin(terminal.kept, work=2**4)
    assert isinstance(quick.check_pin(digits, 0.0), Refusal), "what is stored was not made so"


def test_two_tables_have_two_salts(terminal: Terminal) -> None:
    other = Terminal()
    other.pin.ensure_pin()
    mine, theirs = (msgspec.structs.asdict(one.stored) for one in (terminal, other))
    assert all(mine[field] != theirs[field] for field in mine)


def test_the_right_pin_is_refused_during_the_wait(terminal: Terminal) -> None:
    for _ in range(4):
        terminal.code(terminal.wrong, 10.0)
    answers = {str(terminal.pin.check_pin(typed, 10.5)) for typed in (terminal.told[0], "123", "")}
    assert len(answers) == 1
    assert "pin_wait" in answers.pop()
    assert terminal.code(terminal.told[0], 11.0) == ""
    assert terminal.code(terminal.wrong, 11.0) == "wrong_pin"
    assert terminal.code(terminal.wrong, 11.0) == "wrong_pin", "the count begins anew"


def test_wrong_guesses_keep_neither_a_known_browser_nor_the_machine_out(terminal: Terminal) -> None:
    for _ in range(20):
        assert terminal.code(terminal.wrong, 0.0, Guesser("192.168.1.1")) != ""
    assert terminal.code(terminal.told[0], 0.0, Guesser("192.168.1.1", "a known phone")) == ""
    assert terminal.code(terminal.told[0], 0.0) == ""
    assert terminal.code(terminal.told[0], 0.0, Guesser("192.168.1.1")) == "pin_wait"


def test_a_new_pin_signs_everyone_out_and_waits_for_nobody(terminal: Terminal) -> None:
    before = terminal.pin.generation
    for _ in range(4):
        terminal.code(terminal.wrong, 0.0)
    digits = terminal.pin.renew_pin()
    assert terminal.told[1:] == [digits]
    assert terminal.pin.generation != before
    assert terminal.code(digits, 0.0) == ""


def test_a_guess_without_a_place_is_refused_and_does_not_count(terminal: Terminal) -> None:
    """Two dozen strangers at once: one is hashed, one waits, and the others may try again."""
    start = Barrier(24)
    codes = [""] * 24

    def guess(n: int) -> None:
        start.wait()
        try:
            codes[n] = terminal.code(terminal.wrong, 0.0, Guesser(f"10.0.0.{n}"))
        except CrowdedError:
            codes[n] = "crowded"

    crowd = [Thread(target=guess, args=(n,)) for n in range(24)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    assert set(codes) <= {"wrong_pin", "crowded"}
    counted = Guesser(f"10.0.0.{codes.index('crowded')}")
    assert [terminal.code(terminal.wrong, 0.0, counted) for _ in range(4)] == ["wrong_pin"] * 4


@pytest.mark.parametrize("typed", ["", " ", "12345", "\ud800", "9" * 10_000, "\0"])
def test_any_text_is_just_a_wrong_pin(terminal: Terminal, typed: str) -> None:
    assert terminal.code(typed, 0.0) == "wrong_pin"


def test_sessions_are_checked_while_a_pin_is_hashed(terminal: Terminal) -> None:
    heard: list[str] = []

    def tell(_digits: str) -> None:
        asking = Thread(target=lambda: heard.append(pin.generation), daemon=True)
        asking.start()
        asking.join(60)

    pin = Pin(terminal.kept, tell)
    pin.renew_pin()
    assert heard == [pin.generation]


def test_digits_that_are_chosen_count_and_end_what_was_before(terminal: Terminal) -> None:
    before, generation = terminal.told[0], terminal.pin.generation
    terminal.kept.save_host_session("ana", generation)
    terminal.kept.save_host_session("ben", generation)
    assert terminal.pin.choose_pin("271828", signed_in="ana") is None
    assert terminal.told == [before], "its owner knows them"
    assert terminal.code("271828", 0.0) == ""
    assert terminal.code(before, 0.0) == "wrong_pin"
    assert terminal.kept.host_generation("ana") == terminal.pin.generation != generation
    assert terminal.kept.host_generation("ben") == ""
    assert "271828" not in msgspec.json.encode(terminal.stored).decode()


@pytest.mark.parametrize("digits", ["", "12345", "1234567", "27182x", "２７１８２８", " 27182"])
def test_a_pin_has_six_digits(digits: str, terminal: Terminal) -> None:
    refused = terminal.pin.choose_pin(digits)
    assert refused is not None
    assert refused.code == "not_six_digits"
    assert terminal.code(terminal.told[0], 0.0) == "", "the one before counts on"


@pytest.mark.parametrize(
    "digits", ["000000", "123456", "654321", "456789", "567890", "121212", "123123", "112211"]
)
def test_what_people_try_first_is_no_pin(digits: str, terminal: Terminal) -> None:
    refused = terminal.pin.choose_pin(digits)
    assert refused is not None
    assert refused.code == "easy_pin"
    assert terminal.code(terminal.told[0], 0.0) == ""


def test_digits_that_are_drawn_are_not_among_them() -> None:
    drawn = {draw_digits() for _ in range(2000)}
    assert len(drawn) > 1900
    assert not [digits for digits in drawn if is_easily_guessed(digits)]
