"""After a write that failed: what it left in the log must not come back as if it had happened.

SQLite passes over an unfinished write, but we put back whatever sound line we find in the log; so
the hashes of lines that nobody was told of are wiped out there. SQLite itself overwrites them next.
"""

import contextlib
import os
from pathlib import Path

from companion.journal.salvage import lines_in


def scrub(log: Path, last: int) -> None:
    """Wipe out every line after the last one that somebody was told of."""
    with contextlib.suppress(OSError), log.open("r+b") as file:
        for found in lines_in(file.read()):
            if found.n > last:
                file.seek(found.place)
                file.write(bytes(64))
        file.flush()
        os.fsync(file.fileno())
