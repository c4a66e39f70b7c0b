"""A bot at its seat: it decides as one plays its game, and keeps its hand closed.

Laws: given its luck and what it was shown, a bot always decides the same. What happened
before it reads in the public past, which is handed to it each time. The content of its
closed hand is all that it must not forget:
`remember` it before the seal is sent, `recall` it after a restart. A hand that it cannot open
it leaves to the table.
"""

import hashlib
from collections.abc import Sequence
from random import Random

from companion.bots import BotView, CloseHand, Decisions, PieceMove, do_anything, show_next_card
from companion.core import commitment
from companion.core.cards import Box
from companion.core.errors import JsonObject
from companion.core.events import Event, Opened, Sealed, Value
from companion.core.verdict import Verdict
from companion.games import find_game
from companion.table.view import View


class Bot:
    """Plays one seat, whichever game is on the table."""

    def __init__(
        self, seat: int, random: Random, box: Box, decisions: Decisions | None = None
    ) -> None:
        """Play a seat with this box, as bots play its game or by other decisions."""
        self.seat = seat
        self._random, self.box = random, box
        self._decisions = find_game(box.game).bot if decisions is None else decisions
        self._held: tuple[str, Value, str] = ("", 0, "")

    def decide(
        self, view: View, hand: Sequence[str], past: Sequence[Verdict] = ()
    ) -> Event | PieceMove | None:
        """Return the next request; None if nothing is asked of this seat, or nothing can be done.

        `past` are the verdicts that everyone heard in this game.
        """
        if self.seat not in view.public.waiting:
            return None
        held = self._held[1] if self.has_closed_hand(view) else None
        if view.public.phase == "open":
            return None if held is None else Opened(self.seat, *self._held[1:])
        public, mine, may, luck = view.public, view.mine, view.may, self._random
        sight = BotView(self.box, self.seat, public, mine, may, hand, past, held, luck)
        is_swept = getattr(public, "sweep", None) is not None
        decide = show_next_card if is_swept else self._decisions.get(public.phase, do_anything)
        wish = decide(sight)
        return self._close_hand(view, wish) if isinstance(wish, CloseHand) else wish

    def has_closed_hand(self, view: View) -> bool:
        """Return whether this bot closed the hand of its seat as it is closed now."""
        seal = view.public.seats[self.seat - 1].seal
        return bool(seal) and self._held[0] == seal

    def remember(self) -> JsonObject:
        """Return the bot's memory as plain data, for a restart."""
        return dict(zip(("seal", "value", "nonce"), self._held, strict=True))

    def recall(self, memory: JsonObject) -> None:
        """Restore the memory that `remember` returned."""
        self._held = (memory["seal"], memory["value"], memory["nonce"])

    def _close_hand(self, view: View, wish: CloseHand) -> Event:
        """Seal a value; the nonce is derived from the last one, so that none comes twice."""
        fresh = self._held[2].encode() + self._random.randbytes(16)
        nonce, public = hashlib.sha256(fresh).hexdigest(), view.public
        seal = commitment.make_seal(public.id, public.round, self.seat, wish.value, nonce)
        self._held = (seal, wish.value, nonce)
        return Sealed(self.seat, seal)
