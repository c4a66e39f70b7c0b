"""The first start: the table is set up from the browser, step by step.

Law: only the host may, and nothing here is done to a game; while one is under way the table stays
as it is. What is asked of a step that the table has left already is not done a second time.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from flask import session
from msgspec import Meta, Struct

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.setup import Act, FirstStart, Showing, Step
from web.api.operation import SPOKEN, TAPPED, Api, Key, Spoken, Tapped
from web.context import current_context
from web.rendering import templates

api = Api(
    "first",
    "/api/host/first",
    "The first start: the table is set up from the browser, step by step.",
)

Seat = Annotated[int, Meta(ge=0, le=6)]


class AtStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the steps."""

    key: Key
    step: Step


class Boxed(Struct, frozen=True, forbid_unknown_fields=True):
    """A box is chosen."""

    key: Key
    game: str


class Built(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table was built after."""

    key: Key
    profile: str


class Lit(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat at which a lamp shines; 0: none does."""

    key: Key
    seat: Seat


class Done(Struct, frozen=True, forbid_unknown_fields=True):
    """What is done at the step that the page shows."""

    key: Key
    step: Step
    act: Act


class Handled(Struct, frozen=True, forbid_unknown_fields=True):
    """What the hand of a rehearsal does."""

    key: Key
    what: Literal["asked", "wrong", "off"]


AT_STEP = {"key": "6f2c1a", "step": "banks"}


@api.get("", N_("How far the table is set up."), gives=Showing, who="host", name="shown")
def get_setup() -> Showing | Refusal:
    """All that the page shows."""
    first = current_context().setup
    return _no_setup_refusal() if first is None else first.shown()


@api.post("/step", N_("Go to a step."), takes=AtStep, example=AT_STEP, who="host", name="go")
def go_to_step(body: AtStep) -> Refusal | None:
    """Whichever; every step may be left out and come back to."""
    return _with_setup(lambda first: first.go(body.step))


@api.post(
    "/next",
    N_("Leave a step for the next one."),
    takes=AtStep,
    example=AT_STEP,
    who="host",
    name="go_on",
)
def go_to_next_step(body: AtStep) -> Refusal | None:
    """A second tap does not leave the step after it, too."""
    return _with_setup(lambda first: first.next(body.step))


@api.post(
    "/language",
    N_("Choose the language of the table, and of this browser."),
    takes=Spoken,
    example=SPOKEN,
    who="host",
    name="speak",
)
def set_setup_language(body: Spoken) -> Refusal | None:
    """The page comes anew in this language."""
    return _with_setup(lambda _first: _choose_language(templates.check_language(body.language)))


@api.post(
    "/box",
    N_("Choose the box that lies on the table."),
    takes=Boxed,
    example={"key": "6f2c1a", "game": "robby_solo"},
    who="host",
    name="box",
)
def choose_box(body: Boxed) -> Refusal | None:
    """Its stickers are asked for, and it is offered first."""
    return _with_setup(lambda first: first.box(body.game))


@api.post(
    "/wiring",
    N_("Choose what the table was built after."),
    takes=Built,
    example={"key": "6f2c1a", "profile": "eight-readers"},
    who="host",
    name="wire",
)
def choose_wiring(body: Built) -> Refusal | None:
    """Its wires are opened at once; if they cannot be, the old ones are opened again."""
    return _with_setup(lambda first: first.wire(body.profile))


@api.post(
    "/lamp",
    N_("Say at which seat the lamp shines."),
    takes=Lit,
    example={"key": "6f2c1a", "seat": 3},
    who="host",
    name="lamp",
)
def report_lamp(body: Lit) -> Refusal | None:
    """With 0: at none."""
    return _with_setup(lambda first: first.lamp(body.seat))


@api.post(
    "/act",
    N_("Skip what is asked for, take the last thing back, or begin a step again."),
    takes=Done,
    example={"key": "6f2c1a", "step": "stickers", "act": "undo"},
    who="host",
    name="act",
)
def act_on_step(body: Done) -> Refusal | None:
    """Only at the step that the page shows."""
    return _with_setup(lambda first: first.act(body.act, body.step))


@api.post(
    "/hand",
    N_("Have the hand of a rehearsal do something at the simulated table."),
    takes=Handled,
    example={"key": "6f2c1a", "what": "asked"},
    who="host",
    name="hand",
)
def move_rehearsal_hand(body: Handled) -> Refusal | None:
    """At a real table people do it themselves."""
    return _with_setup(lambda first: first.hand(body.what))


@api.post("/finish", N_("Set-up is done."), takes=Tapped, example=TAPPED, who="host", name="finish")
def finish_setup(body: Tapped) -> Refusal | None:
    """The table screen no longer says where it is set up."""
    return _with_setup(lambda first: first.finish())


def _with_setup(do: Callable[[FirstStart], Refusal | None]) -> Refusal | None:
    first = current_context().setup
    return _no_setup_refusal() if first is None else do(first)


def _no_setup_refusal() -> Refusal:
    return refusal("not_here", "", "There is nothing to set up at this table.")


def _choose_language(code: str) -> None:
    session[templates.LANGUAGE_KEY] = code
    current_context().set_language(code)
