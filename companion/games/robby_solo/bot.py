"""How a bot plays Robby Solo: it goes where much lies and where it hopes to be alone.

It guesses how likely each of the others is to come to a bank, from what lies there and from what
was declared, and goes to good banks more often than to bad ones, never always to the same: two
who think alike would be in each other's way for ever. It is truthful where the rules ask for it,
and sometimes lays again only to be looked at.
"""

from collections.abc import Callable

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.games.robby_solo.raid import OBJECT, Card, Cards
from companion.games.robby_solo.score import worth_of
from companion.games.robby_solo.state import Declared, Kept

KEEN = 4
"""How much more often it goes to a better bank; at 0 it would not mind which."""
GREED = 0.3
"""How much the others are thought to go by the loot, and not by chance."""
TRUST = 0.1
"""What is left of the hope to be alone where the Gentleman or Lady will come."""
HOPE = 2
"""So many more objects it expects to find after this one."""
FRANK, BLUFF = 0.7, 0.15
"""How often it declares what it will rob, and how often it lays again without a reason."""


# What a bank promises.


def _bank_promises(sight: BotView) -> dict[str, float]:
    """Return what may be hoped for at each bank."""
    alone, banks = _solo_chances(sight), sight.public.banks
    return {bank.name: 1 + alone[bank.name] * _loot_gain(sight, bank.loot) for bank in banks}


def _solo_chances(sight: BotView) -> dict[str, float]:
    """Return how likely it is to be alone at each bank."""
    public = sight.public
    others = len(public.seats) - 1 + (public.junior is not None)
    loot = {bank.name: 1 + _loot_value(sight, bank.loot, 0) for bank in public.banks}
    drawn = {
        bank: GREED * value / sum(loot.values()) + (1 - GREED) / len(loot)
        for bank, value in loot.items()
    }
    return {bank: (1 - part) ** others * _trust_factor(sight, bank) for bank, part in drawn.items()}


def _trust_factor(sight: BotView, bank: str) -> float:
    """Return the factor by which a declaration lowers the hope to be alone."""
    said = sight.public.declaration
    return TRUST if said is not None and said.will and said.bank == bank else 1


def _loot_gain(sight: BotView, loot: Cards) -> float:
    """Return the value of loot, less what the police may take if it then has most cards."""
    pile = sight.mine.pile
    value = _loot_value(sight, loot, pile.count(OBJECT))
    if not _may_be_raided(sight, loot) or len(pile) + len(loot) < _largest_other_pile(sight):
        return value
    return max(0, value - max(map(_money_value, (*pile, *loot)), default=0) / 2)


def _may_be_raided(sight: BotView, loot: Cards) -> bool:
    """Return whether the police may come to another bank than the one with this loot."""
    full = [bank for bank in sight.public.banks if len(bank.loot) >= sight.box.police]
    return len(full) > int(len(loot) >= sight.box.police)


def _largest_other_pile(sight: BotView) -> int:
    """Return how many loot cards another player has at most."""
    public = sight.public
    piles = [seat.pile for n, seat in enumerate(public.seats, 1) if n != sight.seat]
    return int(max(piles + ([public.junior.pile] if public.junior else [])))


def _loot_value(sight: BotView, loot: Cards, objects: int) -> int:
    """Return the value of loot to a player with so many objects."""
    before = objects + HOPE
    more = worth_of(before + loot.count(OBJECT), sight.box) - worth_of(before, sight.box)
    return sum(map(_money_value, loot)) + more


def _money_value(card: Card) -> int:
    return card if isinstance(card, int) else 0


# What it does.


def _fill_bank(sight: BotView) -> Decision:
    """Lay loot along the row, from either end."""
    bank = sight.random.choice(sight.choices_for("loot_laid"))["bank"]
    return PieceMove("loot_laid", {"bank": bank})


def _close_hand(sight: BotView) -> Decision:
    """Choose any bank, the more promising the likelier."""
    promises = _bank_promises(sight)
    weights = [promise**KEEN for promise in promises.values()]
    return CloseHand(sight.random.choices(list(promises), weights)[0])


def _declare_bank(sight: BotView) -> Decision:
    """Declare the truth: the bank that it will rob, or a good one that it will not.

    Without knowing its own card it declares nothing, and leaves it to the table.
    """
    if sight.held is None:
        return None
    if sight.random.random() < FRANK:
        return Declared(sight.seat, str(sight.held), True)
    promises = {bank: hope for bank, hope in _bank_promises(sight).items() if bank != sight.held}
    return Declared(sight.seat, max(promises, key=lambda bank: promises[bank]), False)


def _answer_declaration(sight: BotView) -> Decision:
    """Lay again if its own bank is spoken for, or for show, or if it does not know its card."""
    said = sight.public.declaration
    if sight.held is None or (said.will and said.bank == sight.held):
        return _close_hand(sight)
    return CloseHand(sight.held) if sight.random.random() < BLUFF else Kept(sight.seat)


def _show_junior(_sight: BotView) -> Decision:
    """Show any card; which one it is shows only then."""
    return PieceMove("junior_shown", {})


DECISIONS: dict[str, Callable[[BotView], Decision]] = {
    "fill": _fill_bank,
    "seal": _close_hand,
    "declare": _declare_bank,
    "change": _answer_declaration,
    "junior": _show_junior,
}
"""What it does in each phase."""
