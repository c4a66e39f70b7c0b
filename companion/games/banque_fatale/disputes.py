"""Banque Fatale before the judge: an auction or the score as a case, and the moments behind it.

Law: chips and cash lie behind a screen until the game is over; an auction needs neither, only the
hands that opened and the cards that lie in front of the screens.
"""

from companion.core.i18n import N_, Message
from companion.core.verdict import find_fact
from companion.games.banque_fatale.rules import RULES
from companion.games.banque_fatale.state import BanqueFatalePlayer, BanqueFataleState
from companion.games.disputes import Dispute, Disputes, Ground

LOT = N_("The card on auction was {card}.")
FIST = N_("{who} held {by_colour}.")
BEGAN = N_("The start player was {who}.")
STOOD = N_("Value of {colour}: {value}.")
HELD = N_("The card {card} lay in front of {who}.")
OWNS = N_("{who} ends with {millions} in cash and {chips}.")


def _dispute_auction(before: BanqueFataleState, after: BanqueFataleState, _shown: bool) -> Dispute:
    assert after.verdict is not None
    names = [player.name for player in before.players]
    starter, fists = names[before.starter - 1], find_fact(after.verdict, "fists")
    case = {
        "players": names,
        "start": starter,
        "bids": {name: dict(fist) for name, fist in fists.items()},
        "values": dict(before.values),
        "card": before.auctioned.split("-"),
        "holdings": {player.name: _split_cards(player) for player in before.players},
    }
    grounds = (
        _lot_ground(before.auctioned),
        *(
            Ground(Message(FIST, {"who": [name], "by_colour": fist}), hand=seat)
            for seat, (name, fist) in enumerate(fists.items(), 1)
        ),
        Ground(Message(BEGAN, {"who": [starter]}), since=lambda state: state.starter),
        *_table_grounds(before),
    )
    return Dispute("auction", case, grounds)


def _split_cards(player: BanqueFatalePlayer) -> list[list[str]]:
    """Return the cards of a player as a case spells them."""
    return [card.split("-") for card in player.cards]


def _lot_ground(card: str) -> Ground:
    """Return the card on auction: when it was turned up, and when it was chosen."""

    def watch(state: BanqueFataleState) -> str | None:
        if card == state.auctioned:
            return "chosen"
        return "turned" if card in state.open_cards else None

    return Ground(Message(LOT, {"card": card}), since=watch, every=True)


def _table_grounds(state: BanqueFataleState, after: bool = False) -> list[Ground]:
    """Return the values of the colours, and the cards in front of the screens."""
    return [
        *(_value_ground(colour, value, after) for colour, value in state.values.items()),
        *(
            _card_ground(seat, player.name, card, after)
            for seat, player in enumerate(state.players, 1)
            for card in player.cards
        ),
    ]


def _value_ground(colour: str, value: int, after: bool) -> Ground:
    said = Message(STOOD, {"colour": colour, "value": value})
    return Ground(said, since=lambda state: state.values[colour], after=after)


def _card_ground(seat: int, name: str, card: str, after: bool) -> Ground:
    said = Message(HELD, {"card": card, "who": [name]})
    return Ground(said, since=lambda state: card in state.players[seat - 1].cards, after=after)


def _dispute_score(after: BanqueFataleState) -> Dispute:
    funds = {
        one.name: {"cash": one.cash, "chips": one.count_chips(), "cards": _split_cards(one)}
        for one in after.players
    }
    owned = (_total_ground(seat, player) for seat, player in enumerate(after.players, 1))
    case = {"values": dict(after.values), "funds": funds}
    return Dispute("score", case, (*owned, *_table_grounds(after, after=True)))


def _total_ground(seat: int, player: BanqueFatalePlayer) -> Ground:
    facts = {"who": [player.name], "millions": player.cash, "chips": player.count_chips()}

    def behind_the_screen(state: BanqueFataleState) -> tuple[int, int]:
        mine = state.players[seat - 1]
        return mine.cash, mine.count_chips()

    return Ground(Message(OWNS, facts), since=behind_the_screen, after=True)


DISPUTES = Disputes(_dispute_auction, _dispute_score, RULES.deciding)
