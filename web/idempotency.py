"""Once: an operation that arrives twice, because its answer was lost, is done once.

Law: whoever asks names each asking with a key; the table's own requests remember theirs in the
journal, all else is remembered here as long as the companion runs.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

MAX_REMEMBERED = 500
COPY_TIMEOUT = 2.0
"""How long a copy waits for the one that is being done; what takes longer looks after itself."""

RequestMark = tuple[str, ...]
"""Who asked for what, where, and the key; without a key nothing is remembered."""


class IdempotencyCache:
    """The newest operations that were done."""

    def __init__(self) -> None:
        self._granted: OrderedDict[RequestMark, None] = OrderedDict()
        self._running: set[RequestMark] = set()
        self._condition = threading.Condition()

    @contextmanager
    def run_alone(self, mark: RequestMark) -> Iterator[None]:
        """While this is done, a copy of it waits to hear whether it was granted."""
        with self._condition:
            self._condition.wait_for(
                lambda: mark[-1] == "" or mark not in self._running, COPY_TIMEOUT
            )
            self._running.add(mark)
        try:
            yield
        finally:
            with self._condition:
                self._running.discard(mark)
                self._condition.notify_all()

    def is_granted(self, mark: RequestMark) -> bool:
        """Whether this very asking was granted before."""
        with self._condition:
            return mark[-1] != "" and mark in self._granted

    def remember_granted(self, mark: RequestMark) -> None:
        """This asking is granted."""
        with self._condition:
            self._granted[mark] = None
            if len(self._granted) > MAX_REMEMBERED:
                self._granted.popitem(last=False)
