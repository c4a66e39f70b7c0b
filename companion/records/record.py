"""Records: one game as a file that anybody can read, replay and prove without a table.

Laws: a header line says which game and which rules, then comes one JSON line a moment; a chain
that begins with the header ties them together, so whatever was edited, dropped, repeated or moved
shows. The hash of a moment is the one that it has in the journal. A record that is not exactly as
it should be is refused in one sentence; what is private (tags, keys, chatter) is in no record.
"""

from companion.records.format import (
    FORMAT,
    Header,
    Record,
    Written,
    begins,
    fingerprint,
    record,
    to_bytes,
)
from companion.records.parse import BadRecord, parse, read
from companion.records.proof import moments, proven
from companion.records.store import bring, history_of, record_of

__all__ = [
    "FORMAT",
    "BadRecord",
    "Header",
    "Record",
    "Written",
    "begins",
    "bring",
    "fingerprint",
    "history_of",
    "moments",
    "parse",
    "proven",
    "read",
    "record",
    "record_of",
    "to_bytes",
]  # fmt: skip
