"""The rules of Lantern Night by id."""

from companion.core.i18n import N_
from companion.games.rule_texts import Open, Rule, Rules

PAGE = "docs/new-game.md"

RULES = Rules(
    rules={
        "L.setup": Rule(PAGE, N_("Everyone has 20 coins; the lanterns are a face-down pile.")),
        "L.light": Rule(PAGE, N_("The player with the turn lays the top card open in the middle.")),
        "L.bid": Rule(PAGE, N_("All bid some or none of their coins in secret, then reveal them.")),
        "L.alone": Rule(PAGE, N_("The highest bid that only one player made wins, and is paid.")),
        "L.out": Rule(PAGE, N_("If no bid was made only once, the lantern goes out, unpaid.")),
        "L.end": Rule(PAGE, N_("After the last lantern the most light wins.")),
    },
    house_rules={
        "coins_at_end": Open(N_("What are coins worth at the end?"), {
            "nothing": N_("nothing"), "a_tenth": N_("one point for every ten"),
        }),
    },
    rulings={"L.nil": N_("A bid of 0 can win."), "L.ties": N_("Equal first places share the win.")},
)  # fmt: skip
