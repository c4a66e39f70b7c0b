"""Bots at a simulated table: how fast they play, from which seats, and bear with people."""

import json
from pathlib import Path

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.bot_driver import PACES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.core import commitment
from companion.core.events import Opened, Sealed, from_text
from companion.core.table_events import Corrected, Settled, Undone
from companion.games import game_names, make_rulebook
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.agreement import FREE_TAKE_BACKS
from companion.table.history import event_union
from companion.table.permissions import Author
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.presence_profile import presence_profile
from tests.worlds.simulated_hands import does, faces, looks, spots
from tests.worlds.visitor import NONCE


@pytest.mark.parametrize("game", game_names())
def test_bots_alone_end_every_game_where_there_is_no_reader(tmp_path: Path, game: str):
    journal, seats = Journal(tmp_path / "journal.sqlite3"), Seats(open_house=True)
    room, company = SimulatedRoom("phones-only", StillClock()), Lineup(NAMES[:3], 7, persons_seat=0)
    evening = build_simulation(make_rulebook(game), journal, room, company, seats)
    evening.bots.deal_again()
    while evening.bots.play_one():
        pass
    assert evening.host.table.state.phase == "over"
    evening.source.close()
    journal.close()


def test_the_pace_of_the_bots_changes_in_play(visit, evening):
    ana = visit(1)
    does(evening, 1, do="tile_turned")
    for bank, pace, acts in ((1, "still", False), (0, "fast", True)):
        assert ana.hands("bots", pace=pace).status_code == 204
        assert evening.bots.pace == pace
        assert not bank or does(evening, 1, do="card_placed", bank=bank)
        before = evening.host.table.version
        evening.source.poll()
        evening.bots.play_when_due()
        assert (evening.host.table.version > before) is acts
    assert ana.hands("bots", pace="furious").status_code == 400
    assert sorted(PACES, key=lambda pace: PACES[pace]) == ["fast", "human", "slow", "still"]


@pytest.mark.parametrize("wiring", ["phones-only"])
def test_bots_say_on_the_end_page_what_they_thought_and_not_before(visit, evening):
    assert evening.bots.change_game("robby_solo", 3) is None
    evening.bots.persons_seat = 0
    while evening.host.table.state.hands.round < 3:
        assert evening.bots.play_one()
    ana = visit(1)
    for page in ("/play/1", "/phone/1"):
        assert "What the bots thought" not in ana.get(page).text
    evening.bots.leave_seat(1)
    while not evening.host.table.history.is_over:
        assert evening.bots.play_one()
    ana = visit(1)
    for page in ("/play/1", "/phone/1"):
        assert "What the bots thought" in ana.get(page).text


def test_a_seat_is_taken_from_a_bot_and_given_back(visit, evening):
    ana = visit(1)
    assert evening.bots.played_by_bots() == [2, 3]
    assert ana.hands("take", seat=2).status_code == 204
    assert evening.bots.played_by_bots() == [3]
    ana.seat = 2
    assert faces(evening, 2, "hand") == evening.source.pieces.hand_cards(2)
    assert ana.hands("lift", spot="hand", n=1).status_code == 204
    ana.seat = 1
    assert ana.hands("give", seat=2).status_code == 204
    assert evening.bots.played_by_bots() == [2, 3]
    assert len(spots(evening, 2)["hand"].lies) == 5
    assert ana.get("/play/2").status_code == 303


@pytest.mark.parametrize("wiring", [presence_profile()])
def test_pieces_held_by_a_leaving_player_return_to_their_spots(visit, evening, seats):
    ana = visit(1)
    ana.hands("lift", spot="place-2", n=1)
    looks(evening)
    assert evening.host.table.view().table.todos
    seats.free_seat(1)
    looks(evening, 2)
    assert not evening.host.table.view().table.todos
    assert not evening.source.pieces.seats_holding()


def test_another_game_is_laid_out_for_more_people(visit, evening):
    ana = visit(1)
    assert evening.bots.game_sizes()["robby_solo"] == (3, 6)
    assert ana.hands("seats", seats=4, game="robby_solo").status_code == 204
    view = evening.host.table.view(1)
    assert (view.public.phase, [seat.name for seat in view.public.seats]) == ("fill", [*NAMES[:4]])
    assert spots(evening, 1)["pile"].wanted
    assert "Robby Solo" in ana.reads("/play")
    assert evening.bots.played_by_bots() == [2, 3, 4]


def test_another_game_has_nobody_twice_however_a_name_is_written(evening):
    evening.host.reset_table()
    assert evening.host.begin_game(NewGame("bankueberfall", ("Mia", "ana"))) is None
    assert evening.bots.change_game("robby_solo", 4) is None
    assert [player.name for player in evening.host.table.state.players] == [
        "Mia",
        "ana",
        "Ben",
        "Cleo",
    ]


def test_a_bot_takes_what_it_needs_out_of_idle_fingers(visit, evening):
    """Whoever holds the figure in the wrong moment stops nobody."""
    ana = visit(1)
    ana.hands("lift", spot="figure", n=1)
    assert faces(evening, 1, "fingers") == ["figure"]
    evening.source.pieces.make_move(2, "bank_chosen", bank=4)
    assert faces(evening, 1, "fingers") == []
    assert faces(evening, 1, "place-4") == [None, "figure"]


def test_fingers_and_what_lies_beside_outlive_the_program(evening):
    evening.host.seats.claim_seat(1, "ana")
    assert evening.hands.lift_piece(1, "place-2", 1) is None
    assert evening.hands.put_down(1, "aside") is None
    assert evening.hands.lift_piece(1, "hand", 2) is None
    saved = json.loads(json.dumps(evening.source.pieces.save()))
    before = evening.hands.visible_spots(1)
    evening.source.pieces.put_away()
    evening.source.pieces.restore(saved)
    assert evening.hands.visible_spots(1) == before
    assert [piece.astray for piece in spots(evening, 1)["aside"].lies] == [True]
    assert len(spots(evening, 1)["fingers"].lies) == 1


def test_a_move_out_of_turn_leaves_every_hand_as_the_game_counts(visit, evening):
    """Ben's card is taken for Ana's, because it lay there when Ana was to lay one."""
    visit(1), visit(2)
    evening.hands.lift_piece(2, "hand", 1)
    does(evening, 1, do="tile_turned")
    evening.hands.put_down(2, "place-3")
    looks(evening)
    assert len(evening.host.table.view().public.banks[2]) == 2
    assert [len(evening.source.pieces.hand_cards(seat)) for seat in (1, 2, 3)] == [5, 5, 5]
    assert not evening.source.pieces.misplaced_tags()


def test_a_hand_that_its_person_left_closed_stops_nobody(visit, evening):
    evening.bots.change_game("robby_solo", 3)
    ana = visit(1)
    for bank in evening.host.table.view().public.banks:
        assert does(evening, 1, do="loot_laid", bank=bank.name)
    seal = commitment.make_seal(evening.host.table.state.id, 1, 1, "red", NONCE)
    while evening.bots.play_one():
        pass
    assert ana.asks("sealed", seal=seal).status_code == 204
    evening.bots.leave_seat(1)
    while evening.host.table.view().public.phase != "fill":
        assert evening.bots.play_one()


def test_the_simulated_table_shows_what_each_seat_won(visit, evening):
    evening.bots.persons_seat = 0
    for _ in range(200):
        evening.bots.play_one()
        looks(evening)
        if evening.host.table.view().public.verdict:
            break
    page = visit(1).get("/play/1").text
    assert "The last robbery" in page
    assert all(f'data-name="{who}"' in page for who in ("Ana", "Ben", "Cleo"))


def test_bots_agree_when_the_only_person_takes_back_open_hands_again(tmp_path: Path):
    journal, seats = Journal(tmp_path / "journal.sqlite3"), Seats(open_house=True)
    room, company = SimulatedRoom(clock=StillClock()), Lineup(NAMES[:3], 7, persons_seat=2)
    evening = build_simulation(make_rulebook("robby_solo"), journal, room, company, seats)
    evening.bots.deal_again()
    table, ben = evening.host.table, Author(2, "phone 2")

    def bots_play() -> None:
        evening.source.poll()
        while evening.bots.play_one():
            evening.source.poll()

    evening.bots.persons_seat = 0
    while table.state.phase != "seal":
        evening.source.poll()
        assert evening.bots.play_one()
    evening.bots.persons_seat = 2
    state, bank = table.state, next(iter(table.state.banks))
    seal = commitment.make_seal(state.id, state.hands.round, 2, bank, NONCE)
    assert table.request(Sealed(2, seal), ben) is None
    bots_play()
    kept = from_text("kept seat=2", event_union(table.rules))
    assert table.request(kept, ben) is None
    bots_play()
    for taken_back in range(FREE_TAKE_BACKS + 1):
        assert table.history.take_backs == taken_back
        for todo in table.view().table.todos:
            assert table.request(Settled(todo.place, "log"), ben) is None
        assert table.request(Opened(2, bank, NONCE), ben) is None
        bots_play()
        opened = next(
            m.at for m in reversed(table.history.moments) if m.event == Opened(2, bank, NONCE)
        )
        refused = table.request(Undone(opened), ben)
        assert (refused is None) is (taken_back < FREE_TAKE_BACKS)
    assert refused.code == "needs_everyone"
    assert evening.bots.play_one()
    assert opened in table.history.struck
    evening.source.close()
    journal.close()


def corrected(table, seat, by):
    """A correction by which a seat bid so much more in the last robbery."""
    moments = table.history.moments
    opened = next(
        m for m in reversed(moments) if isinstance(m.event, Opened) and m.event.seat == seat
    )
    return Corrected(
        opened.at, {"event": "entered", "seat": seat, "value": opened.event.value + by}
    )


def test_bots_agree_to_a_bid_of_another_and_go_on_afterwards_only(evening):
    table, bots = evening.host.table, evening.bots
    bots.persons_seat = 0
    while table.state.verdict is None or table.state.phase == "seal":
        evening.source.poll()
        assert bots.play_one()
    bots.persons_seat = 2
    before = table.version
    assert table.request(corrected(table, 2, 1), Author(2, "phone 2")).code == "needs_everyone"
    assert bots.play_one()
    assert table.version == before + 1
    assert isinstance(table.history.moments[-1].event, Corrected)


def test_a_bot_does_not_agree_that_its_own_hand_held_something_else(evening):
    table, bots = evening.host.table, evening.bots
    bots.persons_seat = 0
    while table.state.verdict is None or table.state.phase == "seal":
        evening.source.poll()
        assert bots.play_one()
    bots.persons_seat = 2
    wrong = corrected(table, 1, 1)
    assert table.request(wrong, Author(2, "phone 2")).code == "needs_everyone"
    bots.play_one()
    assert wrong not in [moment.event for moment in table.history.moments]
