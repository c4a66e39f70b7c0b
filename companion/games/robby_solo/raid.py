"""Resolve a round of Robby Solo, and its end: players alone, raids of the police, the score.

Law: this is the only place that knows how a round ends. The live table and a dispute entered as a
case both ask it, and it needs nothing but its arguments. A loot card is an int of dollars or
"object"; a pile is given from its lowest card to its top one.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.core.verdict import Score, Verdict, VerdictStep, find_winners, step
from companion.games.robby_solo.rules import RobbySoloBox
from companion.games.rule_texts import NOT_AS_GUESSED

Card = int | str
Cards = tuple[Card, ...]

OBJECT = "object"
JUNIOR = "Robby Junior"
"""The name of the one who needs no chair."""
AMOUNT = re.compile(r"[1-9][0-9]{0,6}")


class Raid(msgspec.Struct, frozen=True):
    """The police at one bank: the cards put under the deck, and each player's card given up."""

    bank: str
    removed: Cards
    returns: dict[str, Card]


class Round(Verdict, frozen=True, tag="round"):
    """Result of a round: cards by name, and by bank; the piles as they are afterwards."""

    taken: dict[str, Cards]
    left: dict[str, Cards]
    raids: tuple[Raid, ...]
    loot: dict[str, Cards]


def loot_cards(box: RobbySoloBox) -> dict[Card, int]:
    """Return the number of each loot card in the box."""
    return {int(card) if card.isdecimal() else card: n for card, n in box.loot.items()}


def as_loot(card: str | None) -> Card:
    """Return a loot card as the game counts it, from the name on its sticker."""
    return int(card) if card is not None and AMOUNT.fullmatch(card) else card or "?"


def count_loot(cards: Iterable[Card]) -> dict[str, int]:
    """Return the money of these cards, and the number of objects."""
    held = list(cards)
    money = [card for card in held if isinstance(card, int)]
    return {"money": sum(money), "objects": len(held) - len(money)}


def junior_loot(*who: str) -> tuple[str, ...]:
    """Return the ruling that gives Robby Junior loot, if he is among these."""
    return ("R.junior.loot",) if JUNIOR in who else ()


def guess_steps(
    banks: Iterable[str], piles: Iterable[Cards], box: RobbySoloBox
) -> list[VerdictStep]:
    """Name the banks and loot cards at a table that our guess of the box has not, or not so
    often."""
    steps, known = [], loot_cards(box)
    other = [bank for bank in banks if bank not in box.banks]
    if other and "banks" in box.guesses:
        text = "Not in the box as we guess it: {colours}."
        steps.append(step("R.setup", text, None, box.guesses["banks"], colours=other))
    lying = Counter(card for pile in piles for card in pile)
    odd = [card for card, n in lying.items() if n > known.get(card, 0)]
    if odd and "loot" in box.guesses:
        steps.append(step("R.setup", NOT_AS_GUESSED, None, box.guesses["loot"], gone=odd))
    return steps


def banks_robbed_alone(
    choices: Mapping[str, str], false_declarer: str | None = None
) -> tuple[str, ...]:
    """Return the banks with one player alone, who takes all the loot there."""
    crews = Counter(bank for name, bank in choices.items() if name != false_declarer)
    return tuple(bank for bank, crew in crews.items() if crew == 1)


def resolve_round(
    banks: Mapping[str, Sequence[Card]],
    choices: Mapping[str, str],
    loot: Mapping[str, Sequence[Card]],
    box: RobbySoloBox,
    false_declarer: str | None = None,
) -> Round:
    """Resolve one round: the banks in their row, everyone's choice, everyone's pile before."""
    steps = guess_steps(banks, (*map(tuple, banks.values()), *map(tuple, loot.values())), box)
    left = {bank: tuple(cards) for bank, cards in banks.items()}
    piles = {name: tuple(loot.get(name, ())) for name in dict.fromkeys([*choices, *loot])}
    honest = dict(choices)
    if false_declarer is not None and false_declarer in honest:
        facts = {"who": [false_declarer], "colour": honest.pop(false_declarer)}
        text = (
            "{who} played {colour}, against the declaration: "
            "the card is set aside and robs nothing."
        )
        steps.append(step("R.choose", text, None, "R.false", **facts))
    taken = _rob_banks(left, honest, dict.fromkeys(piles, ()), steps)
    piles = {name: pile + taken[name] for name, pile in piles.items()}
    tops = {name: cards[-1] for name, cards in taken.items() if cards}
    if tops:
        steps.append(step("R.pile", "The loot goes onto the piles. On top now: {tops}.", tops=tops))
    raided = [bank for bank, cards in left.items() if len(cards) >= box.police]
    raids = tuple(_raid_bank(bank, left, piles, steps) for bank in raided)
    return Round(tuple(steps), taken, left, raids, piles)


def _rob_banks(
    left: dict[str, Cards],
    choices: Mapping[str, str],
    taken: dict[str, Cards],
    steps: list[VerdictStep],
) -> dict[str, Cards]:
    """Empty each bank where one player is alone; return everyone's loot."""
    quiet = []
    for bank, cards in left.items():
        crew = [name for name, chosen in choices.items() if chosen == bank]
        if len(crew) == 1:
            taken[crew[0]] = cards
            left[bank] = ()
            text = "{who} is alone at the {colour} bank and takes it all: {cards}."
        else:
            text = "{who} get in each other’s way at the {colour} bank; everything stays: {cards}."
        if crew:
            rulings = junior_loot(*crew) if len(crew) == 1 else ()
            facts = {"colour": bank, "who": crew, "cards": list(cards)}
            steps.append(step("R.solo", text, None, *rulings, **facts))
        else:
            quiet.append(bank)
    if quiet:
        steps.append(step("R.solo", "Left alone: {colours}.", colours=quiet))
    return taken


def _raid_bank(
    bank: str, left: dict[str, Cards], piles: dict[str, Cards], steps: list[VerdictStep]
) -> Raid:
    """Clear one bank; the players with most cards each give one up, as the piles are now."""
    gone, left[bank] = left[bank], ()
    text = "The police raid the {colour} bank. Under the deck go: {gone}."
    steps.append(step("R.police", text, colour=bank, gone=list(gone)))
    most = max(map(len, piles.values()), default=0)
    if not most:
        text = "No one has a loot card, so no one gives one up."
        steps.append(step("R.police", text, None, "R.police.none"))
        return Raid(bank, gone, {})
    who = [name for name, pile in piles.items() if len(pile) == most]
    text = "Most loot ({count}): {who}."
    steps.append(step("R.police", text, None, *junior_loot(*who), count=most, who=who))
    return Raid(bank, gone, {name: _give_up(name, piles, steps) for name in who})


def _give_up(name: str, piles: dict[str, Cards], steps: list[VerdictStep]) -> Card:
    """Remove the best money card, of equal ones the lowest; without money an object."""
    pile = piles[name]
    money = [card for card in pile if isinstance(card, int)]
    card: Card = max(money) if money else pile[0]
    if money:
        text = "{who} gives up their most valuable money card: {card}."
    else:
        text = "{who} owns only objects and gives one up: {card}."
    lowest, top = pile.index(card), len(pile) - 1 - pile[::-1].index(card)
    piles[name] = _without(pile, lowest)
    decided = ("R.police.equal",) if _without(pile, top) != piles[name] else ()
    steps.append(step("R.police", text, None, *junior_loot(name), *decided, who=[name], card=card))
    return card


def _without(pile: Cards, at: int) -> Cards:
    return (*pile[:at], *pile[at + 1 :])


def count_score(loot: Mapping[str, Sequence[Card]], box: RobbySoloBox) -> Score:
    """Count everyone's loot; the most wins, equal first places share."""
    counted = [_count_player(name, cards, box) for name, cards in loot.items()]
    totals = {one.facts["who"][0]: int(one.facts["total_money"]) for one in counted}
    best = find_winners(totals)
    text = "The win goes to {who}, with {total_money}."
    total = max(totals.values(), default=0)
    rulings = (*(("R.ties",) if len(best) > 1 else ()), *junior_loot(*best))
    ends = step("R.score", text, None, *rulings, who=list(best), total_money=total)
    steps = (*guess_steps((), map(tuple, loot.values()), box), *counted, ends)
    return Score(steps, totals, best)


def _count_player(name: str, cards: Sequence[Card], box: RobbySoloBox) -> VerdictStep:
    money, objects = count_loot(cards).values()
    worth = worth_of(objects, box)
    if objects:
        text = "{who}: {money} in money, and {objects} worth {worth}. Together {total_money}."
    else:
        text = "{who}: {total_money} in money, and no objects."
    return step(
        "R.score", text, None, *junior_loot(name),
        who=[name], money=money, objects=objects, worth=worth, total_money=money + worth,
    )  # fmt: skip


def worth_of(objects: int, box: RobbySoloBox) -> int:
    """Return the worth of this many objects together; the table's last line holds for any more."""
    return box.object_scores[min(objects, len(box.object_scores) - 1)]
