"""What was seen is put right: a card misread by a reader, a bid, and what a player counted.

Each is followed to the pay-out as it should have been, and to who owes whom.
"""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Sealed
from companion.core.i18n import seat_key
from companion.core.table_events import Corrected, Counted, Undone
from companion.games.robby_solo.state import Declared
from companion.records.verify import prove_game
from companion.table.history import History, apply_event, build_history, refuse_here, replay_moments
from companion.table.look_back import find_last_verdict
from companion.table.putting_right import Alternative, PuttingRight, put_right
from companion.table.view import log_entries
from tests.worlds.event_story import Story
from tests.worlds.golden_games import golden_files, read
from tests.worlds.watched_table import EN, NONCE, Watched, code_of

GOLDEN = {path.stem: path for path in golden_files() if path.match("*-[12].txt")}


@cache
def game(name: str, moments: int) -> History:
    """The first moments of a golden game."""
    rules, events = read(GOLDEN[name])
    return build_history(rules, [(event, "phone 1", 0.0) for event in events[:moments]])


def options(table: Watched, at: int) -> dict[str, Alternative]:
    """What may be said of a moment, by the card that it names then."""
    found = put_right(table.table.history, at).options
    return {str(one.label["card"]): one for one in found if [*one.label] == ["card"]}


def correct(table: Watched, at: int, one: Alternative) -> list[str]:
    """The host corrects a moment; who owes what then."""
    table.do(0, Corrected(at, one.instead, "misread"))
    return last_change(table)


def last_change(table: Watched) -> list[str]:
    view: Any = table.table.view()
    return [EN(said).replace("\u00a0", " ") for said in view.table.change.says]


def facts(table: Watched) -> dict[str, Any]:
    """The facts of the last verdict, by their sentence."""
    look = find_last_verdict(table.table.history)
    assert look is not None
    return {EN(one.say).replace("\u00a0", " "): one for one in look.rulings[0].facts}


def test_a_card_misread_by_a_reader_is_put_right_after_the_robbery(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", readers=range(1, 6))
    for bank in range(1, 6):
        table.lay("detective" if bank == 1 else str(bank), bank)
    table.do(1, 'tile_turned seat=1 tile="place"')
    table.lay("10", 1)
    table.do(2, 'tile_turned seat=2 tile="rob"', "bank_chosen seat=2 bank=1")
    table.close(3, 4, 2).show(3, 4, 2)
    fact = facts(table)["At bank 1 lay: detective."]
    assert fact.sources[-1].via == "reader 1"
    found = options(table, fact.sources[-1].at)
    assert {"thief", "policeman", "x", "5"} <= {*found}
    assert "detective" not in found
    said = correct(table, fact.sources[-1].at, found["thief"])
    assert table.state.verdict.outcome == "stolen"
    assert "Ana gets 1 red credit." in said
    mended = facts(table)["At bank 1 lay: thief."].sources[-1].mended
    assert (mended.via, mended.reason) == ("table", "misread")
    assert table.state.phase == "refill"


def swept(path: Path) -> Watched:
    """Bank 1 is robbed and its two cards are shown to the reader: the game goes on."""
    table = Watched(path, readers=range(1, 6), sweep="always")
    lying = [table.lay("detective" if bank == 1 else str(bank), bank) for bank in range(1, 6)]
    table.do(1, 'tile_turned seat=1 tile="place"')
    second = table.lay("10", 1)
    table.do(2, 'tile_turned seat=2 tile="rob"', "bank_chosen seat=2 bank=1")
    table.close(3, 4, 2).show(3, 4, 2)
    for card in ("detective", "10"):
        table.do(1, f'card_shown bank=1 card="{card}"')
    table.lift(lying[0])
    table.lift(second)
    table.lay("5", 1)
    table.do(3, 'tile_turned seat=3 tile="place"')
    return table


@pytest.mark.parametrize("which", ["noted", "shown"])
def test_a_card_that_was_noted_and_shown_is_named_otherwise_in_both_places(
    tmp_path: Path, which: str
) -> None:
    table = swept(tmp_path / "journal.sqlite3")
    noted = facts(table)["At bank 1 lay: detective."]
    assert noted.swept
    at = noted.sources[-1].at
    shown = [
        one.at
        for one in table.table.history.moments
        if getattr(one.event, "card", "") == "detective" and "Shown" in type(one.event).__name__
    ]
    target = at if which == "noted" else shown[0]
    found = options(table, target)
    assert put_right(table.table.history, target).at == at, "it is put right where it was named"
    correct(table, at, found["thief"])
    history = table.table.history
    assert (table.state.verdict.outcome, history.change.dropped) == ("stolen", ())
    assert table.state.phase == "place", "what was played since still stands"
    table.do(0, Undone(table.table.version))
    assert "At bank 1 lay: detective." in facts(table)


def test_a_card_that_was_shown_and_not_noted_is_put_right_where_it_was_shown(
    tmp_path: Path,
) -> None:
    table = Watched(tmp_path / "journal.sqlite3", readers=range(1, 6), sweep="always")
    for bank in range(1, 6):
        table.lay("detective" if bank == 1 else str(bank), bank)
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    table.close(3, 4, 2).show(3, 4, 2)
    table.do(1, 'card_shown bank=1 card="thief"')
    at = table.table.version
    found = put_right(table.table.history, at)
    assert (found.at, found.named) == (at, "thief")
    assert "detective" in options(table, at)


def test_a_card_that_lies_face_down_is_not_named(tmp_path: Path) -> None:
    table = swept(tmp_path / "journal.sqlite3")
    named = {
        moment.at: put_right(table.table.history, moment.at).options
        for moment in table.table.history.moments
        if getattr(moment.event, "bank", 0) in (2, 3, 4, 5)
    }
    assert named
    assert not any("card" in one.instead for found in named.values() for one in found)


def test_loot_that_a_reader_misread_is_counted_again(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo", readers=range(1, 5), sweep="always")
    for place, loot in enumerate(("5000", "2000", "3000", "4000"), 1):
        table.lay(loot, place)
    row = [*table.state.banks]
    for seat in (2, 3, 1):
        table.do(seat, Sealed(seat, make_seal(table.state.id, 1, seat, row[seat - 1], NONCE)))
    declare(table, row[0])
    table.show(row[0], row[1], row[2])
    for bank, loot in zip(row, (5000, 2000, 3000), strict=False):
        table.do(1, f'loot_shown bank="{bank}" card={loot}')
    assert table.state.players[0].pile == (5000,)
    (fact,) = [one for said, one in facts(table).items() if "$5,000" in said and "lay" not in said]
    at = fact.sources[-1].at
    way, at = options(table, at)["7000"], put_right(table.table.history, at).at
    assert correct(table, at, way) == ["Ana gets $2,000."]
    assert table.state.players[0].pile == (7000,)
    assert table.table.history.change.dropped == ()


def declare(table: Watched, bank: str) -> None:
    """The first player declares a bank, and the others keep theirs."""
    table.do(1, f'declared seat=1 bank="{bank}" will=true')
    for seat in (2, 3):
        table.do(seat, f"kept seat={seat}")


def auctioned(path: Path) -> Watched:
    """The first card was turned up, auctioned and won; chips are taken."""
    table = Watched(path, "banque_fatale", readers=())
    singles = [card for card in table.state.box.cards if "-" not in card]
    for seat, card in enumerate(singles[:3], 1):
        table.do(seat, f'card_dealt seat={seat} card="{card}"')
    doubles = [card for card in table.state.box.cards if "-" in card]
    for card in doubles[:3]:
        table.do(1, f'card_turned card="{card}"')
    table.do(1, f'card_chosen seat=1 card="{doubles[0]}"', f'card_turned card="{doubles[3]}"')
    hands: tuple[dict[str, int], ...] = ({"red": 1}, {"red": 2}, {})
    table.close(*hands).show(*hands)
    return table


def test_a_card_of_banque_fatale_is_another_one_wherever_it_was_named(tmp_path: Path) -> None:
    table = auctioned(tmp_path / "journal.sqlite3")
    card = table.state.auctioned
    first = next(m.at for m in table.table.history.moments if getattr(m.event, "card", "") == card)
    (fact,) = [one for said, one in facts(table).items() if said.startswith("The card on auction")]
    assert first in [one.at for one in fact.sources]
    found = options(table, first)
    other = next(name for name in found if name not in table.state.open_cards)
    correct(table, first, found[other])
    winner = table.state.players[1]
    assert other in winner.cards
    assert card not in winner.cards
    assert table.table.history.change.dropped == ()


# Bids.


def test_the_host_puts_a_bid_right_and_it_is_no_longer_proven(tmp_path: Path) -> None:
    table = robbed(tmp_path)
    fact = facts(table)["Ana bid 3 coins."]
    at = fact.sources[-1].at
    form = put_right(table.table.history, at).hand
    assert form is not None
    assert (form.seat, form.was) == (1, {"": 3})
    table.do(0, Corrected(at, {"event": "entered", "seat": 1, "value": 4}))
    assert facts(table)["Ana bid 4 coins."].proof == "entered"
    assert last_change(table) == ["Ana gets 1 coin."]
    table.do(0, Undone(table.table.version))
    assert facts(table)["Ana bid 3 coins."].proof == "proven"


def robbed(folder: Path) -> Watched:
    """A ten is shared: three, two and one were bid."""
    table = Watched(folder / "journal.sqlite3", readers=())
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")
    table.close(3, 2, 1).show(3, 2, 1)
    return table.do(1, 'card_named bank=1 slot=1 card="10"')


def test_a_seat_does_not_put_a_bid_right_alone(tmp_path: Path) -> None:
    table = robbed(tmp_path)
    at = facts(table)["Ana bid 3 coins."].sources[-1].at
    for seat in (1, 2):
        refused = table.ask(seat, Corrected(at, {"event": "entered", "seat": 1, "value": 4}))
        assert refused is not None
        assert (refused.code, refused.rule) == ("for_the_host", "T.correct")


def test_a_hand_is_not_put_right_before_all_are_open(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", readers=())
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1").close(3, 2, 1)
    table.show(3)
    at = table.table.version
    assert put_right(table.table.history, at) == PuttingRight(at)
    entered = {"event": "entered", "seat": 1, "value": 4}
    assert code_of(table.ask(0, Corrected(at, entered))) == "unseen"
    opened = {**entered, "event": "opened", "nonce": "0" * 32}
    assert code_of(table.ask(0, Corrected(at, opened))) == "sealed"


# Alternatives.


@pytest.mark.parametrize("name", GOLDEN)
def test_only_moments_that_say_so_have_alternatives(name: str) -> None:
    played = game(name, 60)
    offered = {one.at: one.correctable for one in log_entries(played)}
    assert any(offered.values())
    for at, correctable in offered.items():
        house_rules = at == 1  # They are corrected from where a verdict names them.
        assert correctable or house_rules or put_right(played, at).options == ()


def test_an_undone_moment_has_no_corrections_and_a_corrected_one_the_first() -> None:
    robbed = 'tile_turned seat=1 tile="rob"'
    story = Story("bankueberfall", "Ana", "Ben").when(robbed)
    played = build_history(story.rules, [(event, "phone 1", 0.0) for event in story.events])
    assert put_right(apply_event(played, Undone(2)), 2).options == ()
    spied = apply_event(played, Corrected(2, {"event": "tile_turned", "seat": 1, "tile": "place"}))
    found = put_right(spied, 2).options
    assert [each.instead["tile"] for each in found] == ["spy", "reveal", "rob"]


def test_a_declaration_may_have_been_about_any_bank_of_the_row() -> None:
    played = game("robby_solo-1", 60)
    (declared, *_) = [m for m in played.moments if isinstance(m.event, Declared)]
    offered = put_right(played, declared.at).options
    found = {(each.instead["bank"], each.instead["will"]) for each in offered}
    banks = {bank.name for bank in played.rules.public_view(played.state).banks}
    was = (declared.event.bank, declared.event.will)
    assert found == {(bank, will) for bank in banks for will in (True, False)} - {was}


# Counted.

OWNED = {
    "bankueberfall": ({"coins": 23}, {"coins": 13}, "Ana counted: 23 coins.",
                      ["Ana has 13 coins more than was noted."]),
    "banque_fatale": ({"millions": 3, "red": 1}, {"millions": 3, "red": -1},
                      "Ana counted: 3 million and red 1.",
                      ["Ana has 3 million more than was noted.",
                       "Ana has 1 chip less than was noted."]),
    "robby_solo": ({"1000": 2, "object": 1}, {"1000": 2, "object": 1},
                   "Ana counted: $2,000 and 1 object.",
                   ["Ana has $2,000 more than was noted.",
                    "Ana has 1 object more than was noted."]),
}  # fmt: skip


@pytest.mark.parametrize("box", OWNED)
def test_a_count_notes_the_difference_and_its_reason(tmp_path: Path, box: str) -> None:
    owns, more, said, says = OWNED[box]
    table = Watched(tmp_path / "journal.sqlite3", box, readers=())
    table.do(1, Counted(1, owns, reason="mislaid"))
    moment = table.table.history.moments[-1]
    assert moment.event == Counted(1, owns, more, "mislaid")
    view: Any = table.table.view()
    assert EN(view.table.log[-1].say).replace("\u00a0", " ") == said
    assert last_change(table) == says
    own = table.rules.corrections.count_own(table.state, 1)
    assert {name: own[name].noted for name in owns} == owns
    table.do(0, Undone(table.table.version))
    own = table.rules.corrections.count_own(table.state, 1)
    assert {name: own[name].noted for name in owns} != owns


@pytest.mark.parametrize("name", ["bankueberfall-1", "banque_fatale-1"])
def test_nobody_owns_less_than_lies_open_in_the_hand(name: str) -> None:
    history = game(name, 10_000)
    own = history.rules.corrections
    state, seat, what, held = next(
        (page.after, seat, what, n)
        for page in replay_moments(history)
        if page.after is not None
        for seat, value in enumerate(page.after.hands.values, 1)
        for what, n in (value.items() if isinstance(value, dict) else [("coins", value)])
        if isinstance(n, int) and n > 0
    )
    assert (
        code_of(refuse_here(history.rules, state, Counted(seat, {what: held - 1})))
        == "not_countable"
    )
    assert refuse_here(history.rules, state, Counted(seat, {what: held})) is None
    counted = own.apply_counted(state, Counted(seat, {what: held}, {what: -999}))
    assert own.count_own(counted, seat)[what].noted == held, "what was counted before it opened"


def test_a_count_stays_a_difference_when_an_earlier_moment_is_corrected(tmp_path: Path) -> None:
    table = robbed(tmp_path)
    assert table.state.players[0].coins == 13
    at = table.table.version
    table.do(1, Counted(1, {"coins": 14}))
    named = {"event": "card_named", "bank": 1, "slot": 1, "card": "policeman"}
    table.do(0, Corrected(at, named))
    assert table.state.players[0].coins == table.state.box.purse + 1 + gain(table, seat_key(1))


def gain(table: Watched, name: str) -> int:
    return int(table.state.verdict.change[name])


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Counted(2, {"coins": 3}), "not_yours"),
        (Counted(1, {}), "not_countable"),
        (Counted(1, {"gold": 3}), "not_countable"),
        (Counted(1, {"coins": -1}), "not_countable"),
        (Counted(1, {"coins": 10**9}), "not_countable"),
        (Counted(1, {"coins": 3}, {"credits": 4}), "not_difference"),
        (Counted(1, {"coins": 3}, {"coins": 4}), "not_difference"),
        (Counted(1, {"coins": 3}, reason="Ana lied"), "reason"),
    ],
)
def test_what_cannot_be_counted_is_refused(tmp_path: Path, event: Counted, code: str) -> None:
    table = Watched(tmp_path / "journal.sqlite3", readers=())
    refused = table.ask(1, event)
    assert refused is not None
    assert (refused.code, table.state.players[0].coins) == (code, 10)
    assert code_of(table.ask(0, Counted(1, {"coins": 3}))) == "not_yours"


def test_a_record_counts_a_corrected_hand_as_entered(tmp_path: Path) -> None:
    table = robbed(tmp_path)
    at = facts(table)["Ana bid 3 coins."].sources[-1].at

    def counts() -> tuple[int, int]:
        moments = table.table.history.moments
        proof = prove_game(table.rules, [(one.event, one.via, one.when) for one in moments])
        assert not proof.wrong
        return proof.proven, proof.entered

    assert counts() == (3, 0)
    table.do(0, Corrected(at, {"event": "entered", "seat": 1, "value": 4}))
    table.do(1, Counted(1, {"coins": 1}))
    assert counts() == (2, 1)
    table.do(0, Undone(table.table.version - 1))
    assert counts() == (3, 0)
