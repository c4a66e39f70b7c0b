"""The checks of the nemesis see what is wrong with a history, and nothing in one that is sound."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.nemesis.attempts import NEVER, REFUSED, UNKNOWN
from companion.games import game_names
from tests.worlds.campaign import pick
from tests.worlds.nemesis_evening import PIN, QuietEvening

Planted = Callable[[QuietEvening], None]


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> QuietEvening:
    """An evening with nothing wrong."""
    return QuietEvening(tmp_path_factory.mktemp("quiet"), "robby_solo", seed=1)


@pytest.fixture
def evening(quiet: QuietEvening) -> QuietEvening:
    """The same evening, to plant something in."""
    return quiet.copy()


@pytest.mark.parametrize("game", game_names())
def test_nothing_is_found_in_a_sound_evening(game: str, tmp_path: Path) -> None:
    for seed in range(pick(1, 5, 50)):
        (folder := tmp_path / str(seed)).mkdir()
        evening = QuietEvening(folder, game, seed)
        assert evening.check() == []
        assert evening.of_kind("ask")
        assert evening.of_kind("ask", REFUSED) or seed


def lose_line(evening: QuietEvening) -> None:
    evening.lines.remove(next(line for line in reversed(evening.lines) if line.key))


def double_line(evening: QuietEvening) -> None:
    line = next(line for line in reversed(evening.lines) if line.key)
    evening.lines.append(line._replace(n=evening.lines[-1].n + 1))


def double_line_of_a_call_without_answer(evening: QuietEvening) -> None:
    double_line(evening)
    key = evening.lines[-1].key.split()[-1]
    for each in evening.attempts:
        if each.key == key:
            each.outcome, each.returned = UNKNOWN, NEVER


def refuse_what_is_written(evening: QuietEvening) -> None:
    asked = evening.of_kind("ask")[-1]
    asked.outcome, asked.code = REFUSED, "not_written"


def change_line(evening: QuietEvening) -> None:
    asked = next(e for e in evening.of_kind("ask") if any(e.key in x.key for x in evening.lines))
    asked.sent["event"] = {"event": "ended"}


def invent_line(evening: QuietEvening) -> None:
    asked = next(e for e in evening.of_kind("ask") if any(e.key in x.key for x in evening.lines))
    evening.attempts.remove(asked)


def swap_order(evening: QuietEvening) -> None:
    first, *_, last = evening.of_kind("ask")
    for each in (first, last):
        each.invoked, each.returned = -each.returned, -each.invoked


def write_against_the_rules(evening: QuietEvening) -> None:
    last = evening.lines[-1]
    evening.lines.append(
        last._replace(n=last.n + 1, via="bot 1", key="", event=b'{"event":"cleared"}')
    )


def show_what_never_was(evening: QuietEvening) -> None:
    evening.of_kind("seat_view")[-1].answer["public"]["round"] += 1


def show_the_past(evening: QuietEvening) -> None:
    first = evening.of_kind("seat_view")[0]
    evening.note(first.client, "seat_view", first.seat, answer=first.answer)


def show_the_future(evening: QuietEvening) -> None:
    first, *_, last = evening.of_kind("seat_view")
    first.answer, first.seat, first.client = last.answer, last.seat, last.client


def send_back_a_stream(evening: QuietEvening) -> None:
    first, *_, last = evening.of_kind("seat_view")
    for look in (last, first):
        sent = evening.note("screen", "stream", look.seat, answer=look.answer)
        sent.invoked = 0.0


def steal_seat(evening: QuietEvening) -> None:
    evening.note("thief", "sit", 2)


def forget_seat(evening: QuietEvening) -> None:
    evening.note("ana-3", "join", answer={"own": []})


def refuse_own_seat(evening: QuietEvening) -> None:
    evening.note("ana-3", "seat_view", 3, outcome=REFUSED, code="not_your_seat")


def play_out_of_seat(evening: QuietEvening) -> None:
    asked = evening.of_kind("ask")[-1]
    asked.client = "thief"


def keep_seat_after_standing_up(evening: QuietEvening) -> None:
    evening.note("ana-1", "stand", 1)
    evening.note("ana-1", "join", answer={"own": [1]})


def let_in_with_an_old_pin(evening: QuietEvening) -> None:
    evening.note("host", "new_pin", answer={"pin": "000001"})
    evening.note("thief", "sign_in", sent={"pin": PIN})


def forget_pin(evening: QuietEvening) -> None:
    evening.note("host", "sign_in", sent={"pin": PIN}, outcome=REFUSED, code="wrong_pin")


def forget_sign_in(evening: QuietEvening) -> None:
    evening.note("host", "host_read", outcome=REFUSED, code="not_host")


def forget_sign_out(evening: QuietEvening) -> None:
    evening.note("host", "sign_out")
    evening.note("host", "host_read")


def print_another_pin(evening: QuietEvening) -> None:
    evening.note("console", "pin_printed", answer={"pin": "000001"})


def let_the_others_stay_after_a_new_pin(evening: QuietEvening) -> None:
    evening.note("other", "sign_in", sent={"pin": PIN})
    evening.note("host", "new_pin", answer={"pin": "000001"})
    evening.note("other", "host_read")


PLANTED: dict[Planted, str] = {
    lose_line: "lost:",
    double_line: "doubled:",
    double_line_of_a_call_without_answer: "doubled:",
    refuse_what_is_written: "refused but written:",
    change_line: "differing:",
    invent_line: "nobody asked:",
    swap_order: "out of order:",
    write_against_the_rules: "not allowed",
    show_what_never_was: "view of nothing:",
    show_the_past: "view too old:",
    show_the_future: "view too new:",
    send_back_a_stream: "stream goes back:",
    steal_seat: "seat:",
    forget_seat: "seat:",
    refuse_own_seat: "seat:",
    play_out_of_seat: "seat:",
    keep_seat_after_standing_up: "seat:",
    let_in_with_an_old_pin: "host:",
    forget_pin: "host:",
    print_another_pin: "the PIN was forgotten:",
    forget_sign_in: "host:",
    forget_sign_out: "host:",
    let_the_others_stay_after_a_new_pin: "host:",
}


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_every_planted_violation_is_found(plant: Planted, evening: QuietEvening) -> None:
    plant(evening)
    found = evening.check()
    assert any(line.startswith(PLANTED[plant]) for line in found), found


def test_a_view_of_nothing_is_told_by_what_differs(evening: QuietEvening) -> None:
    show_what_never_was(evening)
    rounds = evening.of_kind("seat_view")[-1].answer["public"]["round"]
    (found,) = [line for line in evening.check() if line.startswith("view of nothing")]
    assert found.endswith(f": public.round: {rounds}, not {rounds - 1}")


@pytest.mark.parametrize("has_stood", [True, False])
def test_a_call_without_an_answer_may_have_had_its_effect_or_not(
    evening: QuietEvening, has_stood: bool
) -> None:
    stood = evening.note("ana-1", "stand", 1, outcome=UNKNOWN, returned=NEVER)
    assert stood.latest == NEVER
    evening.note("ana-1", "join", answer={"own": [] if has_stood else [1]})
    assert evening.check() == []
    evening.note("ana-1", "join", answer={"own": [1]})
    assert bool(evening.check()) == has_stood


def test_what_is_granted_at_last_excuses_nothing_that_another_companion_told(
    evening: QuietEvening,
) -> None:
    """What was sent to a companion that died has had its effect by then, or never has."""
    first = evening.note("ana-1", "stand", 1, outcome=UNKNOWN, returned=NEVER)
    first.latest = first.invoked + 0.5
    evening.note("ana-1", "join", answer={"own": [1]})
    lost = evening.note("ana-1", "join", answer={"own": []})
    evening.note("ana-1", "stand", 1, key=first.key, is_again=True)
    assert [line for line in evening.check() if str(lost) in line.partition(" own=")[0]]
    evening.attempts.remove(lost)
    assert evening.check() == []


def test_a_pin_whose_answer_was_lost_may_be_printed_by_a_start(evening: QuietEvening) -> None:
    evening.note("host", "new_pin", outcome=UNKNOWN, returned=NEVER)
    print_another_pin(evening)
    assert evening.check() == []


def test_a_copy_of_a_call_counts_once(evening: QuietEvening) -> None:
    asked = evening.of_kind("ask")[0]
    evening.note(asked.client, "ask", asked.seat, sent=asked.sent, key=asked.key, is_again=True)
    assert evening.check() == []
