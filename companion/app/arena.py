"""Matches of bots and strategies, played on all cores."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain

from companion.bots.arena import Match, Share, count_share, play_match, split_games
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import find_game

PARTS = 16
"""Into so many parts a match is split, so that no core waits for long."""


def count_players(game: str, seats: int | None) -> int:
    """Return how many play; raise Malformed if the game is not for so many."""
    players = find_game(game).standard_box().players
    wanted = min(4, players.most) if seats is None else seats
    if not players.least <= wanted <= players.most:
        text = N_("{field} goes from {least} to {most} in this game.")
        raise Malformed("--seats", text, least=players.least, most=players.most)
    return wanted


def play_matches(matches: Sequence[Match], games: int, cores: int | None = None) -> Iterator[Share]:
    """Play every match, and yield its share as soon as it is known."""
    parts = list(split_games(games, min(PARTS, games)))
    with ProcessPoolExecutor(cores or os.cpu_count()) as pool:
        running = [[pool.submit(play_match, match, part) for part in parts] for match in matches]
        for match, jobs in zip(matches, running, strict=True):
            won = list(chain.from_iterable(job.result() for job in jobs))
            yield count_share(match, won, len(matches))
