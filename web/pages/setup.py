"""The setup wizard in the browser, one step after the other.

Law: it is for a browser that is signed in as host, and shows of wires and stickers only how far
they are learnt: no tag, no mark, no pin and no path.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, Response

from companion.core.cards import TILE, Box
from companion.core.i18n import N_
from companion.games import find_game, game_names
from companion.games.layout import Piece, piece_kind
from companion.games.screens import PLACES_IN_A_RING, ReaderSpot, plan_readers
from companion.host.settings import TableSettings
from companion.hotspot.machine import MachineStatus
from companion.setup.steps import SetupView, WiringOffer, WizardStep
from web.pages.join import all_boxes, most_seats
from web.rendering.blocks import Block, Layout, lay_out
from web.rendering.scene import Facts, of
from web.rendering.screens import render_screen, requested_screen

blueprint = Blueprint("first", __name__, url_prefix="/first")


class StepWords(NamedTuple):
    """The name of a step, its question, and how to answer it if that says something more."""

    name: str
    asks: str
    why: str = ""


STEPS: dict[WizardStep, StepWords] = {
    "language": StepWords(N_("Language"), N_("Which language does this table speak?")),
    "box": StepWords(N_("Box"), N_("Which box lies on this table?")),
    "wiring": StepWords(
        N_("Wiring"),
        N_("What is built into this table?"),
        N_(
            "Choose the plan it was built from. Without any wires, you tap everything on the "
            "phones."
        ),
    ),
    "banks": StepWords(N_("Readers"), N_("Where does each reader lie?")),
    "buttons": StepWords(N_("Buttons"), N_("Which button is at which seat?")),
    "lamps": StepWords(N_("Lamps"), N_("Which lamp is lit?")),
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
    "done": StepWords(N_("Done"), N_("The table is ready.")),
}
"""The steps, in words."""
SEAT_STEPS = ("buttons", "lamps")
"""The steps that are about seats, not places."""


@blueprint.get("")
def show_setup() -> Response:
    """Show the current step to a signed-in host."""
    return render_screen(requested_screen("first"))


class SetupFacts(Facts, frozen=True):
    """Progress of the set-up."""

    over: bool = of(lambda s: s.context.table.history.is_over)
    shown: SetupView = of(lambda s: s.setup)
    named: Mapping[WizardStep, StepWords] = of(lambda _: STEPS)
    at: int = of(lambda s: 1 + [step for step, _ in s.setup.steps].index(s.setup.step))
    settings: TableSettings = of(lambda s: s.context.settings)
    machine: MachineStatus | None = of(lambda s: s.context.machine.status)
    boxes: Sequence[Box] = of(lambda _: all_boxes())
    chosen: Box | None = of(
        lambda s: next((b for b in all_boxes() if b.game == s.setup.game), None)
    )
    spots: tuple[ReaderSpot, ...] = of(lambda s: _reader_spots(s.setup))
    seats: Sequence[int] = of(lambda s: _seat_numbers(s.setup))
    found: Mapping[int, str] = of(lambda s: dict(s.setup.found))
    piece: Piece | None = of(lambda s: _asked_piece(s.setup.thing))
    of_seats: bool = of(lambda s: s.setup.step in SEAT_STEPS)
    lit: bool = of(lambda s: s.setup.step == "lamps" and "open" in dict(s.setup.found).values())
    """Whether a lamp shines that is asked about."""


lay_out("first", Layout(Block("setup/page.html"), Block("setup/live.html", SetupFacts.find)))


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
    """Return the piece that needs its sticker now, in order to draw it; None without one."""
    return Piece(piece_kind(thing), thing.removeprefix(TILE)) if thing else None
