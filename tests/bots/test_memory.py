"""What a bot keeps, its closed hand, and what it hears; it knows its own view and no more."""

import json
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.bots.bot import Bot
from companion.core.events import Opened, Sealed
from companion.core.table_events import Undone
from companion.core.verdict import Verdict
from companion.games import make_rulebook
from companion.journal import Journal
from companion.table.permissions import HOST_AUTHOR
from companion.table.table import Table
from tests.worlds.bot_evening import Seated
from tests.worlds.campaign import pick
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import SETUPS
from tests.worlds.simulated_hands import deal, simulated


def seated(game: str, seats: int = 4, **started: Any) -> Seated:
    box = make_rulebook(game).box
    bots = {seat: Bot(seat, Random(seat), box) for seat in range(1, seats + 1)}
    return Seated(game, "memory", seats, bots, **started)


def until(evening: Seated, phase: str) -> Seated:
    """On to the next time that this phase begins."""
    while evening.state.phase != phase:
        evening.step()
    return evening


def reborn(bot: Bot, recalled: bool = True) -> Bot:
    """The bot after a restart: no past, its first luck again, and what was written down."""
    again = Bot(bot.seat, Random(bot.seat), bot.box)
    if recalled:
        again.recall(json.loads(json.dumps(bot.remember())))
    return again


# It keeps its closed hand.


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[:: pick(24, 2, 1)])
def test_a_game_goes_on_whenever_the_bots_are_restarted(
    game: str, seats: int, started: dict[str, Any]
) -> None:
    evening, random = seated(game, seats, **started), Random(game)
    for _ in range(1500):
        if evening.over:
            break
        evening.step()
        killed = random.randint(1, seats)
        evening.bots = {**evening.bots, killed: reborn(evening.bots[killed])}
    assert evening.over


@pytest.mark.parametrize("game", own_games())
def test_a_hand_is_opened_by_who_remembers_it_and_by_nobody_else(game: str) -> None:
    evening = until(seated(game), "open")
    for seat, bot in evening.bots.items():
        view = evening.view(seat)
        wish = reborn(bot).decide(view, ())
        assert isinstance(wish, Opened)
        assert evening.rules.refuse(evening.state, wish) is None
        assert reborn(bot).has_closed_hand(view)
        assert reborn(bot, recalled=False).decide(view, ()) is None
        assert not reborn(bot, recalled=False).has_closed_hand(view)


def test_a_bot_without_its_stored_card_declares_nothing_and_lays_another() -> None:
    evening = until(seated("robby_solo"), "declare")
    gentleman = evening.bots[evening.state.active]
    assert reborn(gentleman, recalled=False).decide(evening.view(gentleman.seat), ()) is None
    until(evening, "change")
    forgetful = reborn(evening.bots[2], recalled=False)
    assert isinstance(forgetful.decide(evening.view(2), ()), Sealed)
    evening.bots = {**evening.bots, 2: forgetful}
    until(evening, "fill")
    assert evening.state.verdict is not None


def test_a_bot_does_nothing_while_others_are_waited_for() -> None:
    evening = seated("bankueberfall")
    assert evening.bots[2].decide(evening.view(2), evening.hand(2)) is None


# It knows what was announced, and is not undone.


def announced_verdicts(table: Table) -> list[Verdict]:
    """Return the verdicts that a bot is told of."""
    return [table.rules.public_view(state).verdict for state in table.history.decided]


def test_what_was_undone_no_bot_has_heard(tmp_path: Path) -> None:
    journal = closed_later(Journal(tmp_path / "journal.sqlite3"))
    evening = simulated(journal, "robby_solo", wiring="phones-only")
    with closing(evening.source.wires), closing(journal):
        deal(evening)
        table = evening.host.table
        while table.state.hands.round < 3:
            assert evening.bots.play_one()
        heard = announced_verdicts(table)
        assert len(heard) == 2
        assert heard[-1] == table.view().public.verdict
        opened = next(m.at for m in reversed(table.history.moments) if isinstance(m.event, Opened))
        for moment in table.history.moments[:opened:-1]:
            assert table.request(Undone(moment.at), HOST_AUTHOR) is None
        assert announced_verdicts(table) == heard
        assert table.request(Undone(opened), HOST_AUTHOR) is None
        assert announced_verdicts(table) == heard[:1]
