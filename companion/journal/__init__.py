"""The journal: append-only SQLite, one line for each event, a hash chain for each game.

Laws: lines are only ever added; each carries a hash over itself and all before it in its game, so
that a line changed, dropped or slipped in shows; a line that `append_all` has returned survives a
power cut (WAL with synchronous=FULL); and from a damaged file every game whose own rows read and
chain is copied over, and what is missing is named.
"""

from companion.journal.file import JournalFailed
from companion.journal.journal import Journal
from companion.journal.line import JournalEntry, JournalLine, StoredGame

__all__ = ["Journal", "JournalEntry", "JournalFailed", "JournalLine", "StoredGame"]
