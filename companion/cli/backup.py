"""`companion backup`: everything that matters as one file, also while the companion runs."""

import argparse
import sys
from gettext import gettext
from pathlib import Path

from companion.app.backup_to_disk import BackupOrder, WrittenBackup, note_copy, write_to_disk
from companion.app.settings import require_table
from companion.backup.service import describe_upload_limit
from companion.cli import add_data_option
from companion.cli.output import add_json_option, print_json
from companion.cli.progress import waiting
from companion.core.errors import NotWritten
from companion.core.i18n import N_, Language, get_language


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `companion backup`."""
    add = parser.add_argument
    add("--to", type=Path, metavar="PLACE",
        help="a folder that is there, such as a mounted USB stick, where its name contains the "
             "date, or a new file (default: the folder backups in the data folder)")  # fmt: skip
    add("--keep", type=_parse_count, metavar="N",
        help="if PLACE is a folder: delete all daily backups except the newest N")  # fmt: skip
    add_data_option(parser)
    add("--config", type=Path, metavar="FILE", help="the config to save (default: the service's)")
    add_json_option(parser)


def _parse_count(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(gettext("keep at least 1"))
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Write a backup and print where it is; return the exit status."""
    words, folder = get_language(options.lang), require_table(options.data)
    with waiting(words):
        written = write_to_disk(BackupOrder(folder, options.to, options.keep, options.config))
    size = written.to.stat().st_size
    if options.json:
        file, members = str(written.to), written.members
        print_json({"file": file, "bytes": size, "made": written.made, "members": members})
    else:
        _print_written(written, size, words)
    try:
        note_copy(folder, written)
    except NotWritten as error:  # The backup is there; only the host's page does not know of it.
        print(words(error.say), file=sys.stderr)
    return 0


def _print_written(written: WrittenBackup, size: int, words: Language) -> None:
    print(words.render(N_("Backed up to {use}; it tells what lies face down: keep it to yourself."),
                       {"use": str(written.to)}))  # fmt: skip
    print("  " + ", ".join(written.members))
    limit = describe_upload_limit(size)
    if limit is not None:
        print(words(limit))
