"""The shuffled box of Banque Fatale: a card for everyone, and the pile."""

from companion.bots.dealing import Dealer
from companion.core.json_values import JsonObject
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.games.banque_fatale.state import BanqueFataleState


class BanqueFataleDealer(Dealer):
    """Deals cards of a single colour first, then turns up the others."""

    def shuffle(self, box: BanqueFataleBox, seats: int) -> None:
        self._dealt = self.shuffled(card for card in box.cards if "-" not in card)[:seats]
        self._pile = self.shuffled(card for card in box.cards if card not in self._dealt)

    def fill_in(
        self, _state: BanqueFataleState, seat: int, do: str, fields: JsonObject
    ) -> JsonObject:
        if do == "card_dealt":
            return {**fields, "card": self._dealt[seat - 1]}
        return {**fields, "card": self._pile.pop()} if do == "card_turned" else fields
