"""The end of Banküberfall: the final round of robberies, and coins, less ten for a credit (B.end).

Law: the live table and a dispute ask the same functions.
"""

from collections.abc import Collection, Mapping

from companion.core.verdict import HouseRule, Score, Verdict, find_winners, step
from companion.games.bankueberfall.box import BankueberfallBox

CLOCKWISE = "clockwise"


class FinalRound(Verdict, frozen=True, tag="final_round"):
    """The order in which the banks are robbed, and the next one; None once all were."""

    order: tuple[int, ...]
    next_bank: int | None = None


def order_banks(first: int, banks: int, direction: str) -> tuple[int, ...]:
    """Return all banks in the order of the final round."""
    by = 1 if direction == CLOCKWISE else -1
    return tuple((first - 1 + by * turn) % banks + 1 for turn in range(banks))


def judge_final_round(
    last: str,
    first: int,
    banks: int,
    robbed: Collection[int],
    house_rules: Mapping[str, str],
    empty: Collection[int],
) -> FinalRound:
    """Decide the order of the banks after the robbed ones."""
    direction = house_rules["final_direction"]
    order = tuple(bank for bank in order_banks(first, banks, direction) if bank not in empty)
    text = "{who} laid the last card, so the final round begins at bank {bank}."
    steps = [step("B.end", text, who=[last], bank=first)]
    house = HouseRule("final_direction", direction) if banks > 2 else None
    steps.append(step("B.end", "The order of the banks: {numbers}.", house, numbers=list(order)))
    if empty:
        text = "Empty and skipped: {numbers}."
        steps.append(step("B.end", text, None, "B.empty", numbers=sorted(empty)))
    to_come = [bank for bank in order if bank not in robbed]
    if to_come:
        steps.append(step("B.end", "The next bank is {bank}.", bank=to_come[0]))
    else:
        steps.append(step("B.end", "Every bank has been robbed."))
    return FinalRound(tuple(steps), order, to_come[0] if to_come else None)


def count_score(funds: Mapping[str, Mapping[str, int]], box: BankueberfallBox) -> Score:
    """Count everyone's coins and credits when the last bank is robbed; the most wins."""
    steps, totals = [], {}
    for name, fortune in funds.items():
        coins, credits = fortune["coins"], fortune["credits"]
        totals[name] = coins - box.purse * credits
        facts = {"who": [name], "owned": coins, "total": totals[name]}
        if credits:
            text = "{who} owns {owned}, less {purse} for each red credit ({red}): {total}."
            facts |= {"purse": box.purse, "red": credits}
        else:
            text = "{who} owns {owned}."
        steps.append(step("B.end", text, None, **facts))
    best = find_winners(totals)
    text = "The win goes to {who}, with {coins}."
    tied = ("B.ties",) if len(best) > 1 else ()
    steps.append(step("B.end", text, None, *tied, who=list(best), coins=totals[best[0]]))
    return Score(tuple(steps), totals, best)
