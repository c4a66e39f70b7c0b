"""The rules of Lantern Night by id."""

from companion.core.i18n import N_
from companion.games.rule_texts import Open, Rule, Rules

BOOKLET = "docs/new-game.md"

RULES = Rules(
    rules={
        "L.setup": Rule(BOOKLET, N_("Everyone has 20 coins; the lanterns are a face-down pile.")),
        "L.light": Rule(BOOKLET, N_("The player at turn lays the top card open in the middle.")),
        "L.bid": Rule(BOOKLET, N_(
            "Everybody closes a hand around none, some or all of their coins; all open at once."
        )),
        "L.alone": Rule(BOOKLET, N_(
            "The highest bid that nobody else made takes the lantern and is paid to the reserve."
            " All other coins go back."
        )),
        "L.out": Rule(BOOKLET, N_("If nobody bids alone, the lantern goes out, and nobody pays.")),
        "L.next": Rule(BOOKLET, N_("The left neighbour lights the next lantern.")),
        "L.end": Rule(BOOKLET, N_("After the last lantern the most light wins.")),
    },
    house_rules={
        "coins_at_end": Open(
            N_("What are coins worth at the end?"),
            {"nothing": N_("nothing"), "a_tenth": N_("one point for every ten")},
        ),
    },
    rulings=(N_("A bid of 0 can win, too."), N_("Equal first places share the win.")),
)  # fmt: skip
