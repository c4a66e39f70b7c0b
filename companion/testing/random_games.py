"""What a law is, and the games that it is asked of: whole ones, played at random."""

from collections.abc import Callable, Iterator
from random import Random

from companion.games.game import Game
from companion.games.random_game import RandomGame

Findings = Iterator[str]
Law = Callable[[Game, int], Findings]
"""A law, asked of a game with a seed."""


def random_game(game: Game, seed: int) -> RandomGame:
    """Return a game that is played to its end, with another number of seats for each seed."""
    rules = game.make_rulebook()
    least, most = rules.box.players.least, rules.box.players.most
    seats = least + seed % (most - least + 1)
    return RandomGame(rules, seats, Random(f"{game.name} {seed}")).play_to_end()
