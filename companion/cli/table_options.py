"""The options that the commands which open a table share, and how these commands end.

Law: what is said alike at two commands is one option, with one meaning.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec

from companion.app.process import RESTARTED_OPTION, SystemdNotifier, default_log_level
from companion.app.settings import LOG_LEVELS, PORT, Options, read_config
from companion.app.start import start
from companion.cli import terminal_language
from companion.cli.options import add_game_option
from companion.core.errors import ExplainedError
from companion.core.i18n import get_language, message
from companion.games.layout import Pace
from companion.host.settings import TableSettings
from web.context import AppContext

FIELDS = Options.__struct_fields__


def add_table_options(parser: argparse.ArgumentParser, address: str, game: str) -> None:
    """Add the options of a table, its game and its pages, with these defaults; where a name differs
    from the field of Options that it fills, `dest` says which."""
    add = parser.add_argument
    add_game_option(parser, default=game, required=False)
    add("--new", dest="ends_old_game", action="store_true", help="end the game in progress first")
    add("--pace", choices=get_args(Pace), default="human",
        help="how fast bots play at a simulated table; still: not at all "
             "(default: human)")  # fmt: skip
    add("--air", metavar="AIR", default="physics",
        help="how simulated readers hear the cards of a pile: physics, as stickers "
             "really couple; ideal, every card; or a file of companion doctor --measure "
             "(default: physics)")  # fmt: skip
    add("--demo", action="store_true",
        help="show recorded games on the table screen while no one uses the table")  # fmt: skip
    add("--address", default=address, metavar="ADDRESS",
        help="serve the pages on this address: 0.0.0.0 for every phone in the Wi-Fi, 127.0.0.1 for "
             "this machine only (default: %(default)s)")  # fmt: skip
    add("--port", type=parse_port, default=PORT, metavar="PORT",
        help="this or the next free port (default: %(default)s)")  # fmt: skip
    add("--log-level", choices=LOG_LEVELS, default=default_log_level(),
        help="write log lines of this level and above to stderr "
             "(default: warning, under systemd info)")  # fmt: skip
    # After a restart from a page: what becomes of the folder in the end.
    add(RESTARTED_OPTION, choices=("kept", "passing"), help=argparse.SUPPRESS)


def parse_port(text: str) -> int:
    """Return the port; ArgumentTypeError if there is none of this number."""
    if not (text.isdecimal() and 0 < int(text) < 65_536):
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(text)


class ConfigAction(argparse.Action):
    """Take every key of a config file as if it had been an option in its place."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        try:
            config = read_config(Path(values))
        except ExplainedError as error:
            parser.exit(fail_start(parser.prog, get_language(terminal_language())(error.say)))
        parser.set_defaults(**config)  # A game that is not named takes its default last of all.
        for key, value in config.items():
            setattr(namespace, key, value)


def make_options(parsed: argparse.Namespace, **more: object) -> Options:
    """Return the parsed words as Options, with these fields besides."""
    typed = {name: each for name, each in vars(parsed).items() if name in FIELDS}
    asked = {
        "language": parsed.asked_lang,
        "usual_language": terminal_language(),
        "folder_kind": parsed.plugged or ("kept" if parsed.data else "passing"),
        "restarted": parsed.plugged is not None,
    }
    return msgspec.convert({**typed, **asked, **more}, Options)


def start_companion(command: str, options: Options, greet: Callable[[AppContext], None]) -> int:
    """Run the companion until it is stopped; print in one sentence why it cannot be started."""
    goes_on = message("A game is under way and goes on; --new ends it first.")
    try:
        return start(
            options, greet, lambda language: print(get_language(language)(goes_on), flush=True)
        )
    except ExplainedError as error:
        usual = options.usual_language
        chosen = TableSettings(options.folder, language=options.language, usual_language=usual)
        said = get_language(chosen.language)(error.say)
        return fail_start(f"companion {command}", said)


def fail_start(command: str, sentence: str) -> int:
    """Print the reason the command cannot start, and tell systemd; return the exit status."""
    print(f"{command}: {sentence}", file=sys.stderr)
    SystemdNotifier(time.monotonic).notify_refused(sentence)
    return 2
