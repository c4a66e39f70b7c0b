"""Banküberfall before the judge: a robbery or the score as a case, and what each rests on.

Law: coins lie behind a screen until the game is over. Before that a case tells of them only what
the thieves made everyone see: who owned too little took a credit, and the others owned enough.
"""

from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.bankueberfall.robbery import Robbery
from companion.games.bankueberfall.rules import RULES
from companion.games.bankueberfall.state import BankueberfallPlayer, BankueberfallState
from companion.games.disputes import Dispute, Disputes, Ground, find_fact

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
