"""The data folder of a table that runs: everything in it, opened in order and closed in reverse.

Law: everything that matters is in the data folder. Whatever ends this process, the next one takes
up the same game at the same question, with the same people in the same seats. Whatever the command
line says, only a folder with our mark is ever removed.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.app.settings import Options, journal_path
from companion.backup.restore import finish_restore
from companion.host.settings import TableSettings, check_place
from companion.identity import IdentityStore
from companion.identity.store import FILE as IDENTITY_FILE
from companion.journal import Journal
from companion.privacy.names import Names

TEMPORARY_MARK = ".companion-passing"
"""The mark of a folder that was made for one process."""


class DataFolder:
    """The journal of a table, who is who, the names, and what was chosen."""

    def __init__(self, options: Options) -> None:
        """Open or make everything; Malformed or JournalFailed if that cannot be."""
        self.path = options.folder
        place = check_place(options.name, options.place)
        self.restored = finish_restore(options.folder)
        """Whether a restore was finished at this start."""
        with ExitStack() as opened:
            self.journal = opened.enter_context(closing(Journal(journal_path(options.folder))))
            store = IdentityStore(options.folder / IDENTITY_FILE)
            self.identity = opened.enter_context(closing(store))
            self.names = Names(self.identity.database)
            self.settings = TableSettings(
                options.folder,
                language=options.language,
                usual_language=options.usual_language,
                asks_browser=options.kind == "physical" or options.language is None,
                place=place,
            )
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        self._opened.close()


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
