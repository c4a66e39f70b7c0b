"""`make bench`: every promised figure, what was measured, and the ratio to a peer in this run."""

import sys

from bench import (
    bots,
    drag,
    exported,
    first_visit,
    fresh,
    games,
    hardware_driver,
    journal,
    judge,
    page,
    reader_thread,
    reveal,
    signing,
    starting,
    switched_on,
    table,
    viewers,
)

PARTS = (
    judge, games, journal, table, bots, hardware_driver, reader_thread, viewers, starting,
    switched_on, fresh, page, first_visit, drag, reveal, signing, exported
)  # fmt: skip


def main() -> int:
    """Print every figure; return 1 if a promise is not kept on this machine."""
    kept = True
    for part in PARTS:
        for figure in part.figures():
            print(figure, flush=True)
            kept = kept and figure.met
    return 0 if kept else 1


sys.exit(main())
