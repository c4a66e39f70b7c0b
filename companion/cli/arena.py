"""`companion arena`: strategies play each other, on all cores; the share of each, its interval.

A share of 1.00 is a fair one: a player in four who wins every fourth game. All intervals of a
comparison hold together with 95 %.
"""

import argparse

from companion.app.arena import count_players, play_matches
from companion.bots.arena import Match, Share
from companion.bots.strategy import OUR_STRATEGIES, find_strategy
from companion.cli.options import add_game_option
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waited
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language, message
from companion.games import find_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion arena`."""
    add = parser.add_argument
    add_game_option(parser)
    add("--games", type=int, default=400, metavar="N", help="games a strategy (default: 400)")
    add("--strategies", nargs="+", metavar="NAME", default=[],
        help="strategies by name, or as module:name (default: all simple ones)")  # fmt: skip
    add("--against", default="strong", metavar="NAME", help="who sits at all other seats "
        "(default: strong)")  # fmt: skip
    add("--seats", type=int, metavar="N", help="players (default: 4)")
    add("--seed", default="1", metavar="N", help="play other games (default: 1)")
    add("--cores", type=int, metavar="N", help="processes (default: one a core)")
    add("--list", action="store_true", help="list the strategies of the game")
    add_json_option(parser)


def run(parsed: argparse.Namespace) -> int:
    """Play the matches and print them; return the exit status."""
    known = find_game(parsed.game).strategies
    if parsed.list:
        about = {name: strategy.about for name, strategy in known.items()}
        if parsed.json:
            print_json([{"strategy": name, "about": told} for name, told in about.items()])
        else:
            print("\n".join(f"{name:<18} {told}" for name, told in about.items()))
        return 0
    names = parsed.strategies or [name for name in known if name not in OUR_STRATEGIES]
    for name in (*names, parsed.against):
        find_strategy(name, known)
    others = (parsed.against,) * (count_players(parsed.game, parsed.seats) - 1)
    if parsed.games < 1:
        raise Malformed("--games", N_("{field} is a number from 1 on."))
    matches = [Match(parsed.game, name, others, parsed.seed) for name in names]
    played = play_matches(matches, parsed.games, parsed.cores)
    for share in waited(played, get_language(parsed.lang)):
        print_share(share, parsed)
    return 0


def print_share(share: Share, parsed: argparse.Namespace) -> None:
    """Print one line of the arena."""
    if parsed.json:
        print_json(share._asdict())
        return
    row = f"{share.strategy:<18} {share.share:5.2f}  [{share.least:5.2f} … {share.most:5.2f}]"
    text = "{n} games against {name}"
    said = get_language(parsed.lang)(message(text, n=share.games, name=parsed.against))
    print(f"{row}  {said}", flush=True)
