"""From rows that were found somewhere in a damaged file to the journal that they were.

Law: pure. No sound line is dropped, none is altered, none gets a place that its chain does not
grant, unless nothing is left that could tell. Where two lines claim one place, the one that fits
the chain of its neighbours has it; else the one that was written later. What is missing is a gap.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from companion.journal.line import START, link
from companion.journal.shape import Found, FoundAnchor

Claims = dict[int, list[Found]]
"""The lines by the number that each claims to have."""

FAR = 256
"""A number so far behind all others was misread, not lost."""


class Mended(msgspec.Struct, frozen=True):
    """The lines in order, each with its chain; which are missing, and where the chain breaks."""

    lines: tuple[Found, ...]
    gaps: tuple[int, ...]
    missing: tuple[tuple[int, int], ...]
    broken: tuple[int, ...]
    last: int
    chain: str


def mend(found: Iterable[Found], anchors: Iterable[FoundAnchor] = ()) -> Mended:
    """Put every line where it belongs."""
    claims = _claims(found)
    known = {anchor.n: anchor.chain for anchor in anchors}
    ends = _plausible(claims, known)
    strays = [line for n, lines in claims.items() for line in lines if not 0 < n <= ends]
    placed: dict[int, Found] = {}
    used: set[tuple[str, str]] = set()
    before: str | None = START
    for n in range(1, ends + 1):
        here = [line for line in claims.get(n, ()) if (line.own, line.chain) not in used]
        line = _place(n, before, here, strays, claims)
        if line is not None:
            used.add((line.own, line.chain))
            placed[n] = line
        before = line.chain if line is not None else known.get(n)
    return _told(placed, known)


def _claims(found: Iterable[Found]) -> Claims:
    """Each line once, under the number that it claims; one without a number under 0."""
    claims: dict[int, dict[tuple[str, str], Found]] = defaultdict(dict)
    for line in found:
        known = claims[line.n].setdefault((line.own, line.chain), line)
        if (line.key or line.tag) and not (known.key or known.tag):
            claims[line.n][line.own, line.chain] = line
    numbered = {key for n, lines in claims.items() if n for key in lines}
    for key in list(claims[0]):
        if key in numbered:
            del claims[0][key]
    return {n: list(lines.values()) for n, lines in claims.items()}


def _plausible(claims: Claims, known: dict[int, str]) -> int:
    """The last number that can be true: from one to the next there is no leap into the blue."""
    last = max(known, default=0)
    for n in sorted(claims):
        if n > last + FAR and n > 4 * len(claims) + FAR:
            break
        last = max(last, n)
    return last


def _place(
    n: int, before: str | None, here: list[Found], strays: Sequence[Found], claims: Claims
) -> Found | None:
    """The line of this number."""
    if before is not None:
        fitting = _fitting(before, here) or _fitting(before, [*strays, *_misread(n, claims)])
        if fitting:
            return _best(n, fitting, claims)._replace(n=n)
        for line in here:  # its chain itself may be damaged; the next line remembers it
            chain = link(before, line.own)
            if _followed(n, chain, claims):
                return line._replace(chain=chain)
    if here:
        return _best(n, here, claims)
    leading = (stray for stray in strays if _followed(n, stray.chain, claims))
    stray = next(leading, None)
    return stray._replace(n=n) if stray else None


def _fitting(before: str, lines: Iterable[Found]) -> list[Found]:
    return [line for line in lines if link(before, line.own) == line.chain]


def _best(n: int, lines: list[Found], claims: Claims) -> Found:
    """The one that the next line follows, else the one that was written last."""
    followed = (line for line in lines if _followed(n, line.chain, claims))
    return next(followed, lines[-1])


def _misread(n: int, claims: Claims) -> list[Found]:
    """The lines whose number one flipped bit may have made of this one."""
    others = [n ^ (1 << bit) for bit in range(40)]
    return [line for other in others if other for line in claims.get(other, ())]


def _followed(n: int, chain: str, claims: Claims) -> bool:
    return bool(_fitting(chain, claims.get(n + 1, ())))


def _told(placed: dict[int, Found], known: dict[int, str]) -> Mended:
    """The journal, with what is missing in it."""
    lines, gaps, missing, broken = [], [], [], []
    last, before = 0, START
    for n in sorted(placed):
        line = placed[n]
        if n > last + 1:
            missing.append((last + 1, n - 1))
            gaps.append(n)
        elif link(before, line.own) != line.chain:
            gaps.append(n)
            broken.append(n)
        lines.append(line)
        last, before = n, line.chain
    end = max(known, default=0)
    if end > last:
        missing.append((last + 1, end))
        gaps.append(end + 1)
        last, before = end, known[end]
    return Mended(tuple(lines), tuple(gaps), tuple(missing), tuple(broken), last, before)
