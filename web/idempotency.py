"""Idempotency: an operation that is sent twice because its answer was lost is done once.

Laws: the client names each request with a key. Requests to the table are remembered in the journal,
all other operations in this cache for as long as the companion runs. A copy never runs beside the
request that it repeats, however long that one takes.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from companion.host.run_on_loop import TableBusy

MAX_REMEMBERED = 500
COPY_TIMEOUT = 2.0
"""Seconds for which a copy waits for the operation that is running."""

RequestMark = tuple[str, ...]
"""Browser, operation, path and body of a request, whose key is part of it."""


class IdempotencyCache:
    """The newest operations that were granted. Thread-safe."""

    def __init__(self) -> None:
        self._granted: OrderedDict[RequestMark, None] = OrderedDict()
        self._running: set[RequestMark] = set()
        self._condition = threading.Condition()

    @contextmanager
    def run_alone(self, mark: RequestMark) -> Iterator[None]:
        """Hold back copies of this request while it runs; raise TableBusy after COPY_TIMEOUT."""
        with self._condition:
            if not self._condition.wait_for(lambda: mark not in self._running, COPY_TIMEOUT):
                raise TableBusy
            self._running.add(mark)
        try:
            yield
        finally:
            with self._condition:
                self._running.discard(mark)
                self._condition.notify_all()

    def is_granted(self, mark: RequestMark) -> bool:
        """Check that this very request was granted before."""
        with self._condition:
            return mark in self._granted

    def remember_granted(self, mark: RequestMark) -> None:
        """Remember this request as granted, and drop the oldest beyond MAX_REMEMBERED."""
        with self._condition:
            self._granted[mark] = None
            if len(self._granted) > MAX_REMEMBERED:
                self._granted.popitem(last=False)
