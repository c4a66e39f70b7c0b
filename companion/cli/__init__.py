"""The command line: parse the words, run one command, return its exit status.

Law: every command is a module beside this one with an `add_arguments(parser)` and a
`run(parsed) -> exit status`, imported when it is used. Nothing but `companion.__main__` imports
this package.
"""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper

from companion import __version__
from companion.core.i18n import LANGUAGES

COMMANDS = {
    "play": "play at a simulated table, nothing to configure",
    "rehearse": "walk through the first start, at a simulated table fresh from the iron",
    "run": "run the companion at your table, and go on where it stopped",
    "judge": "settle a dispute: read one case, print the verdict",
    "records": "the games in the journal: list, export, import, check",
    "replay": "tell a record moment by moment, or prove it",
    "rules": "the rules by id, and the house rules one may choose",
    "phases": "the phase tables of the games",
    "enrol": "say which sticker is on which card; check that none is missing",
    "wiring": "which wire goes where, as a table or as a drawing",
    "hotspot": "a Wi-Fi of the table's own: on, off, status",
    "backup": "journal, decks, config and the host's PIN as one file",
    "restore": "put a backup in the place of what is there",
    "bundle": "what somebody has to know who is asked for help, as one file without secrets",
    "pin": "a new PIN for the host, if the old one is lost",
    "doctor": "check that everything is soldered, powered, allowed and alive",
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    words = sys.argv[1:] if words is None else list(words)
    parser = argparse.ArgumentParser(
        prog="companion", description="A companion for a table of real cards."
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, purpose in COMMANDS.items():
        command = commands.add_parser(name, help=purpose, description=purpose.capitalize() + ".")
        if words[:1] == [name]:
            import_module(f"companion.cli.{name}").add_arguments(command)
    chosen = parser.parse_args(words)
    return run_command(lambda: import_module(f"companion.cli.{chosen.command}").run(chosen))


def run_command(run: Callable[[], int]) -> int:
    """Run a command; Ctrl-C and a closed stdout end it without a traceback."""
    try:
        if sys.stdout is None:  # closed from the start: `>&-`
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a name that this terminal cannot show
        status = run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough: `| head`
        _discard_output()
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:
        _discard_output()
        print(f"companion: the output cannot be written: {error.strerror}.", file=sys.stderr)
        return 2
    return status


def _discard_output() -> None:
    """Send what is still to be written to /dev/null, so that nothing complains at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Add the option --lang."""
    parser.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="language of the words (default: en)"
    )
