"""A folder that passes: made for one evening, and gone after it, whoever pulls the plug between.

Law: whatever the command line says, only what bears our mark is ever removed.
"""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TEMPORARY_MARK = ".companion-passing"
"""The mark of a folder that was made for one evening."""


@contextmanager
def open_data_folder(chosen: argparse.Namespace) -> Iterator[Path]:
    """The folder that was named, or one that goes when we go."""
    if chosen.data is not None and not is_temporary(chosen):
        yield chosen.data
        return
    passing = chosen.data or Path(tempfile.mkdtemp(prefix="companion-"))
    (passing / TEMPORARY_MARK).touch()
    try:
        yield passing
    finally:
        shutil.rmtree(passing, ignore_errors=True)


def is_temporary(chosen: argparse.Namespace) -> bool:
    """Whether the folder that was named is one that we made, and that goes when we go."""
    named = chosen.data is not None and (chosen.data / TEMPORARY_MARK).is_file()
    return named and chosen.plugged == "passing"
