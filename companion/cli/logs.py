"""`companion logs`: the log of the service from the system's journal, or that in a data folder.

Law: the log has no names and no secrets; a user who may not read it is told what to type.
"""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.app.log_reading import LoggedLine, read_file_line, read_journal_line
from companion.app.logging_setup import log_path
from companion.app.service_unit import (
    has_unit,
    lines_command,
    may_read_lines,
    run_printing,
    run_telling,
)
from companion.app.whereabouts import find_table
from companion.cli import add_data_option
from companion.cli.output import add_json_option, print_json
from companion.core.errors import Malformed
from companion.core.i18n import N_

NOT_READABLE = N_("The lines of {field} may be read by root alone. Type: {command}")
NO_LOG = N_("There is no log at {field} yet: a companion with a data folder writes one.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion logs`."""
    add = parser.add_argument
    add("-n", "--lines", type=int, default=50, metavar="N",
        help="how many lines (default: %(default)s)")  # fmt: skip
    add("-f", "--follow", action="store_true", help="go on with new lines, until Ctrl-C")
    add_data_option(parser)
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Print the lines; return the exit status of what prints them."""
    if options.lines < 1:
        raise Malformed("--lines", N_("{field} is a number from 1 on."))
    if options.data is None and has_unit():
        if not may_read_lines():
            typed = shlex.join(["sudo", "companion", *sys.argv[1:]])
            raise Malformed("companion.service", NOT_READABLE, command=typed)
        command = lines_command(options.lines, follows=options.follow, as_json=options.json)
        return _print(command, read_journal_line, as_json=options.json)
    path: Path = log_path(find_table(options.data).folder)
    if not path.exists():
        raise Malformed(str(path), NO_LOG)
    follow = ["--follow=name"] if options.follow else []
    command = ["tail", "--lines", str(options.lines), *follow, str(path)]
    return _print(command, read_file_line, as_json=options.json)


def _print(command: Sequence[str], read: Callable[[str], LoggedLine], *, as_json: bool) -> int:
    """Print what the command prints, or for programs each line of it as facts."""
    if not as_json:
        return run_printing(command)
    return run_telling(command, lambda line: print_json(read(line)))
