"""`companion backup`: everything that matters as one file, also while the companion runs.

Laws: a named file is never overwritten; only backups named after their day are. No folder is made
for a stick that is not there.
"""

import argparse
import errno
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from companion.app.settings import config_path, data_folder, file_exists_error
from companion.backup import daily_name, finish_restore, remove_old_backups, write_backup
from companion.backup.format import FOLDER
from companion.backup.last_copy import LastCopy, save_last_copy
from companion.backup.places import check_place, leaves_disk, read_mounts
from companion.backup.privileges import as_owner
from companion.backup.service import describe_upload_limit
from companion.cli import add_language_option
from companion.core.errors import Malformed, NotWritten
from companion.core.i18n import N_, get_language
from companion.journal import JournalFailed
from companion.journal.copy import read_end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion backup`."""
    add = parser.add_argument
    add("--to", type=Path, metavar="PLACE",
        help="a folder that is there, such as a mounted USB stick, where its name contains the "
             "date, or a new file (default: the folder backups in the data folder)")  # fmt: skip
    add("--keep", type=_parse_count, metavar="N",
        help="if PLACE is a folder: delete all daily backups except the newest N")  # fmt: skip
    add("--data", type=Path, metavar="FOLDER", help="the data folder with journal and decks")
    add("--config", type=Path, metavar="FILE", help="the config to save (default: the service's)")
    add_language_option(parser)


def _parse_count(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError("keep at least 1")
    return int(text)


class WrittenBackup(NamedTuple):
    """A backup that was written: where, when, its members, and the last line in it."""

    to: Path
    made: str
    members: list[str]
    end: tuple[int, str]


def run(options: argparse.Namespace) -> int:
    """Write a backup; return the exit status."""
    words = get_language(options.lang)
    try:
        written = _write_backup(options)
    except (Malformed, JournalFailed) as error:
        print(f"companion backup: {words(error.say)}", file=sys.stderr)
        return 2
    print(words.render(N_("Backed up to {use}; it tells what lies face down: keep it to yourself."),
                       {"use": str(written.to)}))  # fmt: skip
    print("  " + ", ".join(written.members))
    limit = describe_upload_limit(written.to.stat().st_size)
    if limit is not None:
        print(words(limit))
    try:
        _note_copy(options.data or data_folder(), written)
    except NotWritten as error:  # The backup is there; only the host's page does not know of it.
        print(words(error.say), file=sys.stderr)
    return 0


def _write_backup(options: argparse.Namespace) -> WrittenBackup:
    folder = options.data or data_folder()
    now = datetime.now().astimezone()
    place = options.to or folder / FOLDER
    into_folder = options.to is None or place.is_dir()
    to = place / daily_name(now.date()) if into_folder else place
    if not into_folder and to.exists():
        raise file_exists_error(to)
    if not into_folder and options.keep:
        raise Malformed("--keep", N_("{field} goes with a folder, not with a file."))
    if options.config and not options.config.is_file():
        text = N_("{field} cannot be read: {reason}.")
        raise Malformed(str(options.config), text, reason=os.strerror(errno.ENOENT))
    if options.to is not None:
        check_place(place, read_mounts())
    finish_restore(folder)
    config, made = options.config or config_path(folder), now.isoformat("T", "seconds")
    ends: list[tuple[int, str]] = []
    manifest = write_backup(
        folder, config, to, made, check_journal=lambda copy: ends.append(read_end(copy))
    )
    if options.keep:
        remove_old_backups(to.parent, options.keep)
    return WrittenBackup(to, made, list(manifest.members), ends[0])


def _note_copy(folder: Path, written: WrittenBackup) -> None:
    """Keep for the host's page that a copy has left, if it lies on another disk."""
    if leaves_disk(written.to, folder, read_mounts()):
        with as_owner(folder):
            save_last_copy(folder, LastCopy(written.made, *written.end))
