"""The pieces of every box at a simulated table: `pieces_of` tags a box and holds it."""

from random import Random

from companion.core.cards import Box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.robby_solo.box import RobbySoloBox
from hardware.simulator.hands_on_table import Tabletop
from hardware.simulator.pieces.bankueberfall import BankueberfallPieces
from hardware.simulator.pieces.banque_fatale import BanqueFatalePieces
from hardware.simulator.pieces.pieces import Pieces
from hardware.simulator.pieces.piles import Heap
from hardware.simulator.pieces.robby_solo import RobbySoloPieces

__all__ = ["Heap", "Pieces", "pieces_of"]


def pieces_of(box: Box, top: Tabletop, random: Random) -> Pieces:
    """Return the pieces of this box, each with a new tag, beside a simulated table."""
    match box:
        case BankueberfallBox():
            return BankueberfallPieces(box, top, random)
        case BanqueFataleBox():
            return BanqueFatalePieces(box, top, random)
        case RobbySoloBox():
            return RobbySoloPieces(box, top, random)
    text = N_("The simulated table has no pieces of {title}: play it at a real one, or by phone.")
    raise Malformed("game", text, title=box.title)
