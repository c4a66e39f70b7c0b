"""The end of Banküberfall: coins, less ten for every credit (B.end)."""

from collections.abc import Mapping

import msgspec

from companion.core.verdict import Score, find_winners, step
from companion.games.bankueberfall.box import BankueberfallBox


class BankueberfallFortune(msgspec.Struct, frozen=True):
    """The possessions of a player when the last bank is robbed."""

    coins: int
    credits: int


def count_score(funds: Mapping[str, BankueberfallFortune], box: BankueberfallBox) -> Score:
    """Count everyone's fortune; the most wins."""
    steps, totals = [], {}
    for name, fortune in funds.items():
        totals[name] = fortune.coins - box.purse * fortune.credits
        facts = {"who": [name], "owned": fortune.coins, "total": totals[name]}
        if fortune.credits:
            text = "{who} owns {owned}, less {purse} for each red credit ({red}): {total}."
            facts |= {"purse": box.purse, "red": fortune.credits}
        else:
            text = "{who} owns {owned}."
        steps.append(step("B.end", text, None, **facts))
    best = find_winners(totals)
    text = "The win goes to {who}, with {coins}."
    tied = ("B.ties",) if len(best) > 1 else ()
    steps.append(step("B.end", text, None, *tied, who=list(best), coins=totals[best[0]]))
    return Score(tuple(steps), totals, best)
