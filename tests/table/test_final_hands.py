"""Once a card of a robbery was shown, its hands stay as they are: no new hands, not even after an
undo."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.events import Entered, Opened
from tests.worlds.watched_table import NONCE, Watched


@pytest.fixture
def swept(tmp_path: Path) -> Iterator[Watched]:
    """Three hands are open and bank 4 is being swept; no reader listens."""
    made = Watched(tmp_path / "journal.sqlite3", readers=(), sweep="always")
    made.do(1, 'tile_turned seat=1 tile="place"', "card_placed seat=1 bank=4")
    made.do(2, 'tile_turned seat=2 tile="rob"', "bank_chosen seat=2 bank=4")
    made.close(1, 2, 0).show(1, 2, 0)
    assert made.state.phase == "turn_up"
    yield made
    made.journal.close()


def refused(table: Watched, seat: int, text: str) -> str:
    answer = table.ask(seat, text)
    return "" if answer is None else answer.code


def test_a_hand_whose_opening_is_undone_after_a_card_was_shown_is_not_closed_anew(
    swept: Watched,
) -> None:
    swept.do(1, 'card_shown bank=4 card="5"')
    swept.do(0, f"undone target={swept.table.version - 1}")
    assert swept.state.phase == "open"
    assert refused(swept, 1, "resealed") == "shown"
    assert refused(swept, 0, "resealed") == "shown"
    swept.do(3, Opened(3, 0, NONCE))
    assert (swept.state.phase, swept.state.shown) == ("turn_up", ())


def test_a_hand_that_cannot_open_then_is_entered_as_unproven(swept: Watched) -> None:
    swept.do(1, 'card_shown bank=4 card="5"')
    swept.do(0, f"undone target={swept.table.version - 1}")
    swept.do(0, Entered(3, 0))
    assert (swept.state.phase, swept.state.hands.unproven) == ("turn_up", (3,))


def test_before_a_card_is_shown_hands_may_be_closed_anew(swept: Watched) -> None:
    swept.do(1, f"undone target={swept.table.version}")
    swept.do(1, "resealed")
    assert swept.state.phase == "seal"


def test_taking_the_hands_back_after_a_card_was_shown_is_for_the_host_or_for_all(
    swept: Watched,
) -> None:
    swept.do(1, 'card_shown bank=4 card="5"', 'card_shown bank=4 card="2"')
    assert swept.state.phase == "refill"
    wish = "undone target=5"
    assert refused(swept, 1, wish) == "needs_everyone"
    assert refused(swept, 2, wish) == "needs_everyone"
    swept.do(3, wish)
    assert swept.state.phase == "rob"


def test_an_undone_card_alone_is_shown_again_and_all_hands_stay_open(swept: Watched) -> None:
    swept.do(1, 'card_shown bank=4 card="5"', 'card_shown bank=4 card="2"')
    swept.do(2, f"undone target={swept.table.version}")
    assert (swept.state.phase, swept.state.shown) == ("turn_up", ("5",))
    swept.do(3, 'card_shown bank=4 card="10"')
    assert swept.state.verdict.loot == 15
