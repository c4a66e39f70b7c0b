"""Single values of a case: the values allowed at a place, and how one is read, spelled and worded.

Law: a value is what it should be, or the fault says what would be right. Words of a game are read
in every language, and kept as its box spells them.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from companion.core.errors import JsonObject, Malformed
from companion.core.i18n import INSTALLED, LANGUAGES, N_, Facts, Message, get_language
from companion.judge.checks import MOST_NUMBER, check_choice, check_int, quote

UNKNOWN = "?"
"""Mark in a case for a value that is not known."""

Case = Mapping[str, Any]
"""A case: its fields as they were written, or as they were read, then with its `box`."""
Path = tuple[str | int, ...]
"""Path to a value in a case: ("bids", "Ana"), ("cards", 2)."""
Values = Sequence[Any]
Among = Collection[Any] | Callable[[Case], Collection[Any]]
"""Choices: always the same, or depending on other fields of the case."""


class Shape(ABC):
    """Values allowed at a place; `asks` is the question of the form, `widget` how it is drawn."""

    asks: str = ""
    widget: str = ""

    def fits(self, value: object, case: Case) -> bool:
        """Tell quickly whether a value is right as it stands; False may also mean: read it."""
        return False

    @abstractmethod
    def read(self, value: Any, at: str, case: Case) -> Any:
        """Return the value as the rules take it; raise Malformed. `case` has the values read so
        far."""

    @abstractmethod
    def places(self, value: Any, path: Path, facts: Facts) -> Iterator["Place"]:
        """Yield every single value in this one, however wrong it may be."""

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:  # noqa: B027
        """Count the things in a value: each chosen one, and numbers by their key; most shapes hold
        none."""

    @abstractmethod
    def schema(self) -> JsonObject:
        """Return the JSON Schema of this place."""


class Place(NamedTuple):
    """A single value of a case: its path, its kind, and the facts of its label; the unknown ones of
    a list are `alike` if their order changes nothing."""

    path: Path
    value: Any
    leaf: "Leaf"
    facts: Facts
    alike: bool = False

    @property
    def label(self) -> Message:
        return Message(self.leaf.label, self.facts)

    @property
    def spelled(self) -> str:
        """Return the path as errors name it: “bids.Ana”, “cards[2]”."""
        first, *rest = self.path
        return str(first) + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in rest)


class Leaf(Shape):
    """A single value: `label` is its name in the form, and `word` the fact in sentences."""

    def __init__(self, label: str = "", word: str = "n", asks: str = "") -> None:
        self.label, self.word, self.asks = label, word, asks

    @abstractmethod
    def values(self, case: Case, path: Path) -> Values:
        """Return all possible values."""

    def say(self, value: Any) -> Message:
        """Return a value in words."""
        return Message(f"{{{self.word}}}", {self.word: [value] if self.word == "who" else value})

    def spell(self, value: Any) -> str:
        """Return a value as a form has it."""
        return str(value)

    def places(self, value: Any, path: Path, facts: Facts) -> Iterator[Place]:
        yield Place(path, value, self, facts)


class Choice(Leaf):
    """One of some values."""

    widget = "choice"

    def __init__(self, among: Among, word: str = "card", label: str = "", asks: str = "") -> None:
        super().__init__(label, word, asks)
        self.among = among

    def values(self, case: Case, path: Path) -> Values:
        return list(self.among(case) if callable(self.among) else self.among)

    def fits(self, value: object, case: Case) -> bool:
        among = self.among(case) if callable(self.among) else self.among
        return (type(value) is str or type(value) is int) and value in among

    def read(self, value: Any, at: str, case: Case) -> Any:
        if self.fits(value, case):
            return value
        among = self.values(case, ())
        if self.word != "who" and type(value) is str:
            meant = _words_of(tuple(among), id(INSTALLED.words)).get(value.casefold())
            if meant is not None:
                return meant
        return check_choice(value, at, among)

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:
        counts[value] += 1

    def schema(self) -> JsonObject:
        known: JsonObject = {"type": ["string", "integer"] if self.has_numbers else "string"}
        return open_schema(known) if self.label else known

    @property
    def has_numbers(self) -> bool:
        """Return whether any of the values is a number."""
        return not callable(self.among) and any(type(one) is int for one in self.among)


class Number(Choice):
    """A whole number. `likely` are the numbers to try for an unknown one, at most the same player's
    in the field `below`; a form begins with `start`, and shows `short` beside it."""

    widget = "number"

    def __init__(  # noqa: PLR0913
        self,
        label: str = "",
        *,
        least: int = 0,
        most: int = MOST_NUMBER,
        likely: range | None = None,
        below: str = "",
        start: int = 0,
        short: str = "",
        may_be_open: bool = False,
        asks: str = "",
    ) -> None:
        super().__init__(likely if likely is not None else range(least, most + 1), "n", label, asks)
        self.least, self.most, self.below = least, most, below
        self.start, self.short, self.may_be_open = start, short, may_be_open

    def values(self, case: Case, path: Path) -> Values:
        owned = case.get(self.below)
        top = owned.get(path[-1]) if isinstance(owned, dict) else None
        if type(top) is int and 0 <= top <= MOST_NUMBER:
            return range(top + 1)
        assert isinstance(self.among, range)
        return self.among

    def fits(self, value: object, case: Case) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def read(self, value: Any, at: str, case: Case) -> int:
        return check_int(value, at, self.least, self.most)

    def count(self, value: Any, key: str, counts: Counter[Any]) -> None:
        counts[key] += value

    def schema(self) -> JsonObject:
        known: JsonObject = {"type": "integer", "minimum": self.least}
        return open_schema(known) if self.label else known


class Few(Number):
    """A whole number chosen from a row of buttons; `otherwise` is the value if none is chosen."""

    widget = "few"

    def __init__(
        self, label: str, *, least: int, most: int, otherwise: str = "", asks: str = ""
    ) -> None:
        super().__init__(label, least=least, most=most, asks=asks)
        self.otherwise = otherwise


class YesNo(Leaf):
    """True or false, each in words."""

    widget = "yes_no"

    def __init__(self, yes: str, no: str, label: str) -> None:
        super().__init__(label)
        self.yes, self.no = yes, no

    def values(self, case: Case, path: Path) -> Values:
        return (True, False)

    def say(self, value: Any) -> Message:
        return Message(self.yes if value else self.no)

    def spell(self, value: Any) -> str:
        return "yes" if value else "no"

    def read(self, value: Any, at: str, case: Case) -> bool:
        if type(value) is bool:
            return value
        raise Malformed(at, N_("{field} must be true or false, not {value}."), value=quote(value))

    def schema(self) -> JsonObject:
        return open_schema({"type": "boolean"})


def _player_names(case: Case) -> list[str]:
    names = case.get("players")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


class Player(Choice):
    """One of the `players` of a case, or a name from its other fields."""

    widget = "player"

    def __init__(self, label: str = "", among: Among = _player_names, asks: str = "") -> None:
        super().__init__(among, "who", label, asks)


def open_schema(known: JsonObject) -> JsonObject:
    """Return the schema of a value that may be unknown."""
    return {"anyOf": [known, {"const": UNKNOWN}, {"$ref": "#/$defs/possible"}]}


POSSIBLE: JsonObject = {
    "description": "What an unknown value may be: one of these, or a number between two.",
    "type": "object",
    "properties": {
        "one_of": {"type": "array"}, "from": {"type": "integer"}, "to": {"type": "integer"}
    },
    "additionalProperties": False,
}  # fmt: skip


@lru_cache(maxsize=64)
def _words_of(among: tuple[Any, ...], _installed: int) -> dict[str, Any]:
    """Return the values by their words in every language, where no two values share one."""
    meant: dict[str, set[Any]] = {}
    for code in LANGUAGES:
        for value in among:
            if type(value) is str:
                said = get_language(code).render_word(value).casefold()
                meant.setdefault(said, set()).add(value)
    return {said: values.pop() for said, values in meant.items() if len(values) == 1}
