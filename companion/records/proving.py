"""A record proven: not only is it tied together, the rules grant every moment of it.

Whoever can compute a hash can make up a record; only the rules and the seals tell it from a game.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.i18n import N_
from companion.games import rulebook
from companion.records.format import Record
from companion.records.parse import BadRecord
from companion.records.proof import Proof, Told, prove
from companion.table.history import kinds


def moments(record: Record) -> Iterator[Told]:
    """The events of a record, each with its device and its time."""
    kind: Any = kinds(rulebook(record.header.game))
    for each in record.moments:
        yield msgspec.json.decode(each.event, type=kind), each.via, each.at


def proven(record: Record) -> Proof:
    """The proof of a record; refused if the rules do not grant it."""
    proof = prove(rulebook(record.header.game), moments(record))
    if proof.why is not None:
        text = N_("Moment {n} of the record is not granted by the rules: {use}")
        raise BadRecord("not_granted", "record", text, n=proof.wrong, use=proof.why)
    return proof
