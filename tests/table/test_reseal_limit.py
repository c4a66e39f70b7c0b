"""A hand may be closed again, but not without end; only its own seat hears of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Sealed
from companion.core.i18n import LANGUAGES, get_language
from companion.table.permissions import MAX_RESEALS
from tests.worlds.watched_table import Watched

BEN = 2


@pytest.fixture
def robbery(tmp_path: Path) -> Iterator[Watched]:
    """Bank 1 is robbed: Ana, Ben and Cleo are to close their hands."""
    table = Watched(tmp_path / "journal")
    table.lay("10", 1)
    yield table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    table.journal.close()


def seal(table: Watched, seat: int, n: int = 0) -> Sealed:
    """A seal for this seat, the n-th of this round."""
    hands = table.state.hands
    return Sealed(seat, make_seal(table.state.id, hands.round, seat, 3, f"{n:032x}"))


def close_often(table: Watched, seat: int) -> None:
    """Close a hand, and again as often as that is granted."""
    for n in range(1 + MAX_RESEALS):
        table.do(seat, seal(table, seat, n))


def test_a_hand_is_closed_again_so_often_and_then_stays_as_it_is(robbery: Watched) -> None:
    close_often(robbery, BEN)
    last = robbery.state.hands.seals
    refused = robbery.ask(BEN, seal(robbery, BEN, 99))
    assert refused is not None
    assert (refused.code, refused.rule) == ("closed_too_often", "S.seal")
    assert len({get_language(code)(refused.say) for code in LANGUAGES}) == len(LANGUAGES)
    assert robbery.state.hands.seals == last
    robbery.do(1, seal(robbery, 1)).do(3, seal(robbery, 3))
    assert robbery.state.phase == "open"


def test_one_seat_has_all_hands_closed_anew_so_often_and_then_only_the_host(
    robbery: Watched,
) -> None:
    for _ in range(MAX_RESEALS):
        robbery.do(BEN, "resealed")
    refused = robbery.ask(BEN, "resealed")
    assert refused is not None
    assert (refused.code, refused.rule) == ("for_the_host", "S.reseal")
    robbery.do(1, "resealed").do(0, "resealed")
