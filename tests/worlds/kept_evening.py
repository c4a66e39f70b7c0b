"""A floor's file with the evenings of some tables, as if they had been played."""

import time
from pathlib import Path
from random import Random

from companion.app.floor.pulling import day_of
from companion.floor.evening_store import DAY, EveningStore
from companion.floor.played import PlayedEvening, ReaderCount, ToldGame

BOXES = (("bankueberfall", "Banküberfall", 1500), ("robby_solo", "Robby Solo", 900),
         ("banque_fatale", "Banque Fatale", 2700))  # fmt: skip
EVENINGS = 12


def keep_evening(folder: Path, tables: int, seed: int = 1) -> Path:
    """Keep EVENINGS evenings of so many tables, the last one ending now; return the file.

    The third reader of the first table tires on the last day. Its name begins like a formula.
    """
    store, dice, now = EveningStore(folder), Random(seed), time.time()
    for n in range(tables):
        table, name = f"{n:012x}", f"Table {n + 1}" if n else "=Table 1"
        counts = [0] * 5
        for evening in range(EVENINGS):
            end = now - (EVENINGS - 1 - evening) * DAY
            games = tuple(_play_game(dice, f"{n}-{evening}-{k}", 1500 * k) for k in range(1, 6))
            for place in range(5):
                is_tired = (n, place, evening) == (0, 2, EVENINGS - 1)
                counts[place] += dice.randrange(8, 20) * (9 if is_tired else 1)
            readers = tuple(ReaderCount(place + 1, count) for place, count in enumerate(counts))
            told = PlayedEvening(games, evening, False, 7200.0 * (evening + 1), readers)
            store.take(table, name, told, end, day_of(end))
    store.close()
    return store.path


def _play_game(dice: Random, id: str, ago: float) -> ToldGame:
    game, title, usual = dice.choice(BOXES)
    seconds = usual * dice.uniform(0.7, 1.5)
    return ToldGame(
        id, 0, game, title, ago, seconds, dice.choice((2, 3, 3, 4, 5)), dice.randrange(3),
        dice.randrange(2), dice.random() < 0.1,
    )  # fmt: skip
