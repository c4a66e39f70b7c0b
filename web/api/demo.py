"""Out of the demo: somebody touches the table screen, and one tap begins a game with bots.

Laws: whoever taps sits down first, at a free seat, so that no bot plays from there; where the game
then cannot begin, they stand up again. At a table with real cards there is no such game.
"""

from msgspec import Struct

from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.games import RULEBOOKS, rulebook
from companion.games.wish import no_such_box
from web.api.asking import TAPPED, Key, Tapped
from web.api.join import forgetful
from web.api.operation import Api
from web.browser import my_browser
from web.context import Pieces, room

api = Api("demo", "/api/demo")


class Gathered(Struct, frozen=True, forbid_unknown_fields=True):
    """A box is chosen."""

    key: Key
    game: str


@api.post(
    "/touched",
    N_("Touch the table screen: a demo gives way to the table."),
    takes=Tapped,
    example=TAPPED,
)
def touch(body: Tapped) -> None:
    """Whatever anybody asks for does the same; this asks for nothing else."""


@api.post(
    "/games",
    N_("Sit down and begin a game with bots at a simulated table."),
    takes=Gathered,
    example={"key": "6f2c1a", "game": "bankueberfall"},
)
def gather(body: Gathered) -> Refusal | None:
    """From the seat that this browser has, or from the first that is free."""
    here, pieces = room(), room().pieces
    if pieces is None:
        return refusal(
            "real_cards", "", "The cards of this table are real: its host begins a game."
        )
    refused = forgetful() or _cannot_begin(body.game)
    if refused is not None:
        return refused
    sits = here.seats.of(my_browser())
    return pieces.gather(body.game) if sits else _seated(pieces, body.game)


def _cannot_begin(game: str) -> Refusal | None:
    """Why nobody need sit down for this."""
    if game not in RULEBOOKS:
        return no_such_box(game)
    if not room().table.history.over:
        return refusal("under_way", rulebook(game).begins, "A game is under way.")
    return None


def _seated(pieces: Pieces, game: str) -> Refusal | None:
    """Sit down and begin."""
    seats = room().seats
    guest, taken = seats.guest(my_browser()), seats.taken()
    free = (n for n in range(1, rulebook(game).box.players.most + 1) if n not in taken)
    seat = next(free, 0)
    if not seat:
        return refusal("no_seat", "", "Every seat is taken.")
    refused = seats.take(seat, my_browser(), name=guest.name if guest else "")
    if refused is None:
        refused = pieces.gather(game)
        if refused is not None:
            seats.free(seat)
    return refused
