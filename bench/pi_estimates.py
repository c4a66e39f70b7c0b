"""Estimates for each Raspberry Pi, computed from what was measured on this machine.

Estimates, not measurements: nobody has run this on those boards yet. Assumed:
the table is one busy Python thread, so a core counts and not their number;
sysbench's published single-thread results compare the boards with each other (Pi 3B+ 687 events a
second, Pi 4 1478, Pi 5 2737; the Zero 2 W has the core of the 3B+ at 1.0 instead of 1.4 GHz);
single-core results of Geekbench 6 (a Pi 5 about 770, current server cores about 1700) suggest that
the machine that measures is 2.2 times faster than a Pi 5. Not in it: the sync of a memory card (2
to 20 ms instead of the disk here), the Wi-Fi (3 to 10 ms when it is quiet), the phone, a processor
that slows down when it is hot.
"""

from collections.abc import Iterable, Iterator

PI_5_SLOWER = 2.2
"""How many times slower than the core that measures; replace it when that is another one."""
EVENTS_A_SECOND = {"Pi 5": 2737, "Pi 4": 1478, "Pi 3B+": 687, "Pi Zero 2 W": 687 / 1.4}
ASSUMED = (
    "Estimates, not measurements: the figures above × {factors} for one core (sysbench between the"
    " boards, a Pi 5 taken as {first} times slower than this machine's core). The memory card adds"
    " 2–20 ms to each, the Wi-Fi 3–10 ms."
)


def slower_by(board: str) -> float:
    """Return how many times slower a board is taken to be than this machine."""
    return PI_5_SLOWER * EVENTS_A_SECOND["Pi 5"] / EVENTS_A_SECOND[board]


def render_estimates(measured: Iterable[tuple[str, float]]) -> Iterator[str]:
    """Yield lines: for each figure in milliseconds, what it might be on each board."""
    boards = list(EVENTS_A_SECOND)
    factors = " / ".join(f"{slower_by(board):.1f}" for board in boards)
    yield ASSUMED.format(factors=factors, first=PI_5_SLOWER)
    yield f"{'':<40}{'here':>12}" + "".join(f"{board:>13}" for board in boards)
    for what, figure in measured:
        cells = [figure, *(figure * slower_by(board) for board in boards)]
        yield f"{what:<40}" + "".join(
            f"{cell:>{12 + (n > 0)}.1f}" if cell < 10 else f"{cell:>{12 + (n > 0)}.0f}"
            for n, cell in enumerate(cells)
        )
