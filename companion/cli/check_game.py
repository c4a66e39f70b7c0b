"""`companion check-game GAME`: ask a game the laws that every game keeps."""

import argparse
import shutil

from companion.app.page_checks import check_phone_sizes, check_screens
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import broken_games, find_game, game_names
from companion.games.game import Game
from companion.testing.laws import LAWS, first_finding

SEED = 1
SCREENS = "every phase is on every page, in every language"
SIZES = "pages fit phones of 390×844, 390×664 and 360×640"
TEXTS = "its texts are translated"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion check-game`."""
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(game_names())}")
    parser.add_argument("--games", type=int, default=40, metavar="N",
                        help="how many games are played at random for each law (40)")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Print each law with what breaks it; return 1 if anything does."""
    for broken in broken_games():
        if broken.name == options.game:
            raise Malformed(options.game, broken.say.text, **broken.say.facts)
    if options.game not in game_names():
        text = N_("There is no game “{field}”; there are {options}.")
        raise Malformed(options.game, text, options=", ".join(game_names()))
    game = find_game(options.game)
    found = [_print_law(law, first_finding(game, law, range(options.games))) for law in LAWS]
    found.append(_print_law(SCREENS, next(check_screens(game, SEED), None)))
    found.append(_check_sizes(game))
    _count_texts(game)
    return 1 if any(found) else 0


def _print_law(law: str, finding: str | None) -> bool:
    """Print a law with what breaks it; return whether anything does."""
    print(f"{'ok ' if finding is None else 'NO '} {law}{f': {finding}' if finding else ''}")
    return finding is not None


def _check_sizes(game: Game) -> bool:
    """Open the pages in a browser, if there is one."""
    try:
        return _print_law(
            SIZES, next(check_phone_sizes(game, SEED, shutil.which("chromium")), None)
        )
    except ImportError:
        print(f"--  {SIZES}: not tried without playwright (pip install playwright)")
    return False


def _count_texts(game: Game) -> None:
    """Print how many texts stay English, where Babel is installed to collect them."""
    try:
        from companion.core.text_collection import TRANSLATED, count_untranslated
    except ImportError:
        print(f"--  {TEXTS}: not tried without Babel (pip install babel)")
        return
    waiting = {code: count_untranslated(game.folder, game.catalogue, code) for code in TRANSLATED}
    told = ", ".join(f"{n} not yet in {code}" for code, n in waiting.items() if n)
    print(f"--  {TEXTS}: {told}: companion texts {game.name}" if told else f"ok  {TEXTS}")
