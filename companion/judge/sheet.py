"""The sheet of a dispute: a form whose fields are the query of its address.

Law: fields are read strictly, and an error names the field of the sheet. An empty field counts as
absent, as a page without scripts sends every field.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.cards import Box
from companion.core.errors import Malformed
from companion.core.i18n import N_

NAME_FIELD = "name"
UNKNOWN = "?"
"""What stands in a case for a value that is not known."""
OPEN = "open_"
"""How the field begins that is ticked if a number is not known."""
NUMBER = re.compile(r"[0-9]{1,7}")

Fields = Mapping[str, str]
Case = dict[str, Any]
"""A case of the judge's contract, see docs/judge.md."""


class Sheet(msgspec.Struct, frozen=True):
    """The sheet of one dispute: its game, its kind, the box that is played with, and its fields.

    `given` is the case that an address has filled in, as long as no field was changed.
    """

    game: str
    kind: str
    box: Box
    fields: Fields
    given: Case | None = None

    @property
    def players(self) -> int:
        """Return the number of players: that of the sheet, within what the box seats."""
        most = self.box.players.most
        written = self.fields.get("players", "")
        n = int(written) if NUMBER.fullmatch(written) else min(3, most)
        return max(1, min(n, most))

    def read_text(self, field: str) -> str:
        """Return the text of a field."""
        return self.fields.get(field, "").strip()

    def read_number(self, field: str) -> int:
        """Return the number of a field, 0 if it is empty; raise Malformed if it is none."""
        written = self.read_text(field)
        if not written or NUMBER.fullmatch(written):
            return int(written or 0)
        raise Malformed(field, N_("“{value}” is not a whole number."), value=written[:20])

    def read_open_number(self, field: str) -> int | str:
        """Return the number of a field, or “?” if it is ticked as not known; raise Malformed."""
        return UNKNOWN if self.read_text(OPEN + field) else self.read_number(field)

    def read_names(self) -> list[str]:
        """Return the players' names, clockwise; raise Malformed if one is missing or double."""
        found = [self.read_text(f"{NAME_FIELD}{n}") for n in self.seats()]
        for n, name in enumerate(found, 1):
            if not name:
                raise Malformed(f"{NAME_FIELD}{n}", N_("Every player needs a name."))
            if name in found[: n - 1]:
                raise Malformed(f"{NAME_FIELD}{n}", N_("Two players have the same name."))
        return found

    def seats(self) -> range:
        """Return the numbers of the seats that are played."""
        return range(1, self.players + 1)

    def read_counts(self, prefix: str, things: Iterable[str]) -> dict[str, int]:
        """Return how many of each thing are filled in; without those at 0."""
        found = {thing: self.read_number(f"{prefix}_{thing}") for thing in things}
        return {thing: n for thing, n in found.items() if n}

    def read_house_rules(self, *names: str) -> dict[str, str]:
        """Return the house rules that are chosen."""
        return {name: chosen for name in names if (chosen := self.read_text(f"rule_{name}"))}

    def read_seat(self, field: str) -> int:
        """Return the seat that a field names; 0 if it names none."""
        n = self.read_number(field)
        return n if n in self.seats() else 0


class SheetForm(NamedTuple):
    """How a sheet becomes a case, and a case the fields of a sheet."""

    make_case: Callable[[Sheet], Case]
    fields_of: Callable[[Case], dict[str, str]]


def common_fields(names: Iterable[str], house_rules: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that every sheet begins with: players and house rules."""
    found = {f"{NAME_FIELD}{n}": name for n, name in enumerate(names, 1)}
    rules = {f"rule_{name}": value for name, value in house_rules.items()}
    return {"players": str(len(found)), **found, **rules}


def number_fields(values: Mapping[str, object]) -> dict[str, str]:
    """Return the fields of numbers; one that is not known is ticked instead."""
    return {
        name if type(value) is int else OPEN + name: str(value) if type(value) is int else "1"
        for name, value in values.items()
    }


def count_fields(prefix: str, things: Mapping[str, object]) -> dict[str, str]:
    """Return the fields for a number of each thing; without those at 0."""
    return {f"{prefix}_{thing}": str(n) for thing, n in things.items() if n}
