"""The bot of Robby Solo: it mixes, so that no bank is worth more to it than another.

Two who think alike would be in each other's way for ever, and who always goes to the richest bank
would have it alone if the others made room. So a bot goes to every bank as often as is right if all
do; to be in someone's way there is worth something too, and most where a bank was declared. It
leaves nobody the objects that are worth most together. It is truthful where the rules ask for it.
"""

from collections import Counter
from collections.abc import Mapping

from companion.bots import BotView, CloseHand, Decision, Decisions, PieceMove
from companion.games.robby_solo.raid import OBJECT, worth_of
from companion.games.robby_solo.state import Declared, Kept, WentOn

DARING = 1.6
"""By which exponent a great haul counts more than several small ones."""
FLOOR, HOPE = 1000, 2
"""Worth of a bank besides its loot, in dollars; objects that it expects to find besides."""
GRUDGE = 1.2
"""Weight of an ending where the player who declared a bank does not get it."""
FRANK, BLUFF = 0.9, 0.12
"""Chances that it says the best thing to say, and that it lays the same card again."""
DROPS = 40
"""In this many drops it pours out how often to go where."""

Banks = Mapping[str, float]


def _loot_values(sight: BotView) -> dict[str, int]:
    """Return the value of each bank's loot in dollars, to this bot or to the player with the most
    objects, whom it would not leave them to."""
    taken = Counter[str]()
    for past in sight.past:
        for name, cards in past.taken.items():  # type: ignore[attr-defined]
            taken[name] += cards.count(OBJECT)
    own = max(0, sight.mine.pile.count(OBJECT), *taken.values()) + HOPE
    values = {}
    for bank in sight.public.banks:
        objects = worth_of(own + bank.loot.count(OBJECT), sight.box) - worth_of(own, sight.box)
        values[bank.name] = objects + sum(card for card in bank.loot if isinstance(card, int))
    return values


def _bank_worth(sight: BotView) -> dict[str, float]:
    return {bank: (value + FLOOR) ** DARING for bank, value in _loot_values(sight).items()}


def _mix_banks(sight: BotView, worth: Banks, declared: str = "", *, will: bool = False) -> Banks:
    """Return the probability of each bank if all do alike and one has declared a bank: every drop
    of chance goes to the bank that is worth most so far.

    Alone one takes all; in the way of one other, that one takes nothing, which is worth a part.
    """
    others = len(sight.names) - 1

    def value(bank: str, p: float) -> float:
        if will and bank == declared:
            return GRUDGE * worth[bank] * (1 - p) ** (others - 1) / others
        rivals = others - bool(will or bank == declared)
        return float(
            worth[bank] * ((1 - p) ** rivals + rivals * p * (1 - p) ** (rivals - 1) / others)
        )

    drops = dict.fromkeys(worth, 0)
    now = {bank: value(bank, 0) for bank in worth}
    for _ in range(DROPS):
        best = max(now, key=now.__getitem__)
        drops[best] += 1
        now[best] = value(best, min(1, (drops[best] + 0.5) / DROPS))
    return {bank: drop / DROPS for bank, drop in drops.items()}


def _declared_worth(sight: BotView, worth: Banks, bank: str) -> float:
    """Return its gain less the average gain of the others, if it declares this bank; hidden, it
    fares as they do."""
    others, answer = len(sight.names) - 1, _mix_banks(sight, worth, bank, will=True)
    taken = sum(
        worth[each] * p * (1 - p) ** (others - 1) for each, p in answer.items() if each != bank
    )
    return float(worth[bank] * (1 - answer[bank]) ** others - taken)


def _lay_card(sight: BotView, mixture: Banks, keep: bool = False) -> Decision:
    """Draw a bank by these chances and lay its card; if that card lies there already, usually keep
    it."""
    bank = sight.random.choices(list(mixture), list(mixture.values()))[0]
    if keep and bank == sight.held and sight.random.random() > BLUFF:
        return Kept(sight.seat)
    return CloseHand(bank)


def _close_hand(sight: BotView) -> Decision:
    worth = _bank_worth(sight)
    if sight.public.active == sight.seat and sight.random.random() < FRANK:
        best = max(worth, key=lambda bank: _declared_worth(sight, worth, bank))
        if _declared_worth(sight, worth, best) > 0:
            return CloseHand(best)
    return _lay_card(sight, _mix_banks(sight, worth))


def _declare_bank(sight: BotView) -> Decision:
    """Declare the bank of its own card, or deny a poor one; None if it does not know its card."""
    if sight.held is None:
        return None
    worth, held = _bank_worth(sight), str(sight.held)
    if sight.random.random() < FRANK and _declared_worth(sight, worth, held) > 0:
        return Declared(sight.seat, held, True)
    poor = min((bank for bank in worth if bank != held), key=worth.__getitem__)
    return Declared(sight.seat, poor, False)


def _answer_declaration(sight: BotView) -> Decision:
    if sight.seat == sight.public.active:
        return WentOn(sight.seat)
    said = sight.public.declaration
    mixture = _mix_banks(sight, _bank_worth(sight), said.bank, will=said.will)
    return _lay_card(sight, mixture, keep=True)


def _fill_bank(sight: BotView) -> Decision:
    """Lay loot along the row, from either end."""
    return PieceMove(
        "loot_laid", {"bank": sight.random.choice(sight.choices_for("loot_laid"))["bank"]}
    )


DECISIONS: Decisions = {
    "fill": _fill_bank,
    "seal": _close_hand,
    "declare": _declare_bank,
    "change": _answer_declaration,
    "junior": lambda _: PieceMove("junior_shown", {}),
}
"""Its decision in each phase."""
