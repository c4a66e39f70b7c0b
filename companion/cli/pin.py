"""`companion pin`: a new PIN for the host, for whoever stands at the computer and has none.

Laws: the digits are printed here, once; only their hash is kept, in the data folder, for its owner
alone. Who may not write there makes no PIN.
"""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.app import state_files
from companion.app.settings import data_folder, journal_path
from companion.backup.privileges import as_owner
from companion.cli import add_language_option
from companion.cli.greeting import print_pin
from companion.core.errors import Malformed
from companion.core.i18n import N_, get_language
from companion.host.pin import Pin
from companion.journal.lock import Busy, Lock

RUNS = N_("The companion is running: this PIN counts once it is started anew.")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What one may say after `companion pin`."""
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="where journal and decks are kept"
    )
    add_language_option(parser)


def run(chosen: argparse.Namespace) -> int:
    """Make a new PIN; the exit status."""
    words = get_language(chosen.lang)
    try:
        digits, runs = _made(chosen.data or data_folder())
    except Malformed as error:
        print(f"companion pin: {words(error.say)}", file=sys.stderr)
        return 2
    print_pin(digits, words)
    if runs:
        print(words.render(RUNS, {}))
    return 0


def _made(folder: Path) -> tuple[str, bool]:
    """Its digits, and whether a companion runs there that does not know it."""
    try:
        with as_owner(folder), _stands_still(folder) as still:
            pin = Pin(
                keep=lambda kept: state_files.write_private_file(folder / state_files.PIN, kept)
            )
            return pin.renew_pin(), not still
    except OSError as error:
        text = N_("{field} cannot be used: {reason}.")
        raise Malformed(str(folder), text, reason=error.strerror) from None


@contextmanager
def _stands_still(folder: Path) -> Iterator[bool]:
    """Whether no companion runs in this folder; none can start there meanwhile."""
    try:
        lock = Lock(journal_path(folder))
    except Busy:
        yield False
        return
    try:
        yield True
    finally:
        lock.undo()
