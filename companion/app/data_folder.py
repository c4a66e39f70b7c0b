"""The data folder of a table that runs: everything in it, opened in order and closed in reverse.

Law: everything that matters is in the data folder. Whatever ends this process, the next one takes
up the same game at the same question, with the same people in the same seats.
"""

from contextlib import ExitStack, closing
from types import TracebackType
from typing import Self

from companion.app.settings import Options, journal_path
from companion.backup.restore import finish_restore
from companion.host.settings import TableSettings, check_place
from companion.identity import IdentityStore
from companion.identity.store import FILE as IDENTITY_FILE
from companion.journal import Journal
from companion.privacy.names import Names


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
