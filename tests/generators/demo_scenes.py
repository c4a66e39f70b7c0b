"""Has the bots play the evening of each trailer again, by its seed, and writes down the record.

Where bots or rules have changed it is another evening: then the shots are chosen anew, by hand.
"""

from random import Random

from companion.bots.bot import Bot
from companion.core.events import Event, to_json
from companion.games import find_game, make_rulebook
from companion.host.demo import load_demo
from companion.records.format import Record, build_record, to_bytes
from tests.worlds.bot_evening import Seated

EVENINGS = {
    "bankueberfall": ("Ana", "Ben", "Cleo", "Dario"),
    "banque_fatale": ("Emma", "Finn", "Gita", "Hugo"),
    "robby_solo": ("Ida", "Jan", "Kira", "Leo", "Mona"),
}
"""Who sits at each game."""
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
    for shown in load_demo():
        game = shown.record.header.game
        find_game(game).demo_file.write_bytes(to_bytes(play(game, shown.trailer.seed)))


if __name__ == "__main__":
    main()
