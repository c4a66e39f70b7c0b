"""The boxes: counts, values, colours and house rules, loaded from files.

Law: a box is data in a file and is checked when it is loaded. Rules read from it what they count
with, so a box that differs is another file; in code are the seats and readers of the table, what
lies at which of them, and the numbers that a hint quotes. The box as it is sold is the file
`box.toml` beside its class. A file of the owner's takes its place everywhere, the judge included.
"""

import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_

BOX_FILE = "box.toml"
OWN_BOXES = "/etc/companion/boxes"
"""The folder with the owner's box files, each called by its game, unless COMPANION_BOXES names
another."""
FIGURE = "figure"
TILE = "tile "

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
Number = Annotated[str, msgspec.Meta(pattern="^-?[0-9]+$")]
"""A card that is called by its worth."""
Money = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of every box.

    `house_rules` are the answers to each that the rules can play, the default first. `guesses` are
    the fields that no booklet prints, each with the id of the ruling that says so: what differs is
    warned of, not refused.
    """

    house_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    game: str
    title: str
    author: str
    publisher: str
    year: int
    players: "PlayerCount"
    guesses: dict[str, str] = {}
    pieces: dict[str, Count] = {}

    def default_house_rules(self) -> dict[str, str]:
        """Return every house rule with its default answer."""
        return {name: choices[0] for name, choices in self.house_rules.items()}

    def tagged_pieces(self) -> dict[str, int]:
        """Return the number of each piece with a tag, in the order of unpacking; by default the
        field `cards`."""
        return dict(getattr(self, "cards", {}))

    def find_problems(self) -> list[str]:
        """Return one sentence for each fault of the file that its types do not show."""
        return []


class PlayerCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fewest and most players of a box."""

    least: Annotated[int, msgspec.Meta(ge=1, le=6)]
    most: Annotated[int, msgspec.Meta(ge=1, le=6)]


B = TypeVar("B", bound=Box)


@cache
def standard_box(box_type: type[B]) -> B:
    """Load the box as it is sold, or the owner's file in its place; raise Malformed."""
    sold = load_box(folder_of(box_type) / BOX_FILE, box_type)
    own = Path(os.environ.get("COMPANION_BOXES", OWN_BOXES)) / f"{sold.game}.toml"
    return load_box(own, box_type) if own.is_file() else sold


def folder_of(box_type: type[Box]) -> Path:
    """Return the folder of the game whose box this is."""
    return Path(str(sys.modules[box_type.__module__].__file__)).parent


def load_box(path: Path, box_type: type[B]) -> B:
    """Load and check a box file; raise Malformed with the fault."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text("utf-8")), box_type, str_keys=True)
    except (OSError, ValueError, RecursionError, msgspec.ValidationError) as fault:
        raise Malformed(path.name, N_("{field} is not a box: {reason}."), reason=fault) from None
    problems = found.find_problems()
    if found.players.least > found.players.most:
        problems = ["players.least is more than players.most"]
    if problems:
        raise Malformed(path.name, N_("{field} is not a box: {reason}."), reason=problems[0])
    return found


def find_doubles(field: str, names: Iterable[str]) -> list[str]:
    """Return one sentence for each name that a field of a box has more than once."""
    return [f"{field} has “{name}” more than once" for name, n in Counter(names).items() if n > 1]
