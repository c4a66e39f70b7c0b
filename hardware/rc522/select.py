"""Selecting one tag whose UID is known: its presence and its user memory.

Law: a tag that answers a SELECT with a whole UID in it is that tag, even when the answer is
garbled. It is absent only for a reader to which it stayed silent, cleanly, every time.
"""

from hardware.presence import Sign
from hardware.rc522.exchange import PATIENCE, READ_PATIENCE, Exchange, HeardBits, Silence
from hardware.rc522.frames import (
    FAST_READ,
    HALT,
    MORE_UID,
    READ,
    USER_PAGES,
    WUPA,
    has_valid_crc,
    level_parts,
    select_frame,
    with_crc,
)

CAPABILITY_PAGE, PAGE = 3, 4
PAGES_AT_ONCE = 15  # with its check bytes the answer must fit the chip's 64


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


def read_user_pages(exchange: Exchange, uid: bytes) -> bytes | None:
    """Return the user memory of an NTAG21x, None when it could not be read whole."""
    if not _wake_tags(exchange) or _select_by_uid(exchange, uid) != "seen":
        exchange.send_order(HALT)
        return None
    exchange.set_patience(READ_PATIENCE)
    memory = _read_memory(exchange)
    exchange.set_patience(PATIENCE)
    exchange.send_order(HALT)
    return memory


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


def _read_memory(exchange: Exchange) -> bytes | None:
    capability = _read_bytes(exchange, bytes((READ, CAPABILITY_PAGE)), 16)
    pages = USER_PAGES.get(capability[2]) if capability else None
    if pages is None:
        return None
    memory = b""
    for first in pages[::PAGES_AT_ONCE]:
        last = min(first + PAGES_AT_ONCE, pages.stop) - 1
        some = _read_bytes(exchange, bytes((FAST_READ, first, last)), (last - first + 1) * PAGE)
        if some is None:
            return None
        memory += some
    return memory


def _read_bytes(exchange: Exchange, command: bytes, count: int) -> bytes | None:
    answer = exchange.ask_tag(with_crc(command), count + 2)
    if isinstance(answer, HeardBits) and answer.is_whole and len(answer.data) == count + 2:
        return answer.data[:-2] if has_valid_crc(answer.data) else None
    return None
