"""The sheet of a dispute for which a game brings none: made from the example of its kind.

Laws: the sheet asks for what the example has, field by field. A field of the case is a part of the
sheet; in it stands one line for a single value, or one for each value of a map. A map whose keys
the box does not name has the players as its keys, and so every line once for each player. Lists are
written with commas; what is nested deeper is written as JSON.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.cards import Box
from companion.core.errors import Malformed
from companion.core.i18n import INSTALLED, N_, Message
from companion.core.json_values import JsonObject
from companion.judge.gains import say_amount
from companion.judge.sheet import Case, Sheet, SheetForm, common_fields

EXAMPLE_FIELD = "of."
"""How the names of fields begin in a form that is made from an example."""
NONE = "–"
"""What stands in a sparse part for a list without anything in it."""
COMMON = ("game", "kind", "house_rules")
"""What every case may have: the sheet asks for it elsewhere."""

FIELD_WORDS = {
    "active": N_("whose turn it is"),
    "bank": N_("bank"),
    "bids": N_("bids"),
    "card": N_("card"),
    "cards": N_("cards"),
    "cash": N_("cash"),
    "chips": N_("chips"),
    "choices": N_("choices"),
    "coins": N_("coins"),
    "credits": N_("credits"),
    "do": N_("what was done"),
    "empty": N_("empty banks"),
    "front": N_("bank in front of that player"),
    "funds": N_("fortunes"),
    "hands": N_("hands"),
    "last": N_("who laid the last card"),
    "loot": N_("loot"),
    "move": N_("the last move"),
    "piles": N_("piles"),
    "points": N_("points"),
    "prize": N_("prize"),
    "risen": N_("colours that rose in this round"),
    "robbed": N_("banks robbed so far"),
    "round": N_("round"),
    "scores": N_("points"),
    "seller": N_("who sells"),
    "start": N_("who begins"),
    "table": N_("the table"),
    "taken": N_("chips taken so far"),
    "values": N_("values"),
    "who": N_("who did it"),
    "winner": N_("who won the card"),
    "won": N_("card won in this round"),
}
"""What the fields of a case are called in a form, if their game has no words for them."""


def name_field(name: str) -> Message:
    """Return what a field of a case is called: as its game says, or as many do, or by its name."""
    plain = name.replace("_", " ")
    if name in INSTALLED.words:
        return say_amount("card", name)
    return Message(FIELD_WORDS.get(name, plain))


class SheetLine(NamedTuple):
    """One value: its key in the map of its part, “” if the part is the value, and what it is:
    number, words, seat, text or json; `example` is one such value."""

    key: str
    kind: str
    example: Any


class SheetPart(NamedTuple):
    """One field of the case; one that is `sparse` leaves out what is empty."""

    name: str
    lines: tuple[SheetLine, ...]
    per_player: bool = False
    sparse: bool = False

    def field(self, line: SheetLine, player: int = 0) -> str:
        """Return the name of the field of a line in the form."""
        named = filter(None, (self.name, str(player or ""), line.key))
        return EXAMPLE_FIELD + ".".join(named)


def make_example_form(example: JsonObject, box: Box, sparse: Collection[str] = ()) -> SheetForm:
    """Return the sheet of a kind of dispute, made from its example."""
    parts, names = list_parts(example, box, sparse), players_of(example, box)
    house_rules = tuple(example.get("house_rules", {}))

    def make_case(sheet: Sheet) -> Case:
        players = sheet.read_names()
        found: Case = {"game": sheet.game, "kind": sheet.kind}
        if "players" in example:
            found["players"] = players
        found |= {part.name: _read_part(sheet, part, players) for part in parts}
        if house_rules:
            found["house_rules"] = sheet.read_house_rules(*house_rules)
        return {name: value for name, value in found.items() if value is not None}

    def fields_of(case: Case) -> dict[str, str]:
        players = players_of(case, box) or names
        found = common_fields(players, case.get("house_rules", {}))
        for part in parts:
            found |= _write_part(part, case.get(part.name), players)
        return found

    return SheetForm(make_case, fields_of)


def players_of(case: Mapping[str, Any], box: Box) -> list[str]:
    """Return the players of a case: as it lists them, or the keys that the box does not name."""
    if "players" in case:
        return list(case["players"])
    known = _names_in(msgspec.to_builtins(box, str_keys=True))
    maps = (value for name, value in case.items() if name not in COMMON and type(value) is dict)
    return max(([*each] for each in maps if not known & each.keys()), key=len, default=[])


def list_parts(
    example: JsonObject, box: Box, sparse: Collection[str] = ()
) -> tuple[SheetPart, ...]:
    """Return the parts of the sheet, in the order of the example; these of them are sparse."""
    players = players_of(example, box)
    fields = ((n, v) for n, v in example.items() if n not in (*COMMON, "players"))
    parts = (_make_part(name, value, players) for name, value in fields)
    return tuple(part._replace(sparse=True) if part.name in sparse else part for part in parts)


def _make_part(name: str, value: object, players: list[str]) -> SheetPart:
    if type(value) is not dict or not value:
        return SheetPart(name, (_make_line("", value, players),))
    if not value.keys() <= {*players}:
        return SheetPart(name, tuple(_make_line(key, one, players) for key, one in value.items()))
    has = list(value.values())
    if not all(type(one) is dict for one in has):
        line = _make_line("", _most_telling(has), players)
        return SheetPart(name, (line,), per_player=True, sparse=len(value) < len(players))
    keys = dict.fromkeys(key for one in has for key in one)
    lines = tuple(
        _make_line(key, _most_telling([one[key] for one in has if key in one]), players)
        for key in keys
    )
    is_sparse = any(one.keys() != keys.keys() for one in has)
    return SheetPart(name, lines, per_player=True, sparse=is_sparse)


def _most_telling(values: list[object]) -> object:
    """Return the longest of several examples of a value."""
    return max(values, key=lambda one: len(str(one)))


def _make_line(key: str, value: object, players: list[str]) -> SheetLine:
    kind = "json"
    if type(value) is int:
        kind = "number"
    elif type(value) is str:
        kind = "seat" if value in players else "text"
    elif type(value) is list and all(type(one) in (int, str) for one in value):
        kind = "words"
    return SheetLine(key, kind, value)


def _names_in(plain: object) -> set[str]:
    """Return every text in a box, keys as well."""
    match plain:
        case str():
            return {plain}
        case dict():
            return {*plain}.union(*map(_names_in, plain.values()))
        case list():
            return set().union(*map(_names_in, plain))
    return set()


def _read_part(sheet: Sheet, part: SheetPart, players: list[str]) -> object:
    """Return a field of the case; None for one that is left out."""
    if not part.per_player:
        return _read_lines(sheet, part, 0, players)
    found = {name: _read_lines(sheet, part, n, players) for n, name in enumerate(players, 1)}
    return {name: value for name, value in found.items() if value is not None}


def _read_lines(sheet: Sheet, part: SheetPart, player: int, players: list[str]) -> object:
    found = {line.key: _read_line(sheet, part, line, player, players) for line in part.lines}
    if part.sparse:
        empty = {one.key for one in part.lines if not sheet.read_text(part.field(one, player))}
        found |= dict.fromkeys(empty)
    if [*found] == [""]:
        value = found[""]
        return None if part.sparse and not value else value
    return {key: value for key, value in found.items() if value is not None}


def _read_line(
    sheet: Sheet, part: SheetPart, line: SheetLine, player: int, players: list[str]
) -> object:
    field = part.field(line, player)
    text = sheet.read_text(field)
    match line.kind:
        case "number":
            return sheet.read_number(field)
        case "seat":
            return players[(sheet.read_seat(field) or 1) - 1]
        case "words":
            return [] if text == NONE else list(_split_words(text, line.example))
        case "json":
            return _read_json(part.name, text)
    return text


def _split_words(text: str, example: list[object]) -> Iterable[int | str]:
    """Yield the words between commas; those that are digits as numbers if the example has any."""
    has_numbers = any(type(one) is int for one in example)
    for word in filter(None, map(str.strip, text.split(","))):
        is_number = has_numbers and word.isascii() and word.isdecimal() and len(word) < 8
        yield int(word) if is_number else word


def _read_json(name: str, text: str) -> object:
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        raise Malformed(name, N_("“{value}” is not JSON."), value=text[:20]) from None


def _write_part(part: SheetPart, value: Any, players: list[str]) -> dict[str, str]:
    if value is None:
        return {}
    if not part.per_player:
        return _write_lines(part, value, 0, players)
    found: dict[str, str] = {}
    for n, name in enumerate(players, 1):
        found |= _write_lines(part, value.get(name), n, players)
    return found


def _write_lines(part: SheetPart, value: Any, player: int, players: list[str]) -> dict[str, str]:
    if value is None:
        return {}
    values = value if [line.key for line in part.lines] != [""] else {"": value}
    return {
        part.field(line, player): _write_value(line, values[line.key], players)
        or (NONE if part.sparse else "")
        for line in part.lines
        if line.key in values
    }


def _write_value(line: SheetLine, value: Any, players: list[str]) -> str:
    if line.kind == "seat" and value in players:
        return str(players.index(value) + 1)
    if line.kind == "words":
        return ", ".join(map(str, value))
    return json.dumps(value, ensure_ascii=False) if line.kind == "json" else str(value)
