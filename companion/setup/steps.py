"""The steps of the set-up: their views, and their saved state.

Laws: the view is built field by field and holds no tag, no mark, no pin and no path. Nothing is set
up while a game is under way. A saved choice counts
until the command line or the config says otherwise; the chosen box, until another game is played.
A step is done only if nothing of it is missing.
"""

from typing import Literal, get_args

import msgspec

from companion.core.i18n import Message
from companion.core.sensor_events import PlaceMode
from companion.setup.walk import FindState

WizardStep = Literal[
    "language", "box", "wiring", "banks", "buttons", "lamps", "stickers", "check", "done"
]
STEPS: tuple[WizardStep, ...] = get_args(WizardStep)
StepState = Literal["done", "now", "open", "spared"]
"""The state of a step: done, with nothing missing; spared, if this wiring has nothing for it."""
WizardAction = Literal["skip", "undo", "renew", "again", "next"]


class WiringOffer(msgspec.Struct, frozen=True):
    """A wiring that one may have."""

    profile: str
    title: Message | str
    readers: int
    buttons: int


class SetupView(msgspec.Struct, frozen=True, kw_only=True):
    """The first start as it stands."""

    step: WizardStep
    steps: tuple[tuple[WizardStep, StepState], ...]
    asks: Message | None = None
    """Instruction for now."""
    says: Message | None = None
    """Last message: enrolled, taken back, wrong."""
    trouble: bool = False
    """Whether that is something to put right."""
    good: bool = False
    """Whether that is something that was found."""
    asked: int = 0
    """The place, or the seat, that is asked for; at the lamps, where it is unknown: 0."""
    found: tuple[tuple[int, FindState], ...] = ()
    """Every place or every seat of this step, for the drawing of the table."""
    thing: str = ""
    """The thing to lay at the stickers, as decks name it."""
    slot: int | None = None
    """Slot of its sticker on the back of that card: 1 and 2 above, 3 and 4 below the middle."""
    done: int = 0
    total: int = 0
    missing: tuple[Message, ...] = ()
    may: frozenset[str] = frozenset()
    """Possible actions: skip, undo, renew, again, next."""
    game: str = ""
    profiles: tuple[WiringOffer, ...] = ()
    profile: str = ""
    modes: tuple[tuple[int, PlaceMode], ...] = ()
    """Each place with a reader, and whether that lies under it or beside it."""
    set_up: bool = False


class SavedSetup(msgspec.Struct, frozen=True):
    """The choices and finds in table.json; empty where nothing was chosen."""

    language: str = ""
    game: str = ""
    after: str = ""
    """The id of the game that had been played last when this box was chosen."""
    set_up: bool = False
    done: tuple[WizardStep, ...] = ()
    """The steps that were gone through; the check, if it found everything."""
    calm: bool = False
    """Whether nothing moves or sounds here, and results are told at once."""
    name: str = ""
    place: str = ""
    """Name of the table for the staff, and its place in the room."""

    shows_names: bool = False
    """Whether strangers in the network see names, and not seats only."""

    def with_done(self, step: WizardStep) -> "SavedSetup":
        """Return a copy with this step done."""
        return self if step in self.done else msgspec.structs.replace(self, done=(*self.done, step))
