"""The walk of the set-up: what is asked, what is said, and what can be taken back."""

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from companion.core.cards import FIGURE, TILE
from companion.core.deck import Deck
from companion.core.i18n import LANGUAGES, Message, get_language
from companion.core.sensor_events import (
    Arrived,
    ButtonPressed,
    Evidence,
    Left,
    Odd,
    Oddity,
    ReaderFound,
    ReaderLost,
)
from companion.games import find_game
from companion.setup.steps import show_walk
from companion.setup.stickers import SLOTS, suggest_slot
from companion.setup.walk import Walk, begin_check, begin_stickers, begin_wires
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games

HOLDS = {"2": 2, "5": 2, "tile spy": 1, "figure": 1}
SALT = "5a" * 16
A, B, C, D = (f"04{letter * 12}" for letter in "abcd")
E, F = "04111111111111", "04222222222222"
EN = get_language("en")


class Story:
    """A hand that lays and lifts, with two seconds between its moves, and what it is told."""

    def __init__(self, deck: Deck = Deck({}, SALT), lying: tuple[Evidence, ...] = ()) -> None:  # noqa: B008
        self.walk = begin_stickers(HOLDS, deck, lying)
        self.now = 0.0
        self.said: list[str] = []

    def goes_on(self, walk: Walk) -> "Story":
        self.walk = walk
        shown = show_walk(walk)
        for told in (shown.says, shown.asks):
            self.said += [get_language(lang)(told) for lang in LANGUAGES] if told else []
        return self

    def hears(self, evidence: Evidence) -> "Story":
        return self.goes_on(self.walk.take_evidence(evidence))

    def lays(self, tag: str, place: int = 1, after: float = 2.0) -> "Story":
        self.now += after
        return self.hears(Arrived(self.now, place, tag))

    def lifts(self, tag: str, place: int = 1) -> "Story":
        self.now += 2.0
        return self.hears(Left(self.now, place, tag))

    def enrols(self, *tags: str) -> "Story":
        for tag in tags:
            self.lays(tag).lifts(tag)
        return self

    def odd(self, what: Oddity, place: int = 3) -> "Story":
        return self.hears(Odd(self.now, place, what))

    def presses(self, held: bool = False) -> "Story":
        return self.hears(ButtonPressed(self.now, 4, held))

    def things(self, *tags: str) -> list[str | None]:
        return [self.walk.deck[tag] for tag in tags]

    def says(self, sentence: str) -> "Story":
        news = show_walk(self.walk).says
        assert news is not None
        assert sentence in EN(news)
        return self

    def asks(self, sentence: str) -> "Story":
        asks = show_walk(self.walk).asks
        assert asks is not None
        assert EN(asks) == sentence
        return self

    def shows(self, lamp: str) -> "Story":
        assert self.walk.lamp(1) == lamp
        return self


def test_the_walk_asks_for_one_thing_after_the_other() -> None:
    story = Story().asks("Lay this on any reader: “2” (number 1 of 2).").shows("on")
    story.lays(A).says("Enrolled: “2” (number 1 of 2).").shows("off")
    story.asks("Take off what lies there, then lay “2” (number 2 of 2).")
    story.lifts(A).asks("Lay this on any reader: “2” (number 2 of 2).").shows("on")
    story.enrols(B, C, D).says("Enrolled: “5” (number 2 of 2).")
    assert story.walk.asked == "tile spy"
    story.enrols(E).asks("Lay this on any reader: robber figure.")
    story.lays(F, 7).says("Enrolled: robber figure.")
    assert story.walk.asked is None
    assert story.things(A, B, C, D, E, F) == ["2", "2", "5", "5", "tile spy", "figure"]
    story.lifts(F, 7).shows("off")


def test_what_lies_there_from_before_is_taken_off_first() -> None:
    story = Story(lying=(Arrived(0.0, 2, A), Arrived(0.0, 5, B), Odd(0.0, 3, "nothing")))
    story.says("Take everything off the readers.").shows("fast")
    story.lifts(A, 2).shows("fast").lifts(B, 5).asks(
        "Lay this on any reader: “2” (number 1 of 2)."
    ).shows("on")
    assert story.things(A, B) == [None, None]
    story.lays(A).says("Enrolled: “2” (number 1 of 2)")


def test_a_known_sticker_may_be_on_the_thing_that_is_asked_for_now() -> None:
    assert not Story().enrols(A).lays(A).walk.may_renew, "it is on such a card already"
    story = Story().enrols(A, B).lays(A).says("This sticker was enrolled before, as “2”")
    assert story.walk.may_renew
    story.goes_on(story.walk.renew()).says("Enrolled: “5” (number 1 of 2).")
    story.asks("Take off what lies there, then lay “2” (number 2 of 2).")
    assert story.things(A, B) == ["5", "2"]
    story.goes_on(story.walk.undo())
    assert story.things(A, B) == ["2", "2"]


def test_two_that_come_in_one_hand_are_both_refused() -> None:
    story = Story().lays(A).lays(B, after=0.2)
    story.says("Several cards came at once").shows("fast")
    assert story.things(A, B) == [None, None]
    story.lays(C, 3, after=0.2).lifts(A).lifts(C, 3).shows("fast").lifts(B)
    story.asks("Lay this on any reader: “2” (number 1 of 2).").shows("on")
    assert story.things(A, B, C) == [None, None, None]
    assert story.walk.before is None


def test_a_card_left_lying_is_taken_off_and_the_next_one_counts() -> None:
    story = Story().lays(A).lays(B, 2)
    story.says("Something still lies on a reader").shows("fast")
    assert story.things(A, B) == ["2", None]
    story.lifts(A).says("Enrolled: “2” (number 2 of 2)").shows("off")
    assert story.things(A, B) == ["2", "2"]


@pytest.mark.parametrize(
    "tag", ["9a8b7c6d", "05a1b2c3d4e5f6", "04a1b2c3d4e5f60102ff", "0401", "04a1b2c3"]
)
def test_a_sticker_of_the_wrong_kind_is_not_enrolled(tag: str) -> None:
    story = Story().lays(tag, 6)
    story.says("The sticker on reader 6 cannot be used").shows("fast")
    assert story.things(tag) == [None]
    story.lifts(tag, 6).asks("Lay this on any reader: “2” (number 1 of 2).").shows("on")


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("telephone", "Something on reader 3 has a new number every time"),
        ("unreadable", "What lies on reader 3 answers and cannot be read"),
        ("twin", "Reader 3 reads the same number as another reader"),
    ],
)
def test_what_is_odd_is_said_and_the_walk_goes_on(what: Oddity, sentence: str) -> None:
    story = Story().odd(what).says(sentence).shows("fast").lays(A).shows("fast")
    assert story.things(A) == ["2"]
    story.odd("nothing").says("Enrolled: “2” (number 1 of 2)").shows("off")
    Story(lying=(Odd(0.0, 3, what),)).says(sentence).odd("nothing").shows("on")


def test_the_same_number_on_two_readers_is_a_twin() -> None:
    story = Story().lays(A).lays(A, 4).says("two readers read one").shows("fast")
    story.lifts(A, 4).shows("fast").lifts(A).shows("on")
    assert story.things(A) == [None]


def test_undo_takes_back_one_step_after_the_other() -> None:
    story = Story().enrols(A, B).presses(held=True).presses().says("Taken back.")
    story.asks("Lay this on any reader: “5” (number 1 of 2).")
    story.presses().asks("Lay this on any reader: “2” (number 2 of 2).")
    assert story.things(A, B) == ["2", None]
    story.lays(C).presses().asks("Take off what lies there, then lay “2” (number 2 of 2).")
    walk = story.lifts(C).presses().walk
    assert story.presses().walk is walk, "there is nothing to take back"
    assert story.things(A, B, C) == [None] * 3


def test_what_is_left_out_is_asked_for_by_the_next_walk() -> None:
    story = Story().presses(held=True).says("Left out: “2” (number 1 of 2).")
    story.enrols(A, B, C, D)
    assert story.things(A, B, C, D) == ["2", "5", "5", "tile spy"]
    walk = story.presses(held=True).says("Left out: robber figure.").walk
    assert walk.asked is None
    assert story.presses(held=True).walk is walk, "nothing is left to leave out"
    again = Story(story.walk.deck).asks("Lay this on any reader: “2” (number 2 of 2).")
    again.enrols(E).asks("Lay this on any reader: robber figure.")


def test_when_all_is_enrolled_another_sticker_belongs_to_nothing() -> None:
    story = Story().enrols(A, B, C, D, E).lays(F).lays("04333333333333", 2).lifts(F)
    story.says("Everything is enrolled; the sticker on reader 2 belongs to no card.")
    full = Story(story.walk.deck).lays(A).says("This sticker was enrolled before")
    assert full.lifts(A).walk.asked is None


def test_what_lies_on_a_reader_that_falls_silent_is_as_good_as_taken_off() -> None:
    story = Story().lays("9a8b7c6d", 2).odd("unreadable", 2).shows("fast")
    story.hears(ReaderLost(9.0, 2)).says("A reader no longer answers")
    assert (story.walk.lying, story.walk.odd) == ({}, {})
    story.hears(ReaderFound(9.5, 2)).lifts("9a8b7c6d", 2).lays(A, 3).says("Enrolled: “2” (number 1")


def test_what_is_said_is_the_same_whatever_the_stickers_are() -> None:
    """Two worlds: only the UIDs differ, and no word does."""

    def words(uids: list[str], salt: str) -> list[str]:
        one, two, three = uids
        story = Story(Deck({}, salt), (Arrived(0.0, 1, one),)).lifts(one).enrols(one, two).lays(two)
        story.goes_on(story.walk.renew()).lifts(two).lays(three).lays(two, 2, after=0.1)
        story.lifts(three).lifts(two, 2).lays(three).lays(one, 5).lifts(three).lifts(one, 5)
        return story.lays(uids[0][:8]).lays(one, 3).lays(one, 4).said

    here, there = words([A, B, C], SALT), words([D, C, "04102030405060"], "a5" * 16)
    assert here == there
    assert len(here) > 30
    assert not any(uid[2:8] in sentence for uid in (A, B, C) for sentence in here)


# The wires.

READERS = tuple(range(1, 9))
CARDS = ("04aa", "04bb", "04cc")

moments = st.floats(0, 100)
evidence: st.SearchStrategy[Evidence] = st.one_of(
    st.builds(Arrived, moments, st.sampled_from(READERS), st.sampled_from(CARDS)),
    st.builds(Left, moments, st.sampled_from(READERS), st.sampled_from(CARDS)),
    st.builds(Odd, moments, st.sampled_from(READERS), st.sampled_from(["nothing", "twin"])),
    st.builds(ReaderLost, moments, st.sampled_from(READERS)),
    st.builds(ButtonPressed, moments, st.integers(1, 6), st.booleans()),
)
moves = st.lists(st.one_of(evidence, st.sampled_from(["skip", "undo"])), max_size=40)


def banks() -> Walk:
    return begin_wires("banks", READERS, (), SALT)


def sound(walk: Walk) -> None:
    """Every number at most once, in the order of the numbers; an answer has one number anyway."""
    past = sorted([*walk.found.values(), *walk.left_out])
    assert past == list(walk.wanted[: len(past)])


@given(
    st.sampled_from(
        [
            banks(),
            begin_wires("buttons", range(1, 7), (), SALT),
            begin_wires("lamps", range(1, 7), (), SALT),
        ]
    ),
    moves,
)
def test_random_evidence_gives_every_answer_once(walk: Walk, moves: list[Evidence | str]) -> None:
    for move in moves:
        if isinstance(move, Evidence):
            walk = walk.take_evidence(move)
        else:
            walk = walk.skip() if move == "skip" else walk.undo()
        sound(walk)
        assert len(show_walk(walk).found) == len(walk.wanted)
        assert walk.asked in {None, *walk.wanted}


@given(st.permutations(READERS))
def test_one_card_after_the_other_teaches_where_every_reader_is(readers: list[int]) -> None:
    walk, now = banks(), 0.0
    for reader in readers:
        now += 5
        walk = walk.take_evidence(Arrived(now, reader, CARDS[0]))
        assert not walk.in_trouble
        walk = walk.take_evidence(Left(now + 2, reader, CARDS[0]))
    assert walk.learnt_wires() == dict(zip(READERS, readers, strict=True))
    assert walk.asked is None


@given(st.permutations(range(1, 7)), st.sets(st.integers(1, 6)))
def test_lamps_are_learnt_by_the_seats_at_which_they_shine(
    seats: list[int], dark: set[int]
) -> None:
    walk = begin_wires("lamps", range(1, 7), (), SALT)
    for seat in seats:
        assert [walk.lamp(n) for n in range(1, 7)].count("on") == 1
        walk = walk.locate(0 if seat in dark else seat)
    wanted = {seat: lamp for lamp, seat in enumerate(seats, 1) if seat not in dark}
    assert (walk.learnt_wires(), walk.asked) == (wanted, None)


def test_a_seat_has_one_lamp_and_a_wiring_only_its_seats() -> None:
    walk = begin_wires("lamps", (1, 2, 3), (), SALT).locate(2)
    for seat in (2, 5):
        assert (walk.locate(seat).in_trouble, walk.locate(seat).asked) == (True, 2)
    assert walk.locate(1).undo().undo().learnt_wires() == {}


# The check of a box.

CHECKED = {"04aa": "5", "04ab": "5", "04ac": "tile spy", "04ad": "figure", "04ae": "2"}
MAKER = Deck({}, SALT)
ENROLLED = Deck({MAKER.mark(tag): thing for tag, thing in CHECKED.items()}, SALT)
OTHER = Deck({Deck({}, "6b" * 16).mark("04b0"): "thief"}, "6b" * 16)


def check_box(*evidence: Evidence, holds: Mapping[str, int] = HOLDS) -> Walk:
    walk = begin_check(holds, ENROLLED, {"Banküberfall": OTHER})
    for seen in evidence:
        walk = walk.take_evidence(seen)
    return walk


def told(walk: Walk) -> list[str]:
    """What is said, what is still to be passed, and the notes."""
    shown = show_walk(walk)
    first = [shown.says] if shown.says else []
    return [EN(one) for one in (*first, *shown.missing, *shown.notes)]


def test_the_check_names_what_is_missing_and_what_was_never_enrolled() -> None:
    first = check_box()
    assert told(first) == ["“2”", "2 × “5”", "tile Spy", "robber figure"]
    assert EN(*show_walk(first).never) == "“2”"
    assert check_box().skip() == check_box(), "what is asked for at once is not skipped one by one"
    walk = check_box(*(Arrived(n, 1 + n % 2, tag) for n, tag in enumerate(CHECKED)))
    assert told(walk) == ["Found: “2”."]
    shown = show_walk(walk)
    assert (shown.done, shown.total, shown.trouble) == (5, 6, False)
    assert EN(shown.asks or Message("")) == "Every piece with a sticker is here: 5."
    assert EN(shown.lacking or Message("")) == "1 of 6 pieces have no sticker yet."
    assert not walk.take_evidence(ReaderLost(6, 1)).in_trouble, "its place is named meanwhile"
    assert check_box(Arrived(1, 1, "04aa")).lamp(1) == "on", "the next one may be laid beside it"


@pytest.mark.parametrize(
    ("tag", "says", "besides"),
    [
        ("04ff", "An unknown sticker lies on reader 4", "unknown stickers: 1"),
        ("04b0", "Reader 4 has thief of Banküberfall on it: put it back", "thief of Banküberfall"),
    ],
)
def test_what_is_of_no_box_or_another_is_said_until_it_is_gone_and_listed_after(
    tag: str, says: str, besides: str
) -> None:
    everything, lies = {"2": 1, "5": 2, "tile spy": 1, "figure": 1}, Arrived(1, 4, tag)
    assert told(check_box(lies))[0].startswith(says)
    for over in (Left(2, 4, tag), ReaderLost(2, 4)):
        walk = check_box(lies, over, Arrived(3, 1, "04aa"), holds=everything)
        assert not walk.in_trouble
        assert told(walk)[-1] == f"Not of this box: {besides}."
    for not_over in (Left(2, 3, tag), Left(2, 4, "04aa"), ButtonPressed(2, 1)):
        assert check_box(lies, not_over).in_trouble
    may_be_new = told(check_box(lies, Left(2, 4, tag)))
    assert "unknown stickers: 1" not in " ".join(may_be_new), "a card is still to get one"
    odd = Odd(1, 2, "unreadable")
    assert check_box(odd).in_trouble
    assert not check_box(odd, Odd(2, 2, "nothing")).in_trouble


@given(
    st.lists(
        st.builds(
            lambda kind, place, tag: kind(0.0, place, tag),
            st.sampled_from([Arrived, Left]),
            st.integers(1, 3),
            st.sampled_from([*CHECKED, "04ff", "9a8b7c6d"]),
        )
    )
)
def test_in_any_order_missing_is_what_never_arrived(readings: list[Evidence]) -> None:
    arrived = {seen.tag for seen in readings if isinstance(seen, Arrived)}
    walk = check_box(*readings)
    unseen = sorted(thing for tag, thing in CHECKED.items() if tag not in arrived)
    assert sorted(thing for thing, n in walk.missing.items() for _ in range(n)) == unseen
    assert (walk.asked is None) is (not unseen)
    assert not any(tag in said for said in told(walk) for tag in arrived)


def test_a_piece_with_an_old_and_a_new_sticker_is_one_piece() -> None:
    deck = ENROLLED.with_replacement(MAKER.mark("04aa"), MAKER.mark("04cc"), "")
    walk = begin_check(HOLDS, deck, {}, [Arrived(0, 1, "04aa"), Arrived(1, 2, "04cc")])
    assert (len(walk.found), walk.missing["5"]) == (1, 1)


# The slots.

SALTS = st.binary(min_size=16, max_size=16).map(bytes.hex)


@pytest.mark.parametrize("game", own_games())
@given(salt=SALTS)
def test_each_kind_is_spread_evenly(game: str, salt: str) -> None:
    for thing, total in find_game(game).standard_box().tagged_pieces().items():
        slots = [suggest_slot(salt, thing, n) for n in range(1, total + 1)]
        if thing.startswith(TILE) or thing == FIGURE:
            assert set(slots) == {None}
            continue
        counts = Counter(slots)
        assert set(slots) <= set(SLOTS)
        assert max(counts.values()) - min(counts[slot] for slot in SLOTS) <= 1


def test_the_slot_of_a_card_differs_between_decks() -> None:
    """In many decks the first card of a kind lies about as often in each slot."""
    firsts = Counter(suggest_slot(f"{n:032x}", "thief", 1) for n in range(1000))
    assert all(180 <= firsts[slot] <= 320 for slot in SLOTS)


# Hands in any order.

FRESH = [f"04{n:012x}" for n in range(1, 9)]
STRANGE = ["9a8b7c6d", "05a1b2c3d4e5f6"]
TAGS = st.sampled_from([*FRESH, *STRANGE])
PLACES = st.integers(1, 3)


class AnyOrder(RuleBasedStateMachine):
    """Hands that lay, lift, press and lose readers in any order, twins among the stickers."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = begin_stickers(HOLDS, Deck({}, SALT))
        self.lying: set[tuple[str, int]] = set()
        self.steps: list[tuple[Mapping[str, str], tuple[str, ...]]] = []
        self.now = 0.0

    def takes(self, walk: Walk, undoing: bool = False) -> None:
        before = self.walk.deck.things, self.walk.left_out
        self.walk = walk
        now = walk.deck.things, walk.left_out
        shown = show_walk(walk)
        for said in (shown.says, shown.asks):
            words = EN(said) if said is not None else ""
            assert not any(tag in words for tag in (*FRESH, *STRANGE))
        took_back = now != before and bool(self.steps) and now == self.steps[-1]
        if undoing or took_back:
            assert now == (self.steps.pop() if self.steps else before)
        elif now != before:
            self.steps.append(before)
            if now[0] != before[0]:
                (tag,) = {tag for tag, _ in self.lying}
                assert self.walk.deck[tag] is not None, "only what lies alone is enrolled"

    @rule(tag=TAGS, place=PLACES, wait=st.sampled_from([0.1, 0.9, 1.1, 5.0]))
    def lays(self, tag: str, place: int, wait: float) -> None:
        self.now += wait
        self.lying.add((tag, place))
        self.takes(self.walk.take_evidence(Arrived(self.now, place, tag)))

    @rule(data=st.data())
    def lifts(self, data: st.DataObject) -> None:
        if self.lying:
            tag, place = data.draw(st.sampled_from(sorted(self.lying)))
            self.lying.discard((tag, place))
            self.forgets_twins_of(tag, place)
            self.takes(self.walk.take_evidence(Left(self.now, place, tag)))

    def forgets_twins_of(self, tag: str, place: int) -> None:
        """A reader tells of a twin once; when the first of the two is lifted it tells no more."""
        known = self.walk.lying.get(self.walk.deck.mark(tag))
        if known is not None and known.reader == place:
            self.lying = {(other, at) for other, at in self.lying if other != tag}

    @rule(place=PLACES, what=st.sampled_from(["nothing", "telephone", "unreadable", "twin"]))
    def is_odd(self, place: int, what: Oddity) -> None:
        self.takes(self.walk.take_evidence(Odd(self.now, place, what)))

    @rule(place=PLACES)
    def loses(self, place: int) -> None:
        gone = {tag for tag, at in self.lying if at == place}
        for tag in gone:
            self.forgets_twins_of(tag, place)
        self.lying = {(tag, at) for tag, at in self.lying if at != place}
        self.takes(self.walk.take_evidence(ReaderLost(self.now, place)))

    @rule(by_button=st.booleans())
    def undoes(self, by_button: bool) -> None:
        pressed = ButtonPressed(self.now, 1)
        self.takes(
            self.walk.take_evidence(pressed) if by_button else self.walk.undo(), undoing=True
        )

    @rule(by_button=st.booleans())
    def skips(self, by_button: bool) -> None:
        pressed = ButtonPressed(self.now, 1, held=True)
        self.takes(self.walk.take_evidence(pressed) if by_button else self.walk.skip())

    @rule()
    def renews(self) -> None:
        self.takes(self.walk.renew())

    @invariant()
    def the_deck_fits_the_box(self) -> None:
        things = list(self.walk.deck.things.values())
        assert all(things.count(thing) <= HOLDS[thing] for thing in things)
        assert not any(self.walk.deck[tag] for tag in STRANGE)
        assert (self.walk.before is None) is (not self.steps)

    @invariant()
    def the_walk_knows_what_lies_there(self) -> None:
        marks = {self.walk.deck.mark(tag) for tag, _ in self.lying}
        assert set(self.walk.lying) == marks

    def teardown(self) -> None:
        """Whatever happened: with an empty table the walk goes on."""
        for place in (1, 2, 3):
            self.is_odd(place, "nothing")
        for mark, lying in list(self.walk.lying.items()):
            (tag,) = {tag for tag, _ in self.lying if self.walk.deck.mark(tag) == mark}
            self.lying = {(other, at) for other, at in self.lying if other != tag}
            self.takes(self.walk.take_evidence(Left(self.now, lying.reader, tag)))
        wanted = self.walk.asked
        if wanted is not None:
            self.lays("04fefefefefefe", 2, 5.0)
            assert self.walk.deck["04fefefefefefe"] == wanted


AnyOrder.TestCase.settings = settings(max_examples=pick(40, 150, 1000), stateful_step_count=40)
TestAnyOrder = AnyOrder.TestCase
