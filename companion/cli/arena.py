"""`companion arena`: leagues of strategies, on all cores, with the share of each and its interval.

A share of 1.00 is a fair one: a player in four who wins every fourth game. All intervals of a
league hold together with 95 %.
"""

import argparse
import sys

from companion.app.league import count_players, play_league
from companion.bots.arena import Match, Share
from companion.bots.strategy import OUR_STRATEGIES, find_strategy
from companion.cli.options import add_game_option
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import find_game
from companion.judge.decide import to_json


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
    add("--seed", default="1", help="play other games (default: 1)")
    add("--cores", type=int, metavar="N", help="processes (default: one a core)")
    add("--list", action="store_true", help="list the strategies of the game")
    add("--json", action="store_true", help="print one JSON object per strategy")


def run(parsed: argparse.Namespace) -> int:
    """Play the league and print it; return the exit status."""
    known = find_game(parsed.game).strategies
    if parsed.list:
        print("\n".join(f"{name:<18} {strategy.about}" for name, strategy in known.items()))
        return 0
    names = parsed.strategies or [name for name in known if name not in OUR_STRATEGIES]
    for name in (*names, parsed.against):
        find_strategy(name, known)
    others = (parsed.against,) * (count_players(parsed.game, parsed.seats) - 1)
    if parsed.games < 1:
        raise Malformed("--games", N_("{field} is a number from 1 on."))
    matches = [Match(parsed.game, name, others, parsed.seed) for name in names]
    for share in play_league(matches, parsed.games, parsed.cores):
        print_share(share, parsed.against, parsed.json)
    return 0


def print_share(share: Share, against: str, as_json: bool) -> None:
    """Print one line of the league."""
    if as_json:
        sys.stdout.buffer.write(to_json(share._asdict()) + b"\n")
        sys.stdout.flush()
        return
    print(
        f"{share.strategy:<18} {share.share:5.2f}  [{share.least:5.2f} … {share.most:5.2f}]"
        f"  {share.games} games against {against}",
        flush=True,
    )
