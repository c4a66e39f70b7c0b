"""A sheet: the form of a dispute as its address spells it, field by field.

Law: what is written on a sheet is read strictly, and a fault names the field of the sheet. A field
that is left empty is nothing, or nobody; a page without scripts sends them all.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.core.cards import BOX_TYPES, Box, standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_

NAME_FIELD = "name"
NUMBER = re.compile(r"[0-9]{1,7}")

Fields = Mapping[str, str]


class Sheet(msgspec.Struct, frozen=True):
    """One sheet: which game, which kind of dispute, and what is written on it.

    What a case in the address has filled in is that very case, until somebody changes it.
    """

    game: str
    kind: str
    fields: Fields
    given: dict[str, Any] | None = None

    @property
    def box(self) -> Box:
        """The box that is played with."""
        found: Box = standard_box(BOX_TYPES[self.game])
        return found

    @property
    def players(self) -> int:
        """How many play: as many as the sheet says, within what the box seats."""
        most = self.box.players.most
        written = self.fields.get("players", "")
        n = int(written) if NUMBER.fullmatch(written) else min(3, most)
        return max(1, min(n, most))

    def read_text(self, field: str) -> str:
        """What is written in a field."""
        return self.fields.get(field, "").strip()

    def read_number(self, field: str) -> int:
        """The number in a field; an empty one is 0."""
        written = self.read_text(field)
        if not written or NUMBER.fullmatch(written):
            return int(written or 0)
        raise Malformed(field, N_("“{value}” is not a whole number."), value=written[:20])

    def read_names(self) -> list[str]:
        """Everyone's name, clockwise; each is there, and is there once."""
        found = [self.read_text(f"{NAME_FIELD}{n}") for n in self.seats()]
        for n, name in enumerate(found, 1):
            if not name:
                raise Malformed(f"{NAME_FIELD}{n}", N_("Everyone who plays needs a name."))
            if name in found[: n - 1]:
                raise Malformed(f"{NAME_FIELD}{n}", N_("Two players have the same name."))
        return found

    def seats(self) -> range:
        """The numbers of those who play."""
        return range(1, self.players + 1)

    def read_counts(self, prefix: str, things: Iterable[str]) -> dict[str, int]:
        """How many of each of these things are written down; none at nought."""
        found = {thing: self.read_number(f"{prefix}_{thing}") for thing in things}
        return {thing: n for thing, n in found.items() if n}

    def read_house_rules(self, *names: str) -> dict[str, str]:
        """The house rules that are chosen."""
        return {name: chosen for name in names if (chosen := self.read_text(f"rule_{name}"))}

    def read_seat(self, field: str) -> int:
        """The seat that a field names; 0 for nobody."""
        n = self.read_number(field)
        return n if n in self.seats() else 0


def common_fields(names: Iterable[str], house_rules: Mapping[str, str]) -> dict[str, str]:
    """What every sheet begins with: who plays, and by which house rules."""
    found = {f"{NAME_FIELD}{n}": name for n, name in enumerate(names, 1)}
    rules = {f"rule_{name}": value for name, value in house_rules.items()}
    return {"players": str(len(found)), **found, **rules}


def count_fields(prefix: str, things: Mapping[str, Any]) -> dict[str, str]:
    """How many of each of these things, as a sheet has it."""
    return {f"{prefix}_{thing}": str(n) for thing, n in things.items() if n}
