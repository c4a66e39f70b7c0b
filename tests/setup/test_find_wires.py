"""The walks round the table are pure: whatever comes, no answer is given twice, none is guessed."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.deck import Deck
from companion.core.sensor_events import Arrived, ButtonPressed, Evidence, Left, Odd, ReaderLost
from companion.setup.wires import (
    ButtonWalk,
    LampWalk,
    ReaderWalk,
    WireWalk,
    learnt_wires,
    remember_found,
)

SALT = "5a" * 16
PLACES = tuple(range(1, 9))
TAGS = ("04aa", "04bb", "04cc")

moments = st.floats(0, 100)
evidence: st.SearchStrategy[Evidence] = st.one_of(
    st.builds(Arrived, moments, st.sampled_from(PLACES), st.sampled_from(TAGS)),
    st.builds(Left, moments, st.sampled_from(PLACES), st.sampled_from(TAGS)),
    st.builds(Odd, moments, st.sampled_from(PLACES), st.sampled_from(["nothing", "twin"])),
    st.builds(ReaderLost, moments, st.sampled_from(PLACES)),
    st.builds(ButtonPressed, moments, st.integers(1, 6), st.booleans()),
)
moves = st.lists(st.one_of(evidence, st.sampled_from(["skip", "undo"])), max_size=40)


def banks() -> ReaderWalk:
    return ReaderWalk(wanted=PLACES, marks=Deck({}, SALT))


def sound(walk: WireWalk) -> None:
    """Every number at most once, in the order of the numbers; an answer has one number anyway."""
    past = sorted([*walk.found.values(), *walk.left_out])
    assert past == list(walk.wanted[: len(past)])


@given(
    st.sampled_from([banks(), ButtonWalk(wanted=PLACES[:6]), LampWalk(wanted=PLACES[:6])]), moves
)
def test_random_evidence_gives_every_answer_once(
    walk: WireWalk, moves: list[Evidence | str]
) -> None:
    for move in moves:
        if isinstance(move, Evidence):
            walk = walk.take_evidence(move)
        else:
            walk = walk.skip() if move == "skip" else walk.undo()
        sound(walk)
        assert len(walk.states()) == len(walk.wanted)
        assert walk.asked in {None, *walk.wanted}


@given(moves, st.sampled_from(TAGS), st.sampled_from(PLACES))
def test_no_card_is_believed_while_another_lies_there(
    moves: list[Evidence | str], tag: str, place: int
) -> None:
    walk = banks()
    for move in moves:
        walk = walk.take_evidence(move) if isinstance(move, Evidence) else walk
    after = walk.take_evidence(Arrived(200.0, place, tag))
    if walk.lying:
        assert learnt_wires(after).items() <= learnt_wires(walk).items()
    assert all(tag not in mark for mark in after.lying for tag in TAGS), "tags are not kept"


@given(st.permutations(PLACES))
def test_one_card_after_the_other_teaches_where_every_reader_is(readers: list[int]) -> None:
    walk, now = banks(), 0.0
    for reader in readers:
        now += 5
        walk = walk.take_evidence(Arrived(now, reader, TAGS[0]))
        assert not walk.in_trouble
        walk = walk.take_evidence(Left(now + 2, reader, TAGS[0]))
    assert learnt_wires(walk) == dict(zip(PLACES, readers, strict=True))
    assert walk.asked is None


@given(st.permutations(range(1, 7)), st.sets(st.integers(1, 6)))
def test_lamps_are_learnt_by_the_seats_at_which_they_shine(
    seats: list[int], dark: set[int]
) -> None:
    walk = LampWalk(wanted=tuple(range(1, 7)))
    for seat in seats:
        assert [walk.lamp(n) for n in range(1, 7)].count("on") == 1
        walk = walk.locate(0 if seat in dark else seat)
    wanted = {seat: lamp for lamp, seat in enumerate(seats, 1) if seat not in dark}
    assert (learnt_wires(walk), walk.asked) == (wanted, None)


@given(st.sets(st.integers(1, 8)), st.sets(st.integers(1, 9)))
def test_a_found_reader_is_not_asked_for_again(numbers: set[int], known: set[int]) -> None:
    walk = remember_found(ButtonWalk(wanted=tuple(sorted(numbers))), known)
    assert learnt_wires(walk) == {n: n for n in numbers & known}
    assert walk.asked == min(numbers - known, default=None)


def test_two_cards_in_one_hand_take_the_answer_back() -> None:
    walk = banks().take_evidence(Arrived(1.0, 3, TAGS[0]))
    assert learnt_wires(walk) == {1: 3}
    walk = walk.take_evidence(Arrived(1.4, 4, TAGS[1]))
    assert (learnt_wires(walk), walk.in_trouble) == ({}, True)
    for reader, tag in ((3, TAGS[0]), (4, TAGS[1])):
        walk = walk.take_evidence(Left(3.0, reader, tag))
    assert (walk.in_trouble, walk.asked, walk.lamp(1)) == (False, 1, "on")


def test_a_card_heard_by_two_readers_counts_for_neither() -> None:
    walk = banks().take_evidence(Arrived(1.0, 3, TAGS[0])).take_evidence(Arrived(9.0, 5, TAGS[0]))
    assert (learnt_wires(walk), walk.in_trouble, walk.lamp(1)) == ({}, True, "fast")


def test_a_reader_that_falls_silent_takes_its_card_along() -> None:
    walk = banks().take_evidence(Arrived(1.0, 3, TAGS[0])).take_evidence(ReaderLost(2.0, 3))
    assert (dict(walk.lying), learnt_wires(walk), walk.in_trouble) == ({}, {1: 3}, True)
    assert not walk.take_evidence(Arrived(3.0, 4, TAGS[0])).in_trouble


def test_a_seat_has_one_lamp_and_a_wiring_only_its_seats() -> None:
    walk = LampWalk(wanted=(1, 2, 3)).locate(2)
    for seat in (2, 5):
        assert (walk.locate(seat).in_trouble, walk.locate(seat).asked) == (True, 2)
    assert learnt_wires(walk.locate(1).undo().undo()) == {}
