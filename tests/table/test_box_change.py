"""Another box is laid on the same table: its eyes see what lies there, and nobody notices more."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.deck import Deck
from companion.games import make_rulebook
from companion.table.permissions import HOST_AUTHOR
from tests.worlds.watched_table import Watched, code_of, tagged

ROBBY = make_rulebook("robby_solo")
TAGS = {thing: [f"05{tag[2:]}" for tag in tags] for thing, tags in tagged(ROBBY.box).items()}
SALT = "7c" * 16
MARKS = Deck({}, SALT)
DECK = Deck({MARKS.mark(tag): thing for thing, tags in TAGS.items() for tag in tags}, SALT)
THREE = ("Ana", "Ben", "Cleo")


@pytest.fixture
def watched_table(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "journal.sqlite3")


def begun(table: Watched) -> Any:
    table.rules = ROBBY
    assert table.table.start(ROBBY.start_event(id="g2", players=len(THREE)), HOST_AUTHOR) is None
    return table.table.view()


def test_cards_that_lie_there_already_are_seen_by_the_eyes_of_the_new_box(
    watched_table: Watched,
) -> None:
    assert code_of(watched_table.table.choose_box(ROBBY, DECK)) == "under_way"
    watched_table.do(0, "ended")
    for place, thing in ((1, "1000"), (2, "object")):
        watched_table.lay_tag(TAGS[thing][0], place)
    assert watched_table.table.choose_box(ROBBY, DECK) is None
    picture = watched_table.table.tracker.picture
    assert [picture.lying(place) for place in (1, 2, 3)] == [
        [MARKS.mark(TAGS["1000"][0])], [MARKS.mark(TAGS["object"][0])], [],
    ]  # fmt: skip
    begun(watched_table)
    lies = watched_table.table.rules.expected_cards(watched_table.state)
    assert (lies[1], lies[2]) == (("1000",), ("object",))


def test_a_box_that_is_not_enrolled_is_played_by_hand_and_the_next_one_sees(
    watched_table: Watched,
) -> None:
    watched_table.do(0, "ended")
    assert watched_table.table.choose_box(ROBBY, None) is None
    watched_table.lay_tag(TAGS["1000"][0], 1)
    assert begun(watched_table).table.by_hand == (1, 2, 3, 4)
    watched_table.do(0, "ended")
    assert watched_table.table.choose_box(ROBBY, DECK) is None
    assert MARKS.mark(TAGS["1000"][0]) in watched_table.table.tracker.picture.lying(1)
