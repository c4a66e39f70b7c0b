"""What can neither vanish nor appear, game by game."""

from collections import Counter
from typing import Any

from companion.games.robby_solo.round import loot_cards


def bankueberfall(state: Any) -> None:
    """45 cards; every coin comes from the reserve or goes there; credits bring ten each."""
    lying = [card.card for bank in state.banks for card in bank]
    hands = sum(player.hand for player in state.players)
    assert state.pile + hands + len(lying) + len(state.discard) == 45
    known = Counter([card for card in lying if card] + list(state.discard))
    assert all(n <= state.box.cards[card] for card, n in known.items())
    assert sum(player.coins for player in state.players) + state.reserve == 0
    assert all(player.coins >= 0 and player.credits >= 0 for player in state.players)
    assert 0 <= sum(state.tiles.values()) <= 7
    assert state.tiles.keys() == state.box.tiles.keys()


def banque_fatale(state: Any) -> None:
    """40 chips, 16 cards, markers on their track."""
    owned = Counter(state.middle)
    for player in state.players:
        owned.update(player.chips)
    in_play = state.box.chips_each * len(state.players)
    assert all(owned[colour] == in_play for colour in state.box.colours), owned
    spare = sum(state.box.chips.values()) - in_play * len(state.box.colours)
    assert owned.total() + spare == 40
    seen = [card for player in state.players for card in player.cards]
    seen += [*state.open_cards, *state.sold]
    if state.auctioned and state.phase in ("refill", "seal", "open"):
        seen.append(state.auctioned)
    assert len(set(seen)) == len(seen)
    undealt = sum(not player.cards for player in state.players) if state.phase == "deal" else 0
    assert len(seen) + state.pile + undealt == 16
    assert all(2 <= value <= 10 for value in state.values.values())


def robby_solo(state: Any) -> None:
    """61 loot cards, none more often than the box holds it."""
    piles = Counter(card for pile in state.loot().values() for card in pile)
    lying = Counter(card for bank in state.banks.values() for card in bank)
    seen = piles + lying
    assert state.deck + seen.total() == 61
    loot = loot_cards(state.box)
    assert all(n <= loot[card] for card, n in seen.items())
    assert all(len(bank) <= state.box.police for bank in state.banks.values())


CONSERVED = {
    "bankueberfall": bankueberfall,
    "banque_fatale": banque_fatale,
    "robby_solo": robby_solo,
}
