"""The arena: games by the rules alone, the same by every seed, fair to every seat."""

from random import Random

import pytest

from bench.arena import ArenaTable, Match, count_share, play_match, split_games
from companion.games import find_game, game_names


@pytest.mark.parametrize("game", game_names())
def test_a_match_is_decided_by_its_seed_however_it_is_split(game: str) -> None:
    match = Match(game, "weak", ("strong",) * 2, "7")
    whole = play_match(match, range(4))
    parts = {n: won for part in split_games(4, 2) for n, won in zip(part, play_match(match, part),
                                                                     strict=True)}  # fmt: skip
    assert whole == [parts[n] for n in range(4)]


@pytest.mark.parametrize("game", game_names())
def test_every_strategy_of_a_game_plays_a_whole_game(game: str) -> None:
    known = find_game(game).strategies
    assert {"strong", "weak"} < set(known)
    assert len(known) >= 4 + 5
    for name in known:
        table = ArenaTable(game, [known[name], known["weak"], known["weak"]], f"{game} {name}")
        shares = table.play()
        assert sum(shares) == pytest.approx(1)
        assert table.state.phase == "over"
        assert len({id(past) for past in table.past}) == len(table.past) > 2


@pytest.mark.wide
@pytest.mark.parametrize("game", game_names())
def test_four_alike_have_a_fair_share_each(game: str) -> None:
    table = ArenaTable(game, [find_game(game).strategies["weak"]] * 3, "all alike")
    assert {bot.seat for bot in table.bots} == {1, 2, 3}
    shares = [play_match(Match(game, "weak", ("weak",) * 2, seed), range(3)) for seed in "abcdef"]
    assert 0 < sum(map(sum, shares)) < 18


def test_a_dealer_deals_every_card_of_the_box_once() -> None:
    for found in map(find_game, game_names()):
        box = found.standard_box()
        one, same = (found.dealer(box, 3, Random(4)) for _ in range(2))
        assert [one.hand(seat) for seat in (1, 2, 3)] == [same.hand(seat) for seat in (1, 2, 3)]


def test_a_share_is_one_where_every_fourth_game_is_won() -> None:
    match = Match("robby_solo", "richest", ("strong",) * 3, "1")
    won = [1.0, 0.0, 0.0, 0.0] * 100
    alone, among_ten = count_share(match, won), count_share(match, won, 10)
    assert alone.share == among_ten.share == 1
    assert 0.8 < alone.least < 1 < alone.most < 1.2
    assert among_ten.least < alone.least
    assert alone.most < among_ten.most
