"""How a bot plays Robby Solo: it mixes, so that no bank is worth more to it than another.

Two who think alike would be in each other's way for ever, and who always goes to the richest bank
would have it alone if the others made room. So a bot goes to every bank as often as is right if
all do (`pour_out`); to be in someone's way there is worth something too, the more the better that
player stands. On top it learns how much the others crave the richest banks, or shun them, and
leans towards where they do not go. It is truthful where the rules ask for it.
"""

from collections.abc import Callable, Mapping, Sequence
from math import prod

from companion.bots.decisions import BotView, CloseHand, Decision, PieceMove
from companion.bots.mixing import Mixture, pour_out
from companion.bots.sweeping import show_next_card
from companion.core.i18n import N_, Message, message
from companion.games.robby_solo.opponents import FLOOR, find_rivals
from companion.games.robby_solo.raid import OBJECT, Card, Cards
from companion.games.robby_solo.score import worth_of
from companion.games.robby_solo.state import Declared, Kept, WentOn

CAREFUL, BOLD = 1.3, 2.0
"""By which exponent a great haul counts more than several small ones, by style."""
HOPE = 1
"""So many more objects it expects to find after this one."""
LESSON, SURE = 1.5, 0.5
"""What it is worth to be in the way of a player with a habit, and of one who declares it."""
FRANK, BLUFF = 0.75, 0.12
"""How often it says what is good to say, and how often it lays again without a reason."""
EXPECTED = 0.4
"""How likely it must be that someone comes, to be counted on."""
YIELDS = 0.5
"""How often a beginner leaves a bank that is spoken for."""

AT_A_GLANCE = N_("I went by the loot alone.")
OPENLY = N_(
    "{money} lay at the {colour} bank. I meant to say so openly and hoped few would follow."
)
ALONE = N_(
    "{money} lay at the {colour} bank; I gave myself a {percent} in 100 chance of being "
    "alone there."
)
IN_THE_WAY = N_(
    "I expected {who} at the {colour} bank, where {money} lay, and would not leave "
    "it to one player."
)


# What a bank is worth.


def _bank_worth(sight: BotView) -> dict[str, float]:
    """Return what it would gain alone at each bank, in the measure of its style.

    A bold player thinks more of one great haul than of several small ones.
    """
    daring = CAREFUL + (BOLD - CAREFUL) * sight.character.style
    if sight.character.strength == "weak":
        daring = 1.0
    return {
        bank.name: max(FLOOR, _loot_gain(sight, bank.loot)) ** daring for bank in sight.public.banks
    }


def _loot_gain(sight: BotView, loot: Cards) -> float:
    """Return the value of loot, less what the police may take if it then has most cards."""
    pile = sight.mine.pile
    value = _loot_value(sight, loot, pile.count(OBJECT))
    if not _may_be_raided(sight, loot) or len(pile) + len(loot) < _largest_other_pile(sight):
        return value
    return value - max(map(_money_value, (*pile, *loot)), default=0) / 2


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


# How often to go where.


def _mix_banks(
    sight: BotView, worth: Mapping[str, float], rivals: Sequence[Mixture[str]], surely: str = ""
) -> Mixture[str]:
    """Return how often to go to each bank, if all mix alike but for their habits.

    Alone one takes all; in the way of one other, that one takes nothing, which is worth a part;
    and more where that one has a habit, or all would make room for it. A Gentleman or Lady may be
    `surely` at a bank.
    """
    spite = 1 / (len(sight.public.seats) - 1)
    mixed = [1 - sum(rival.values()) for rival in rivals]

    def value(bank: str, p: float) -> float:
        alone, against = 1.0, 0.0
        for rival, m in zip(rivals, mixed, strict=True):
            habit = rival[bank]
            away = max(1 - habit - m * p, 1e-6)
            alone *= away
            against += (LESSON * habit + spite * m * p) / away
        if bank == surely:
            return worth[bank] * alone * SURE
        return worth[bank] * alone * (1 + against)

    return pour_out(list(worth), value)


def _choose(sight: BotView, mixture: Mapping[str, float]) -> str:
    return sight.random.choices(list(mixture), list(mixture.values()))[0]


# What it does.


def _fill_bank(sight: BotView) -> Decision:
    """Lay loot along the row, from either end."""
    bank = sight.random.choice(sight.choices_for("loot_laid"))["bank"]
    return PieceMove("loot_laid", {"bank": bank})


def _close_hand(sight: BotView) -> Decision:
    worth, rivals = _bank_worth(sight), find_rivals(sight)
    if sight.character.strength == "weak":
        return CloseHand(_choose(sight, worth), message(AT_A_GLANCE))
    if sight.public.active == sight.seat:
        rich = sorted(worth, key=worth.__getitem__)[-3:]
        said = {bank: _declared_worth(sight, worth, rivals, bank) for bank in rich}
        best = max(said, key=said.__getitem__)
        if said[best] > 0:
            return CloseHand(best, message(OPENLY, colour=best, money=_money_at(sight, best)))
    return _close_around(sight, _mix_banks(sight, worth, rivals), rivals)


def _close_around(
    sight: BotView, aim: Mixture[str], rivals: Sequence[Mixture[str]], to: str = ""
) -> CloseHand:
    """Lay the card of a bank, by chance as it was mixed, and note why."""
    bank = to or _choose(sight, aim)
    alone = prod(1 - r[bank] - (1 - sum(r.values())) * aim[bank] for r in rivals)
    facts = {"colour": bank, "money": _money_at(sight, bank), "percent": round(100 * alone)}
    names = [name for name in sight.names if name != sight.name]
    expected = [name for name, r in zip(names, rivals, strict=False) if r[bank] > EXPECTED]
    if expected:
        return CloseHand(bank, Message(IN_THE_WAY, {**facts, "who": expected}))
    return CloseHand(bank, Message(ALONE, facts))


def _money_at(sight: BotView, bank: str) -> int:
    """Return what the loot at a bank is worth, in dollars."""
    loot = next(each.loot for each in sight.public.banks if each.name == bank)
    return _loot_value(sight, loot, sight.mine.pile.count(OBJECT))


def _declared_worth(
    sight: BotView, worth: Mapping[str, float], rivals: Sequence[Mixture[str]], bank: str
) -> float:
    """Return its own gain less the average of the others', if it declares this bank.

    Hidden, it would fare as all others do: 0.
    """
    others, spite = len(rivals), 1 / (len(sight.public.seats) - 1)
    answer = _mix_banks(sight, worth, rivals[1:], bank)
    return worth[bank] * (1 - answer[bank]) ** others - spite * sum(
        worth[each] * others * p * (1 - p) ** (others - 1)
        for each, p in answer.items()
        if each != bank
    )


def _declare_bank(sight: BotView) -> Decision:
    """Declare the truth: the bank that it will rob, or a poor one that it will not.

    Without knowing its own card it declares nothing, and leaves it to the table.
    """
    if sight.held is None:
        return None
    worth, held = _bank_worth(sight), str(sight.held)
    is_frank = sight.random.random() < FRANK
    if is_frank and _declared_worth(sight, worth, find_rivals(sight), held) > 0:
        return Declared(sight.seat, held, True)
    rest = {bank: value for bank, value in worth.items() if bank != held}
    return Declared(sight.seat, min(rest, key=rest.__getitem__), False)


def _answer_declaration(sight: BotView) -> Decision:
    """Keep the card, or lay another, so that every bank is chosen as often as is right."""
    said, worth = sight.public.declaration, _bank_worth(sight)
    if sight.seat == sight.public.active:
        return WentOn(sight.seat)
    if sight.character.strength == "weak":
        return _answer_at_a_glance(sight, worth)
    rivals = find_rivals(sight)
    before = aim = _mix_banks(sight, worth, rivals)
    if said.will:
        gentleman = sum(seat < sight.public.active for seat in _other_seats(sight))
        others = [rival for n, rival in enumerate(rivals) if n != gentleman]
        aim = _mix_banks(sight, worth, others, said.bank)
    if sight.held is None:
        return _close_around(sight, aim, rivals)
    held = str(sight.held)
    if sight.random.random() * before[held] < aim[held]:
        is_bluff = sight.random.random() < BLUFF
        return _close_around(sight, aim, rivals, held) if is_bluff else Kept(sight.seat)
    rest = {bank: max(0.0, aim[bank] - before[bank]) for bank in aim}
    to = _choose(sight, rest if any(rest.values()) else aim)
    return _close_around(sight, aim, rivals, to)


def _answer_at_a_glance(sight: BotView, worth: Mapping[str, float]) -> Decision:
    """Leave a bank that is spoken for, now and then."""
    said = sight.public.declaration
    leaves = said.will and said.bank == sight.held and sight.random.random() < YIELDS
    if leaves or sight.held is None:
        return CloseHand(_choose(sight, worth), message(AT_A_GLANCE))
    return Kept(sight.seat)


def _other_seats(sight: BotView) -> list[int]:
    return [seat for seat in range(1, len(sight.names) + 1) if seat != sight.seat]


def _show_junior(_sight: BotView) -> Decision:
    """Show any card; which one it is shows only then."""
    return PieceMove("junior_shown", {})


def _show_loot(sight: BotView) -> Decision:
    """Show the next loot card of the bank that is swept."""
    return show_next_card(sight, "loot_shown")


DECISIONS: dict[str, Callable[[BotView], Decision]] = {
    "fill": _fill_bank,
    "seal": _close_hand,
    "declare": _declare_bank,
    "change": _answer_declaration,
    "junior": _show_junior,
    "sweep": _show_loot,
}
"""What it does in each phase."""
