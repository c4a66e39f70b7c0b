"""Two states of a game that differ only in what a viewer may not know.

Each function takes a game and a viewing seat (0 for the table screen and spectators) and gives
another game in which everything hidden from that viewer is different, as far as it can be while
the boxes' counts stay right. What a hand holds before it opens is not in any game at all: the
engine has only its seal.
"""

from random import Random
from typing import Any

import msgspec

from companion.core.commitment import replace_entry

replace = msgspec.structs.replace


def other_hands(state: Any, viewer: int, values: Any) -> Any:
    """Draw hands that are open to the engine, but to nobody while another one is shut."""
    hands = state.hands
    for seat, value in enumerate(hands.values, 1):
        if value is not None and seat != viewer:
            hands = replace(hands, values=replace_entry(hands.values, seat, values(seat, value)))
    return replace(state, hands=hands)


def bankueberfall(state: Any, viewer: int, random: Random) -> Any:
    """Other face-down cards, other coins, other hands."""
    banks = tuple(
        tuple(_other_card(card, viewer, state.box, random) for card in bank) for bank in state.banks
    )
    state = replace(state, banks=banks)
    if state.phase != "over":
        players = tuple(
            p if n == viewer else replace(p, coins=p.coins + random.randint(1, 9))
            for n, p in enumerate(state.players, 1)
        )
        state = replace(state, players=players)
    return other_hands(state, viewer, lambda _, bid: bid + 1)


def _other_card(card: Any, viewer: int, box: Any, random: Random) -> Any:
    if card.card is None or card.up or viewer in card.known_to:
        return card
    others = [name for name in box.cards if name != card.card]
    return replace(card, card=random.choice(others))


def banque_fatale(state: Any, viewer: int, random: Random) -> Any:
    """Other chips and other cash behind the screens, other hands."""
    if state.phase != "over":
        players = tuple(
            p if n == viewer else _other_purse(p, random) for n, p in enumerate(state.players, 1)
        )
        state = replace(state, players=players)
    return other_hands(state, viewer, lambda _, hand: {**hand, "red": hand.get("red", 0) + 1})


def _other_purse(player: Any, random: Random) -> Any:
    chips = {colour: n + random.randint(0, 2) for colour, n in player.chips.items()}
    return replace(player, chips=chips, cash=player.cash + random.randint(1, 9))


def robby_solo(state: Any, viewer: int, random: Random) -> Any:
    """Other cards below the top ones, another order of Robby Junior's, other hands."""
    if state.phase != "over":
        state = _other_piles(state, viewer, random)
    if state.junior and len(state.junior.order) > 1 and state.phase != "junior":
        first, *rest = state.junior.order
        state = replace(state, junior=replace(state.junior, order=(*rest, first)))
    row = list(state.banks)
    return other_hands(state, viewer, lambda _, bank: row[(row.index(bank) + 1) % len(row)])


def _other_piles(state: Any, viewer: int, random: Random) -> Any:
    """The hidden cards of all piles, dealt out anew: the table as a whole holds the same."""
    owners = [n for n, p in enumerate(state.players, 1) if n != viewer and p.pile]
    hidden = [card for n in owners for card in state.players[n - 1].pile[:-1]]
    moved = random.sample(hidden, len(hidden))
    players = state.players
    for n in owners:
        player = players[n - 1]
        below = len(player.pile) - 1
        pile = (*moved[:below], player.pile[-1])
        del moved[:below]
        players = replace_entry(players, n, replace(player, pile=pile))
    return replace(state, players=players)


OTHER_WORLD = {
    "bankueberfall": bankueberfall,
    "banque_fatale": banque_fatale,
    "robby_solo": robby_solo,
}
