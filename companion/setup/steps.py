"""The steps of the set-up: their views, and their saved state.

Laws: the view is built field by field and holds no tag, no mark, no pin and no path. Nothing is set
up while a game is under way. A saved choice counts
until the command line or the config says otherwise; the chosen box, until another game is played.
A step is done only if nothing of it is missing.
"""

from collections.abc import Collection, Mapping
from typing import Literal, get_args

import msgspec

from companion.core.deck import list_pieces
from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import PlaceMode
from companion.setup.stickers import ODDITY_TEXTS, suggest_slot
from companion.setup.walk import TOGETHER_TEXT, WIRE_NAMES, Walk, WalkKind

WizardStep = Literal[
    "language", "box", "wiring", "banks", "buttons", "lamps", "stickers", "check", "done"
]
STEPS: tuple[WizardStep, ...] = get_args(WizardStep)
StepState = Literal["done", "now", "open", "spared"]
"""The state of a step: done, with nothing missing; spared, if this wiring has nothing for it."""
WizardAction = Literal["skip", "undo", "renew", "again", "next"]
FindState = Literal["found", "skipped", "open"]
ASKS: Mapping[WalkKind, str] = {
    "banks": N_("Lay any card with a sticker on place {n}."),
    "buttons": N_("Press the button at seat {seat}."),
    "lamps": N_("One lamp is lit. Tap its seat, or press the button there."),
    "stickers": N_("Lay this on any reader: {thing}."),
    "check": N_("Lay everything on any reader, in any order, or sweep it over."),
}
UNUSABLE = N_("This cannot be used here, like a telephone: take another card.")


class WalkView(msgspec.Struct, frozen=True, kw_only=True):
    """The task of a step, and its progress."""

    asks: Message | None = None
    """Instruction for now."""
    says: Message | None = None
    """Last message: enrolled, taken back, wrong."""
    trouble: bool = False
    """Whether that is something to put right."""
    good: bool = False
    """Whether that is something that was found."""
    asked: int = 0
    """The place, or the seat, that is asked for; 0 at the lamps, where it is unknown, and while
    cards have to be taken off."""
    found: tuple[tuple[int, FindState], ...] = ()
    """Every place or every seat of this step, for the drawing of the table."""
    thing: str = ""
    """The thing to lay at the stickers, as decks name it."""
    slot: int | None = None
    """Slot of its sticker on the back of that card: 1 and 2 above, 3 and 4 below the middle."""
    done: int = 0
    total: int = 0
    missing: tuple[Message, ...] = ()
    lacking: Message | None = None
    """Number of pieces without a sticker, at the check."""
    never: tuple[Message, ...] = ()
    """These pieces."""
    notes: tuple[Message, ...] = ()
    """Other faults than missing pieces."""
    may: frozenset[str] = frozenset()
    """Possible actions: skip, undo, renew, again, next."""


class WiringOffer(msgspec.Struct, frozen=True):
    """A wiring that one may have."""

    profile: str
    title: Message | str
    readers: int
    buttons: int


class SetupView(WalkView, frozen=True, kw_only=True):
    """The first start as it stands."""

    step: WizardStep
    steps: tuple[tuple[WizardStep, StepState], ...]
    game: str = ""
    profiles: tuple[WiringOffer, ...] = ()
    profile: str = ""
    modes: tuple[tuple[int, PlaceMode], ...] = ()
    """Each place with a reader, and whether that lies under it or beside it."""
    undone: tuple[WizardStep, ...] = ()
    """The steps with something missing."""
    set_up: bool = False


class SavedSetup(msgspec.Struct, frozen=True):
    """The choices and finds in table.json; empty where nothing was chosen."""

    language: str = ""
    game: str = ""
    after: str = ""
    """The id of the game that had been played last when this box was chosen."""
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


def show_steps(
    now: WizardStep, needless: Collection[WizardStep], complete: Collection[WizardStep]
) -> tuple[tuple[WizardStep, StepState], ...]:
    """Return the state of each step."""

    def find_state(step: WizardStep) -> StepState:
        if step == now:
            return "now"
        if step in needless:
            return "spared"
        return "done" if step in complete else "open"

    return tuple((step, find_state(step)) for step in STEPS)


def show_walk(walk: Walk) -> WalkView:
    """Return a walk's task, its last news, and its gaps."""
    is_check, is_of_wires = walk.kind == "check", walk.kind in WIRE_NAMES
    thing = walk.asked if walk.kind == "stickers" else None
    never = sum(walk.never.values())
    has_next = walk.kind == "buttons" or (walk.kind == "banks" and not walk.lying)
    can = {
        "skip": walk.asked is not None and not is_check,
        "undo": walk.before is not None and not is_check,
        "renew": walk.may_renew,
        "again": is_check or bool(walk.found or walk.left_out),
    }
    return WalkView(
        asks=ask(walk) if walk.wanted else None,
        says=tell_news(walk),
        trouble=walk.in_trouble,
        good=walk.good and not walk.in_trouble,
        asked=walk.asked or 0 if has_next else 0,
        found=_find_states(walk) if is_of_wires else (),
        thing=thing or "",
        slot=suggest_slot(walk.deck.salt, thing, walk.number) if thing else None,
        done=len(walk.found),
        total=len(walk.wanted) + never,
        missing=() if is_of_wires else tuple(list_pieces(walk.missing)),
        lacking=count_lacking(never, len(walk.wanted) + never) if never else None,
        never=tuple(list_pieces(walk.never)),
        notes=tuple(_list_notes(walk)),
        may=frozenset(action for action, makes_sense in can.items() if makes_sense),
    )


def count_lacking(never: int, total: int) -> Message:
    """Return the number of pieces without a sticker."""
    return message("{n} of {total} pieces have no sticker yet.", n=never, total=total)


def ask(walk: Walk) -> Message | None:
    """Return the instruction for now; None if the last news names it already."""
    if walk.lying and walk.kind == "banks":
        is_told = walk.blocked and walk.says is not None
        return None if is_told else message("Take everything off the readers.")
    if walk.asked is not None:
        if walk.lying and walk.kind == "stickers":
            text = "Take off what lies there, then lay {thing}."
            return message(text, thing=walk.asked_name)
        facts = {"n": walk.asked, "seat": walk.asked, "thing": walk.asked_name}
        return Message(ASKS[walk.kind], facts)
    if walk.kind in WIRE_NAMES:
        return message("That was the last one.")
    if walk.missing:
        return message("Not enrolled yet: {things}.", things=list_pieces(walk.missing))
    text = "All is there: {total} of {total}."
    if walk.never:
        text = "Every piece with a sticker is here: {total}."
    return message(text, total=len(walk.wanted))


def tell_news(walk: Walk) -> Message | None:
    """Return the last news, or the trouble to put right."""
    if strange := [mark for mark in walk.lying if mark in walk.foreign]:
        at, thing = walk.lying[strange[-1]].reader, walk.foreign[strange[-1]]
        if thing is None:
            text = "An unknown sticker lies on reader {place}: it is on nothing of this deck."
            return message(text, place=at)
        text = "Reader {place} has {thing} on it: put it back into its box."
        return message(text, place=at, thing=thing)
    if walk.odd:
        place, what = next(iter(walk.odd.items()))
        text = TOGETHER_TEXT if what == "twin" else UNUSABLE
        return Message(text if walk.kind == "banks" else ODDITY_TEXTS[what], {"place": place})
    return walk.says


def _list_notes(walk: Walk) -> list[Message]:
    """Return the notes on a box besides its gaps: unknown stickers count only if every card of the
    box has its own."""
    named = [thing for thing in walk.foreign.values() if thing is not None]
    unknown = len(walk.foreign) - len(named)
    if unknown and not walk.never:
        named.append(message("unknown stickers: {n}", n=unknown))
    return [message("Not of this box: {things}.", things=named)] if named else []


def _find_states(walk: Walk) -> tuple[tuple[int, FindState], ...]:
    """Return the state of each place or seat; a seat is without a lamp once every lamp has been
    asked for."""
    found, skipped = walk.learnt_wires(), {*walk.left_out}
    if walk.kind == "lamps":
        skipped = {*walk.wanted} if walk.asked is None else set()
    return tuple(
        (one, "found" if one in found else "skipped" if one in skipped else "open")
        for one in walk.wanted
    )
