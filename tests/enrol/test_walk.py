"""The walk through the box: what is asked, what is said, and what can be taken back."""

from collections.abc import Mapping

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

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
from companion.enrol import Walk, begin_walk, renew_sticker, skip_thing, take_evidence, undo_step
from tests.worlds.campaign import pick

HOLDS = {"2": 2, "5": 2, "tile spy": 1, "figure": 1}
SALT = "5a" * 16
A, B, C, D = (f"04{letter * 12}" for letter in "abcd")


class Story:
    """A hand that lays and lifts, with two seconds between its moves, and what it is told."""

    def __init__(self, deck: Deck = Deck({}, SALT), holds: Mapping[str, int] = HOLDS) -> None:  # noqa: B008
        self.walk = Walk(holds, deck)
        self.now = 0.0
        self.said: list[Message] = []

    def told(self, after: tuple[Walk, Message | None]) -> "Story":
        self.walk, said = after
        self.said += [said] if said is not None else []
        return self

    def hears(self, evidence: Evidence) -> "Story":
        return self.told(take_evidence(self.walk, evidence))

    def begins(self) -> "Story":
        return self.told(begin_walk(self.walk))

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

    def hears_last(self, sentence: str) -> "Story":
        assert sentence in get_language("en")(self.said[-1])
        return self

    def shows(self, lamp: str) -> "Story":
        assert self.walk.lamp == lamp
        return self


def begun() -> Story:
    return Story().begins()


def test_the_walk_asks_for_one_thing_after_the_other() -> None:
    story = begun().hears_last("Lay on any reader: 2 (1 of 2).").shows("on")
    story.lays(A).hears_last("Enrolled: 2 (1 of 2). Take it off, then lay 2 (2 of 2).").shows("off")
    story.lifts(A).shows("on")
    story.enrols(B, C, D).hears_last("Enrolled: 5 (2 of 2). Take it off, then lay tile Spy.")
    story.enrols("04111111111111").hears_last("then lay robber figure.")
    story.lays("04222222222222", 7).hears_last("Enrolled: robber figure. That was the last.")
    assert not story.walk.done
    assert story.lifts("04222222222222", 7).walk.done
    assert story.things(A, B, C, D) == ["2", "2", "5", "5"]
    story.shows("off")


def test_what_lies_there_from_before_is_taken_off_first() -> None:
    story = Story().lays(A, 2).lays(B, 5).lays(B, 5)
    assert story.said == []
    story.shows("off").begins().hears_last("Take everything off the readers first").shows("fast")
    story.hears_last("reader 2 and 5.")
    story.lifts(A, 2).shows("fast").lifts(B, 5).hears_last("Lay on any reader: 2 (1 of 2).")
    assert story.things(A, B) == [None, None]
    story.shows("on").lays(A).hears_last("Enrolled: 2 (1 of 2)")


def test_what_is_lifted_before_the_walk_begins_is_in_nobodys_way() -> None:
    story = Story().lays(A, 2).lifts(A, 2).odd("telephone").odd("nothing").begins()
    story.hears_last("Lay on any reader: 2 (1 of 2).").shows("on")


def test_a_card_laid_again_is_the_one_that_was_enrolled() -> None:
    story = begun().enrols(A).lays(A)
    story.hears_last("This sticker was enrolled before, as 2: lay another card").shows("fast")
    story.lifts(A).hears_last("Lay on any reader: 2 (2 of 2).").shows("on")
    assert len(story.walk.deck.things) == 1


def test_a_known_sticker_may_be_on_the_thing_that_is_asked_for_now() -> None:
    story = begun().enrols(A, B).lays(A).hears_last("press r if it is on 5 (1 of 2) now")
    story.told(renew_sticker(story.walk)).hears_last(
        "Enrolled: 5 (1 of 2). Take it off, then lay 2 (2 of"
    )
    assert story.things(A, B) == ["5", "2"]
    story.told(undo_step(story.walk))
    assert story.things(A, B) == ["2", "2"]


def test_nothing_is_renewed_where_nothing_known_lies() -> None:
    story = begun().enrols(A)
    before = story.walk
    assert story.told(renew_sticker(story.walk)).walk == before
    story.lays(A)
    before = story.walk
    assert story.told(renew_sticker(story.walk)).walk == before, "it is a 2 and a 2 is asked for"
    story.lifts(A).enrols(B).lays(A).lays(C, 2)
    before = story.walk
    assert story.told(renew_sticker(story.walk)).walk == before, "two lie there"


def test_two_that_come_in_one_hand_are_both_refused() -> None:
    story = begun().lays(A).lays(B, after=0.2)
    story.hears_last("Several stickers came at once, on reader 1: take all off").shows("fast")
    assert story.things(A, B) == [None, None]
    story.lays(C, 3, after=0.2).lifts(A).lifts(C, 3).shows("fast").lifts(B)
    story.hears_last("Lay on any reader: 2 (1 of 2).").shows("on")
    assert story.things(A, B, C) == [None, None, None]
    assert story.walk.steps == ()


def test_of_two_in_one_hand_what_was_enrolled_before_stays() -> None:
    story = begun().lays(A).lays(B, 2).lays(C, 3, after=0.2).hears_last("on reader 1, 2 and 3")
    assert story.things(A, B, C) == ["2", None, None]


def test_after_two_in_one_hand_only_an_empty_table_helps() -> None:
    story = begun().lays(A).lays(B, 2, after=0.2).lays(C, 3)
    said = len(story.said)
    story.lifts(A).lifts(B, 2).shows("fast")
    assert story.things(A, B, C) == [None, None, None]
    assert len(story.said) == said
    story.lifts(C, 3).shows("on").lays(C).hears_last("Enrolled: 2 (1 of 2)")


def test_what_was_skipped_meanwhile_stays_skipped() -> None:
    story = begun().lays(A).presses(held=True).lays(B, after=0.2).hears_last("Several stickers")
    assert (story.things(A, B), story.walk.skipped) == (["2", None], ("2",))


def test_a_card_told_of_twice_is_still_the_same_card() -> None:
    story = begun().lays(A)
    said = len(story.said)
    story.lays(A).lays(A).shows("off")
    assert len(story.said) == said


def test_a_card_left_lying_is_taken_off_and_the_next_one_counts() -> None:
    story = begun().lays(A).lays(B, 2)
    story.hears_last("Something still lies on reader 1: take it off").shows("fast")
    assert story.things(A, B) == ["2", None]
    story.lifts(A).hears_last("Enrolled: 2 (2 of 2)").shows("off")
    assert story.things(A, B) == ["2", "2"]


def test_a_card_left_lying_may_stay_when_the_new_one_goes() -> None:
    story = begun().lays(A).lays(B, 2).lifts(B, 2)
    story.hears_last("Take off what lies there, then lay 2 (2 of 2).").shows("off")
    story.lifts(A).shows("on")
    assert story.things(A, B) == ["2", None]


def test_a_card_whose_step_was_taken_back_is_not_enrolled_by_lying_there() -> None:
    story = begun().lays(A).presses().hears_last("Taken back. Take off what lies there")
    story.lays(B, 2).lifts(B, 2).shows("off").lifts(A).shows("on")
    assert story.things(A, B) == [None, None]


def test_a_card_after_one_of_the_wrong_kind_counts_when_that_is_gone() -> None:
    story = begun().lays("9a8b7c6d").lays(A, 2).shows("fast").lifts("9a8b7c6d")
    story.hears_last("Enrolled: 2 (1 of 2)")


@pytest.mark.parametrize(
    "tag", ["9a8b7c6d", "05a1b2c3d4e5f6", "04a1b2c3d4e5f60102ff", "0401", "04a1b2c3"]
)
def test_a_sticker_of_the_wrong_kind_is_not_enrolled(tag: str) -> None:
    story = begun().lays(tag, 6)
    story.hears_last("What lies on reader 6 is no sticker of the right kind").shows("fast")
    assert story.things(tag) == [None]
    story.lifts(tag, 6).hears_last("Lay on any reader: 2 (1 of 2).").shows("on")


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("telephone", "Something on reader 3 has a new number every time"),
        ("unreadable", "What lies on reader 3 answers and cannot be read"),
        ("twin", "Reader 3 reads the same number as another reader"),
    ],
)
def test_what_is_odd_is_said_and_the_walk_goes_on(what: Oddity, sentence: str) -> None:
    story = begun().odd(what).hears_last(sentence).shows("fast")
    story.lays(A).hears_last("Enrolled: 2 (1 of 2)").shows("fast")
    story.odd("nothing").hears_last("Take off what lies there, then lay 2 (2 of 2).").shows("off")
    story = Story().odd(what).begins().hears_last(sentence).odd("nothing").shows("on")
    story.hears_last("Lay on any reader: 2 (1 of 2).")


def test_the_same_number_on_two_readers_is_a_twin() -> None:
    story = begun().lays(A).lays(A, 4).hears_last("Reader 4 reads the same number").shows("fast")
    story.lifts(A, 4).shows("fast").lifts(A).shows("on")
    assert story.things(A) == ["2"]


def test_undo_takes_back_one_step_after_the_other() -> None:
    story = begun().enrols(A, B).presses(held=True).presses()
    story.hears_last("Taken back. Lay on any reader: 5 (1 of 2).")
    story.presses().hears_last("Taken back. Lay on any reader: 2 (2 of 2).")
    assert story.things(A, B) == ["2", None]
    story.lays(C).presses().hears_last("Taken back. Take off what lies there, then lay 2 (2 of 2).")
    story.lifts(C).presses().presses().hears_last("There is nothing to take back.")
    assert story.things(A, B, C) == [None] * 3


def test_what_is_skipped_is_asked_for_by_the_next_walk() -> None:
    story = begun().presses(held=True).hears_last("Skipped: 2 (1 of 2). Lay on any reader: 2 (2")
    story.enrols(A, B, C, D)
    assert story.things(A, B, C, D) == ["2", "5", "5", "tile spy"]
    story.presses(held=True).hears_last("Skipped: robber figure. That was the last.")
    assert story.walk.done
    story.presses(held=True).hears_last("There is nothing to skip.")
    again = Story(story.walk.deck).begins().hears_last("Lay on any reader: 2 (2 of 2).")
    again.enrols("04111111111111").hears_last("then lay robber figure.")


def test_when_all_is_enrolled_another_sticker_belongs_to_nothing() -> None:
    story = begun().enrols(A, B, C, D, "04111111111111").lays("04222222222222")
    story.lays("04333333333333", 2).lifts("04222222222222")
    story.hears_last("Everything is enrolled; what lies on reader 2 belongs to nothing.")
    assert story.lifts("04333333333333", 2).walk.done
    full = Story(story.walk.deck).begins().lays(A).hears_last("This sticker was enrolled before")
    assert full.lifts(A).walk.done


def test_what_lies_on_a_reader_that_falls_silent_is_as_good_as_taken_off() -> None:
    story = begun().lays("9a8b7c6d", 2).odd("unreadable", 2).shows("fast")
    story.hears(ReaderLost(9.0, 2)).hears_last("Reader 2 no longer answers").shows("on")
    story.hears(ReaderFound(9.5, 2)).lifts("9a8b7c6d", 2).lays(A, 3).hears_last("Enrolled: 2 (1")


def test_what_is_said_is_the_same_whatever_the_stickers_are() -> None:
    """Two worlds: only the UIDs differ, and no word does."""

    def words(uids: list[str], salt: str) -> list[str]:
        one, two, three = uids
        story = Story(Deck({}, salt)).lays(one).begins().lifts(one).enrols(one, two).lays(two)
        story.told(renew_sticker(story.walk)).lifts(two).lays(three).lays(two, 2, after=0.1)
        story.lifts(three).lifts(two, 2).lays(three).lays(one, 5).lifts(three).lifts(one, 5)
        story.lays(uids[0][:8]).lays(one, 3).lays(one, 4)
        return [get_language(lang)(said) for said in story.said for lang in LANGUAGES]

    here, there = words([A, B, C], SALT), words([D, C, "04102030405060"], "a5" * 16)
    assert here == there
    assert len(here) > 30
    assert not any(uid[2:8] in sentence for uid in (A, B, C) for sentence in here)


FRESH = [f"04{n:012x}" for n in range(1, 9)]
STRANGE = ["9a8b7c6d", "05a1b2c3d4e5f6"]
TAGS = st.sampled_from([*FRESH, *STRANGE])
PLACES = st.integers(1, 3)


class AnyOrder(RuleBasedStateMachine):
    """Hands that lay, lift, press and lose readers in any order, twins among the stickers."""

    def __init__(self) -> None:
        super().__init__()
        self.walk = Walk(HOLDS, Deck({}, SALT))
        self.lying: set[tuple[str, int]] = set()
        self.steps: list[tuple[Mapping[str, str], tuple[str, ...]]] = []
        self.now = 0.0

    def takes(self, after: tuple[Walk, Message | None], undoing: bool = False) -> None:
        before = self.walk.deck.things, self.walk.skipped
        self.walk, said = after
        now = self.walk.deck.things, self.walk.skipped
        for lang in LANGUAGES if said is not None else ():
            words = get_language(lang)(said)
            assert not any(tag in words for tag in (*FRESH, *STRANGE))
        if undoing or len(now[0]) < len(before[0]):
            assert now == (self.steps.pop() if self.steps else before)
        elif now != before:
            self.steps.append(before)
            if now[0] != before[0]:
                (tag,) = {tag for tag, _ in self.lying}
                assert self.walk.deck[tag] is not None, "only what lies alone is enrolled"

    @rule()
    def begins(self) -> None:
        self.takes(begin_walk(self.walk))

    @rule(tag=TAGS, place=PLACES, wait=st.sampled_from([0.1, 0.9, 1.1, 5.0]))
    def lays(self, tag: str, place: int, wait: float) -> None:
        self.now += wait
        self.lying.add((tag, place))
        self.takes(take_evidence(self.walk, Arrived(self.now, place, tag)))

    @rule(data=st.data())
    def lifts(self, data: st.DataObject) -> None:
        if self.lying:
            tag, place = data.draw(st.sampled_from(sorted(self.lying)))
            self.lying.discard((tag, place))
            self.forgets_twins_of(tag, place)
            self.takes(take_evidence(self.walk, Left(self.now, place, tag)))

    def forgets_twins_of(self, tag: str, place: int) -> None:
        """A reader tells of a twin once; when the first of the two is lifted it tells no more."""
        known = self.walk.lying.get(self.walk.deck.mark(tag))
        if known is not None and known.place == place:
            self.lying = {(other, at) for other, at in self.lying if other != tag}

    @rule(place=PLACES, what=st.sampled_from(["nothing", "telephone", "unreadable", "twin"]))
    def is_odd(self, place: int, what: Oddity) -> None:
        self.takes(take_evidence(self.walk, Odd(self.now, place, what)))

    @rule(place=PLACES)
    def loses(self, place: int) -> None:
        gone = {tag for tag, at in self.lying if at == place}
        for tag in gone:
            self.forgets_twins_of(tag, place)
        self.lying = {(tag, at) for tag, at in self.lying if at != place}
        self.takes(take_evidence(self.walk, ReaderLost(self.now, place)))

    @rule(by_button=st.booleans())
    def undoes(self, by_button: bool) -> None:
        pressed = ButtonPressed(self.now, 1)
        self.takes(
            take_evidence(self.walk, pressed) if by_button else undo_step(self.walk), undoing=True
        )

    @rule(by_button=st.booleans())
    def skips(self, by_button: bool) -> None:
        pressed = ButtonPressed(self.now, 1, held=True)
        self.takes(take_evidence(self.walk, pressed) if by_button else skip_thing(self.walk))

    @rule()
    def renews(self) -> None:
        self.takes(renew_sticker(self.walk))

    @invariant()
    def the_deck_fits_the_box(self) -> None:
        things = list(self.walk.deck.things.values())
        assert all(things.count(thing) <= HOLDS[thing] for thing in things)
        assert not any(self.walk.deck[tag] for tag in STRANGE)
        assert len(self.walk.steps) == len(self.steps)

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
            self.takes(take_evidence(self.walk, Left(self.now, lying.place, tag)))
        self.takes(begin_walk(self.walk))
        assert self.walk.lamp == ("on" if self.walk.asked else "off")
        if self.walk.asked:
            wanted = self.walk.asked[0]
            self.lays("04fefefefefefe", 2, 5.0)
            assert self.walk.deck["04fefefefefefe"] == wanted


AnyOrder.TestCase.settings = settings(max_examples=pick(40, 150, 1000), stateful_step_count=40)
TestAnyOrder = AnyOrder.TestCase
