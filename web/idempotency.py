"""Idempotency: an operation that is sent twice because its answer was lost is done once.

Law: the client names each request with a key. Requests to the table are remembered in the journal,
all other operations in this cache for as long as the companion runs.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

MAX_REMEMBERED = 500
COPY_TIMEOUT = 2.0
"""Seconds for which a copy waits for the operation that is running."""

RequestMark = tuple[str, ...]
"""Browser, operation, path, body and key of a request; an empty key is never remembered."""


class IdempotencyCache:
    """The newest operations that were granted. Thread-safe."""

    def __init__(self) -> None:
        self._granted: OrderedDict[RequestMark, None] = OrderedDict()
        self._running: set[RequestMark] = set()
        self._condition = threading.Condition()

    @contextmanager
    def run_alone(self, mark: RequestMark) -> Iterator[None]:
        """Hold back copies of this request, up to COPY_TIMEOUT, while it runs."""
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
        """Check that this very request was granted before."""
        with self._condition:
            return mark[-1] != "" and mark in self._granted

    def remember_granted(self, mark: RequestMark) -> None:
        """Remember this request as granted, and drop the oldest beyond MAX_REMEMBERED."""
        with self._condition:
            self._granted[mark] = None
            if len(self._granted) > MAX_REMEMBERED:
                self._granted.popitem(last=False)
