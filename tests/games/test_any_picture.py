"""The picture of a verdict for a game that draws none: rows of players, from the steps alone."""

from companion.core.verdict import Verdict, step
from companion.games.any_picture import picture_any_verdict
from companion.games.picture import Card, Chair, RoundFrame, Text, VerdictPicture

PLAYERS = ("Ana", "Ben", "Cleo")
CONTEST = Verdict((
    step("L.bid", "The bids: {tally}.", tally={"Ana": 4, "Ben": 11, "Cleo": 11}),
    step("L.alone", "{who} bid the same, {bid}: it does not count.", who=["Ben", "Cleo"], bid=11),
    step("L.alone", "{who} takes {card} and pays {coins}.", who=["Ana"], card="7", coins=4),
))  # fmt: skip


def drawn(verdict: Verdict, players: tuple[str, ...] = PLAYERS) -> VerdictPicture:
    found = picture_any_verdict(verdict, players)
    assert found is not None
    return found


def texts(picture: VerdictPicture, told: int) -> list[str]:
    """The words that are there once so many steps are told."""
    return [
        mark.say if isinstance(mark.say, str) else str(mark.say.facts)
        for mark in picture.marks
        if isinstance(mark, Text) and mark.at <= told and not 0 < mark.until <= told
    ]


def test_each_player_has_a_row_from_the_beginning() -> None:
    picture = drawn(CONTEST)
    assert texts(picture, 0) == list(PLAYERS)
    chairs = [mark for mark in picture.marks if isinstance(mark, Chair)]
    assert [chair.seat for chair in chairs] == [1, 2, 3]
    assert [chair.y for chair in chairs] == sorted({chair.y for chair in chairs})
    assert max(chair.y for chair in chairs) < picture.height


def test_nothing_is_drawn_before_its_step() -> None:
    picture = drawn(CONTEST)
    assert texts(picture, 1) == ["Ana", "4", "Ben", "11", "Cleo", "11"]
    assert not [m for m in picture.marks if isinstance(m, Card | RoundFrame) and m.at <= 1]
    assert texts(picture, 2) == texts(picture, 1)
    assert texts(picture, 3) == ["Ana", "4", "{'coins': 4}", "Ben", "11", "Cleo", "11"]
    assert [(card.face, card.at) for card in picture.marks if isinstance(card, Card)] == [("7", 3)]


def test_the_one_who_is_named_last_has_a_golden_frame() -> None:
    frames = [mark for mark in drawn(CONTEST).marks if isinstance(mark, RoundFrame)]
    assert [(mark.at, mark.tone) for mark in frames] == [(3, "gold"), (2, "soft"), (2, "soft")]


def test_what_is_said_of_several_belongs_to_none_of_them() -> None:
    tie = Verdict((
        step("G.tie", "{who} bid the same: {card} is gone.", who=["Ana", "Cleo"], card="4"),
    ))  # fmt: skip
    picture = drawn(tie)
    (card,) = (mark for mark in picture.marks if isinstance(mark, Card))
    chairs = [mark.y for mark in picture.marks if isinstance(mark, Chair)]
    assert card.y + card.height < min(chairs)
    assert {mark.tone for mark in picture.marks if isinstance(mark, RoundFrame)} == {"soft"}


def test_a_later_value_takes_the_place_of_an_earlier_one() -> None:
    twice = Verdict((
        step("X.a", "{tally}", tally={"Ana": 1}), step("X.b", "{tally}", tally={"Ana": 2}),
    ))  # fmt: skip
    picture = drawn(twice, ())
    assert (texts(picture, 1), texts(picture, 2)) == (["Ana", "1"], ["Ana", "2"])


def test_a_verdict_that_names_no_player_has_no_picture() -> None:
    storm = Verdict((step("W.storm", "The crate {card} sinks.", card="3"),))
    assert picture_any_verdict(storm, PLAYERS) is None
