"""The pictures of Robby Solo: seven objects, no two alike at one time, and a round."""

from pathlib import Path

from companion.core.i18n import Message, seat_key
from companion.games import robby_solo
from companion.games.picture import Card, RoundPiece, Text
from companion.games.robby_solo.game import OBJECT_PICTURES, ON_TOP, choose_pictures
from companion.games.robby_solo.picture import picture_round
from companion.games.robby_solo.raid import resolve_round
from tests.games.test_robby_solo import Robbers, three

DRAWINGS = Path(robby_solo.__file__).parent / "static"


def pictures(story: Robbers) -> dict[tuple[str, int], int]:
    return choose_pictures(story.rules.public_view(story.state))


def test_all_objects_that_lie_open_look_different() -> None:
    story = three().fill(*["object"] * 4).rob("yellow", "red", "red")
    story.fill(1000, "object", "object", "object")
    shown = pictures(story)
    at_banks = {(bank, n) for bank in ("green", "red", "blue") for n in (0, 1)}
    assert shown.keys() == {*at_banks, (seat_key(1), ON_TOP)}
    assert sorted(shown.values()) == [1, 2, 3, 4, 5, 6, 7]


def test_an_object_keeps_its_picture_while_it_lies_there() -> None:
    story = three().fill("object", "object", 3000, 4000)
    before = pictures(story)
    story.rob("red", "red", "blue").fill("object", 1000, 1000, 1000)
    assert pictures(story).items() >= before.items()


def test_money_has_no_picture() -> None:
    assert pictures(three().fill(1000, 2000, 3000, 4000)) == {}


def test_there_is_a_drawing_for_each() -> None:
    drawn = {(DRAWINGS / f"object-{n}.svg").read_bytes() for n in range(1, OBJECT_PICTURES + 1)}
    assert len(drawn) == OBJECT_PICTURES
    assert (DRAWINGS / "object.svg").read_bytes() in drawn


# The picture of a round.


def test_a_round_shows_banks_by_name_and_what_the_police_take_as_notes() -> None:
    banks = {"yellow": (1000, 2000, 3000, "object"), "red": (5000,)}
    choices = {"Ana": "yellow", "Ben": "yellow", "Cleo": "red"}
    verdict = resolve_round(banks, choices, {"Ana": (8000, 1000)}, three().state.box)
    marks = picture_round(verdict, ("Ana", "Ben", "Cleo")).marks
    said = [mark.say for mark in marks if isinstance(mark, Text)]
    assert [bank for bank in banks if bank not in said] == []
    notes = [mark for mark in marks if isinstance(mark, Card)]
    assert [note.face for note in notes] == [1000, 2000, 3000, "object", 5000, 8000]
    assert [note.face for note in notes if note.leaves] == [8000]
    assert min(mark.size for mark in marks if isinstance(mark, RoundPiece)) >= 36, "holds 2 letters"


def test_a_taker_is_told_the_sum_of_the_money_and_each_object() -> None:
    banks = {"yellow": (1000, 2000, 3000, "object"), "red": (5000, 4000)}
    verdict = resolve_round(banks, {"Ana": "yellow", "Ben": "red"}, {}, three().state.box)
    marks = picture_round(verdict, ("Ana", "Ben")).marks
    said = [
        mark.say.facts for mark in marks if isinstance(mark, Text) and isinstance(mark.say, Message)
    ]
    assert [facts["cards"] for facts in said if "who" in facts] == [[6000, "object"], [9000]]
