"""`companion backup`: everything that matters as one file, also while the companion runs.

Law: a file that somebody named is never written over; only backups called after their day are.
"""

import argparse
import errno
import os
import sys
from datetime import datetime
from pathlib import Path

from companion.app.settings import config_path, data_folder, file_exists_error
from companion.backup import daily, finish, rotate, write
from companion.backup.format import FOLDER
from companion.cli import add_language_option
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language
from companion.journal import JournalFailed


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion backup`."""
    add = parser.add_argument
    add("--to", type=Path, metavar="PLACE",
        help="a new file, or a folder such as a USB stick, in which it is called after the day "
             "(default: backups in the data folder)")  # fmt: skip
    add("--keep", type=_number, metavar="N",
        help="in a folder: remove all daily backups but the newest N")  # fmt: skip
    add("--data", type=Path, metavar="FOLDER", help="where journal and decks are kept")
    add("--config", type=Path, metavar="FILE", help="the config (default: the service's)")
    add("--without-pin", action="store_true", help="leave out by what the host's PIN is known")
    add_language_option(parser)


def _number(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError("keep at least 1")
    return int(text)


def run(chosen: argparse.Namespace) -> int:
    """Write a backup; the exit status."""
    words = get_language(chosen.lang)
    try:
        to, members = _written(chosen)
    except (Malformed, JournalFailed) as error:
        print(f"companion backup: {words(error.say)}", file=sys.stderr)
        return 2
    print(words.render(N_("Backed up to {use}; it tells what lies face down: keep it to yourself."),
                       {"use": str(to)}))  # fmt: skip
    print("  " + ", ".join(members))
    return 0


def _written(chosen: argparse.Namespace) -> tuple[Path, list[str]]:
    folder = chosen.data or data_folder()
    now = datetime.now().astimezone()
    place = chosen.to or folder / FOLDER
    into_folder = chosen.to is None or place.is_dir()
    to = place / daily(now.date()) if into_folder else place
    if not into_folder and to.exists():
        raise file_exists_error(to)
    if not into_folder and chosen.keep:
        raise Malformed("--keep", N_("{field} goes with a folder, not with a file."))
    if chosen.config and not chosen.config.is_file():
        text = N_("{field} cannot be read: {reason}.")
        raise Malformed(str(chosen.config), text, reason=os.strerror(errno.ENOENT))
    finish(folder)
    told = write(folder, chosen.config or config_path(folder), to, now.isoformat("T", "seconds"),
                 pin=not chosen.without_pin)  # fmt: skip
    if chosen.keep:
        rotate(to.parent, chosen.keep)
    return to, list(told.members)
