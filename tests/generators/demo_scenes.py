"""Has the bots play evenings, and keeps of each game the one with the best trailer.

The seeds decide, so nothing changes: the same evening is found again as long as bots, rules and the
criteria (trailers.py) are the same. It takes a minute and a half.
"""

from random import Random

import msgspec

from companion.bots.bot import Bot
from companion.core.events import Event, to_json
from companion.games import find_game, make_rulebook
from companion.records.format import Record, build_record, to_bytes
from tests.generators.trailers import cut_trailer
from tests.worlds.bot_evening import Seated

EVENINGS = {
    "bankueberfall": ("Ana", "Ben", "Cleo", "Dario"),
    "banque_fatale": ("Emma", "Finn", "Gita", "Hugo"),
    "robby_solo": ("Ida", "Jan", "Kira", "Leo", "Mona"),
}
"""Who sits at each game."""
SEEDS = range(1, 101)
BEGINS, PAUSE = 1_795_201_200.0, 20.0
"""It begins on a Friday at eight in the evening, and something happens every so many seconds."""


def play(game: str, seed: int) -> Record:
    """One evening at which bots sit in all seats."""
    players = EVENINGS[game]
    box = make_rulebook(game).box
    bots = {
        seat: Bot(seat, Random(f"demo {game} {seed} {seat}"), box)
        for seat in range(1, len(players) + 1)
    }
    agreed = make_rulebook(game).make_start_event(f"demo-{game}".replace("_", "-"), len(players))
    more = {"id": agreed.id, "players": len(players), "house_rules": agreed.house_rules}
    evening = Seated(game, f"demo {seed}", len(players), bots, **more).play()
    told = enumerate(evening.events)
    moments = [(BEGINS + n * PAUSE, via(event), to_json(event)) for n, event in told]
    return build_record(evening.rules, agreed.id, agreed.rules, moments, players)


def via(event: Event) -> str:
    """Return the source of an event: the bot of a seat, the reader of a bank, or the table."""
    for word, field in (("bot", "seat"), ("reader", "bank")):
        if isinstance(getattr(event, field, None), int):
            return f"{word} {getattr(event, field)}"
    return "table"


def main() -> None:
    for game in EVENINGS:
        cuts = (cut_trailer(play(game, seed), seed) for seed in SEEDS)
        best = max(filter(None, cuts), key=lambda cut: cut.points)
        found = find_game(game)
        found.demo_file.write_bytes(to_bytes(play(game, best.trailer.seed)))
        written = msgspec.json.format(msgspec.json.encode(best.trailer), indent=1)
        found.trailer_file.write_bytes(written + b"\n")


if __name__ == "__main__":
    main()
