"""All that a page shows of the first start.

Law: built field by field; whoever looks over the host's shoulder learns no tag, no mark, no pin and
no path from it.
"""

from typing import Literal, get_args

import msgspec

from companion.core.i18n import Say

Step = Literal[
    "language", "box", "wiring", "banks", "buttons", "lamps", "stickers", "check", "done"
]
STEPS: tuple[Step, ...] = get_args(Step)
State = Literal["done", "now", "open", "spared"]
"""Of a step; spared: this wiring, or this box, has none of it."""
Act = Literal["skip", "undo", "renew", "again"]
Found = Literal["found", "skipped", "open"]


class Offer(msgspec.Struct, frozen=True):
    """A wiring that one may have; fixed where the config or the command line says so."""

    profile: str
    title: Say | str
    readers: int
    buttons: int
    fixed: bool


class Showing(msgspec.Struct, frozen=True, kw_only=True):
    """The first start as it stands."""

    step: Step
    steps: tuple[tuple[Step, State], ...]
    asks: Say | None = None
    """What to do now."""
    says: Say | None = None
    """What was said last: enrolled, taken back, what is wrong."""
    trouble: bool = False
    """Whether that is something to put right."""
    asked: int = 0
    """The place, or the seat, that is asked for; at the lamps nobody knows whose it is: 0."""
    found: tuple[tuple[int, Found], ...] = ()
    """Every place or every seat of this step, for the drawing of the table."""
    thing: str = ""
    """The thing to lay at the stickers, as decks name it."""
    done: int = 0
    total: int = 0
    missing: tuple[Say, ...] = ()
    may: frozenset[str] = frozenset()
    """What makes sense now: skip, undo, renew, again, next."""
    games: tuple[tuple[str, str], ...] = ()
    """Every box: the game by name, and its title."""
    game: str = ""
    profiles: tuple[Offer, ...] = ()
    profile: str = ""
    hands: tuple[str, ...] = ()
    """What the hand of a rehearsal can do: asked, wrong, off; a real table has none."""
    set_up: bool = False
