"""The temporary data folder of a game that is not kept: removed at the end, even after a restart.

Law: whatever the command line says, only a folder with our mark is ever removed.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TEMPORARY_MARK = ".companion-passing"
"""The mark of a folder that was made for one process."""


@contextmanager
def open_data_folder(data: Path | None, folder_kind: str | None) -> Iterator[Path]:
    """Yield the folder that was named, or a temporary one that is removed at the end."""
    if data is not None and not is_temporary(data, folder_kind):
        yield data
        return
    folder = data or Path(tempfile.mkdtemp(prefix="companion-"))
    (folder / TEMPORARY_MARK).touch()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def is_temporary(data: Path | None, folder_kind: str | None) -> bool:
    """Check whether the folder was made for the process before a restart."""
    if data is None or folder_kind != "passing":
        return False
    return (data / TEMPORARY_MARK).is_file()
