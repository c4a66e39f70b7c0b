"""The simulated table: pieces move, readers see them, and only that counts."""

from tests.web.visitor import Visitor
from web import Room, create_app


def turn_tile(ana, evening):
    ana.moves("tile_turned")
    assert evening.table.view().public.phase == "place"


def test_a_hand_is_shown_to_its_own_seat_only(visit, evening):
    ana, ben = visit(1), visit(2)
    assert len(hands(ana)) == 1
    assert hands(ana) != hands(ben)
    assert visit().get("/play/1").location == "/"


def hands(visitor):
    """The hand on the page, as the bytes that show it."""
    page = visitor.get("/play").text
    return {page[page.index('id="hand-head"') :]} if "hand-head" in page else set()


def test_a_tile_turned_on_the_eighth_spot_is_read(visit, evening, journal):
    turn_tile(visit(1), evening)
    *_, line = journal.lines()
    assert line.via == "reader 8"


def test_a_card_laid_at_a_bank_leaves_the_hand(visit, evening, journal):
    ana = visit(1)
    turn_tile(ana, evening)
    card = evening.hand(1)[0]
    assert ana.moves("card_placed", bank=4, card=card).status_code == 303
    assert len(evening.table.view().public.banks[3]) == 2
    *_, line = journal.lines()
    assert line.via == "reader 4"
    assert "face down, known to you" in ana.reads("/phone")
    assert "face down, known to you" not in visit(2).reads("/phone")


def test_without_a_card_nothing_is_laid(visit, evening):
    ana = visit(1)
    turn_tile(ana, evening)
    answer = ana.moves("card_placed", bank=4)
    assert answer.status_code == 409
    assert "Choose a card from your hand first." in answer.text
    assert len(evening.hand(1)) == 5


def test_pieces_stay_where_they_are_while_the_game_waits_for_another(visit, evening):
    before = evening.table.at
    answer = visit(2).moves("tile_turned")
    assert answer.status_code == 409
    assert evening.table.at == before


def test_there_is_no_sixth_bank_and_no_such_move(visit, evening):
    ana = visit(1)
    turn_tile(ana, evening)
    card = evening.hand(1)[0]
    for do, fields in (
        ("card_placed", {"bank": 6, "card": card}),
        ("card_placed", {"bank": [1], "card": card}),
        ("card_placed", {"card": card}),
        ("opened", {"value": 1}),
        ("", {}),
    ):
        assert ana.moves(do, **fields).status_code == 409


def test_what_the_readers_miss_is_said(visit, evening, monkeypatch):
    monkeypatch.setattr(evening, "move", lambda seat, do, **fields: False)
    answer = visit(1).moves("tile_turned")
    assert "No reader noticed anything new." in answer.text


def test_no_game_begins_while_one_is_under_way(visit):
    answer = visit(1, scripts=True).deals()
    assert answer.json["title"] == "A game is under way."


def test_after_the_game_another_begins(visit, evening):
    play_to_the_end(evening)
    ana, first = visit(1), evening.table.view().public.id
    assert "The game is over." in ana.reads("/phone")
    assert "New game" in ana.reads("/play")
    assert ana.deals().status_code == 303
    assert evening.table.view().public.id != first
    assert "Ana turns a tile." in ana.reads("/play")


def play_to_the_end(evening):
    """Nobody took a seat, so bots play, here for Ana too."""
    evening.yours = 0
    while evening.let_a_bot_act():
        pass
    assert evening.table.view().public.phase == "over"


def test_what_is_claimed_and_not_laid_is_put_right_on_the_same_page(visit, evening):
    ana = visit(1)
    turn_tile(ana, evening)
    ana.asks("card_placed", bank=2)
    claimed = "Bank 2: 1 card should lie there and cannot be seen."
    assert claimed in ana.reads("/play")
    choice = '{"place":2,"way":"cards"}'
    answer = ana.sends(do="settled", choice=choice, page="play/1")
    assert (answer.status_code, answer.location) == (303, "/play/1")
    assert claimed not in ana.reads("/play")
    assert len(evening.table.view().public.banks[1]) == 1


def test_nothing_moves_while_the_game_stands_still(visit, evening):
    ana, ben = visit(1), visit(2)
    ben.asks("frozen")
    assert "Turn the next tile" not in ana.reads("/play")
    answer = ana.moves("tile_turned")
    assert answer.status_code == 409
    assert "Ben has called the judge: the game stands still" in answer.text
    assert not evening.let_a_bot_act()
    ana.asks("thawed")
    turn_tile(ana, evening)


def test_a_real_table_has_no_simulated_pieces(evening, seats):
    visitor = Visitor(create_app(Room(evening.table, seats)))
    visitor.sits(1)
    assert visitor.get("/play").status_code == 404
    assert "Do it with the cards" not in visitor.reads("/phone")
