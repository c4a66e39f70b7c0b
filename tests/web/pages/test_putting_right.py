"""How many taps it takes to put right what was seen, in every game, with readers and without.

From the phone of a seat, or from the host's page, to the pay-out as it should have been and to who
owes whom.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Sealed
from companion.seating.seats import Seats
from companion.table.activity_log import log_entries
from tests.worlds.host_browser import AtHome, HostsBrowser
from tests.worlds.tapping import Taps
from tests.worlds.visitor import UNHURRIED, Visitor, words
from tests.worlds.watched_table import NONCE, Watched
from web.app import create_app
from web.context import AppContext

MOST_TAPS = 5
ALL = range(1, 9)
Player = Callable[[int], Taps]
Put = Callable[..., tuple[Watched, Player]]


@pytest.fixture
def put(tmp_path: Path) -> Iterator[Put]:
    """A table of a game with these readers, the phones of its seats, and as 0 the host's page; the
    host may sit at a seat as well."""
    tables: list[Watched] = []

    def put_up(game: str, readers: Any, hosts_seat: int = 0, **how: Any) -> tuple[Watched, Player]:
        table = Watched(tmp_path / f"{len(tables)}.sqlite3", game, readers=readers, **how)
        tables.append(table)
        house: Any = AtHome(table.table, table.journal)
        context = AppContext(table.table, Seats(open_house=True), host=house)
        app = create_app(context, limits=UNHURRIED)
        host = HostsBrowser(app).signs_in()
        seats = range(1, len(table.state.players) + 1)
        visitors = {seat: host if seat == hosts_seat else Visitor(app) for seat in seats}
        for seat, visitor in visitors.items():
            visitor.sits(seat)
        return table, lambda n: Taps(visitors[n], f"/phone/{n}") if n else Taps(host, "/host")

    yield put_up
    for table in tables:
        table.table.close()


def lay(table: Watched, n: int, card: Any, event: str) -> str:
    """A card comes to a place: its reader says so, or a phone; its tag."""
    if table.readers:
        return table.lay(str(card), n)
    table.do(table.state.active, event)
    return ""


# One verdict in each game: what was noted of a card, and of a hand.


def bankueberfall(
    put: Put, readers: Any, sweep: str = "", card: str = "detective"
) -> tuple[Watched, Player]:
    """Bank 1 with this card is robbed."""
    table, phone = put("bankueberfall", readers, sweep=sweep)
    for bank in range(1, 6) if readers else ():
        table.lay(card if bank == 1 else str(bank), bank)
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    bids = (3, 2, 1, 0, 0)[: len(table.state.players)]
    table.close(*bids).show(*bids)
    if sweep:
        table.do(1, f'card_shown bank=1 card="{card}"')
    elif not readers:
        table.do(1, f'card_named bank=1 slot=1 card="{card}"')
    return table, phone


def banque_fatale(put: Put, readers: Any, _sweep: str = "") -> tuple[Watched, Player]:
    """The first card of two colours is auctioned."""
    table, phone = put("banque_fatale", readers)
    cards = table.state.box.cards
    single = [card for card in cards if "-" not in card]
    double = [card for card in cards if "-" in card]
    for seat in range(1, len(table.state.players) + 1):
        table.do(seat, f'card_dealt seat={seat} card="{single[seat - 1]}"')
    tags = [
        lay(table, n, card, f'card_turned card="{card}"') for n, card in enumerate(double[:3], 1)
    ]
    if readers:
        table.lay_tag(tags[0], 4)
    else:
        table.do(1, f'card_chosen seat=1 card="{double[0]}"')
    lay(table, 1, double[3], f'card_turned card="{double[3]}"')
    hands: list[dict[str, int]] = [{"red": 1}, {"red": 2}, {}, {}][: len(table.state.players)]
    table.close(*hands).show(*hands)
    return table, phone


def robby_solo(put: Put, readers: Any, sweep: str = "") -> tuple[Watched, Player]:
    """Everyone robs a bank alone; at the first one lay 5,000."""
    table, phone = put("robby_solo", readers, sweep=sweep)
    row, others = [*table.state.banks], range(2, len(table.state.players) + 1)
    for place, loot in enumerate((5000, 2000, 3000, 4000, 1000, 6000, 7000)[: len(row)], 1):
        lay(table, place, loot, f'loot_laid bank="{row[place - 1]}" card={loot}')
    for seat in (*others, 1):
        table.do(seat, Sealed(seat, make_seal(table.state.id, 1, seat, row[seat - 1], NONCE)))
    table.do(1, f'declared seat=1 bank="{row[0]}" will=true')
    for seat in others:
        table.do(seat, f"kept seat={seat}")
    table.show(*row[:-1])
    for bank, loot in zip(row, (5000, 2000, 3000), strict=False) if sweep else ():
        table.do(1, f'loot_shown bank="{bank}" card={loot}')
    return table, phone


def said(table: Watched, taps: Taps) -> str:
    """The phone's page, without its tags: who owes whom stands on it."""
    assert table.table.history.change is not None
    return words(taps.text).replace("\u00a0", " ")


TABLES = [((), ""), (ALL, ""), (ALL, "always")]
NAMED = ["without readers", "with readers", "with a sweep"]


@pytest.mark.parametrize(("readers", "sweep"), TABLES, ids=NAMED)
def test_that_was_a_thief_and_not_a_detective(put: Put, readers: Any, sweep: str) -> None:
    table, phone = bankueberfall(put, readers, sweep)
    taps = phone(2).follow("Ask the judge").follow("Put right: At bank 1 lay: detective.")
    taps.press("thief")
    assert table.state.verdict.outcome == "stolen"
    assert "Ben gets 1 red credit." in said(table, taps)
    assert taps.n <= MOST_TAPS, taps.n
    assert taps.n == 3


@pytest.mark.parametrize(("readers", "sweep"), TABLES, ids=NAMED)
def test_that_was_7000_and_not_5000(put: Put, readers: Any, sweep: str) -> None:
    table, phone = robby_solo(put, readers, sweep)
    taps = phone(2).follow("Ask the judge")
    (fact,) = [
        one for one in taps.page.links if one.startswith("Put right: At the") and "5,0" in one
    ]
    taps.follow(fact).press("$7,000")
    assert table.state.players[0].pile == (7000,)
    assert "Ana gets $2,000." in said(table, taps)
    assert taps.n == 3


@pytest.mark.parametrize("readers", [(), ALL], ids=NAMED[:2])
def test_that_was_another_card_on_auction(put: Put, readers: Any) -> None:
    table, phone = banque_fatale(put, readers)
    taps = phone(2).follow("Ask the judge")
    was = table.state.auctioned
    turned = next(m.at for m in table.table.history.moments if getattr(m.event, "card", "") == was)
    taps.n += 1  # The fact is opened, to see where it came from.
    (link,) = [one for one in taps.page.links.values() if one.endswith(f"/{turned}")]
    taps.opens(link)
    taps.n += 1
    other = next(name for name in taps.page.forms[0][2] if "–" in name)
    taps.press(other)
    assert was not in table.state.players[1].cards
    assert len(table.state.players[1].cards) == 2
    assert "The last change" in said(table, taps)
    assert taps.n == 4


BIDS = {
    "bankueberfall": (
        partial(bankueberfall, card="10"),
        "Put right: Ana bid 3 coins.",
        "4",
        "Ana gets",
    ),
    "banque_fatale": (banque_fatale, "Put right: Ana held red 1.", "red 2", "Ana"),
}


@pytest.mark.parametrize("readers", [(), ALL], ids=NAMED[:2])
@pytest.mark.parametrize("game", BIDS)
def test_he_bid_4_and_not_3(put: Put, game: str, readers: Any) -> None:
    play, fact, other, owed = BIDS[game]
    table, phone = play(put, readers)
    taps = phone(2).follow("Ask the judge").follow(fact)
    assert taps.press(other).status_code == 409, "the others must agree"
    agreed = [_agree(phone(seat)) for seat in (1, 3)]
    assert agreed == [1, 1]
    assert taps.n + sum(agreed) == MOST_TAPS
    taps.opens("/phone/2")
    assert owed in said(table, taps)
    assert "Entered by the table, without proof: Ana." in said(table, taps)


SIZES = {"bankueberfall": (3, 4, 5), "banque_fatale": (3, 4), "robby_solo": (3, 6)}
TOLD = {game: (play, fact, other) for game, (play, fact, other, _) in BIDS.items()} | {
    "robby_solo": (robby_solo, "Put right: Ben chose", "")
}


@pytest.mark.parametrize("readers", [(), ALL], ids=NAMED[:2])
@pytest.mark.parametrize(("game", "seats"), [(game, n) for game in SIZES for n in SIZES[game]])
def test_the_host_agrees_for_everyone_at_a_table_of_any_size(
    put: Put, game: str, seats: int, readers: Any
) -> None:
    """Three taps of the one who asks, and one on the host's page."""
    play, fact, other = TOLD[game]
    table, phone = play(partial(put, seats=seats), readers)
    taps = follow(phone(2).follow("Ask the judge"), fact)
    assert taps.press(other or own_button(table, taps)).status_code == 409
    host = phone(0)
    assert host.press("Do it, for the whole table").status_code == 204
    assert taps.n + host.n == 4 < MOST_TAPS
    assert "The last change" in said(table, host), "who owes whom stands on the host's page"


@pytest.mark.parametrize(("game", "seats"), [(game, SIZES[game][-1]) for game in SIZES])
def test_a_player_who_is_the_host_puts_it_right_alone(put: Put, game: str, seats: int) -> None:
    play, fact, other = TOLD[game]
    table, phone = play(partial(put, seats=seats, hosts_seat=2), ())
    taps = phone(2).follow("Ask the judge")
    follow(taps, fact).follow("Correct it as the host")
    assert taps.press(other or own_button(table, taps)).status_code == 204
    assert taps.n == 4 < MOST_TAPS
    assert "The last change" in said(table, taps)


def follow(taps: Taps, begin: str) -> Taps:
    """Tap the link that begins like this."""
    (found,) = [one for one in taps.page.links if one.startswith(begin)]
    return taps.follow(found)


def own_button(table: Watched, taps: Taps) -> str:
    """Return what the button of the last bank of the row says."""
    last = [*table.state.banks][-1]
    buttons = taps.page.forms[0][2]
    return next(said for said, one in buttons.items() if f'"{last}"' in one.get("choice", ""))


def test_a_bid_that_is_far_from_what_was_noted_is_filled_in(put: Put) -> None:
    table, phone = bankueberfall(put, (), card="10")
    taps = phone(2).follow("Ask the judge").follow("Put right: Ana bid 3 coins.")
    assert [said for said in taps.page.forms[0][2] if said.isdigit()] == list("012456")
    taps.step("instead.value", 4)
    assert taps.press("Correct it").status_code == 409
    for seat in (1, 3):
        _agree(phone(seat))
    assert table.state.verdict.change["Ana"] == 7


def _agree(taps: Taps) -> int:
    """Press the one button on the phone of another seat; how many taps."""
    assert taps.press("I ask for it too").status_code in (204, 409)
    return taps.n


@pytest.mark.parametrize("readers", [(), ALL], ids=NAMED[:2])
def test_she_chose_the_red_bank(put: Put, readers: Any) -> None:
    table, phone = robby_solo(put, readers)
    row = [*table.state.banks]
    taps = phone(2).follow("Ask the judge")
    (fact,) = [one for one in taps.page.links if one.startswith("Put right: Ben chose")]
    taps.follow(fact)
    buttons = taps.page.forms[0][2]
    other = next(said for said, one in buttons.items() if f'"{row[3]}"' in one.get("choice", ""))
    assert taps.press(other).status_code == 409, "the others must agree"
    assert taps.n == 3
    assert [_agree(phone(seat)) for seat in (1, 3)] == [1, 1]
    assert table.state.players[1].pile == (4000,)
    taps.opens("/phone/2")
    assert "Ben gets $2,000." in said(table, taps)


COUNTS = {
    "bankueberfall": (bankueberfall, "owns.coins", 3, "has 3 coins more than was noted."),
    "banque_fatale": (banque_fatale, "owns.millions", 3, "has 3 million more than was noted."),
    "robby_solo": (robby_solo, "owns.3000", 1, "has $3,000 more than was noted."),
}


@pytest.mark.parametrize("readers", [(), ALL], ids=NAMED[:2])
@pytest.mark.parametrize("game", COUNTS)
def test_i_counted_i_own_three_more(put: Put, game: str, readers: Any) -> None:
    play, field, more, owed = COUNTS[game]
    table, phone = play(put, readers)
    taps = phone(3).follow("I counted what I own").step(field, more)
    taps.press("That is what I own")
    assert f"Cleo {owed}" in said(table, taps)
    assert taps.n <= MOST_TAPS
    counted = table.table.history.moments[-1].event
    assert counted.more == {field.removeprefix("owns."): more}  # type: ignore[attr-defined]


def test_without_a_seat_one_is_sent_to_take_one(put: Put) -> None:
    table, phone = bankueberfall(put, ())
    stranger = Visitor(phone(1).visitor.app)
    led = stranger.get(f"/judge/correct/{table.table.version}")
    assert led.location == "/phone/elsewhere"
    assert stranger.get("/judge/count").location == "/phone/elsewhere"


def test_the_whole_log_is_there_once_the_judge_is_called(put: Put) -> None:
    table, phone = bankueberfall(put, ())
    taps = phone(1)
    assert taps.visitor.get("/judge/log").status_code == 403
    refused = taps.visitor.get("/phone/1/correct/1")
    assert "In truth it was" in refused.text, "the verdict rests on a house rule"
    table.do(1, "frozen seat=1")
    taps.opens("/judge/log")
    lines = [one for one in taps.page.links if one.startswith("Put moment")]
    undoable = [one.at for one in log_entries(table.table.history) if one.undoable]
    assert len(lines) == len(undoable) > 5
    assert table.table.version > 8
    assert words(taps.text).count("The game begins.") == 1


def test_what_is_to_be_remembered_is_not_looked_up_while_the_game_goes_on(put: Put) -> None:
    table, phone = banque_fatale(put, ())
    for _ in range(3):
        table.do(table.state.active, f'chip_taken seat={table.state.active} colour="red"')
    table.do(1, "passed seat=1")
    visitor = phone(1).visitor
    page = words(visitor.get("/phone/1/correct/6").text)
    assert "The judge looks back in front of everyone" in page
    assert "is turned up" not in page
    table.do(1, "frozen seat=1")
    assert "is turned up" in words(visitor.get("/phone/1/correct/6").text)
