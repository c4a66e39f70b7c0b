"""What is offered instead of a moment rests on nothing hidden: two tables offer the same.

Whole games in two worlds are compared in `test_look_back_two_worlds.py`; here the two differ in one
card, which the reveal shows.
"""

from pathlib import Path

import msgspec

from companion.table.alternatives import put_right
from companion.table.history import History
from tests.worlds.watched_table import Watched


def offers(history: History, moments: list[int]) -> list[bytes]:
    """The ways in which these moments can be put right."""
    return [msgspec.json.encode(put_right(history, at)) for at in moments]


def seen_at_bank_1(path: Path, card: str) -> Watched:
    """The readers see this card come to bank 1, and others elsewhere."""
    table = Watched(path, readers=range(1, 6))
    for bank in range(1, 6):
        table.lay(card if bank == 1 else str(bank), bank)
    table.do(1, 'tile_turned seat=1 tile="place"')
    table.lay("10", 1)
    return table


def test_after_the_reveal_a_card_that_differs_is_put_right_in_other_ways(tmp_path: Path) -> None:
    here, there = (seen_at_bank_1(tmp_path / card, card) for card in ("thief", "detective"))
    moments = [*range(1, here.table.version + 1)]
    assert offers(here.table.history, moments) == offers(there.table.history, moments)
    for table in (here, there):
        table.do(2, 'tile_turned seat=2 tile="rob"', "bank_chosen seat=2 bank=1")
        table.close(3, 4, 2)
    assert offers(here.table.history, moments) == offers(there.table.history, moments)
    for table in (here, there):
        table.show(3, 4, 2)
    assert offers(here.table.history, moments) != offers(there.table.history, moments)
    for table in (here, there):
        table.journal.close()
