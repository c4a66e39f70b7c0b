"""Salvage: from rows found anywhere in a damaged file to the journal that they were.

Laws: no sound line is dropped, none is altered, none gets a place that its chain does not grant,
unless nothing is left that could tell. Where two lines claim one place, the one that fits the chain
of its neighbours has it; else the one that was written later. What is missing is a gap. Because a
sound line found in the log is put back, lines of a failed write are wiped from the log, and the
last ones of a log count only if they were written to their end.
"""

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from companion.journal.line import CHAIN_START, chain_hash
from companion.journal.recover_rows import CarvedAnchor, CarvedLine, carve_lines

Claims = dict[int, list[CarvedLine]]
"""The lines by the number that each claims to have."""

MISREAD_DISTANCE = 256
"""A number so far behind all others was misread, not lost."""
MAX_TRIED = 20_000
"""Missing numbers that are tried for a line."""


class SalvagedJournal(msgspec.Struct, frozen=True):
    """The lines in order, which are missing, where the chain breaks, and how it ends."""

    lines: tuple[CarvedLine, ...]
    gaps: tuple[int, ...]
    missing: tuple[tuple[int, int], ...]
    broken: tuple[int, ...]
    last: int
    chain: str
    readings: tuple[tuple[float, str], ...] = ()
    """What readers told, where that is kept."""


def salvage_lines(
    carved: Iterable[CarvedLine], anchors: Iterable[CarvedAnchor] = ()
) -> SalvagedJournal:
    """Put every line where it belongs."""
    known = {anchor.n: anchor.chain for anchor in anchors}
    claims, strays = _group_by_number(carved, max(known, default=0))
    ends = max([*known, *claims], default=0)
    placed: dict[int, CarvedLine] = {}
    used: set[tuple[str, str]] = set()
    before: str | None = CHAIN_START
    for n in range(1, ends + 1):
        here = [line for line in claims.get(n, ()) if (line.own, line.chain) not in used]
        line = _choose_line(n, before, here, strays, claims)
        if line is not None:
            used.add((line.own, line.chain))
            placed[n] = line if line.is_number(n) else line._replace(key="", tag="")
        before = line.chain if line is not None else known.get(n)
    return _build_salvaged(placed, known)


def _group_by_number(carved: Iterable[CarvedLine], last: int) -> tuple[Claims, list[CarvedLine]]:
    """Return the lines by their number, and those whose number cannot be told.

    A mark tells which number is a line's own, so the numbers that are missing can be tried. Where
    the mark is damaged, the number that stands there is believed if nothing contradicts it.
    """
    claims: Claims = defaultdict(list)
    doubtful: dict[tuple[str, str], CarvedLine] = {}
    sure: set[tuple[str, str]] = set()
    for line in carved:
        if line.is_number(line.n):
            claims[line.n].append(line)
            sure.add((line.own, line.chain))
        else:
            doubtful[line.own, line.chain] = line
    last = max([last, *claims]) if claims or last else 4 * len(doubtful)
    missing = [n for n in range(1, last + MISREAD_DISTANCE) if n not in claims]
    strays = []
    for each, line in doubtful.items():
        if each not in sure:
            n = next(filter(line.is_number, missing[:MAX_TRIED]), None) or line.n
            if 0 < n <= last + MISREAD_DISTANCE:
                claims[n].insert(0, line._replace(n=n))
            else:
                strays.append(line)
    return claims, strays


def _choose_line(
    n: int,
    chain_before: str | None,
    claimed: list[CarvedLine],
    strays: Sequence[CarvedLine],
    claims: Claims,
) -> CarvedLine | None:
    """Return the line of this number, or None."""
    if chain_before is not None:
        fitting = _fitting_lines(chain_before, claimed) or _fitting_lines(
            chain_before, [*strays, *_misread_lines(n, claims)]
        )
        if fitting:
            return _best_line(n, fitting, claims)._replace(n=n)
        for (
            line
        ) in claimed:  # its chain itself may be damaged; its mark or the next line remembers it
            mended = line._replace(chain=chain_hash(chain_before, line.own))
            if mended.is_number(n) or _is_followed(n, mended.chain, claims):
                return mended
    if claimed:
        return _best_line(n, claimed, claims)
    leading = (stray for stray in strays if _is_followed(n, stray.chain, claims))
    stray = next(leading, None)
    return stray._replace(n=n) if stray else None


def _fitting_lines(chain_before: str, lines: Iterable[CarvedLine]) -> list[CarvedLine]:
    return [line for line in lines if chain_hash(chain_before, line.own) == line.chain]


def _best_line(n: int, lines: list[CarvedLine], claims: Claims) -> CarvedLine:
    """Return the line that the next one follows, else the one that was written last."""
    followed = (line for line in lines if _is_followed(n, line.chain, claims))
    return next(followed, lines[-1])


def _misread_lines(n: int, claims: Claims) -> list[CarvedLine]:
    """Return the lines whose number differs from this one by one flipped bit."""
    others = [n ^ (1 << bit) for bit in range(40)]
    return [line for other in others if other for line in claims.get(other, ())]


def _is_followed(n: int, chain: str, claims: Claims) -> bool:
    return bool(_fitting_lines(chain, claims.get(n + 1, ())))


def _build_salvaged(placed: dict[int, CarvedLine], anchors: dict[int, str]) -> SalvagedJournal:
    """Return the journal with what is missing in it."""
    lines, gaps, missing, broken = [], [], [], []
    last, before = 0, CHAIN_START
    for n in sorted(placed):
        line = placed[n]
        if n > last + 1:
            missing.append((last + 1, n - 1))
            gaps.append(n)
        elif chain_hash(before, line.own) != line.chain:
            gaps.append(n)
            broken.append(n)
        lines.append(line)
        last, before = n, line.chain
    end = max(anchors, default=0)
    if end > last:
        missing.append((last + 1, end))
        gaps.append(end + 1)
        last, before = end, anchors[end]
    return SalvagedJournal(tuple(lines), tuple(gaps), tuple(missing), tuple(broken), last, before)


def carve_all(data: bytes, log: bytes) -> list[CarvedLine]:
    """Return every sound line of a file and of the log beside it, but for an unfinished end."""
    return [*carve_lines(data), *carve_log(log)]


def carve_log(log: bytes) -> list[CarvedLine]:
    """Return every sound line of a log, without those at its end that were never written whole.

    The power failed while they were written: they were not acknowledged, and where their key is
    lost, they would come twice when they are asked for again.
    """
    found = list(carve_lines(log))
    last = max((line.n for line in found if line.is_number(line.n)), default=0)
    return [line for line in found if line.n <= last or line.is_finished()]


def wipe_unfinished(log: Path, last: int) -> None:
    """Overwrite in the log every line after the last one that was acknowledged."""
    with contextlib.suppress(OSError), log.open("r+b") as file:
        for found in carve_lines(file.read()):
            if found.n > last:
                file.seek(found.offset)
                file.write(bytes(64))
        file.flush()
        os.fsync(file.fileno())
