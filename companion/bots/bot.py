"""A bot at its seat: it decides as one plays its game, and keeps its hand closed.

Laws: given its luck and what it was shown, a bot always decides the same. What happened
before it reads in the public past, which is handed to it each time. The content of its
closed hand is all that it must not forget:
`remember` it before the seal is sent, `recall` it after a restart. A hand that it cannot open
it leaves to the table.

A bot thinks as long as a person does: longer where more is at stake and more can be chosen, and no
shorter than people read a long sentence on what is going on. Nothing waits here: it is only said
how long, as a multiple of the usual time.
"""

import hashlib
from collections.abc import Sequence
from math import log2
from random import Random

from companion.bots.decisions import BotView, CloseHand, Decisions, PieceMove, do_anything
from companion.core import commitment
from companion.core.cards import Box
from companion.core.errors import JsonObject
from companion.core.events import Event, Opened, Sealed, Value
from companion.core.verdict import Verdict
from companion.games import find_game
from companion.table.view import View

HAND, OPENING = 1.6, 0.5
"""Factors for thinking about a closed hand, which takes longer, and about opening it."""
SHORTEST, DOUBLING = 0.55, 0.22
"""For a single way of going on, and for every doubling of the ways there are."""
SPREAD = 0.3
"""Spread of the times of one kind of moment."""
LONG_SENTENCE, READING = 12, 0.19
"""From so many words on, what is going on takes people so long to read for each word."""


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
        wish = self._decisions.get(view.public.phase, do_anything)(sight)
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


def thinking_time(view: View, random: Random) -> float:
    """Return the duration of this seat's next decision, as a multiple of the usual time."""
    thought = decision_weight(view) * random.lognormvariate(0, SPREAD)
    told = (view.public.skipped, view.public.now)
    words = sum(len(said.text.split()) for said in told if said is not None)
    return max(thought, READING * words if words >= LONG_SENTENCE else 0)


def decision_weight(view: View) -> float:
    """Return the weight of the decision that this view asks for."""
    offered = {may.do: len(may.choices) for may in view.may}
    if "sealed" in offered:
        return HAND
    if "opened" in offered:
        return OPENING
    return SHORTEST + DOUBLING * log2(max(1, sum(offered.values())))
