"""The command line: parse the words, run one command, return its exit status.

Law: every command is a module beside this one, imported when it is used, with an
`add_arguments(parser)` and a `run(parsed) -> exit status`. What a command cannot do it raises as an
ExplainedError, which is printed here as one sentence, with status 2 and never a traceback. It
speaks the language of --lang, else that of the terminal, read as gettext reads it; one that we do
not speak is English, and so is the help. Nothing but `companion.__main__` imports this package.
"""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import BytesIO, TextIOWrapper

from companion import __version__
from companion.core.errors import ExplainedError
from companion.core.i18n import LANGUAGES, get_language, message

DONE, AMISS, NOT_DONE = 0, 1, 2
INTERRUPTED, UNREAD = 128 + signal.SIGINT, 128 + signal.SIGPIPE
"""Every command ends with one of these statuses; docs/api.md lists them."""
EXIT_STATUS = "Exit status: 0 success; 1 done, but a problem was found; 2 failed."

SAID = "--lang"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

COMMANDS = {
    "play": "play at a simulated table, without any set-up",
    "run": "run the companion at your table; a game in progress is resumed",
    "floor": "show all tables of a room on one page, with their calls for staff",
    "judge": "settle a dispute: read a case, print the verdict",
    "records": "list, export, import or check the games in the journal",
    "replay": "print a recorded game event by event, or verify it",
    "new-game": "write the package of a new game, to be played and changed",
    "check-game": "check a game against the laws of every game",
    "rules": "print the rules by id, and the house rules you can choose",
    "enrol": "register which sticker is on which card; check that none is missing",
    "wiring": "print the wiring, wire by wire",
    "hotspot": "switch the table's own Wi-Fi on or off, or show its status",
    "backup": "save journal, decks and config in one file",
    "restore": "replace the current data with a backup",
    "host": "print a link that makes one phone the host's",
    "doctor": "check wiring, power, permissions, readers, buttons and lamps",
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    words = (sys.argv[1:] if words is None else list(words)) or ["--help"]
    chosen = make_parser(*filter(None, [_find_command(words)])).parse_args(words)
    # A table that was told no language lets each browser read the one that it asks for.
    chosen.asked_lang = getattr(chosen, "lang", None)
    chosen.lang, module = chosen.asked_lang or terminal_language(), module_of(chosen.command)
    return run_command(chosen.command, chosen.lang, lambda: import_module(module).run(chosen))


def terminal_language() -> str:
    """Return the code of the language of this terminal."""
    told = next((told for name in VARIABLES if (told := os.environ.get(name))), "")
    codes = (each[:2].lower() for each in told.split(":"))
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


def _find_command(words: Sequence[str]) -> str:
    """Return the command that is named first, or after the language; "" if there is none."""
    asks = 0 if not words else 2 if words[0] == SAID else int(words[0].startswith(f"{SAID}="))
    return next((word for word in words[asks : asks + 1] if word in COMMANDS), "")


def make_parser(*named: str) -> argparse.ArgumentParser:
    """Return the parser with the arguments of these commands; its help is English.

    Each further command costs a millisecond here, and many on a Pi, so a named one is parsed alone;
    without a name all are listed.
    """
    about = "A referee for card games with secret bids."
    parser = argparse.ArgumentParser(prog="companion", description=about)
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    add_language_option(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in named if len(named) == 1 else COMMANDS:
        told = COMMANDS[name]
        sentence = f"{told[0].upper()}{told[1:]}."
        command = commands.add_parser(name, help=told, description=sentence, epilog=EXIT_STATUS)
        if name in named:
            import_module(module_of(name)).add_arguments(command)
            add_language_option(command)
    return parser


def add_language_option(parser: argparse.ArgumentParser) -> None:
    """Add the option --lang, which every command has."""
    parser.add_argument(SAID, choices=LANGUAGES, default=argparse.SUPPRESS,
        help="language of the output (default: that of this terminal)")  # fmt: skip


def module_of(command: str) -> str:
    return f"companion.cli.{command.replace('-', '_')}"


def run_command(command: str, language: str, run: Callable[[], int]) -> int:
    """Run a command; where it cannot be done, print its sentence and return 2. Ctrl-C and a closed
    stdout end it without a traceback."""
    try:
        if sys.stdin is None:  # closed from the start: `<&-`
            sys.stdin = TextIOWrapper(BytesIO())
        if sys.stdout is None:  # closed from the start: `>&-`
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a name that this terminal cannot show
        status = run()
        sys.stdout.flush()
    except ExplainedError as error:
        print(f"companion {command}: {get_language(language)(error.say)}", file=sys.stderr)
        return NOT_DONE
    except BrokenPipeError:  # the reader has seen enough: `| head`
        _discard_output()
        return UNREAD
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        _discard_output()
        told = message(
            "{field} cannot be written: {reason}.", field="stdout", reason=error.strerror
        )
        print(f"companion: {get_language(terminal_language())(told)}", file=sys.stderr)
        return NOT_DONE
    return status


def _discard_output() -> None:
    """Redirect standard output to /dev/null, so that nothing complains at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
