"""Banque Fatale before the judge: an auction or the score as a case, and what each rests on.

Law: chips and cash lie behind a screen until the game is over; an auction needs neither, only the
hands that opened and the cards that lie in front of the screens.
"""

from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.banque_fatale.rules import RULES
from companion.games.banque_fatale.state import BanqueFatalePlayer, BanqueFataleState
from companion.games.disputes import Dispute, Disputes, Ground, find_fact, house_rule_grounds

LOT = N_("The card on auction was {card}.")
FIST = N_("{who} held {by_colour}.")
BEGAN = N_("The start player was {who}.")
STOOD = N_("Value of {colour}: {value}.")
HELD = N_("The card {card} lay in front of {who}.")
OWNS = N_("{who} ends with {millions} in cash and {chips}.")


def split_colours(card: str) -> list[str]:
    """Return a card as a case spells it."""
    return card.split("-")


def _dispute_auction(before: BanqueFataleState, after: BanqueFataleState, _shown: bool) -> Dispute:
    verdict = after.verdict
    assert verdict is not None
    names = [player.name for player in before.players]
    fists: dict[str, dict[str, int]] = find_fact(verdict, "fists")
    house_rules = {name: before.house_rules[name] for name in RULES.deciding("auction")}
    case = {
        "game": "banque_fatale",
        "kind": "auction",
        "players": names,
        "start": names[before.starter - 1],
        "bids": {name: dict(fist) for name, fist in fists.items()},
        "values": dict(before.values),
        "card": split_colours(before.auctioned),
        "holdings": {p.name: [split_colours(card) for card in p.cards] for p in before.players},
        "house_rules": house_rules,
    }
    grounds = (
        _lot_ground(before.auctioned),
        *(_hand_ground(seat, name, fist) for seat, (name, fist) in enumerate(fists.items(), 1)),
        Ground(
            Message(BEGAN, {"who": [names[before.starter - 1]]}), since=lambda state: state.starter
        ),
        *_value_grounds(before),
        *_card_grounds(before),
        *house_rule_grounds(house_rules),
    )
    return Dispute("auction", case, grounds)


def _lot_ground(card: str) -> Ground:
    """Return the card on auction: when it was turned up, and when it was chosen."""

    def watch(state: BanqueFataleState) -> str | None:
        if card == state.auctioned:
            return "chosen"
        return "turned" if card in state.open_cards else None

    return Ground(Message(LOT, {"card": card}), since=watch, every=True)


def _hand_ground(seat: int, name: str, fist: dict[str, int]) -> Ground:
    return Ground(Message(FIST, {"who": [name], "by_colour": fist}), hand=seat)


def _value_grounds(state: BanqueFataleState, after: bool = False) -> list[Ground]:
    return [_value_ground(colour, value, after) for colour, value in state.values.items()]


def _value_ground(colour: str, value: int, after: bool) -> Ground:
    said = Message(STOOD, {"colour": colour, "value": value})
    return Ground(said, since=lambda state: state.values[colour], after=after)


def _card_grounds(state: BanqueFataleState, after: bool = False) -> list[Ground]:
    return [
        _card_ground(seat, player, card, after)
        for seat, player in enumerate(state.players, 1)
        for card in player.cards
    ]


def _card_ground(seat: int, player: BanqueFatalePlayer, card: str, after: bool) -> Ground:
    said = Message(HELD, {"card": card, "who": [player.name]})
    return Ground(said, since=lambda state: card in state.players[seat - 1].cards, after=after)


def _dispute_score(after: BanqueFataleState) -> Dispute:
    house_rules = {name: after.house_rules[name] for name in RULES.deciding("score")}
    case = {
        "game": "banque_fatale",
        "kind": "score",
        "values": dict(after.values),
        "funds": {player.name: _fortune_fields(player) for player in after.players},
        "house_rules": house_rules,
    }
    grounds = (
        *(_total_ground(seat, player) for seat, player in enumerate(after.players, 1)),
        *_value_grounds(after, after=True),
        *_card_grounds(after, after=True),
        *house_rule_grounds(house_rules),
    )
    return Dispute("score", case, grounds)


def _fortune_fields(player: BanqueFatalePlayer) -> JsonObject:
    chips = sum(player.chips.values())
    return {
        "cash": player.cash,
        "chips": chips,
        "cards": [split_colours(card) for card in player.cards],
    }


def _total_ground(seat: int, player: BanqueFatalePlayer) -> Ground:
    facts = {"who": [player.name], "millions": player.cash, "chips": sum(player.chips.values())}

    def behind_the_screen(state: BanqueFataleState) -> tuple[int, int]:
        mine = state.players[seat - 1]
        return mine.cash, sum(mine.chips.values())

    return Ground(Message(OWNS, facts), since=behind_the_screen, after=True)


DISPUTES = Disputes(_dispute_auction, _dispute_score)
