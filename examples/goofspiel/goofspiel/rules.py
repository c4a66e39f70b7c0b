"""The rules of Goofspiel by id; they are traditional, and these words are ours."""

from companion.core.i18n import N_
from companion.games.rule_texts import Rule, Rules

BOOK = "traditional"

RULES = Rules(
    rules={
        "G.setup": Rule(BOOK, N_(
            "One suit is shuffled as the pile of prizes; everyone holds another suit, ace to king."
        )),
        "G.prize": Rule(BOOK, N_("The top prize is turned up.")),
        "G.bid": Rule(BOOK, N_("All lay a card of theirs face down; all are turned up at once.")),
        "G.win": Rule(BOOK, N_("The highest card wins the prize; cards that were bid are gone.")),
        "G.tie": Rule(BOOK, N_("If the highest cards are equal, the prize is lost as well.")),
        "G.end": Rule(BOOK, N_("After the last prize the most points win.")),
    },
    rulings={"G.ties": N_("Equal first places share the win.")},
)  # fmt: skip
