"""The command line: parse the words, run one command, return its exit status.

Law: every command is a module beside this one, or in companion/update, imported when it is used,
with an `add_arguments(parser)` and a `run(parsed) -> exit status`. What a command cannot do it
raises as an ExplainedError, which is printed here as one sentence, with status 2 and never a
traceback. Nothing but `companion.__main__` imports this package.
"""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

from companion import __version__
from companion.core.errors import ExplainedError
from companion.core.i18n import LANGUAGES, get_language

COMMANDS = {
    "play": "play at a simulated table, without any set-up",
    "rehearse": "try the set-up page at a simulated table with crossed cables",
    "run": "run the companion at your table; a game in progress is resumed",
    "floor": "show all tables of a room on one page, with their calls for staff",
    "judge": "settle a dispute: read a case, print the verdict",
    "records": "list, export, import or check the games in the journal",
    "replay": "print a recorded game event by event, or verify it",
    "arena": "play leagues of bots and strategies; print the share of wins of each",
    "new-game": "write the package of a new game, to be played and changed",
    "check-game": "ask a game the laws that every game keeps",
    "rules": "print the rules by id, and the house rules you can choose",
    "phases": "print the phase tables of the games",
    "texts": "collect the texts of a game into its catalogues, and compile these",
    "enrol": "register which sticker is on which card; check that none is missing",
    "wiring": "print the wiring as a table or as a drawing",
    "build": "write the plans of a table: jig, tray, labels, wiring picture, parts list",
    "hotspot": "switch the table's own Wi-Fi on or off, or show its status",
    "backup": "save journal, decks, config and the hash of the host's PIN in one file",
    "restore": "replace the current data by a backup",
    "bundle": "write a support bundle: one file for those who help you, without secrets",
    "update": "install another version, from a release, a USB stick or a clone",
    "rollback": "go back to the version that ran before the last update",
    "pin": "create a new PIN for the host, if the old one is lost",
    "doctor": "check wiring, power, permissions, readers, buttons and lamps",
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    try:
        return _parse_and_run(sys.argv[1:] if words is None else list(words))
    except MemoryError:
        print("companion: there is not enough memory for this.", file=sys.stderr)
        return 2


def _parse_and_run(words: list[str]) -> int:
    chosen = _make_parser(words).parse_args(words)
    language = getattr(chosen, "lang", None) or LANGUAGES[0]

    def run_chosen() -> int:
        status: int = import_module(module_of(chosen.command)).run(chosen)
        return status

    return run_command(lambda: run_explained(chosen.command, language, run_chosen))


def _make_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser: of the command named first, or of all for a list of them.

    Every command more costs a millisecond here, and many on a Pi.
    """
    parser = argparse.ArgumentParser(
        prog="companion", description="A referee for card games with secret bids."
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    named = words[0] if words and words[0] in COMMANDS else ""
    for name in [named] if named else COMMANDS:
        sentence = f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}."
        command = commands.add_parser(name, help=COMMANDS[name], description=sentence)
        if name == named:
            import_module(module_of(name)).add_arguments(command)
    return parser


def module_of(command: str) -> str:
    package = "update" if command in ("update", "rollback") else "cli"
    return f"companion.{package}.{command.replace('-', '_')}"


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


def run_explained(command: str, language: str, run: Callable[[], int]) -> int:
    """Run a command; where it cannot be done, print its sentence and return 2."""
    try:
        return run()
    except ExplainedError as error:
        print(f"companion {command}: {get_language(language)(error.say)}", file=sys.stderr)
        return 2


def _discard_output() -> None:
    """Send what is still to be written to /dev/null, so that nothing complains at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add the option --data of the commands that use what is there."""
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="the data folder with journal and decks"
    )


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Add the option --lang."""
    parser.add_argument(
        "--lang", choices=LANGUAGES, default="en", help="language of the output (default: en)"
    )
