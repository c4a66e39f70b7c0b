"""Once: an operation that arrives twice, because its answer was lost, is done once.

Law: whoever asks names each asking with a key; the table's own requests remember theirs in the
journal, all else is remembered here as long as the companion runs.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

REMEMBERED = 500
PATIENCE = 2.0
"""How long a copy waits for the one that is being done; what takes longer looks after itself."""

Mark = tuple[str, ...]
"""Who asked for what, where, and the key; without a key nothing is remembered."""


class Once:
    """The newest operations that were done."""

    def __init__(self) -> None:
        self._done: OrderedDict[Mark, None] = OrderedDict()
        self._under_way: set[Mark] = set()
        self._busy = threading.Condition()

    @contextmanager
    def alone(self, mark: Mark) -> Iterator[None]:
        """While this is done, a copy of it waits to hear whether it was granted."""
        with self._busy:
            self._busy.wait_for(lambda: mark[-1] == "" or mark not in self._under_way, PATIENCE)
            self._under_way.add(mark)
        try:
            yield
        finally:
            with self._busy:
                self._under_way.discard(mark)
                self._busy.notify_all()

    def done(self, mark: Mark) -> bool:
        """Whether this very asking was granted before."""
        with self._busy:
            return mark[-1] != "" and mark in self._done

    def remember(self, mark: Mark) -> None:
        """This asking is granted."""
        with self._busy:
            self._done[mark] = None
            if len(self._done) > REMEMBERED:
                self._done.popitem(last=False)
