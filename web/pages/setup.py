"""The setup wizard in the browser, one step after the other.

Law: it is for a browser that is signed in as host, and shows of wires and stickers only how far
they are learnt: no tag, no mark, no pin and no path.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort

from companion.core.cards import TILE, Box
from companion.core.i18n import N_
from companion.games import find_game, game_names, make_rulebook
from companion.games.layout import Piece, piece_kind
from companion.games.screens import PLACES_IN_A_RING, ReaderSpot, plan_readers
from companion.host.settings import TableSettings
from companion.hotspot.machine import MachineStatus
from companion.setup.steps import SetupView, WiringOffer, WizardStep
from web.context import current_context
from web.pages.join import most_seats
from web.rendering.blocks import Block, Layout, SignedOut, lay_out
from web.rendering.scene import Facts, Scene
from web.rendering.screens import is_signed_out, render_screen, requested_screen

blueprint = Blueprint("first", __name__, url_prefix="/first")


class StepWords(NamedTuple):
    """The name of a step, its question, and how to answer it if that says something more."""

    name: str
    asks: str
    why: str = ""


STEPS: dict[WizardStep, StepWords] = {
    "language": StepWords(
        N_("Language"),
        N_("Which language does this table speak?"),
    ),
    "box": StepWords(
        N_("Box"),
        N_("Which box lies on this table?"),
    ),
    "wiring": StepWords(
        N_("Wiring"),
        N_("What is built into this table?"),
        N_(
            "Choose the plan it was built from. Without any wires, you tap everything on the "
            "phones."
        ),
    ),
    "banks": StepWords(
        N_("Readers"),
        N_("Where does each reader lie?"),
        N_("Lay one card where the drawing glows: so the table learns which cable leads there."),
    ),
    "buttons": StepWords(
        N_("Buttons"),
        N_("Which button is at which seat?"),
        N_("Press the button of the seat that glows: so the table learns which cable leads there."),
    ),
    "lamps": StepWords(
        N_("Lamps"),
        N_("Which lamp is lit?"),
        N_("One lamp of the table is lit. Tap its seat in the drawing."),
    ),
    "stickers": StepWords(
        N_("Stickers"),
        N_("Which sticker is on which card?"),
        N_("Put a sticker on each card and lay the card on any reader, one at a time."),
    ),
    "check": StepWords(
        N_("Check"),
        N_("Is the box complete?"),
        N_("Pass everything over the readers once; what is missing is listed here."),
    ),
    "done": StepWords(
        N_("Done"),
        N_("The table is ready."),
    ),
}
"""The steps, in words."""
SEAT_STEPS = ("buttons", "lamps")
"""The steps that are about seats, not places."""


@blueprint.before_request
def check_setup() -> None:
    """Send 404 where there is no setup wizard, or no host."""
    if current_context().setup is None or current_context().host is None:
        abort(404)


@blueprint.get("")
def show_setup() -> Response:
    """Show the current step to a signed-in host."""
    return render_screen(requested_screen("first"))


class SetupFacts(Facts, frozen=True):
    """Progress of the set-up."""

    over: bool
    shown: SetupView | None
    named: Mapping[WizardStep, StepWords]
    at: int
    settings: TableSettings
    machine: MachineStatus | None
    spoken: str
    boxes: Sequence[Box]
    chosen: Box | None
    spots: tuple[ReaderSpot, ...]
    seats: Sequence[int]
    found: Mapping[int, str]
    piece: Piece | None
    of_seats: bool
    lit: bool
    """Whether a lamp shines that is asked about."""


def setup_facts(scene: Scene) -> SetupFacts | SignedOut:
    """Return the progress of the set-up."""
    context = scene.context
    if context.setup is None or is_signed_out(context, scene.screen):
        return SignedOut()
    shown = context.setup.view()
    return SetupFacts(
        over=context.table.history.is_over,
        shown=shown,
        named=STEPS,
        at=1 + next(n for n, (step, _) in enumerate(shown.steps) if step == shown.step),
        settings=context.settings,
        machine=context.machine.status,
        spoken=context.settings.language,
        boxes=[make_rulebook(game).box for game in game_names()],
        chosen=make_rulebook(shown.game).box if shown.game in game_names() else None,
        spots=_reader_spots(shown),
        seats=_seat_numbers(shown),
        found=dict(shown.found),
        piece=_asked_piece(shown.thing),
        of_seats=shown.step in SEAT_STEPS,
        lit=shown.step == "lamps" and any(how == "open" for _, how in shown.found),
    )


lay_out("first", Layout(Block("setup/page.html"), Block("setup/live.html", setup_facts)))


def _reader_spots(shown: SetupView) -> tuple[ReaderSpot, ...]:
    """Return the readers of the chosen wiring, laid out for the chosen game."""
    offer = _chosen_offer(shown)
    places = [place for place, _ in shown.found] if shown.step == "banks" else []
    plan = find_game(shown.game).screens.readers if shown.game in game_names() else PLACES_IN_A_RING
    return plan_readers(plan, places or range(1, (offer.readers if offer else 0) + 1))


def _seat_numbers(shown: SetupView) -> list[int]:
    """Return the seats of the chosen wiring; without buttons, as many as the largest box has."""
    offer = _chosen_offer(shown)
    seats = [seat for seat, _ in shown.found] if shown.step in SEAT_STEPS else []
    return seats or list(range(1, ((offer.buttons if offer else 0) or most_seats()) + 1))


def _chosen_offer(shown: SetupView) -> WiringOffer | None:
    return next((one for one in shown.profiles if one.profile == shown.profile), None)


def _asked_piece(thing: str) -> Piece | None:
    """Return the piece whose sticker is asked for, as it is drawn."""
    return Piece(piece_kind(thing), thing.removeprefix(TILE)) if thing else None
