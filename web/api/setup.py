"""Setup operations: the steps of the setup wizard.

Laws: only the host may, and nothing here touches a game; while one is under way the table stays as
it is. A request about a step that the wizard has left already has no effect.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct

from companion.core.durable_files import second_of_two_writes
from companion.core.errors import Refusal, refusal
from companion.core.sensor_events import PlaceMode
from companion.setup.steps import SetupView, WizardAction, WizardStep
from web.api.operation import Api, Key, Spoken
from web.context import current_context
from web.rendering import languages
from web.rendering.screens import choose_language

if TYPE_CHECKING:
    from companion.app.setup.wizard import SetupWizard

api = Api(
    "first",
    "/api/host/first",
    "The first start: the table is set up from the browser, step by step.",
)

Seat = Annotated[int, Meta(ge=0, le=6)]
Place = Annotated[int, Meta(ge=0, le=8)]


class AtStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the steps."""

    key: Key
    step: WizardStep


class Boxed(Struct, frozen=True, forbid_unknown_fields=True):
    """A box is chosen."""

    key: Key
    game: str


class Built(Struct, frozen=True, forbid_unknown_fields=True):
    """The wiring profile that the table was built by."""

    key: Key
    profile: str


class Lit(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat of the lamp that is lit; 0: none does."""

    key: Key
    seat: Seat


class Placed(Struct, frozen=True, forbid_unknown_fields=True):
    """The place whose reader lies beside it, or under it, from now on; 0: none."""

    key: Key
    beside: Place = 0
    under: Place = 0


class Done(Struct, frozen=True, forbid_unknown_fields=True):
    """Action at the step that the page shows."""

    key: Key
    step: WizardStep
    act: WizardAction


TAP: PlaceMode = "tap"
PRESENCE: PlaceMode = "presence"


@api.get("", gives=SetupView, who="host", name="shown")
def get_setup() -> SetupView | Refusal:
    """Return the progress of the set-up."""
    first = current_context().setup
    return _no_setup_refusal() if first is None else first.view()


@api.post("/step", takes=AtStep, who="host", name="go")
def go_to_step(body: AtStep) -> Refusal | None:
    """Go to a step of the set-up."""
    return _with_setup(lambda first: first.go_to(body.step))


@api.post("/language", takes=Spoken, who="host", name="speak")
def set_setup_language(body: Spoken) -> Refusal | None:
    """Set the language of the table, and of this browser."""
    return _with_setup(lambda _first: _choose_language(languages.check_language(body.language)))


@api.post("/box", takes=Boxed, who="host", name="box")
def choose_box(body: Boxed) -> Refusal | None:
    """Choose the box that lies on the table."""
    return _with_setup(lambda first: first.choose_box(body.game))


@api.post("/wiring", takes=Built, who="host", name="wire")
def choose_wiring(body: Built) -> Refusal | None:
    """Choose the wiring profile."""
    return _with_setup(lambda first: first.choose_wiring(body.profile))


@api.post("/lamp", takes=Lit, who="host", name="lamp")
def report_lamp(body: Lit) -> Refusal | None:
    """Report the seat of the lamp that is lit."""
    return _with_setup(lambda first: first.locate_lamp(body.seat))


@api.post("/mode", takes=Placed, who="host", name="mode")
def choose_mode(body: Placed) -> Refusal | None:
    """Set whether the reader of a place lies beside it or under it."""
    place, mode = (body.beside, TAP) if body.beside else (body.under, PRESENCE)
    return _with_setup(lambda first: first.choose_mode(place, mode))


@api.post("/act", takes=Done, who="host", name="act")
def act_on_step(body: Done) -> Refusal | None:
    """Skip, take back, begin again or finish a step of the set-up."""
    return _with_setup(lambda first: first.apply_action(body.act, body.step))


def _with_setup(do: Callable[["SetupWizard"], Refusal | None]) -> Refusal | None:
    first = current_context().setup
    return _no_setup_refusal() if first is None else do(first)


def _no_setup_refusal() -> Refusal:
    return refusal("not_here", "", "This table has nothing to set up there.")


def _choose_language(code: str) -> None:
    current_context().set_language(code)
    with second_of_two_writes():
        choose_language(code)
