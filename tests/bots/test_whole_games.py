"""Bots play whole games of every kind, with readers and with none, and are never refused."""

from random import Random
from typing import Any

import pytest

from companion.bots import PieceMove
from companion.bots.bot import Bot
from companion.core.cards import Box
from companion.core.events import Event
from companion.games import make_rulebook
from companion.table.permissions import Author, check_author
from tests.worlds.bot_evening import Seated, share_of_win, with_bots
from tests.worlds.campaign import pick
from tests.worlds.own_games import own_games
from tests.worlds.rulebook_players import SETUPS

DRAWN_OUT = 900
"""More events than any of these games needs: who dithers comes to more."""
SEEN = {"card_placed", "card_chosen", "card_sold"}
"""What is done with a card that everyone sees, or that is one's own."""


class Witness(Bot):
    """A bot whose wishes are written down."""

    def __init__(self, seat: int, random: Random, box: Box) -> None:
        super().__init__(seat, random, box)
        self.wishes: list[tuple[Event | PieceMove, list[str], Any]] = []

    def decide(self, view: Any, hand: Any, past: Any = ()) -> Event | PieceMove | None:
        wish = super().decide(view, hand, past)
        if wish is not None:
            self.wishes.append((wish, list(hand), view))
        return wish


def bots_only(game: str, seats: int, readers: bool, started: dict[str, Any]) -> Seated:
    box = make_rulebook(game).box
    bots = {
        seat: Witness(seat, Random(f"{game} {seats} {seat}"), box) for seat in range(1, seats + 1)
    }
    return Seated(game, seats, seats, bots, readers=readers, **started)


@pytest.mark.parametrize("readers", [True, False])
@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[:: pick(2, 1, 1)])
def test_bots_play_to_the_end(
    game: str, seats: int, started: dict[str, Any], readers: bool
) -> None:
    evening = bots_only(game, seats, readers, started).play(DRAWN_OUT)
    for bot in evening.bots.values():
        for wish, hand, view in bot.wishes:
            check(wish, bot, hand, view, evening)
    if game == "robby_solo":
        declared = [event for event in evening.events if type(event).__name__ == "Declared"]
        assert any(event.will for event in declared)
        assert not any("set aside" in step.text for s in evening.states for step in said(s))


def said(state: Any) -> tuple[Any, ...]:
    return state.verdict.steps if state is not None and state.verdict else ()


def check(wish: Event | PieceMove, bot: Bot, hand: list[str], view: Any, evening: Seated) -> None:
    """A request is the seat's own; a move names only what its player can see."""
    if isinstance(wish, PieceMove):
        assert "tile" not in wish.fields
        assert ("card" in wish.fields) == (wish.do in SEEN)
        visible = {
            "card_placed": hand,
            "card_chosen": getattr(view.public, "open_cards", ()),
            "card_sold": getattr(view.public.seats[bot.seat - 1], "cards", ()),
        }
        assert wish.fields.get("card") in (None, *visible.get(wish.do, ()))
    else:
        row = next(row for row in evening.rules.rows if isinstance(wish, row.event))
        state = evening.states[view.at]
        assert check_author(Author(bot.seat, "bot"), row, state, wish) is None


@pytest.mark.wide
@pytest.mark.parametrize("game", own_games())
def test_a_bot_beats_chance_clearly(game: str) -> None:
    """The same games every time."""
    games = pick(20, 30, 300)
    won = sum(share_of_win(with_bots(game, seed, 4).play(), seed % 4 + 1) for seed in range(games))
    assert won >= 0.6 * games


@pytest.mark.parametrize(("game", "seats", "started"), SETUPS[:: pick(3, 1, 1)])
def test_bots_get_along_with_people_who_do_anything(
    game: str, seats: int, started: dict[str, Any]
) -> None:
    evening = with_bots(game, 7, seats, seats - 1, readers=False, **started).play()
    assert evening.state.score is not None
