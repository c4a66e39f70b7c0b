"""The journal: append-only, hash-chained SQLite, one line for each event of every game.

Laws: lines are only ever added; each line carries a hash of its own and one that ties it to the
line before, so that a line changed, dropped or slipped in shows; a line that `append` has returned
survives a power cut (WAL with synchronous=FULL); and a damaged file opens with every sound line
that it still holds, and says what is missing.
"""

from companion.journal.errors import JournalFailed
from companion.journal.journal import Journal
from companion.journal.line import JournalEntry, JournalLine

__all__ = ["Journal", "JournalEntry", "JournalFailed", "JournalLine"]
