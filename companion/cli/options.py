"""The options of every command that opens a table.

Law: what is said alike at two commands is one option, with one meaning.
"""

import argparse
from pathlib import Path

from companion.app.restart import RESTARTED_OPTION
from companion.app.simulated.bot_driver import PACES
from companion.cli import add_language_option
from companion.games import RULEBOOKS


def add_game_options(parser: argparse.ArgumentParser, address: str, game: str) -> None:
    """What may be said of a game as well; where the table is served and what is played there if
    nobody says so."""
    add = parser.add_argument
    add("game", nargs="?", choices=RULEBOOKS, metavar="GAME",
        help=f"{', '.join(RULEBOOKS)} (default: {game})")  # fmt: skip
    add("--new", action="store_true", help="end the game that is under way first")
    add("--house-rule", action="append", default=[], metavar="NAME=ANSWER",
        help="play by this house rule (companion rules GAME lists them)")  # fmt: skip
    add("--pace", choices=PACES, default="human",
        help="how fast bots play, if the table is simulated; still: not at all "
             "(default: human)")  # fmt: skip
    add_demo_options(parser)
    add_server_options(parser, address)
    add_language_option(parser)


def add_demo_options(parser: argparse.ArgumentParser) -> None:
    """The option by which a table has a demo."""
    parser.add_argument(
        "--demo",
        action="store_true",
        help="recorded evenings on the table screen while nobody is at the table",
    )
    parser.add_argument(
        "--show",
        type=Path,
        action="append",
        default=[],
        metavar="RECORD",
        help="with --demo: this recorded evening instead of those that come with the companion",
    )


def add_server_options(parser: argparse.ArgumentParser, address: str) -> None:
    """Where pages are served."""
    add = parser.add_argument
    add("--address", default=address,
        help="where pages are served: 0.0.0.0 for every phone in the same Wi-Fi, 127.0.0.1 for "
             f"this machine only (default: {address})")  # fmt: skip
    add("--port", type=parse_port, default=8000, help="this or the next free one (default: 8000)")
    # After the plug was pulled: what becomes of the folder in the end.
    add(RESTARTED_OPTION, choices=("kept", "passing"), help=argparse.SUPPRESS)


def parse_port(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 65_536):
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)
