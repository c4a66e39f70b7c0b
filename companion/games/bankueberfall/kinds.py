"""Banküberfall before the judge: a robbery, the order of the final round, or the score."""

from collections.abc import Iterator

from companion.core.errors import JsonObject
from companion.core.i18n import N_, Message
from companion.core.verdict import HouseRule, Verdict, find_fact, step
from companion.games.bankueberfall.robbery import Robbery, count_score, order_banks, resolve_robbery
from companion.games.bankueberfall.rules import RULES, BankueberfallBox
from companion.games.bankueberfall.state import BankueberfallState
from companion.games.disputes import Dispute, Disputes, Ground, Watch, hand_grounds
from companion.judge import kinds
from companion.judge.shapes import ByPlayer, Group, Listed, Players, Ticked
from companion.judge.values import Choice, Few, Number, Player

OUTCOMES = {
    "shared": N_("the loot is shared"),
    "guarded": N_("a policeman stands guard"),
    "stolen": N_("a thief is left, and every hand is emptied"),
    "nothing": N_("there is no loot"),
}
DIRECTIONS = {
    "lowest_first": N_("the lowest bid is paid first"),
    "highest_first": N_("the highest bid is paid first"),
}
NO_ONE = N_("no bid is paid")
NEXT_BANK, ALL_ROBBED = N_("bank {n} is next"), N_("every bank has been robbed")


def _decide_robbery(case: JsonObject) -> Robbery:
    known = case.get("funds"), case.get("bank")
    return resolve_robbery(case["cards"], case["bids"], case["house_rules"], case["box"], *known)


def _robbery_gains(verdict: Robbery) -> kinds.Gains:
    credits = verdict.credits or dict.fromkeys(verdict.change, 0)
    return {name: {"coins": n, "credits": credits[name]} for name, n in verdict.change.items()}


def _robbery_outcomes(verdict: Robbery) -> tuple[Message, ...]:
    paid = DIRECTIONS[verdict.direction] if verdict.outcome == "shared" else NO_ONE
    return Message(OUTCOMES[verdict.outcome]), Message(paid)


class FinalRound(Verdict, frozen=True, tag="final_round"):
    """The order in which the banks are robbed, and the next one; None once all were."""

    order: tuple[int, ...]
    next_bank: int | None = None


def _decide_final(case: JsonObject) -> FinalRound:
    """Decide the order of the banks after the robbed ones."""
    last, banks, empty = case["last"], case["box"].banks, case.get("empty", ())
    first = case.get("front", case["players"].index(last) + 1)
    direction = case["house_rules"]["final_direction"]
    house = HouseRule("final_direction", direction) if banks > 2 else None
    order = tuple(bank for bank in order_banks(first, banks, direction) if bank not in empty)
    text = "{who} laid the last card, so the final round begins at bank {bank}."
    steps = [
        step("B.end", text, who=[last], bank=first),
        step("B.end", "The order of the banks: {numbers}.", house, numbers=list(order)),
    ]
    if empty:
        text = "Empty and skipped: {numbers}."
        steps.append(step("B.end", text, None, "B.empty", numbers=sorted(empty)))
    next_bank = next((bank for bank in order if bank not in case.get("robbed", ())), None)
    if next_bank is None:
        steps.append(step("B.end", "Every bank has been robbed."))
    else:
        steps.append(step("B.end", "The next bank is {bank}.", bank=next_bank))
    return FinalRound(tuple(steps), order, next_bank)


def _final_outcomes(verdict: FinalRound) -> tuple[Message, ...]:
    return (Message(NEXT_BANK if verdict.next_bank else ALL_ROBBED, {"n": verdict.next_bank}),)


def make_kinds(box: BankueberfallBox) -> kinds.Kinds:
    """Return the kinds of dispute at tables with this box."""
    coins = range(box.pieces["coins"] + 1)
    credits = range(box.pieces["coins"] // box.purse + 1)
    return kinds.name_kinds(
        box,
        RULES.deciding,
        robbery=kinds.Kind(
            resolve=_decide_robbery,
            question=N_("A robbery: who is paid?"),
            heading=N_("The robbery"),
            example={
                "cards": ["5", "x", "10", "seductress", "policeman", "detective", "thief"],
                "bids": {"Ana": 3, "Ben": 0},
                "funds": {"Ana": 12, "Ben": 10},
                "house_rules": {"shortfall": "continue"},
            },
            fields={
                "bank": Number(least=1),
                "cards": Listed(
                    Choice(box.cards, label=N_("card {n}")),
                    asks=N_("Which cards lay at the bank?"),
                ),
                "bids": ByPlayer(
                    Number(N_("the bid of {who}"), likely=coins, below="funds", may_be_open=True),
                    asks=N_("What did everyone bid?"),
                ),
                "funds": ByPlayer(
                    Number(N_("the coins of {who} before"), likely=coins), who="bids", whole=True,
                    asks=N_("What everyone owned before, if you know it: then credits are worked"
                            " out as well"),
                ),
            },
            optional=("bank", "funds"),
            holds=(kinds.Held(("cards",), box.cards),),
            gains=_robbery_gains,
            outcomes=_robbery_outcomes,
            decision=kinds.Decision(
                "bids", N_("What would {who} have had to bid?"), N_("{who} had bid {choice}")
            ),
        ),
        final=kinds.Kind(
            resolve=_decide_final,
            question=N_("The final round: which bank is next?"),
            heading=N_("The final round"),
            example={
                "players": ["Ana", "Ben", "Cem"],
                "last": "Ana",
                "front": 2,
                "robbed": [2, 1],
                "empty": [4],
                "house_rules": {"final_direction": "right_hand"},
            },
            fields={
                "players": Players(),
                "last": Player(
                    N_("the player who laid the last card"), asks=N_("Who laid the last card?")
                ),
                "front": Few(
                    N_("the bank in front of that player"), least=1, most=box.banks,
                    otherwise=N_("the player’s own number"),
                    asks=N_("Which bank stands in front of that player?"),
                ),
                "robbed": Ticked(
                    Few(N_("a bank robbed so far"), least=1, most=box.banks),
                    asks=N_("Which banks have been robbed in the final round?"),
                ),
                "empty": Ticked(
                    Few(N_("an empty bank"), least=1, most=box.banks),
                    asks=N_("At which banks does no card lie?"),
                ),
            },
            optional=("front", "robbed", "empty"),
            outcomes=_final_outcomes,
            is_plain=True,
        ),
        score=kinds.score_kind(
            "coins",
            resolve=lambda case: count_score(case["funds"], case["box"]),
            example={
                "funds": {"Ana": {"coins": 31, "credits": 1}, "Ben": {"coins": 27, "credits": 0}},
            },
            fields={
                "funds": ByPlayer(
                    Group({
                        "coins": Number(N_("the coins of {who}"), likely=coins, short=N_("coins")),
                        "credits": Number(
                            N_("the red credits of {who}"), likely=credits, short=N_("red credits")
                        ),
                    }),
                    asks=kinds.FORTUNES,
                ),
            },
        ),
    )  # fmt: skip


A_CARD = N_("At bank {bank} lay: {card}.")
A_BID = N_("{who} bid {coins}.")
OWNED = N_("{who} owned {coins} before that.")
OWNS = N_("{who} ends with {coins} and {credits}.")


def _dispute_robbery(before: BankueberfallState, after: BankueberfallState, shown: bool) -> Dispute:
    verdict, bank = after.verdict, before.figure
    assert verdict is not None
    cards = after.discard[len(before.discard) :]
    bids: dict[str, int] = find_fact(verdict, "tally")
    case: JsonObject = {"bank": bank, "cards": list(cards), "bids": dict(bids)}
    if shown or verdict.outcome == "stolen":
        # Who took a credit has shown every coin; of the others all know that they kept enough.
        took, purse = verdict.credits or {}, before.box.purse
        case["funds"] = {
            one.name: one.coins if shown or took[one.name] else bids[one.name] + purse
            for one in before.players
        }
    lying = (
        Ground(Message(A_CARD, {"bank": bank, "card": card}), card=(bank, slot))
        for slot, card in enumerate(cards, 1)
    )
    owned = _own_grounds(before, OWNED) if shown else ()
    return Dispute("robbery", case, (*lying, *hand_grounds(A_BID, "coins", bids), *owned))


def _dispute_score(after: BankueberfallState) -> Dispute:
    funds = {p.name: {"coins": p.coins, "credits": p.credits} for p in after.players}
    return Dispute("score", {"funds": funds}, tuple(_own_grounds(after, OWNS, after=True)))


def _own_grounds(state: BankueberfallState, text: str, *, after: bool = False) -> Iterator[Ground]:
    """Yield everyone's funds before a robbery, or after the last one."""
    for n, player in enumerate(state.players):
        facts = {"who": [player.name], "coins": player.coins, "credits": player.credits}
        yield Ground(Message(text, facts), since=_fortune_of(n), after=after)


def _fortune_of(n: int) -> Watch:
    return lambda state: (state.players[n].coins, state.players[n].credits)


DISPUTES = Disputes(_dispute_robbery, _dispute_score, RULES.deciding)
