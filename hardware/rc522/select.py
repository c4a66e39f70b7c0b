"""Selecting one tag whose UID is known: its presence.

Law: a tag that answers a SELECT with a whole UID in it is that tag, even when the answer is
garbled. It is absent only for a reader to which it stayed silent, cleanly, every time.
"""

from hardware.presence import Sign
from hardware.rc522.exchange import Exchange, HeardBits, Silence
from hardware.rc522.frames import (
    HALT,
    MORE_UID,
    WUPA,
    has_valid_crc,
    level_parts,
    select_frame,
)


def select_tag(exchange: Exchange, level: int, part: bytes) -> int | None:
    """Select the tag with this part of a UID; return its SAK, None if none was understood."""
    return _parse_sak(exchange.ask_tag(select_frame(level, part), 3))


def ask_for_tag(exchange: Exchange, uid: bytes) -> Sign:
    """Return the sign of this tag in the field; it is halted afterwards."""
    if not _wake_tags(exchange):
        return "silent"
    sign = _select_by_uid(exchange, uid)
    exchange.send_order(HALT)
    return sign


def leave_selected(exchange: Exchange, uid: bytes) -> Sign:
    """Return the sign of this tag in the field, which stays selected: it drops the next call, and
    may answer the one after that."""
    return _select_by_uid(exchange, uid) if _wake_tags(exchange) else "silent"


def _wake_tags(exchange: Exchange) -> bool:
    """Call twice: a half selected tag drops the first call and hears the second."""
    return any(not isinstance(exchange.call_tags(WUPA), Silence) for _ in range(2))


def _select_by_uid(exchange: Exchange, uid: bytes) -> Sign:
    levels = list(level_parts(uid))
    for level, part in enumerate(levels):
        answer = exchange.ask_tag(select_frame(level, part), 3)
        if isinstance(answer, Silence):
            return "silent"
        sak, last = _parse_sak(answer), level == len(levels) - 1
        if sak is None or bool(sak & MORE_UID) is last:
            return "unclear"
    return "seen"


def _parse_sak(answer: object) -> int | None:
    """Return the one byte that ends a level, if it came whole and with its check bytes."""
    if isinstance(answer, HeardBits) and answer.is_whole and len(answer.data) == 3:
        return answer.data[0] if has_valid_crc(answer.data) else None
    return None
