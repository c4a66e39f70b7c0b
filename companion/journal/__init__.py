"""The journal: every event of every game, one line each, on disk before anybody is told.

Laws: lines are only ever added; each line carries a hash of its own and one that ties it to the
line before, so that a line that was changed, dropped or slipped in shows; a line that `append`
has returned survives a pulled plug (WAL with synchronous=FULL); and a damaged file opens with
every sound line that it still holds, and says what is missing.
"""

from companion.journal.errors import JournalFailed
from companion.journal.journal import Journal
from companion.journal.line import (
    CHAIN_START,
    MAX_LINE_BYTES,
    JournalEntry,
    JournalLine,
    chain_hash,
    own_hash,
)
from companion.journal.open import format_ranges
from companion.journal.reader import GameSummary
from companion.journal.schema import SCHEMA_VERSION

__all__ = [
    "MAX_LINE_BYTES", "SCHEMA_VERSION", "CHAIN_START",
    "JournalEntry", "GameSummary", "Journal", "JournalFailed", "JournalLine", "chain_hash", "own_hash", "format_ranges",
]  # fmt: skip
