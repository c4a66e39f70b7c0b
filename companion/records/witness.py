"""What the games of a journal come to: their states, verdicts and fingerprints, as plain data.

Laws: two versions of the companion that say the same of a journal judge it alike; what they say is
compared by the installer before it switches to another version (`systemd/installer/proof.py`). Only
the newest games are told, so that a small Pi is done in a minute; nothing is written.
"""

from collections.abc import Iterator
from itertools import islice

import msgspec

from companion.core.json_values import JsonObject
from companion.core.table_events import UNNOTICED
from companion.games import game_names, make_rulebook
from companion.journal.line import JournalLine
from companion.journal.reader import JournalReader
from companion.records.past_games import chain_to_end
from companion.records.store import decode_events
from companion.table.history import History, apply_event, started_event

NEWEST = 300
"""As many games are told."""
JUDGED = ("verdict", "sale", "score")
"""Where a state has its verdicts."""


def witness_games(journal: JournalReader, most: int = NEWEST) -> Iterator[JsonObject]:
    """Yield what each of the newest games comes to, the newest first."""
    for game in islice(reversed(journal.list_games()), most):
        lines = list(journal.read_lines(game.id))
        told: JsonObject = {"id": game.id, "game": game.game, "lines": len(lines)}
        yield told | (_witness_lines(game.game, lines) if game.game in game_names() else {})


def _witness_lines(game: str, lines: list[JournalLine]) -> JsonObject:
    """Replay a game; say how it stands, and which verdicts were given on the way."""
    rules = make_rulebook(game)
    history, verdicts = History(rules), list[JsonObject]()
    for event, line in zip(decode_events(rules, lines), lines, strict=True):
        before, history = history, apply_event(history, event, line.via, line.at)
        if not isinstance(event, UNNOTICED):
            verdicts += _new_verdicts(before, history)
    started = started_event(history)
    chain = "" if started is None else chain_to_end(rules, started, lines)[1]
    return {"state": _plain(history.state), "verdicts": verdicts, "fingerprint": chain}


def _new_verdicts(before: History, after: History) -> Iterator[JsonObject]:
    for name in JUDGED:
        verdict = getattr(after.state, name, None)
        if verdict is not None and verdict is not getattr(before.state, name, None):
            yield {"at": after.at, "of": _plain(verdict)}


def _plain(thing: object) -> object:
    """Return it as JSON has it, sets in one order."""
    plain = msgspec.to_builtins(thing, str_keys=True, order="deterministic", enc_hook=str)
    return msgspec.json.decode(msgspec.json.encode(plain))
