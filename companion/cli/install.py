"""`companion install FILE.whl`: add a game, or a library that a command wants, to a table that runs
as a service.

Law: only root adds anything, and only a file whose SHA-256 was typed.
"""

import argparse
import os
import shlex
import sys
from pathlib import Path

from companion.app.added_packages import add_packages, remove_package
from companion.cli import DONE
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waited
from companion.core.errors import ExplainedError, Malformed
from companion.core.i18n import N_, get_language, message
from companion.core.installation import RESTART, installed_by

ADDED = N_("{name} {version} is added. The table uses it from its next start on: {command}")
REMOVED = N_("{name} is removed. The table plays without it once it has started again: {command}")
BY_HAND = N_("This program was installed by hand, so packages are too. Type: {command}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `companion install`."""
    add = parser.add_argument
    add("files", nargs="*", type=Path, metavar="FILE", help="a wheel: my_game-1.0-py3-none-any.whl")
    add("--sha256", action="append", default=[], metavar="SUM",
        help="what a file has to be, as its author says; can be given several times")  # fmt: skip
    add("--remove", metavar="NAME", help="remove a package that was added")
    add_json_option(parser)


def run(options: argparse.Namespace) -> int:
    """Add packages, or remove one; return the exit status."""
    words = get_language(options.lang)
    if bool(options.files) == bool(options.remove):
        raise Malformed("FILE", N_("Name files, or with --remove a package."))
    typed = shlex.join(["companion", *sys.argv[1:]])
    if installed_by() == "hand":
        names = shlex.join(map(str, options.files))
        by_hand = f"pip install {names}" if names else f"pip uninstall {options.remove}"
        raise ExplainedError(message(BY_HAND, command=by_hand))
    if os.geteuid() != 0:
        text = "Only root may add packages to this table. Type: {command}"
        raise ExplainedError(message(text, command=f"sudo {typed}"))
    if options.remove:
        remove_package(options.remove)
        if options.json:
            print_json({"removed": options.remove})
        else:
            print(words.render(REMOVED, {"name": options.remove, "command": RESTART}))
        return DONE
    for added in waited(add_packages(options.files, options.sha256, f"sudo {typed}"), words):
        if options.json:
            print_json(added)
            continue
        facts = {"name": added.name, "version": added.version, "command": RESTART}
        print(words.render(ADDED, facts))
    return DONE
