"""A league in a folder, with records of games that were begun for its sheets."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from companion.core.sheet_code import make_game_id
from companion.league.acts import add_record, found_league, join_league, pair_next_round
from companion.league.state import LeagueSheet
from companion.league.store import LeagueStore, create_store
from companion.records.format import Record, to_bytes
from tests.worlds.rulebook_players import Dice, Evening
from tests.worlds.signed_records import (
    Signed,
    events_of,
    new_key,
    reseal_under,
    sign_ends,
    sign_plain_somehow,
    sign_seals,
    written,
)

GAME = "robby_solo"


def found(folder: Path, members: int = 6, game: str = GAME, **rules: Any) -> LeagueStore:
    """A league of so many members without names, whose first round is not paired yet."""
    store = create_store(folder, found_league("Thursday", game, **{"seats": 3, **rules}))
    for _ in range(members):
        join_league(store)
    return store


def begin_for(code: str, seed: int, seats: int = 3, game: str = GAME) -> Record:
    """A whole game that was begun with this code, in which nobody signed."""
    id = make_game_id(f"{Random(seed).getrandbits(48):012x}", code)
    return written(game, id, reseal_under(_played(game, seats, seed % 8), id))


@cache
def _played(game: str, seats: int, seed: int) -> Record:
    id = f"{game.replace('_', '-')}-{seed}"
    return written(game, id, Evening(game, Dice(Random(seed)), seats, id=id).play().events)


def sign_all(plain: Record, seed: int) -> Signed:
    """The record with the signature of each seat over every seal and over the end."""
    random, seats = Random(seed), len(events_of(plain)[0].players)
    keys = {seat: new_key(random) for seat in range(1, seats + 1)}
    record = written(
        plain.header.game, plain.header.id, sign_seals(plain, lambda seat, _: keys[seat])
    )
    return Signed(sign_ends(record, keys), ("signed",) * seats, keys)


def play_sheet(sheet: LeagueSheet, seed: int, game: str = GAME) -> Signed:
    """A whole game of a sheet that every phone signed."""
    return sign_all(begin_for(sheet.code, seed, len(sheet.members), game), seed)


def play_somehow(sheet: LeagueSheet, seed: int, game: str = GAME) -> bytes:
    """A sound record of a sheet: with bots, shared phones, lost keys, sleepers."""
    plain = begin_for(sheet.code, seed, len(sheet.members), game)
    return to_bytes(sign_plain_somehow(plain, Random(seed)).record)


def play_league(store: LeagueStore, rounds: int, seed: int = 1, *, signed: bool = True) -> None:
    """Rounds of which every game is played and counted, and signed by all or by no one."""
    for _ in range(rounds):
        for sheet in pair_next_round(store).open_sheets:
            seed += 1
            plain = begin_for(sheet.code, seed, len(sheet.members))
            record = sign_all(plain, seed).record if signed else plain
            taken = add_record(store, to_bytes(record))
            assert isinstance(taken, LeagueSheet), taken
