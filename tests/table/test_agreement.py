"""Taking back open hands: twice by any seat, then by the host or by all seats together."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.events import Opened, Resealed
from companion.core.i18n import LANGUAGES, get_language
from companion.core.table_events import Corrected, Thawed, Undone
from companion.records.verify import prove_game
from companion.table.agreement import FREE_RESEALS, FREE_TAKE_BACKS, count_reseals
from tests.worlds.watched_table import EN, NONCE, Watched


@pytest.fixture
def sealing(tmp_path: Path) -> Iterator[Watched]:
    """Three rob bank 1, and have closed no hand yet."""
    table = Watched(tmp_path / "journal")
    table.lay("10", 1)
    yield table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    table.journal.close()


@pytest.fixture
def robbed(sealing: Watched) -> Watched:
    """Three have robbed bank 1 and opened their hands."""
    return sealing.close(1, 2, 3).show(1, 2, 3)


def newest_opening(table: Watched) -> int:
    """The moment at which the last hand opened."""
    moments = table.table.history.moments
    return max(one.at for one in moments if isinstance(one.event, Opened))


def take_back(table: Watched, seat: int, reason: str = "") -> Any:
    """Ask to undo the newest opening; the refusal."""
    return table.ask(seat, Undone(newest_opening(table), reason))


def open_again(table: Watched) -> Watched:
    return table.do(3, Opened(3, 3, NONCE))


def use_up(table: Watched, seat: int = 2) -> Watched:
    """Take back an open hand as often as one seat may."""
    for _ in range(FREE_TAKE_BACKS):
        assert take_back(table, seat) is None
        open_again(table)
    return table


def proposed(table: Watched) -> Any:
    view: Any = table.table.view()
    return view.table.proposed


def test_one_seat_takes_back_open_hands_twice_and_then_no_more(robbed: Watched) -> None:
    before = use_up(robbed).table.version
    refused = take_back(robbed, 2)
    assert (refused.code, refused.rule) == ("needs_everyone", "T.undo")
    said = EN(refused.say)
    assert "the host" in said
    assert "Ana and Cleo" in said
    assert len({get_language(code)(refused.say) for code in LANGUAGES}) == len(LANGUAGES)
    assert robbed.table.version == before


def test_the_host_still_can(robbed: Watched) -> None:
    use_up(robbed)
    for _ in range(3):
        assert take_back(robbed, 0) is None
        open_again(robbed)


def test_when_all_seats_have_asked_for_the_same_it_is_done(robbed: Watched) -> None:
    at = newest_opening(use_up(robbed))
    assert take_back(robbed, 2, "it was a mistake").code == "needs_everyone"
    assert take_back(robbed, 2).code == "needs_everyone", "twice by one seat counts once"
    status = proposed(robbed)
    assert (status.do, status.fields["target"], status.missing) == ("undone", at, (1, 3))
    assert "Ben wants to undo" in EN(status.say)
    assert "still missing: Ana and Cleo." in EN(status.say)
    assert take_back(robbed, 3).code == "needs_everyone"
    assert proposed(robbed).missing == (1,)
    robbed.do(1, Undone(**status.fields))
    assert at in robbed.table.history.struck
    assert proposed(robbed) is None
    assert robbed.written()[-1][1]["reason"] == "it was a mistake"


def test_it_is_forgotten_when_the_game_goes_on(robbed: Watched) -> None:
    use_up(robbed)
    for seat in (1, 2):
        assert take_back(robbed, seat).code == "needs_everyone"
    robbed.do(1, "frozen seat=1").do(1, Thawed())
    assert proposed(robbed) is None
    assert take_back(robbed, 3).code == "needs_everyone"
    assert proposed(robbed).missing == (1, 2)


def test_another_wish_begins_anew(robbed: Watched) -> None:
    at = newest_opening(use_up(robbed))
    take_back(robbed, 1)
    assert robbed.ask(3, Undone(at - 1)).code == "needs_everyone"  # type: ignore[union-attr]
    assert proposed(robbed).missing == (1, 2)


def test_what_takes_back_no_open_hand_any_seat_may_still_undo(robbed: Watched) -> None:
    use_up(robbed).lay("5", 1)
    filled = robbed.table.version
    robbed.do(2, Undone(filled))
    assert filled in robbed.table.history.struck


def test_a_correction_that_takes_back_open_hands_needs_everyone_as_well(robbed: Watched) -> None:
    moments = use_up(robbed).table.history.moments
    turned = next(one.at for one in moments if one.event.__struct_config__.tag == "tile_turned")
    instead = {"event": "tile_turned", "seat": 1, "tile": "spy"}
    refused = robbed.ask(2, Corrected(turned, instead))
    assert refused is not None
    assert refused.code == "needs_everyone"
    assert "Ben wants to correct" in EN(proposed(robbed).say)
    for seat in (1, 3):
        refused = robbed.ask(seat, Corrected(turned, instead))
    assert refused is None
    assert robbed.state.phase == "spy"


def test_one_seat_has_all_hands_closed_anew_twice_a_round_and_then_no_more(
    sealing: Watched,
) -> None:
    for _ in range(FREE_RESEALS):
        sealing.close(1, 2, 3).do(2, Resealed())
    before = sealing.close(1, 2, 3).table.version
    refused = sealing.ask(2, Resealed())
    assert refused is not None
    assert (refused.code, refused.rule) == ("needs_everyone", "S.reseal")
    assert sealing.table.version == before
    assert "Ben wants everyone to seal again" in EN(proposed(sealing).say)
    assert sealing.ask(1, Resealed()).code == "needs_everyone"  # type: ignore[union-attr]
    assert sealing.ask(3, Resealed()) is None, "now all three have asked"
    sealing.close(1, 2, 3).do(0, Resealed())
    sealing.close(1, 2, 3).show(1, 2, 3)
    sealing.lay("5", 1)
    assert count_reseals(sealing.table.history) == 0, "another round has a count of its own"


def test_the_count_outlives_a_power_cut(robbed: Watched) -> None:
    use_up(robbed)
    robbed.pull_the_plug()
    assert take_back(robbed, 2).code == "needs_everyone"


def test_a_record_with_more_of_them_is_proven_all_the_same(robbed: Watched) -> None:
    use_up(robbed)
    for _ in range(3):
        assert take_back(robbed, 0) is None
        open_again(robbed)
    moments = [
        (one.event, "phone 2" if isinstance(one.event, Undone) else one.via, one.when)
        for one in robbed.table.history.moments
    ]
    assert prove_game(robbed.rules, moments).why is None
