"""The shuffled box of Banküberfall: hands, pile, face-down cards and tiles."""

from collections.abc import Iterable, Sequence

from companion.bots.dealing import Dealer
from companion.core.events import Event
from companion.core.json_values import JsonObject
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.state import BankueberfallState, CardNamed


class BankueberfallDealer(Dealer):
    """Deals a card to every bank, and a hand to every seat."""

    def shuffle(self, box: BankueberfallBox, seats: int) -> None:
        self._pile = self.shuffled(card for card, n in box.cards.items() for _ in range(n))
        self._first = [self._pile.pop() for _ in range(box.banks)]
        self._hands = [[self._pile.pop() for _ in range(box.hand)] for _ in range(seats)]

    def hand(self, seat: int) -> Sequence[str]:
        return tuple(self._hands[seat - 1])

    def show_pieces(self, _state: BankueberfallState) -> Iterable[Event]:
        return [CardNamed(bank, 1, card) for bank, card in enumerate(self._first, 1)]

    def fill_in(
        self, state: BankueberfallState, seat: int, do: str, fields: JsonObject
    ) -> JsonObject:
        if do == "tile_turned":
            tiles = [tile for tile, n in state.tiles.items() for _ in range(n)]
            return {**fields, "tile": self.random.choice(tiles)}
        if do == "bank_refilled":
            return {**fields, "card": self._pile.pop()}
        if do == "card_placed":
            hand = self._hands[seat - 1]
            hand.remove(fields["card"])
            hand += [self._pile.pop()] if self._pile else []
        return fields
