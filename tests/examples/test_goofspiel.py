"""Goofspiel, a game of another package: it is found, keeps every law, and bots play it."""

from collections.abc import Iterator
from random import Random

import pytest
from babel.messages.pofile import read_po
from goofspiel.game import resolve_bidding

from companion.bots import PieceMove
from companion.bots.bot import Bot
from companion.games import broken_games, find_game
from companion.table.view import make_view
from companion.testing.laws import PYTHON, check_game
from tests.generators.text_collection import TRANSLATED, own_texts
from tests.worlds.campaign import pick
from tests.worlds.installed_games import installed
from tests.worlds.paths import ROOT
from web.rendering.scene import Screen
from web.screen_check import StandingPages

HERE = ROOT / "examples" / "goofspiel"


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with installed("goofspiel", {"goofspiel": "goofspiel.game:GAME"}):
        assert broken_games() == ()
        yield


def test_equal_highest_cards_lose_the_prize_and_a_lower_one_does_not_win() -> None:
    assert resolve_bidding("9", {"Ana": "12", "Ben": "12", "Cleo": "3"}).winner == ""
    assert resolve_bidding("9", {"Ana": "12", "Ben": "9", "Cleo": "9"}).winner == "Ana"
    assert resolve_bidding("9", {"Ana": "2", "Ben": "13"}).winner == "Ben"


def test_it_keeps_every_law() -> None:
    assert check_game(find_game("goofspiel"), range(pick(4, 20, 200))) == {}


@pytest.mark.parametrize("code", TRANSLATED)
def test_it_speaks_every_language(code: str) -> None:
    game = find_game("goofspiel")
    with game.catalogue.find_file(code).open("rb") as file:
        written = {message.id: message.string for message in read_po(file)}
    own = set(own_texts(game.folder))
    assert {text for text in own if not written.get(text)} == set()
    assert written.keys() - {""} == own


def test_bots_that_no_one_wrote_play_it_to_the_end() -> None:
    luck, rules = Random(7), find_game("goofspiel").make_rulebook()
    state = rules.apply(None, rules.make_start_event("bots", 3))
    bots = [Bot(seat, Random(seat), rules.box) for seat in (1, 2, 3)]
    for _ in range(2_000):
        for bot in bots:
            if state is None or state.phase == "over":
                continue
            wish = bot.decide(make_view(rules, state, 1, bot.seat), ())
            if isinstance(wish, PieceMove):
                (may,) = rules.list_options(state, bot.seat)
                card = luck.choice(may.choices[0]["card"])
                wish = rules.make_event(bot.seat, wish.do, {**wish.fields, "card": card})
            if wish is not None:
                assert rules.refuse(state, wish) is None
                state = rules.apply(state, wish)
    assert state is not None
    assert state.score is not None


@pytest.mark.parametrize("page", ["table", "phone"])
def test_every_phase_of_it_is_drawn_without_a_template_of_its_own(page: str) -> None:
    pages = StandingPages(find_game("goofspiel"), 1)
    drawn = {phase: pages.draw_page(phase, Screen(page, page != "table", "en"))
             for phase in pages.states}  # fmt: skip
    assert drawn.keys() == {"prize", "seal", "open", "over"}
    for phase, html in drawn.items():
        assert not [sign for sign in PYTHON if sign in html], phase


def test_it_is_as_short_as_the_page_about_new_games_says() -> None:
    written = [path for path in HERE.rglob("*") if path.suffix in (".py", ".toml")]
    assert sum(path.read_text("utf-8").count("\n") for path in written) <= 200
