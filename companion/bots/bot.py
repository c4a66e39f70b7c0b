"""A bot at its seat: it decides as one plays its game, and keeps its hand closed.

Law: given its luck and what it was shown, a bot always decides the same. The content of its closed
hand is all that it must not forget: `remember` it before the seal is sent, `recall` it after a
restart. A hand that it cannot open it leaves to the table.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.core import commitment
from companion.core.cards import BankueberfallBox, BanqueFataleBox, Box, RobbySoloBox, standard_box
from companion.core.events import Event, Opened, Sealed, Value
from companion.core.json_values import JsonObject
from companion.core.verdict import Verdict
from companion.games.bankueberfall import bot as bankueberfall
from companion.games.bankueberfall.view import BankueberfallPublic as Bankueberfall
from companion.games.banque_fatale import bot as banque_fatale
from companion.games.banque_fatale.view import BanqueFatalePublic as BanqueFatale
from companion.games.common_view import Public as CommonView
from companion.games.robby_solo import bot as robby_solo
from companion.games.robby_solo.view import RobbySoloPublic as RobbySolo
from companion.table.view import View


class BotGame(NamedTuple):
    """The box of a game, and the decision in each of its phases."""

    box: type[Box]
    acts: Mapping[str, Callable[[BotView], Decision]]


GAMES: dict[type[CommonView], BotGame] = {
    Bankueberfall: BotGame(BankueberfallBox, bankueberfall.DECISIONS),
    BanqueFatale: BotGame(BanqueFataleBox, banque_fatale.DECISIONS),
    RobbySolo: BotGame(RobbySoloBox, robby_solo.DECISIONS),
}
"""The games, by what their table looks like."""


class Bot:
    """Plays one seat, whichever game is on the table."""

    def __init__(self, seat: int, random: Random, box: Box | None = None) -> None:
        """Play a seat; `box` is given if it is not the box as it is sold."""
        self.seat = seat
        self._random = random
        self._box = box
        self._held: tuple[str, Value, str] = ("", 0, "")
        self._game = ""
        self._past: list[Verdict] = []

    def decide(self, view: View, hand: Sequence[str]) -> Event | PieceMove | None:
        """Return what to do next; None if nothing is asked of this seat, or nothing can be done."""
        self._remember_verdict(view.public)
        if self.seat not in view.public.waiting:
            return None
        held = self._held[1] if self.has_closed_hand(view) else None
        if view.public.phase == "open":
            return None if held is None else Opened(self.seat, *self._held[1:])
        game = GAMES[type(view.public)]
        sight = BotView(
            self._box or standard_box(game.box), view, hand, self._past, held, self._random
        )
        wish = game.acts[view.public.phase](sight)
        return self._close_hand(view, wish.value) if isinstance(wish, CloseHand) else wish

    def has_closed_hand(self, view: View) -> bool:
        """Return whether this bot closed the hand of its seat as it is closed now."""
        seal = view.public.seats[self.seat - 1].seal
        return bool(seal) and self._held[0] == seal

    def remember(self) -> JsonObject:
        """Return what must outlive a restart, as plain data."""
        return dict(zip(("seal", "value", "nonce"), self._held, strict=True))

    def recall(self, memory: JsonObject) -> None:
        """Restore what `remember` returned."""
        self._held = (memory["seal"], memory["value"], memory["nonce"])

    def _remember_verdict(self, public: Any) -> None:
        """Keep the verdicts that were announced in this game."""
        if public.id != self._game:
            self._game, self._past = public.id, []
        if public.verdict is not None and public.verdict not in self._past[-1:]:
            self._past.append(public.verdict)

    def _close_hand(self, view: View, value: Value) -> Event:
        """Seal a value; the nonce is derived from the last one, so that none comes twice."""
        fresh = self._held[2].encode() + self._random.randbytes(16)
        nonce, public = hashlib.sha256(fresh).hexdigest(), view.public
        seal = commitment.make_seal(public.id, public.round, self.seat, value, nonce)
        self._held = (seal, value, nonce)
        return Sealed(self.seat, seal)
