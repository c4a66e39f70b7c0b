"""`companion backup`: everything that matters as one file, also while the companion runs.

Laws: a named file is never overwritten; only backups named after their day are. No folder is made
for a stick that is not there.
"""

import argparse
import errno
import os
from contextlib import nullcontext
from datetime import date
from pathlib import Path

from companion.app.settings import config_path, require_table
from companion.backup.archive import daily_name, remove_old_backups, write_backup
from companion.backup.restore import finish_restore
from companion.cli.options import add_data_option, add_json_option, print_json
from companion.core.durable_files import as_owner, file_exists_error
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_, Language, get_language
from companion.journal.repair import BACKUPS

NO_FOLDER = N_("There is no folder {field}: plug in the stick, or name another place.")
STICK_FOLDERS = (Path("/media"), Path("/mnt"), Path("/run/media"))
"""The folders below which sticks are mounted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion backup`."""
    add = parser.add_argument
    add("--to", type=Path, metavar="PLACE",
        help="an existing folder, such as a mounted USB stick, where its name contains the "
             "date, or a new file (default: the folder backups in the data folder)")  # fmt: skip
    add("--keep", type=_parse_count, metavar="N",
        help="if PLACE is a folder: delete all daily backups except the newest N")  # fmt: skip
    add_data_option(parser)
    add("--config", type=Path, metavar="FILE", help="the config to save (default: the service's)")
    add_json_option(parser)


def _parse_count(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError("keep at least 1")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Write a backup and print where it is; return the exit status."""
    words, folder = get_language(options.lang), require_table(options.data)
    to = _choose_file(options, folder)
    if options.config and not options.config.is_file():
        raise not_read(options.config, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    if options.to is not None:
        require_place(options.to)
    finish_restore(folder)
    with as_owner(folder) if to.is_relative_to(folder) else nullcontext():
        members = write_backup(folder, options.config or config_path(folder), to)
    if options.keep:
        remove_old_backups(to.parent, options.keep)
    _print_written(to, members, options, words)
    return 0


def require_place(place: Path) -> None:
    """Raise Malformed unless this is an existing folder, or a new file in one. In the folder of an
    unmounted stick the backup would lie on the SD card."""
    folder = place if place.is_dir() else place.parent
    if not folder.is_dir():
        raise Malformed(str(folder), NO_FOLDER)
    above = (folder.resolve(), *folder.resolve().parents)
    sticks = [each for each in above if any(map(each.is_relative_to, STICK_FOLDERS))]
    if sticks and not any(map(os.path.ismount, sticks)):
        text = N_("No stick is mounted at {field}: plug it in, and try again once it is there.")
        raise Malformed(str(folder), text)
    if not place.exists() and not place.suffix:
        raise Malformed(str(place), NO_FOLDER)


def _choose_file(options: argparse.Namespace, folder: Path) -> Path:
    """Return the file to write: of today's name in a folder, else the new one that was named."""
    to: Path | None = options.to
    if to is None or to.is_dir():
        return (to or folder / BACKUPS) / daily_name(date.today())
    if to.exists():
        raise file_exists_error(to)
    if options.keep:
        raise Malformed("--keep", N_("{field} goes with a folder, not with a file."))
    return to


def _print_written(
    to: Path, members: list[str], options: argparse.Namespace, words: Language
) -> None:
    size = to.stat().st_size
    if options.json:
        print_json({"file": str(to), "bytes": size, "members": members})
        return
    print(words.render(N_("Backed up to {use}; it shows the face-down cards: keep it to yourself."),
                       {"use": str(to)}))  # fmt: skip
    print("  " + ", ".join(members))
