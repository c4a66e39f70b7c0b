"""What a seat is asked on its phone, and what comes of its answers."""

from companion.core.events import to_text


def last_line(evening, journal):
    *_, line = journal.read_lines()
    return line.via, to_text(line.decode_event(evening.host.table.rules.event_types))


def test_without_a_seat_the_phone_page_leads_to_the_seats(visit):
    assert visit().get("/phone").location == "/"


def test_the_phone_at_turn_asks_and_the_others_wait(visit):
    assert "Turn over a tile." in visit(1).reads("/phone")
    assert "Waiting for Ana." in visit(2).reads("/phone")


def test_a_place_without_reader_is_tapped(visit, evening, journal):
    ana = visit(1)
    assert "No reader? Tap here." in ana.reads("/phone")
    assert ana.sends(do="tile_turned", choice='{"tile":"rob"}').status_code == 303
    assert last_line(evening, journal) == ("phone 1", 'tile_turned seat=1 tile="rob"')


def test_a_refusal_stands_at_its_form(visit):
    ana = visit(1)
    answer = ana.asks("tile_turned", tile="mouse")
    assert answer.status_code == 409
    form = answer.text[answer.text.index('value="tile_turned"') :].split("</form>")[0]
    assert "No tile mouse lies face down any more." in form
    assert "No tile mouse lies face down any more." not in ana.reads("/phone")


def test_a_page_with_scripts_gets_the_refusal_as_a_problem(visit):
    answer = visit(1, scripts=True).asks("tile_turned", tile="mouse")
    assert answer.status_code == 409
    assert answer.content_type == "application/problem+json"
    assert answer.json["code"] == "no_such_tile"
    assert answer.json["title"] == "No tile mouse lies face down any more."


def test_the_seat_is_the_cookies_whatever_the_form_says(visit, evening, journal):
    visit(1).asks("tile_turned", tile="place", seat=2, event="passed")
    assert last_line(evening, journal) == ("phone 1", 'tile_turned seat=1 tile="place"')


def test_an_unreadable_request_is_refused_in_a_sentence(visit, evening):
    ana, before = visit(1), evening.host.table.version
    for fields in (
        {"do": "tile_turned", "choice": "{"},
        {"do": "tile_turned", "choice": "[]"},
        {"do": "tile_turned", "tile": "place"},
        {"do": "tile_turned", "choice": "[" * 4_000},
        {"do": "tile_turned"},
        {"do": "elephant"},
        {},
    ):
        answer = ana.sends(**fields)
        assert answer.status_code == 400
    assert evening.host.table.version == before


def test_a_phone_cannot_open_or_seal_for_another_seat(visit, evening):
    players = rob(visit, evening, 1, 0, 2)
    assert players[0].sends(do="sealed", seat="2").status_code == 400
    assert players[0].asks("entered", value=3).status_code == 409
    assert [seat.open for seat in evening.host.table.view().public.seats] == [False, False, False]
    assert visit().asks("resealed").location == "/"
    assert evening.host.table.view().public.phase == "open"


def rob(visit, evening, *bids):
    """Ana robs bank 3; everyone closes a hand."""
    players = [visit(seat) for seat in (1, 2, 3)]
    players[0].asks("tile_turned", tile="rob")
    players[0].asks("bank_chosen", bank=3)
    game = evening.host.table.view().public.id
    for seat, (player, coins) in enumerate(zip(players, bids, strict=True), 1):
        assert player.closes(seat, coins, game).status_code == 303
    return players


def test_hands_close_and_open_and_the_robbery_is_explained(visit, evening):
    players = rob(visit, evening, 1, 0, 2)
    for player, coins in zip(players, (1, 0, 2), strict=True):
        player.opens(coins)
    robbed = evening.host.table.view().public.figure
    assert "Every card was read" in players[1].reads("/phone")
    assert players[1].asks("pile_believed", bank=robbed).status_code == 303
    verdict = evening.host.table.view().public.verdict
    for player, name in zip(players, ("Ana", "Ben", "Cleo"), strict=True):
        page = player.reads("/phone")
        assert my_line(verdict.change[name]) in page
        assert "The bids: Ana 1, Ben 0, Cleo 2. B.bid" in page
    assert "The bids: Ana 1, Ben 0, Cleo 2. B.bid" in visit().reads("/table")


def my_line(change):
    coins = f"{abs(change)}\u00a0coin{'s' * (abs(change) != 1)}"
    return f"You won {coins}." if change > 0 else "No change."


def test_a_closed_hand_can_be_changed_until_all_are_closed(visit, evening):
    ana = visit(1)
    ana.asks("tile_turned", tile="rob")
    ana.asks("bank_chosen", bank=3)
    assert "Seal my bid" in ana.reads("/phone")
    ana.closes(1, 4, evening.host.table.view().public.id)
    page = ana.reads("/phone")
    assert "Sealed. No one sees it" in page
    assert "Waiting for Ben and Cleo." in page
    assert "Undo my bid" in page


def test_a_hand_that_holds_something_else_does_not_open(visit, evening):
    ana = rob(visit, evening, 1, 0, 2)[0]
    answer = ana.opens(7)
    assert answer.status_code == 409
    assert "This is not what seat 1 sealed." in answer.text


def test_the_table_may_close_every_hand_anew(visit, evening, journal):
    ana = rob(visit, evening, 1, 0, 2)[0]
    assert "Stuck?" in ana.reads("/phone")
    ana.asks("resealed")
    assert last_line(evening, journal) == ("phone 1", "resealed")
    assert evening.host.table.view().public.phase == "seal"


def test_the_number_of_coins_has_no_name_and_so_is_never_sent(visit):
    ana = visit(1)
    ana.asks("tile_turned", tile="rob")
    ana.asks("bank_chosen", bank=3)
    page = ana.get("/phone").text
    number = page[page.index('<input type="number"') :].split(">")[0]
    assert "name=" not in number
    assert "Sealing needs scripts" in page


def test_a_malformed_request_is_refused_by_its_field(visit, evening):
    ana, at = visit(1, scripts=True), evening.host.table.version
    for wish, field, wrong in (
        ({"event": "tile_turned"}, "tile", "is missing"),
        ({"event": "tile_turned", "tile": 7}, "tile", "cannot be read"),
        ({"event": "tile_turned", "tile": "rob", "at": 1}, "at", "cannot be read"),
        ({"event": "elephant"}, "event", "cannot be read"),
        ({}, "event", "is missing"),
    ):
        asked = {"event": wish, "version": at, "key": "k-1"}
        problem = ana.tells("/api/seats/1/requests", asked).json
        assert problem["title"] == f"The field “{field}” {wrong}."
        assert (problem["code"], problem["field"]) == ("malformed", field)
