"""Once: an operation that arrives twice, because its answer was lost, is done once.

Law: whoever asks names each asking with a key; the table's own requests remember theirs in the
journal, all else is remembered here as long as the companion runs.
"""

import threading
from collections import OrderedDict

REMEMBERED = 500

Mark = tuple[str, ...]
"""Who asked for what, where, and the key; without a key nothing is remembered."""


class Once:
    """The newest operations that were done."""

    def __init__(self) -> None:
        self._done: OrderedDict[Mark, None] = OrderedDict()
        self._busy = threading.Lock()

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
