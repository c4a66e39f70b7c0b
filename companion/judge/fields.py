"""Validate the fields of a case one by one.

Law: a field is what it should be, or the fault names the field and says what would be right.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from msgspec import Struct

from companion.core.cards import Box
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonArray, JsonObject
from companion.core.verdict import Verdict
from companion.judge.contract import type_from_example
from companion.judge.sheet import SheetForm

Case = Mapping[str, object]
"""A case as it was read; every field is checked before it is used."""

CaseKinds = Mapping[str, Callable[[Case], Verdict]]
"""The kinds of case of a game, and what decides each."""


class KindNames(NamedTuple):
    """What a kind of case is called: where one is chosen, and above its verdict."""

    question: str
    heading: str


SCORE_NAMES = KindNames(N_("The final score: who wins?"), N_("The final score"))
"""What the score is called in most games."""
DEFAULT_NAMES = {
    "verdict": KindNames(N_("The verdict"), N_("The verdict")),
    "score": SCORE_NAMES,
}
"""What the verdicts of a game are called that names none."""


Path = tuple[str | int, ...]
"""Where something stands in a case: ("bids", "Ana"), ("cards", 2)."""
Values = Sequence[Any]


def look_up(case: Mapping[str, object], field: str) -> JsonObject:
    """Return an object of a case that is not checked yet; empty if there is none."""
    found = case.get(field)
    return found if isinstance(found, dict) else {}


class OpenField(NamedTuple):
    """A field that may be unknown: its possible values, what it is called, how a value is said.

    The unknown ones of a list are `alike` if their order changes nothing.
    """

    values: Callable[[Mapping[str, object], Path], Values]
    label: Callable[[Path], Message]
    say: Callable[[Any], Message]
    alike: bool = False


class OtherCase(NamedTuple):
    """A case as it might have been, and what would have been different, in words."""

    case: JsonObject
    say: Message


class GameJudge(NamedTuple):
    """The kinds of case that a game knows, and an example of each.

    `cases` are what the cases of a kind are made of: fields that are missing there or too many are
    refused before the kind is asked. `sheets` are the forms of cases on the judge's page; a kind
    without one has a form that is made from its example. `names` are what kinds are called. A kind
    may depend on the house rules that its example has. An error at a field is shown at the part of
    the sheet that `parts` says by the first word of the field; `labels` call a player's number
    there. `optional` are fields that the cases of kinds without a type may have beside those of
    their examples, each with a value.

    The verdict of a `plain` kind is its steps, without a picture. Of a form that is made from
    an example, an empty field of a `sparse` part is left out of the case; a dash is an empty list.

    `open_fields` are, by kind, the fields that may be unknown: their path, with “*” for every part
    that varies. `quick` finds what a case comes to without a verdict; it is handed cases that
    are known to be sound but for the values of their open fields. `changes` yield a case
    with something changed, the smallest change first; each for one sort of change.
    """

    kinds: CaseKinds
    examples: Mapping[str, JsonObject]
    cases: Mapping[str, type[Struct]] = {}
    sheets: Mapping[str, SheetForm] = {}
    names: Mapping[str, KindNames] = {}
    parts: Mapping[str, str] = {}
    labels: Mapping[str, str] = {}
    optional: Mapping[str, object] = {}
    plain: frozenset[str] = frozenset()
    sparse: frozenset[str] = frozenset()
    open_fields: Mapping[str, Mapping[str, OpenField]] = {}
    quick: Mapping[str, Callable[[JsonObject], Hashable]] = {}
    changes: Mapping[str, Sequence[Callable[[JsonObject], Iterable[OtherCase]]]] = {}

    def name_kind(self, kind: str) -> KindNames:
        """Return what a kind is called; one without names by its own."""
        plain = kind.replace("_", " ").capitalize()
        return (DEFAULT_NAMES | dict(self.names)).get(kind, KindNames(plain, plain))

    def case_type(self, kind: str) -> type[Struct]:
        """Return what the cases of a kind are made of; if the game does not say, as its example."""
        declared = self.cases.get(kind)
        return declared or type_from_example(self.examples[kind], self.optional)

    def list_case_types(self) -> list[type[Struct]]:
        """Return what the cases of each kind are made of."""
        return [self.case_type(kind) for kind in self.examples]


NO_CASES = GameJudge({}, {})
"""The judge of a game that knows no disputes."""

T = TypeVar("T")

MOST_NUMBER = 1_000_000
LONGEST_QUOTE = 40


def check_fields(
    case: Case,
    needed: tuple[str, ...],
    optional: tuple[str, ...] = (),
    prefix: str = "",
) -> None:
    """Raise Malformed if a field is missing or unknown; `prefix` is "funds.Ana."."""
    for name in needed:
        if name not in case:
            raise Malformed(prefix + name, N_("{field} is missing."))
    for name in case:
        if name not in needed and name not in optional:
            text = N_("{field} is not a field here; these are: {expected}.")
            raise Malformed(prefix + shorten(name), text, expected=", ".join((*needed, *optional)))


def split_fields(shape: type[Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields that an object of this type must have, and those that it may have."""
    names = shape.__struct_encode_fields__
    needed = len(names) - len(shape.__struct_defaults__)
    return names[:needed], names[needed:]


def shorten(value: object) -> str:
    """Return a value as it is quoted in a sentence: on one line, cut to its limit."""
    text = _printable(value)
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _printable(value: object) -> str:
    """Return a value in printable words, without the inside of a list or an object."""
    match value:
        case str():
            return value if value.isprintable() else repr(value)[1:-1]
        case None | bool() | float():
            return json.dumps(value)
        case dict():
            return "{…}" if value else "{}"
        case list():
            return "[…]" if value else "[]"
        case int() if value.bit_length() > LONGEST_QUOTE * 4:  # may be too long to print in digits
            return hex(value)
    return str(value)


def check_int(value: object, field: str, least: int = 0, most: int = MOST_NUMBER) -> int:
    """Return a whole number between the limits; raise Malformed."""
    if type(value) is int and least <= value <= most:
        return value
    raise Malformed(
        field, N_("{field} must be a whole number from {least} to {most}, not {value}."),
        least=least, most=most, value=shorten(value),
    )  # fmt: skip


def check_choice(value: object, field: str, choices: Collection[T]) -> T:
    """Return a value that is one of the choices; raise Malformed."""
    if type(value) in (str, int) and value in choices:
        return cast(T, value)
    options, found = [str(choice) for choice in choices], shorten(value)
    if found in options or not found.strip():  # 5 where "5" is meant, or nothing to be seen
        options = [json.dumps(choice, ensure_ascii=False) for choice in choices]
        found = json.dumps(value, ensure_ascii=False)
    raise Malformed(
        field, N_("{field} must be one of {options}, not {value}."),
        options=", ".join(options), value=found,
    )  # fmt: skip


def check_object(value: object, field: str) -> JsonObject:
    """Return an object; raise Malformed."""
    if type(value) is dict:
        return value
    raise Malformed(field, N_("{field} must be an object, not {value}."), value=shorten(value))


def check_list(value: object, field: str) -> JsonArray:
    """Return a list; raise Malformed."""
    if type(value) is list:
        return value
    raise Malformed(field, N_("{field} must be a list, not {value}."), value=shorten(value))


def check_players(names: JsonArray | JsonObject, field: str, box: Box) -> list[str]:
    """Return the names of the players: at least one, no more than the box seats, none twice."""
    found = list(names)
    if not 1 <= len(found) <= box.players.most:
        raise Malformed(
            field, N_("{field} must name 1 to {most} players, not {n}."),
            most=box.players.most, n=len(found),
        )  # fmt: skip
    for name in found:
        if type(name) is not str or not 1 <= len(name) <= LONGEST_QUOTE or not _plain_name(name):
            raise Malformed(
                field, N_("{field}: “{name}” is not a name of 1 to {most} printed characters."),
                name=shorten(name), most=LONGEST_QUOTE,
            )  # fmt: skip
    if len(set(found)) < len(found):
        raise Malformed(field, N_("{field} names a player twice."))
    return found


def _plain_name(name: str) -> bool:
    return name.isprintable() and name == name.strip()


def check_by_player(value: object, field: str, names: Collection[str]) -> JsonObject:
    """Return an object whose every key is one of the players."""
    found = check_object(value, field)
    for name in found:
        if name not in names:
            raise Malformed(
                f"{field}.{shorten(name)}", N_("{field}: no one of that name plays here.")
            )
    return found


def check_all_players(value: object, field: str, names: Collection[str]) -> JsonObject:
    """Return an object with one entry for every player."""
    found = check_by_player(value, field, names)
    for name in names:
        if name not in found:
            raise Malformed(f"{field}.{name}", N_("{field} is missing."))
    return found


def check_copies(things: Iterable[T], field: str, box: Mapping[T, int]) -> None:
    """Raise Malformed if there is more of anything than the box holds."""
    for thing, n in Counter(things).items():
        if n > box[thing]:
            raise Malformed(
                field, N_("{field}: {n} × {name}, but the box holds {most}."),
                n=n, name=thing, most=box[thing],
            )  # fmt: skip


def check_house_rules(case: Case, box: Box) -> dict[str, str]:
    """Return the house rules of a case, every other one as records that name none are played."""
    chosen = check_object(case.get("house_rules", {}), "house_rules")
    for name, value in chosen.items():
        field = f"house_rules.{shorten(name)}"
        if name not in box.house_rules:
            text = N_("{field}: there is no such house rule; these are: {options}.")
            if not box.house_rules:
                text = N_("{field}: this game has no house rules.")
            raise Malformed(field, text, options=", ".join(box.house_rules))
        check_choice(value, field, box.house_rules[name])
    return {**box.default_house_rules(), **chosen}
