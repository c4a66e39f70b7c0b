"""A sale, or none: what the start player gets for a card, and who leads the next round.

Law: like an auction, a sale explains itself; what it pays can be added up from its step.
"""

from collections.abc import Mapping

from companion.core.verdict import Step, Verdict, step
from companion.games.banque_fatale.worth import worth


class Sale(Verdict, frozen=True, tag="sale"):
    """Who sold which card ("" for none) for how many millions."""

    seller: str
    card: str
    price: int


def sale(seller: str, card: str, values: Mapping[str, int], then: str | None) -> Sale:
    """The sale of a card, or of none; `then` leads the next round, if there is one."""
    steps, price = [], 0
    if card:
        price = worth(card, values)
        parts = {colour: values[colour] for colour in card.split("-")}
        text = "{who} sells {card} for {millions} ({by_colour})."
        facts = {"who": [seller], "card": card, "millions": price, "by_colour": parts}
        steps.append(step("F.sell", text, None, **facts))
    else:
        steps.append(step("F.sell", "{who} sells nothing.", who=[seller]))
    return Sale((*steps, *_next(then)), seller, card, price)


def _next(then: str | None) -> tuple[Step, ...]:
    if then is None:
        return ()
    return (step("F.next", "The next start player is {who}.", who=[then]),)
