"""Resolve a robbery: from the cards at the bank and the bids to the pay-out, step by step.

Law: this is the only place that knows how a robbery ends. The live table and a dispute entered as a
case both ask it, and it needs nothing but what it is given.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from companion.core.i18n import N_
from companion.core.verdict import HouseRule, Verdict, VerdictStep, step
from companion.games.bankueberfall.box import BankueberfallBox

Outcome = Literal["shared", "guarded", "stolen", "nothing"]
Direction = Literal["lowest_first", "highest_first"]


class Robbery(Verdict, frozen=True, tag="robbery"):
    """How a robbery ended; coins by name. `credits` only where the fortunes are known."""

    outcome: Outcome
    direction: Direction
    loot: int
    paid: dict[str, int]
    change: dict[str, int]
    to_reserve: int
    credits: dict[str, int] | None = None


class Stakes(msgspec.Struct, frozen=True):
    """The bids by name, the funds and the bank's number if known, and how the table plays."""

    bids: Mapping[str, int]
    house_rules: Mapping[str, str]
    box: BankueberfallBox
    funds: Mapping[str, int] | None = None
    bank: int | None = None

    def zero_each(self) -> dict[str, int]:
        """Return every bidder with nothing."""
        return dict.fromkeys(self.bids, 0)

    def no_credits(self) -> dict[str, int] | None:
        """Return no credit for any bidder, or None where the funds are not known."""
        return None if self.funds is None else self.zero_each()


def resolve_robbery(cards: Sequence[str], stakes: Stakes) -> Robbery:
    steps = [
        step("B.bid", "The bids: {tally}.", tally=stakes.bids),
        _lying_step(cards, stakes.bank),
    ]
    lying = Counter(cards)
    _resolve_seductresses(lying, steps)
    if _is_guarded(lying, steps):
        return _guarded_robbery(stakes, steps)
    _pair_off_thieves(lying, steps)
    if lying["thief"]:
        return _stolen_robbery(stakes, steps)
    return _share_loot(_count_loot(lying, steps), stakes, steps, watched=lying["detective"] > 0)


class Survey(NamedTuple):
    """What the cards at a bank come to, before anyone is paid."""

    outcome: Outcome
    watched: bool
    loot: int


def survey_bank(cards: Sequence[str]) -> Survey:
    """Return the effect of the cards, before any bid."""
    lying, unsaid = Counter(cards), list[VerdictStep]()
    _resolve_seductresses(lying, unsaid)
    if _is_guarded(lying, unsaid):
        return Survey("guarded", False, 0)
    _pair_off_thieves(lying, unsaid)
    if lying["thief"]:
        return Survey("stolen", False, 0)
    loot = _count_loot(lying, unsaid)
    return Survey("shared" if loot else "nothing", lying["detective"] > 0, loot)


def _lying_step(cards: Sequence[str], bank: int | None) -> VerdictStep:
    empty = () if cards else ("B.empty",)
    if bank is None:
        return step("B.rob", "Cards at the bank: {cards}.", None, *empty, cards=list(cards))
    text = "Cards at bank {bank}: {cards}."
    return step("B.rob", text, None, *empty, bank=bank, cards=list(cards))


def _remove_cards(lying: Counter[str], *kinds: str) -> list[str]:
    """Remove every card of these kinds; return what left, in order."""
    gone = [kind for kind in kinds for _ in range(lying[kind])]
    for kind in kinds:
        del lying[kind]
    return gone


def _resolve_seductresses(lying: Counter[str], steps: list[VerdictStep]) -> None:
    ladies = lying["seductress"]
    if ladies == 1:
        _remove_cards(lying, "seductress")
        gone = _remove_cards(lying, "policeman", "detective", "thief")
        if gone:
            text = "One seductress turns every head. These leave: {gone}."
        else:
            text = "One seductress is here, but there is no head to turn."
        steps.append(step("B.rob.1", text, gone=gone))
    elif ladies:
        text = "Several seductresses only chat with each other. These leave: {gone}."
        steps.append(step("B.rob.1", text, gone=_remove_cards(lying, "seductress")))


def _is_guarded(lying: Counter[str], steps: list[VerdictStep]) -> bool:
    """Return whether exactly one policeman guards the bank."""
    if lying["policeman"] > 1:
        text = "Several policemen sit down to a game of cards. These leave: {gone}."
        steps.append(step("B.rob.2", text, gone=_remove_cards(lying, "policeman")))
    return lying["policeman"] == 1


def _pair_off_thieves(lying: Counter[str], steps: list[VerdictStep]) -> None:
    pairs = min(lying["detective"], lying["thief"])
    if pairs:
        text = "Detectives and thieves leave in pairs: {gone}."
        gone = ["detective"] * pairs + ["thief"] * pairs
        steps.append(step("B.rob.3", text, gone=gone, pairs=pairs))
        lying.subtract({"detective": pairs, "thief": pairs})


MULTIPLIED = {
    2: N_("Loot: {money_sum}, doubled by one X = {loot}."),
    3: N_("Loot: {money_sum}, tripled by two X = {loot}."),
}
MANY_TIMES = N_("Loot: {money_sum}, times {times} by several X = {loot}.")


def _count_loot(lying: Counter[str], steps: list[VerdictStep]) -> int:
    money = sum(int(card) * n for card, n in lying.items() if card.isdecimal())
    times = 1 + lying["x"]
    if not money:
        steps.append(step("B.loot", "No money here, so there is no loot.", loot=0))
    elif times == 1:
        steps.append(step("B.loot", "Loot: {loot}.", money_sum=money, times=1, loot=money))
    else:
        text = MULTIPLIED.get(times, MANY_TIMES)
        steps.append(step("B.loot", text, money_sum=money, times=times, loot=money * times))
    return money * times


def _guarded_robbery(stakes: Stakes, steps: list[VerdictStep]) -> Robbery:
    steps.append(
        step("B.rob.2", "One policeman stands guard: every card goes, and there is no loot.")
    )
    reward = stakes.box.reward
    honest = [name for name, bid in stakes.bids.items() if bid == 0]
    if honest:
        text = "{who}: {coins} from the reserve for bidding nothing."
        steps.append(step("B.rob.2", text, who=honest, coins=reward))
        others = [name for name, bid in stakes.bids.items() if bid]
        if others:
            steps.append(
                step("B.rob.2", "No reward, because they bid: {who}.", coins=0, who=others)
            )
    else:
        steps.append(step("B.rob.2", "Everyone bid something, so there is no reward."))
    change = {name: 0 if bid else reward for name, bid in stakes.bids.items()}
    return _robbery_without_loot("guarded", stakes, steps, change, stakes.no_credits())


def _stolen_robbery(stakes: Stakes, steps: list[VerdictStep]) -> Robbery:
    steps.append(step("B.rob.4", "A thief got away: every card goes, and there is no loot."))
    lost = {name: bid for name, bid in stakes.bids.items() if bid}
    if lost:
        text = "The thief takes every bid. Lost to the reserve: {tally}."
        steps.append(step("B.rob.4", text, tally=lost))
    change = {name: -bid for name, bid in stakes.bids.items()}
    return _robbery_without_loot("stolen", stakes, steps, change, _grant_credits(stakes, steps))


def _robbery_without_loot(
    outcome: Outcome,
    stakes: Stakes,
    steps: list[VerdictStep],
    change: dict[str, int],
    credits: dict[str, int] | None,
) -> Robbery:
    nothing = stakes.zero_each()
    return Robbery(tuple(steps), outcome, "lowest_first", 0, nothing, change, 0, credits)


ANYONE_SHORT = N_(
    "Anyone with fewer than {purse} coins left shows them and takes a red credit for {purse}."
)
LEFT_SHORT = N_(
    "{who} has only {owned} left, fewer than {purse}: a red credit brings {purse} more."
)


def _grant_credits(stakes: Stakes, steps: list[VerdictStep]) -> dict[str, int] | None:
    """Return one credit for each player whom the theft left with too little; None where the case
    does not say who owns how much."""
    purse = stakes.box.purse
    if stakes.funds is None:
        steps.append(step("B.rob.4", ANYONE_SHORT, purse=purse))
        return None
    credits = stakes.zero_each()
    for name, bid in stakes.bids.items():
        owned = stakes.funds[name] - bid
        if owned < purse:
            credits[name] = 1
            steps.append(step("B.rob.4", LEFT_SHORT, who=[name], owned=owned, purse=purse))
    return credits


def _share_loot(loot: int, stakes: Stakes, steps: list[VerdictStep], watched: bool) -> Robbery:
    direction: Direction = "highest_first" if watched else "lowest_first"
    paid, rest = stakes.zero_each(), 0
    if loot or watched:
        _announce_direction(watched, steps)
    if loot:
        rest = _pay_bids(loot, stakes, paid, steps, watched)
    outcome: Outcome = "shared" if loot else "nothing"
    credits = stakes.no_credits()
    return Robbery(tuple(steps), outcome, direction, loot, paid, dict(paid), rest, credits)


def _announce_direction(watched: bool, steps: list[VerdictStep]) -> None:
    if watched:
        text = "Detectives make everyone nervous: the highest bid is paid first."
        steps.append(step("B.rob.3", text, direction="highest_first"))
    else:
        steps.append(step("B.pay", "The lowest bid is paid first.", direction="lowest_first"))


class Payment(NamedTuple):
    """What equal bids come to: whether they are paid, what is left of the loot then, and whether it
    had run short before them."""

    bid: int
    who: list[str]
    is_paid: bool
    rest: int
    after_shortfall: bool


def pay_in_order(rest: int, bids: Mapping[str, int], watched: bool, stops: bool) -> list[Payment]:
    """Pay the bids in order from the loot `rest`; `stops` if none is paid after a shortfall."""
    bidders: dict[int, list[str]] = {}
    for name, bid in bids.items():
        bidders.setdefault(bid, []).append(name)
    payments, short = [], False
    for bid in sorted(bidders, reverse=watched):
        who = bidders[bid]
        is_paid = bid * len(who) <= rest and not (bid and short and stops)
        rest -= bid * len(who) if is_paid else 0
        payments.append(Payment(bid, who, is_paid, rest, short))
        short = short or not is_paid
    return payments


def _pay_bids(
    loot: int, stakes: Stakes, paid: dict[str, int], steps: list[VerdictStep], watched: bool
) -> int:
    """Pay the bids in order; return what is left. The house rule decides after a shortfall."""
    house, rest = HouseRule("shortfall", stakes.house_rules["shortfall"]), loot
    for bid, who, is_paid, rest, short in pay_in_order(
        loot, stakes.bids, watched, house.value == "stop"
    ):
        if is_paid:
            paid.update(dict.fromkeys(who, bid))
            steps.append(_paid_step(who, bid, rest, house if bid and short else None))
        elif bid * len(who) > rest:
            steps.append(_shortfall_step(who, bid, rest))
        else:
            steps.append(_stopped_step(who, bid, house))
    if rest:
        text = "Left over, back to the reserve: {coins}."
        steps.append(step("B.pay.short", text, coins=rest))
    return rest


def _paid_step(who: list[str], bid: int, rest: int, house: HouseRule | None) -> VerdictStep:
    """Make the step of a payment; `rest` is the loot left afterwards."""
    if not bid:
        text = "Nothing bid, nothing won: {who}."
    elif len(who) == 1:
        text = "{who} bid {bid}, gets {bid} and keeps the bid; {rest} left."
    else:
        text = "{who} each bid {bid}, get {bid} and keep the bid; {rest} left."
    return VerdictStep("B.pay", text, {"who": who, "bid": bid, "paid": bid, "rest": rest}, house)


MOST_ADDED = 3
"""So many equal bids are written as a sum."""
SHORTFALLS = {
    (False, True): N_("{who} bid {bid}, but only {rest} is left: nothing."),
    (False, False): N_("{who} bid {bid}, but nothing is left."),
    (True, True): N_("{who} each bid {bid}. {sums}, but only {rest} is left: nothing for them."),
    (True, False): N_("{who} each bid {bid}. {sums}, but nothing is left."),
}
"""What is said of several equal bids or one, while something is left of the loot or nothing."""


def _shortfall_step(who: list[str], bid: int, rest: int) -> VerdictStep:
    """Make the step of a loot that does not suffice for the next ones, with the missing sum."""
    facts: dict[str, object] = {"who": who, "bid": bid, "paid": 0, "rest": rest}
    if len(who) > 1:
        facts["sums"] = f"{_write_sum(bid, len(who))} = {bid * len(who)}"
    return VerdictStep("B.pay.short", SHORTFALLS[len(who) > 1, rest > 0], facts)


def _write_sum(bid: int, count: int) -> str:
    """Write so many equal bids as a sum, or as a product where a sum would be long."""
    return f"{count} × {bid}" if count > MOST_ADDED else " + ".join([str(bid)] * count)


def _stopped_step(who: list[str], bid: int, house: HouseRule) -> VerdictStep:
    text = "Once the loot has run short, no one else is paid. {who} bid {bid}: nothing."
    return VerdictStep("B.pay.short", text, {"who": who, "bid": bid, "paid": 0}, house)
