"""All that a page shows of the first start.

Law: built field by field; whoever looks over the host's shoulder learns no tag, no mark, no pin and
no path from it.

The first start, as pages ask for it.

Law: pages know it by this Protocol and by nothing else; none of it happens while a game is under
way.

What was chosen in the browser, and how far the first start has come.

Law: a choice counts until something is said on the command line or in the config; the box that was
chosen, until another game has been played since.

What the first start has left out, for whoever wants to come back to it.

What the walk through the box has to tell in a browser, where the next thing is asked for by a
picture beside it.

Law: news only. What to do next is the walk's own `next`, and no sentence names a key of a terminal.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, Protocol, get_args

import msgspec

from companion.core.errors import Refusal
from companion.core.i18n import N_, Message, message
from companion.enrol import Walk

WizardStep = Literal[
    "language", "box", "wiring", "banks", "buttons", "lamps", "stickers", "check", "done"
]
STEPS: tuple[WizardStep, ...] = get_args(WizardStep)
StepState = Literal["done", "now", "open", "spared"]
"""Of a step; spared: this wiring, or this box, has none of it."""
WizardAction = Literal["skip", "undo", "renew", "again"]
FindState = Literal["found", "skipped", "open"]


class WiringOffer(msgspec.Struct, frozen=True):
    """A wiring that one may have; fixed where the config or the command line says so."""

    profile: str
    title: Message | str
    readers: int
    buttons: int
    fixed: bool


class SetupView(msgspec.Struct, frozen=True, kw_only=True):
    """The first start as it stands."""

    step: WizardStep
    steps: tuple[tuple[WizardStep, StepState], ...]
    asks: Message | None = None
    """What to do now."""
    says: Message | None = None
    """What was said last: enrolled, taken back, what is wrong."""
    trouble: bool = False
    """Whether that is something to put right."""
    asked: int = 0
    """The place, or the seat, that is asked for; at the lamps nobody knows whose it is: 0."""
    found: tuple[tuple[int, FindState], ...] = ()
    """Every place or every seat of this step, for the drawing of the table."""
    thing: str = ""
    """The thing to lay at the stickers, as decks name it."""
    done: int = 0
    total: int = 0
    missing: tuple[Message, ...] = ()
    may: frozenset[str] = frozenset()
    """What makes sense now: skip, undo, renew, again, next."""
    games: tuple[tuple[str, str], ...] = ()
    """Every box: the game by name, and its title."""
    game: str = ""
    profiles: tuple[WiringOffer, ...] = ()
    profile: str = ""
    hands: tuple[str, ...] = ()
    """What the hand of a rehearsal can do: asked, wrong, off; a real table has none."""
    set_up: bool = False


class SavedSetup(msgspec.Struct, frozen=True):
    """As it stands in the data folder; empty where nothing was chosen."""

    language: str = ""
    game: str = ""
    after: str = ""
    """The id of the game that had been played last when this box was chosen."""
    set_up: bool = False
    done: tuple[WizardStep, ...] = ()
    """The steps that were gone through."""
    found: dict[WizardStep, tuple[int, ...]] = {}
    """The places and seats that were found to be what they are called now."""
    profile: str = ""
    """The wiring of which that was found."""

    def with_done(self, step: WizardStep) -> "SavedSetup":
        """The same, this step gone through."""
        return self if step in self.done else msgspec.structs.replace(self, done=(*self.done, step))

    def with_found(self, step: WizardStep, numbers: tuple[int, ...]) -> "SavedSetup":
        """The same, these places or seats found at this step."""
        return msgspec.structs.replace(self, found={**self.found, step: numbers})


LEFT_OUT: Mapping[WizardStep, str] = {
    "banks": N_("Places whose reader was not found: {numbers}."),
    "buttons": N_("Seats whose button was not found: {numbers}."),
    "lamps": N_("Seats whose lamp was not found: {numbers}."),
}


def describe_left_out(
    saved: SavedSetup, numbers: Mapping[WizardStep, Iterable[int]]
) -> Iterator[Message]:
    """Of all these places and seats those that were not found."""
    for step, every in numbers.items():
        left = sorted({*every} - {*saved.found.get(step, ())})
        if left:
            yield Message(LEFT_OUT[step], {"numbers": left})


def describe_news(before: Walk, after: Walk, news: Message | None) -> Message | None:
    """What has happened between two moments of a walk, by what it would say at a terminal."""
    if news is None or news == after.instruction:
        return None
    if after.trouble == "known":
        text = (
            "This sticker was enrolled before, as {thing}. Lay another card, or say that it is on "
            "{other_thing} now; if both have one, they are twins, and one needs a new sticker."
        )
        return Message(text, news.facts)
    taken = len(after.steps) - len(before.steps)
    if taken > 0 and after.skipped != before.skipped:
        return message("Skipped: {thing}.", thing=before.wanted_name)
    if taken > 0:
        return message("Enrolled: {thing}.", thing=before.wanted_name)
    if taken < 0 and not after.trouble:
        return message("Taken back.")
    return news


class SetupService(Protocol):
    """A table that is set up."""

    @property
    def is_set_up(self) -> bool:
        """Whether somebody has come to the end of it. Whoever asks this does not look on."""
        ...

    def view(self) -> SetupView:
        """How far it has come. Whoever asks looks on: readers and buttons are heard meanwhile."""
        ...

    def go_to(self, step: WizardStep) -> Refusal | None:
        """Come to a step, whichever it is."""
        ...

    def finish_step(self, step: WizardStep) -> Refusal | None:
        """Go on from this step to the one that follows; nothing happens if it was left already."""
        ...

    def choose_box(self, game: str) -> Refusal | None:
        """Have this box on the table."""
        ...

    def choose_wiring(self, profile: str) -> Refusal | None:
        """Have this wiring."""
        ...

    def locate_lamp(self, seat: int) -> Refusal | None:
        """Say at which seat the lamp shines; 0 for none."""
        ...

    def apply_action(self, action: WizardAction, step: WizardStep) -> Refusal | None:
        """Leave out what is asked for, take the last back, make a known sticker new, begin the
        step again; nothing happens if that step was left already."""
        ...

    def move_hand(self, action: str) -> Refusal | None:
        """Have the hand of a rehearsal do this."""
        ...

    def finish_setup(self) -> Refusal | None:
        """The table is set up; the next thing is a game."""
        ...
