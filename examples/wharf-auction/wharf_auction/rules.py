"""The rules of Wharf Auction by id."""

from companion.core.i18n import N_
from companion.games.rule_texts import Rule, Rules

PAGE = "examples/wharf-auction"

RULES = Rules(
    rules={
        "W.setup": Rule(PAGE, N_("Everyone has 20 coins; the crates are a face-down pile.")),
        "W.crate": Rule(PAGE, N_("The player with the turn lays the top crate open on the wharf.")),
        "W.bid": Rule(PAGE, N_(
            "Clockwise, beginning with that player, everyone raises the bid or drops out until"
            " one is left."
        )),
        "W.sold": Rule(PAGE, N_("The last one pays the bid and takes the crate.")),
        "W.unsold": Rule(PAGE, N_("If all drop out without a bid, the crate goes into the water.")),
        "W.end": Rule(PAGE, N_("After the last crate all add up crates and coins; most wins.")),
    },
    rulings={"W.ties": N_("Equal first places share the win.")},
)  # fmt: skip
