"""What the games of a journal come to: their states and verdicts, as plain data.

Laws: two versions of the companion that say the same of a journal judge it alike; what they say is
compared by the installer before it switches to another version (`systemd/installer/proof.py`). A
key of a mapping, such as a player who is paid, begins with `=` here, the name of a field does not:
a later version may add fields, but never a player. One game is told at a time; nothing is written.
"""

from collections.abc import Iterator, Mapping, Set

import msgspec

from companion.core.json_values import JsonObject
from companion.games import game_names, make_rulebook
from companion.journal.line import JournalLine
from companion.journal.reader import JournalReader
from companion.records.store import decode_events
from companion.table.history import History, apply_event

JUDGED = ("verdict", "sale", "score")
"""Where a state has its verdicts."""
KEY = "="
"""How a key of a mapping begins."""
NAMED = ("facts", "house_rules")
"""Fields that are mappings from names that a version gives, like those of fields."""


def list_witnessed(journal: JournalReader) -> Iterator[JsonObject]:
    """Yield id and game of every game of the journal, the newest first."""
    for game in reversed(journal.list_games()):
        yield {"id": game.id, "game": game.game}


def witness_game(journal: JournalReader, id: str, game: str) -> JsonObject:
    """Return what a game of the journal comes to; of one that is not installed, how long it is."""
    lines = list(journal.read_lines(id))
    told: JsonObject = {"id": id, "game": game, "lines": len(lines)}
    return told | (_witness_lines(game, lines) if game in game_names() else {})


def _witness_lines(game: str, lines: list[JournalLine]) -> JsonObject:
    """Replay a game; say how it stands, and which verdicts were given on the way."""
    rules = make_rulebook(game)
    history, verdicts = History(rules), list[JsonObject]()
    for event, line in zip(decode_events(rules, lines), lines, strict=True):
        before, history = history, apply_event(history, event, line.via, line.at)
        verdicts += _new_verdicts(before, history)
    return {"state": to_plain(history.state), "verdicts": verdicts}


def _new_verdicts(before: History, after: History) -> Iterator[JsonObject]:
    for name in JUDGED:
        verdict = getattr(after.state, name, None)
        if verdict is not None and verdict is not getattr(before.state, name, None):
            yield {"at": after.at, "of": to_plain(verdict)}


def to_plain(thing: object) -> object:
    """Return it as JSON has it: fields by name, keys of mappings marked, sets in one order."""
    match thing:
        case None | bool() | int() | float() | str():
            return thing
        case msgspec.Struct():
            return dict(_plain_fields(thing))
        case Mapping():
            return {f"{KEY}{_to_leaf(key)}": to_plain(each) for key, each in thing.items()}
        case Set():
            return sorted(map(to_plain, thing), key=msgspec.json.encode)
        case list() | tuple():
            return [to_plain(each) for each in thing]
    return _to_leaf(thing)


def _plain_fields(thing: msgspec.Struct) -> Iterator[tuple[str, object]]:
    """Yield the fields of a struct, those with their default too, and its tag."""
    config = thing.__struct_config__
    if config.tag_field is not None:
        yield config.tag_field, config.tag
    for name in thing.__struct_fields__:
        value = getattr(thing, name)
        if name in NAMED and isinstance(value, Mapping):
            yield name, {str(each): to_plain(of) for each, of in value.items()}
        else:
            yield name, to_plain(value)


def _to_leaf(thing: object) -> object:
    """Return what has no parts as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(thing, enc_hook=str))
