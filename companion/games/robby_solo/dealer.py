"""The shuffled box of Robby Solo: the loot deck, and Robby Junior's robbery cards."""

from companion.bots.dealing import Dealer
from companion.core.json_values import JsonObject
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.raid import Round, loot_cards
from companion.games.robby_solo.state import RobbySoloState


class RobbySoloDealer(Dealer):
    """Turns up loot from the top of the deck; what the police find goes under it."""

    def shuffle(self, box: RobbySoloBox, _seats: int) -> None:
        self._deck = self.shuffled(card for card, n in loot_cards(box).items() for _ in range(n))
        self._junior: list[str] = []
        self._raided: Round | None = None

    def fill_in(self, state: RobbySoloState, _seat: int, do: str, fields: JsonObject) -> JsonObject:
        self._put_under(state.verdict)
        if do == "loot_laid":
            return {**fields, "card": self._deck.pop()}
        if do == "junior_shown" and state.junior is not None:
            self._junior = self._junior or self.shuffled(state.banks)
            return {**fields, "bank": self._junior[len(state.junior.order)]}
        return fields

    def _put_under(self, verdict: Round | None) -> None:
        """Put the cards of the last raids under the deck, once."""
        if verdict is not None and verdict is not self._raided:
            self._raided = verdict
            for raid in verdict.raids:
                self._deck[:0] = [*raid.returns.values(), *raid.removed]
