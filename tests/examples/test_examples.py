"""The packages in examples/: each is found, keeps every law, and is played by bots to its end."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random

import pytest
from babel.messages.pofile import read_po

from bench.arena import Match, play_match
from companion.bots.bot import Bot
from companion.bots.decisions import PieceMove
from companion.games import GROUP, broken_games, find_game
from companion.games.random_game import RandomGame
from companion.judge.decide import decide
from companion.table.history import build_history
from companion.table.look_back import look_back_at
from companion.table.view import seat_view
from companion.testing.laws import check_game
from tests.generators.text_collection import TRANSLATED, own_texts
from tests.worlds.campaign import pick
from tests.worlds.installed_games import installed
from tests.worlds.paths import ROOT

PACKAGES = {
    path.parent.name: tomllib.loads(path.read_text("utf-8"))["project"]
    for path in sorted((ROOT / "examples").glob("*/pyproject.toml"))
}
GAMES = [name for project in PACKAGES.values() for name in project["entry-points"][GROUP]]


@pytest.fixture(autouse=True, scope="module")
def shelf() -> Iterator[None]:
    with ExitStack() as shelf:
        for project in PACKAGES.values():
            shelf.enter_context(installed(project["name"], project["entry-points"][GROUP]))
        yield


def test_every_example_is_found() -> None:
    assert broken_games() == ()
    assert GAMES == ["goofspiel", "lantern_night", "wharf_auction"]


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("name", GAMES)
def test_an_example_speaks_every_language(name: str, code: str) -> None:
    game = find_game(name)
    with game.catalogue.find_file(code).open("rb") as file:
        written = {message.id: message.string for message in read_po(file)}
    own = set(own_texts(game.folder))
    assert {text for text in own if not written.get(text)} == set()
    assert written.keys() - {""} == own


@pytest.mark.parametrize("name", GAMES)
def test_an_example_keeps_every_law(name: str) -> None:
    assert check_game(find_game(name), range(pick(2, 20, 200))) == {}


@pytest.mark.parametrize("name", GAMES)
def test_bots_that_no_one_wrote_play_it_to_the_end(name: str) -> None:
    game, luck = find_game(name), Random(7)
    rules = game.make_rulebook()
    state = rules.apply(None, rules.make_start_event("bots", ("Ana", "Ben", "Cleo")))
    bots = [Bot(seat, Random(seat), rules.box) for seat in (1, 2, 3)]
    for _ in range(2_000):
        for bot in bots:
            if state is None or state.phase == "over":
                continue
            wish = bot.decide(seat_view(rules, state, 1, bot.seat), ())
            if isinstance(wish, PieceMove):
                (may,) = rules.list_options(state, bot.seat)
                card = luck.choice(may.choices[0]["card"])
                wish = rules.make_event(bot.seat, wish.do, {**wish.fields, "card": card})
            if wish is not None:
                assert rules.refuse(state, wish) is None
                state = rules.apply(state, wish)
    assert state is not None
    assert state.score is not None


@pytest.mark.parametrize("name", GAMES)
def test_every_verdict_of_it_rests_on_moments_that_everyone_saw(name: str) -> None:
    rules = find_game(name).make_rulebook()
    played = RandomGame(rules, 3, Random(3)).play_to_end()
    moments = ((event, "phone 1", float(n)) for n, event in enumerate(played.events))
    history = build_history(rules, moments)
    brought = [one for moment in history.moments if (one := look_back_at(history, moment.at))]
    rulings = [ruling for look in brought for ruling in look.rulings]
    verdicts = {id(state.verdict) for state in played.states if state.verdict is not None}
    assert Counter(one.kind for one in rulings) == {"verdict": len(verdicts), "score": 1}
    for ruling in rulings:
        assert ruling.case is not None
        assert decide(ruling.case) == ruling.verdict
        assert ruling.verdict.steps
        assert ruling.facts
        assert all(fact.sources for fact in ruling.facts)
        sealed = {fact.proof for fact in ruling.facts} == {"proven"}
        assert sealed == (ruling.kind == "verdict" and name != "wharf_auction")


@pytest.mark.parametrize("name", GAMES)
def test_the_arena_compares_strategies_of_it(name: str) -> None:
    match = Match(name, "weak", ("strong", "strong"), "1")
    assert all(0 <= part <= 1 for part in play_match(match, range(3)))
