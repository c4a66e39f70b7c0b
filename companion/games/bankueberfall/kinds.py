"""Banküberfall before the judge: a robbery, the order of the final round, or the score."""

from companion.core.errors import JsonObject
from companion.core.i18n import N_, Message
from companion.core.verdict import find_fact
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.robbery import (
    FinalRound,
    Robbery,
    count_score,
    judge_final_round,
    resolve_robbery,
)
from companion.games.bankueberfall.rules import RULES
from companion.games.bankueberfall.state import BankueberfallPlayer, BankueberfallState
from companion.games.disputes import Dispute, Disputes, Ground
from companion.judge.kinds import (
    FORTUNES,
    Decision,
    Gains,
    Held,
    Kind,
    Kinds,
    name_kinds,
    score_kind,
)
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


def _robbery_gains(verdict: Robbery) -> Gains:
    credits = verdict.credits or {}
    return {
        name: {"coins": coins, "credits": credits.get(name, 0)}
        for name, coins in verdict.change.items()
    }


def _robbery_outcomes(verdict: Robbery) -> tuple[Message, ...]:
    paid = DIRECTIONS[verdict.direction] if verdict.outcome == "shared" else NO_ONE
    return Message(OUTCOMES[verdict.outcome]), Message(paid)


def _decide_final(case: JsonObject) -> FinalRound:
    last, banks = case["last"], case["box"].banks
    front = case.get("front", case["players"].index(last) + 1)
    robbed, empty = case.get("robbed", []), case.get("empty", [])
    return judge_final_round(last, front, banks, robbed, case["house_rules"], empty)


def _final_outcomes(verdict: FinalRound) -> tuple[Message, ...]:
    return (Message(NEXT_BANK if verdict.next_bank else ALL_ROBBED, {"n": verdict.next_bank}),)


def make_kinds(box: BankueberfallBox) -> Kinds:
    """Return the kinds of dispute at tables with this box."""
    coins = range(box.pieces["coins"] + 1)
    credits = range(box.pieces["coins"] // box.purse + 1)
    return name_kinds(
        box,
        RULES.deciding,
        robbery=Kind(
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
            holds=(Held(("cards",), box.cards),),
            gains=_robbery_gains,
            outcomes=_robbery_outcomes,
            decision=Decision(
                "bids", N_("What would {who} have had to bid?"), N_("{who} had bid {choice}")
            ),
        ),
        final=Kind(
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
        score=score_kind(
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
                    asks=FORTUNES,
                ),
            },
        ),
    )  # fmt: skip


A_CARD = N_("At bank {bank} lay: {card}.")
A_BID = N_("{who} bid {coins}.")
OWNED = N_("{who} owned {coins} before that.")
OWNS = N_("{who} ends with {coins} and {credits}.")


def _dispute_robbery(before: BankueberfallState, after: BankueberfallState, shown: bool) -> Dispute:
    verdict = after.verdict
    assert verdict is not None
    cards = after.discard[len(before.discard) :]
    bids: dict[str, int] = find_fact(verdict, "tally")
    case: JsonObject = {"bank": before.figure, "cards": list(cards), "bids": dict(bids)}
    funds = _known_funds(before, verdict, shown)
    if funds is not None:
        case["funds"] = funds
    bank, players = before.figure, enumerate(before.players, 1)
    grounds = (
        *(
            Ground(Message(A_CARD, {"bank": bank, "card": card}), card=(bank, slot))
            for slot, card in enumerate(cards, 1)
        ),
        *(
            Ground(Message(A_BID, {"who": [name], "coins": bid}), hand=seat)
            for seat, (name, bid) in enumerate(bids.items(), 1)
        ),
        *(_funds_ground(seat, p.name, p.coins) for seat, p in players if shown),
    )
    return Dispute("robbery", case, grounds)


def _funds_ground(seat: int, name: str, coins: int) -> Ground:
    said = Message(OWNED, {"who": [name], "coins": coins})
    return Ground(said, since=lambda state: state.players[seat - 1].coins)


def _known_funds(
    before: BankueberfallState, verdict: Robbery, shown: bool
) -> dict[str, int] | None:
    """Return everyone's funds, as far as they were shown; None where nothing showed them."""
    if shown:
        return {player.name: player.coins for player in before.players}
    if verdict.outcome != "stolen":
        return None
    credited = verdict.credits or {}
    return {
        player.name: player.coins if credited[player.name] else -lost + before.box.purse
        for player, lost in zip(before.players, verdict.change.values(), strict=True)
    }


def _dispute_score(after: BankueberfallState) -> Dispute:
    funds = {p.name: {"coins": p.coins, "credits": p.credits} for p in after.players}
    grounds = tuple(_total_ground(n, p) for n, p in enumerate(after.players, 1))
    return Dispute("score", {"funds": funds}, grounds)


def _total_ground(seat: int, player: BankueberfallPlayer) -> Ground:
    facts = {"who": [player.name], "coins": player.coins, "credits": player.credits}
    return Ground(
        Message(OWNS, facts),
        since=lambda state: (state.players[seat - 1].coins, state.players[seat - 1].credits),
        after=True,
    )


DISPUTES = Disputes(_dispute_robbery, _dispute_score, RULES.deciding)
