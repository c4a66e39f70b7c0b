"""Resolve a robbery: from the cards at the bank and the bids to the pay-out, step by step.

Law: this is the only place that knows how a robbery ends. The live table and a dispute entered as a
case both ask it, and it needs nothing but its arguments.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Score, Verdict, VerdictStep, find_winners, step
from companion.games.bankueberfall.rules import BankueberfallBox

Outcome = Literal["shared", "guarded", "stolen", "nothing"]
Direction = Literal["lowest_first", "highest_first"]


class Robbery(Verdict, frozen=True, tag="robbery"):
    """Result of a robbery; coins by name. `credits` only where the fortunes are known."""

    outcome: Outcome
    direction: Direction
    loot: int
    paid: dict[str, int]
    change: dict[str, int]
    to_reserve: int
    credits: dict[str, int] | None = None


def resolve_robbery(
    cards: Sequence[str],
    bids: Mapping[str, int],
    house_rules: Mapping[str, str],
    box: BankueberfallBox,
    funds: Mapping[str, int] | None = None,
    bank: int | None = None,
) -> Robbery:
    """Decide a robbery from the cards, the bids by name, and the funds and the bank if known."""
    steps = [step("B.bid", "The bids: {tally}.", tally=bids), _lying_step(cards, bank)]
    lying, nothing = Counter(cards), dict.fromkeys(bids, 0)
    credits = None if funds is None else nothing
    _resolve_seductresses(lying, steps)
    if lying["policeman"] > 1:
        text = "Several policemen sit down to a game of cards. These leave: {gone}."
        steps.append(step("B.rob.2", text, gone=_remove_cards(lying, "policeman")))
    if lying["policeman"]:
        _reward_honest(bids, box.reward, steps)
        change = {name: 0 if bid else box.reward for name, bid in bids.items()}
        return Robbery(tuple(steps), "guarded", "lowest_first", 0, nothing, change, 0, credits)
    _pair_off_thieves(lying, steps)
    if lying["thief"]:
        credits = _empty_hands(bids, box.purse, funds, steps)
        change = {name: -bid for name, bid in bids.items()}
        return Robbery(tuple(steps), "stolen", "lowest_first", 0, nothing, change, 0, credits)
    loot, watched = _count_loot(lying, steps), lying["detective"] > 0
    if watched:
        text = "Detectives make everyone nervous: the highest bid is paid first."
        steps.append(step("B.rob.3", text, direction="highest_first"))
    elif loot:
        steps.append(step("B.pay", "The lowest bid is paid first.", direction="lowest_first"))
    paid, rest = nothing, 0
    if loot:
        paid, rest = _pay_bids(loot, bids, watched, house_rules["shortfall"], steps)
    return Robbery(
        tuple(steps), "shared" if loot else "nothing",
        "highest_first" if watched else "lowest_first", loot, paid, dict(paid), rest, credits,
    )  # fmt: skip


def _lying_step(cards: Sequence[str], bank: int | None) -> VerdictStep:
    empty, where = () if cards else ("B.empty",), {} if bank is None else {"bank": bank}
    text = "Cards at bank {bank}: {cards}." if where else "Cards at the bank: {cards}."
    return step("B.rob", text, None, *empty, **where, cards=list(cards))


def _remove_cards(lying: Counter[str], *kinds: str) -> list[str]:
    """Remove every card of these kinds; return the removed ones, in order."""
    return [kind for kind in kinds for _ in range(lying.pop(kind, 0))]


def _resolve_seductresses(lying: Counter[str], steps: list[VerdictStep]) -> None:
    ladies = _remove_cards(lying, "seductress")
    if len(ladies) > 1:
        text = "Several seductresses only chat with each other. These leave: {gone}."
        steps.append(step("B.rob.1", text, gone=ladies))
    elif ladies:
        gone = _remove_cards(lying, "policeman", "detective", "thief")
        text = "One seductress turns every head. These leave: {gone}."
        if not gone:
            text = "One seductress is here, but there is no head to turn."
        steps.append(step("B.rob.1", text, gone=gone))


def _pair_off_thieves(lying: Counter[str], steps: list[VerdictStep]) -> None:
    pairs = min(lying["detective"], lying["thief"])
    if pairs:
        text = "Detectives and thieves leave in pairs: {gone}."
        gone = ["detective"] * pairs + ["thief"] * pairs
        steps.append(step("B.rob.3", text, gone=gone, pairs=pairs))
        lying.subtract({"detective": pairs, "thief": pairs})


def _reward_honest(bids: Mapping[str, int], reward: int, steps: list[VerdictStep]) -> None:
    text = "One policeman stands guard: every card goes, and there is no loot."
    steps.append(step("B.rob.2", text))
    honest = [name for name, bid in bids.items() if not bid]
    others = [name for name, bid in bids.items() if bid]
    if not honest:
        steps.append(step("B.rob.2", "Everyone bid something, so there is no reward."))
        return
    text = "{who}: {coins} from the reserve for bidding nothing."
    steps.append(step("B.rob.2", text, who=honest, coins=reward))
    if others:
        steps.append(step("B.rob.2", "No reward, because they bid: {who}.", coins=0, who=others))


ANYONE_SHORT = N_(
    "Anyone with fewer than {purse} coins left shows them and takes a red credit for {purse}."
)
LEFT_SHORT = N_(
    "{who} has only {owned} left, fewer than {purse}: a red credit brings {purse} more."
)


def _empty_hands(
    bids: Mapping[str, int], purse: int, funds: Mapping[str, int] | None, steps: list[VerdictStep]
) -> dict[str, int] | None:
    """Return one credit for each player whom the theft left with too little; None where the case
    has no funds."""
    steps.append(step("B.rob.4", "A thief got away: every card goes, and there is no loot."))
    lost = {name: bid for name, bid in bids.items() if bid}
    if lost:
        text = "The thief takes every bid. Lost to the reserve: {tally}."
        steps.append(step("B.rob.4", text, tally=lost))
    if funds is None:
        steps.append(step("B.rob.4", ANYONE_SHORT, purse=purse))
        return None
    left = {name: funds[name] - bid for name, bid in bids.items()}
    for name, owned in left.items():
        if owned < purse:
            steps.append(step("B.rob.4", LEFT_SHORT, who=[name], owned=owned, purse=purse))
    return {name: int(owned < purse) for name, owned in left.items()}


COUNTED = {
    1: N_("Loot: {loot}."),
    2: N_("Loot: {money_sum}, doubled by one X = {loot}."),
    3: N_("Loot: {money_sum}, tripled by two X = {loot}."),
}
MANY_TIMES = N_("Loot: {money_sum}, times {times} by several X = {loot}.")


def _count_loot(lying: Counter[str], steps: list[VerdictStep]) -> int:
    money = sum(int(card) * n for card, n in lying.items() if card.isdecimal())
    times = 1 + lying["x"]
    if not money:
        steps.append(step("B.loot", "No money here, so there is no loot.", loot=0))
    else:
        text = COUNTED.get(times, MANY_TIMES)
        steps.append(step("B.loot", text, money_sum=money, times=times, loot=money * times))
    return money * times


MOST_ADDED = 3
"""Most equal bids that are written as a sum."""
SHORTFALLS = {
    (False, True): N_("{who} bid {bid}, but only {rest} is left: nothing."),
    (False, False): N_("{who} bid {bid}, but nothing is left."),
    (True, True): N_("{who} each bid {bid}. {sums}, but only {rest} is left: nothing for them."),
    (True, False): N_("{who} each bid {bid}. {sums}, but nothing is left."),
}
"""Sentences for several equal bids or one, while something is left of the loot or nothing."""


NOTHING_BID = N_("Nothing bid, nothing won: {who}.")
ONE_PAID = N_("{who} bid {bid} and wins {bid}; {rest} left.")
SEVERAL_PAID = N_("{who} each bid {bid}, get {bid} and keep the bid; {rest} left.")


def _pay_bids(
    loot: int, bids: Mapping[str, int], watched: bool, shortfall: str, steps: list[VerdictStep]
) -> tuple[dict[str, int], int]:
    """Pay the bids in order; return the payments and the rest. Once the loot has run short the
    house rule decides."""
    paid, rest = dict.fromkeys(bids, 0), loot
    house: HouseRule | None = None
    for bid in sorted(set(bids.values()), reverse=watched):
        who = [name for name, coins in bids.items() if coins == bid]
        due = bid * len(who)
        facts: dict[str, object] = {"who": who, "bid": bid, "paid": 0}
        if due > rest:
            more: dict[str, object] = {"rest": rest}
            if len(who) > 1:
                more["sums"] = f"{_spell_sum(bid, len(who))} = {due}"
            text = SHORTFALLS[len(who) > 1, rest > 0]
            steps.append(step("B.pay.short", text, None, **facts, **more))
            house = HouseRule("shortfall", shortfall)
        elif bid and house and shortfall == "stop":
            text = "Once the loot has run short, no one else is paid. {who} bid {bid}: nothing."
            steps.append(step("B.pay.short", text, house, **facts))
        else:
            rest -= due
            paid |= dict.fromkeys(who, bid)
            decided = house if bid else None
            text = NOTHING_BID if not bid else ONE_PAID if len(who) == 1 else SEVERAL_PAID
            steps.append(step("B.pay", text, decided, **{**facts, "paid": bid, "rest": rest}))
    if rest:
        text = "Left over, back to the reserve: {coins}."
        steps.append(step("B.pay.short", text, coins=rest))
    return paid, rest


def _spell_sum(bid: int, bidders: int) -> str:
    """Spell the sum of equal bids, as a product where it would be long."""
    return f"{bidders} × {bid}" if bidders > MOST_ADDED else " + ".join([str(bid)] * bidders)


# The final round and the score (B.end).


def order_banks(first: int, banks: int, direction: str) -> tuple[int, ...]:
    """Return all banks in the order of the final round."""
    by = 1 if direction == "clockwise" else -1
    return tuple((first - 1 + by * turn) % banks + 1 for turn in range(banks))


def count_score(funds: Mapping[str, Mapping[str, int]], box: BankueberfallBox) -> Score:
    """Count everyone's coins and credits when the last bank is robbed; the most wins."""
    steps, totals = [], {}
    for name, fortune in funds.items():
        coins, credits = fortune["coins"], fortune["credits"]
        totals[name] = coins - box.purse * credits
        facts = {"who": [name], "owned": coins, "total": totals[name]}
        text = "{who} owns {owned}."
        if credits:
            text = "{who} owns {owned}, less {purse} for each red credit ({red}): {total}."
            facts |= {"purse": box.purse, "red": credits}
        steps.append(step("B.end", text, None, **facts))
    best = find_winners(totals)
    text = "The win goes to {who}, with {coins}."
    tied = ("B.ties",) if len(best) > 1 else ()
    steps.append(step("B.end", text, None, *tied, who=list(best), coins=totals[best[0]]))
    return Score(tuple(steps), totals, best)
