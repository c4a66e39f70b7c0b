"""What a seat is asked on its phone, and what comes of its answers."""

from tests.worlds.event_story import to_text
from tests.worlds.journal_lines import every_line
from tests.worlds.simulated_hands import looks


def test_the_seat_is_that_of_the_address_whatever_the_event_says(visit, evening, journal):
    visit(1).asks("tile_turned", tile="place", seat=2)
    *_, line = every_line(journal)
    event = line.decode_event(evening.host.table.rules.event_types)
    assert (line.via, to_text(event)) == ("phone 1", 'tile_turned seat=1 tile="place"')


def rob(visit, evening, *bids):
    """Ana robs bank 3; everyone closes a hand."""
    players = [visit(seat) for seat in (1, 2, 3)]
    players[0].asks("tile_turned", tile="rob")
    players[0].asks("bank_chosen", bank=3)
    game = evening.host.table.view().public.id
    for seat, (player, coins) in enumerate(zip(players, bids, strict=True), 1):
        assert player.closes(seat, coins, game).status_code == 204
    return players


def test_the_number_of_coins_has_no_name_and_so_is_never_sent(visit):
    ana = visit(1)
    ana.asks("tile_turned", tile="rob")
    ana.asks("bank_chosen", bank=3)
    _, number, *_ = ana.get("/phone").text.split('<input type="number"')
    assert "name=" not in number.split(">")[0]


def test_a_closed_hand_stays_with_the_phone_that_can_open_it(visit, evening, seats):
    ben, dora = rob(visit, evening, 1, 0, 2)[1], visit()
    asked = "/api/join/seats/2/handover"
    assert ben.tells(asked, {"key": "a", "to": "bot"}).json["code"] == "hand_closed"
    assert ben.tells(asked, {"key": "b", "to": "newcomer"}).status_code == 204
    assert dora.tells("/api/join/seats/2", {"key": "c"}).json["code"] == "hand_closed"
    assert seats.taken_seats() == {1, 2, 3}
    assert ben.opens(0).status_code == 204


def test_who_has_sealed_nothing_may_go_at_once(visit, evening):
    first = "First reveal what you have sealed"
    ana, ben, cleo = rob(visit, evening, 1, 0, 2)
    assert first in ben.reads("/phone/2")
    for player, coins in ((ana, 1), (ben, 0)):
        player.opens(coins)
    opened = evening.host.table.version
    assert cleo.opens(2).status_code == 204
    assert "So far it says: The choice of Ben was 0" in ana.reads(f"/phone/1/correct/{opened}")
    assert first not in ben.reads("/phone/2")
    evening.host.table.telling.set_calm(True)
    assert cleo.asks("card_shown", bank=3, card="seductress").status_code == 204
    assert "You win nothing and keep your bid of 2 coins." in cleo.reads("/phone/3")
    assert ben.post("/api/join/seats/2/handover", to="bot").status_code == 204
    assert "Ben has left; a bot plays on." in ana.reads("/table")


def test_the_caller_of_the_judge_is_told_so(visit):
    ana = visit(1)
    ana.asks("frozen")
    assert "You have called the judge." in ana.reads("/phone/1")
    assert "Ana has called the judge." in visit(2).reads("/phone/2")


def test_while_a_reader_is_silent_the_entry_is_unfolded(visit, evening):
    ana, folded = visit(1), 'id="tap-tile_turned"'
    assert folded in ana.get("/phone/1").text
    evening.source.tabletop.kill_reader(1)
    looks(evening, 6)
    shown = ana.get("/phone/1").text
    assert folded not in shown
    assert 'id="tap-tile_turned-open" open' in shown
