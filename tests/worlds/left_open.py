"""What a test opens is closed once it is over, whether or not the test closes it itself."""

import atexit
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol, TypeVar


class Closable(Protocol):
    """Something that may be closed twice."""

    def close(self) -> None: ...


T = TypeVar("T", bound=Closable)
_stacks = [ExitStack()]
atexit.register(_stacks[0].close)


def closed_later(opened: T) -> T:
    """Have this closed at the end of the test that opened it, else at that of the program."""
    _stacks[-1].callback(opened.close)
    return opened


@contextmanager
def one_test() -> Iterator[None]:
    """Close at the end what is opened meanwhile."""
    with ExitStack() as stack:
        _stacks.append(stack)
        try:
            yield
        finally:
            _stacks.remove(stack)
