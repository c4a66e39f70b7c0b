"""How a journal is, in numbers: for the host, and for whoever is asked for help."""

import msgspec


class JournalHealth(msgspec.Struct, frozen=True):
    """The journal: its bytes and lines, whether it had to be mended, how far it is proven.

    `checked` is the time at which its last old line was proven, None while that goes on; `free` how
    many bytes its disk still takes, None if nobody knows.
    """

    size: int
    lines: int
    proven: int
    mended: bool
    checked: float | None
    free: int | None
