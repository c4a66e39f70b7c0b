"""Plays the golden games and writes them down; the seeds decide, so nothing changes by chance.

Law: a game that is written down keeps its events, as an old record does; only what they lead to is
told anew. To play it again, delete its file.
"""

from random import Random
from typing import Any

from companion.core.events import Entered, Resealed
from tests.worlds.golden_games import golden_folder, read, tell
from tests.worlds.rulebook_players import Evening

GAMES: list[tuple[str, int, bool, int, dict[str, Any]]] = [
    ("bankueberfall", 2, True, 5, {}),
    ("bankueberfall", 3, True, 3, {"house_rules": {"shortfall": "stop"}, "first": 2}),
    ("bankueberfall", 4, False, 4, {"house_rules": {"final_direction": "clockwise"}}),
    ("bankueberfall", 5, False, 6, {"front": (2, 3, 4, 5, 1)}),
    ("banque_fatale", 3, True, 1, {}),
    ("banque_fatale", 4, True, 2, {"first": 3}),
    ("banque_fatale", 3, True, 3, {"house_rules": {"unplayed": "minus_two"}}),
    (
        "banque_fatale", 4, True, 4,
        {"house_rules": {"sale_ban": "just_risen", "chips_at_end": "nothing"}},
    ),
    ("banque_fatale", 4, True, 5, {"house_rules": {"tied_for_most": "none_rises"}}),
    ("robby_solo", 3, True, 1, {}),
    ("robby_solo", 4, True, 2, {"junior": True}),
    ("robby_solo", 6, True, 3, {"first": 5}),
    ("robby_solo", 5, True, 4, {"junior": True, "banks": (
        "khaki", "purple", "grey", "blue", "red", "green", "yellow",
    )}),
]  # fmt: skip
"""Game, players, with readers or without, seed, and how it is set up."""


def play(game: str, seats: int, readers: bool, seed: int, started: dict[str, Any]) -> Evening:
    """One evening; once in a while a hand does not open, and the table settles it."""
    random = Random(seed)
    evening = Evening(game, random, seats, readers, **started)
    while not evening.over:
        state = evening.state
        lost = state.phase == "open" and random.random() < 0.02
        if lost and random.random() < 0.5:
            evening.happen(Resealed())
        elif lost:
            seat = state.hands.unopened_seats()[0]
            evening.happen(Entered(seat, evening.fists[seat][0]))
        else:
            evening.step()
    return evening


def main() -> None:
    count: dict[str, int] = {}
    for game, seats, readers, seed, started in GAMES:
        count[game] = count.get(game, 0) + 1
        path = golden_folder(game) / f"{game}-{count[game]}.txt"
        if path.exists():
            rules, events = read(path)
        else:
            evening = play(game, seats, readers, seed, started)
            rules, events = evening.rules, evening.events
        path.write_text("\n".join(tell(rules, events)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
