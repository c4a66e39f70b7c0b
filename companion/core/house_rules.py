"""House rules in words: how a table plays what a booklet leaves open.

Law: every answer of every box has its sentence here; names like "shortfall" are for files and
programs. Pages, the judge and the host all say the same.
"""

from companion.core.i18n import N_, Message

HOUSE_RULE_TEXTS: dict[tuple[str, str], str] = {
    ("shortfall", "continue"): N_("after a shortfall the next bid is still tried"),
    ("shortfall", "stop"): N_("after a shortfall nobody else is paid"),
    ("final_direction", "right_hand"): N_("the final round goes to the right-hand neighbour"),
    ("final_direction", "clockwise"): N_("the final round goes clockwise"),
    ("unplayed", "to_minimum"): N_("a colour that nobody played falls to 2"),
    ("unplayed", "minus_two"): N_("a colour that nobody played falls by 2"),
    ("sale_ban", "just_won"): N_("the card just won cannot be sold"),
    ("sale_ban", "just_risen"): N_("a card of a colour that just rose cannot be sold"),
    ("chips_at_end", "one_million"): N_("every chip is worth one million at the end"),
    ("chips_at_end", "nothing"): N_("chips are worth nothing at the end"),
}


def describe_house_rule(name: str, value: str) -> Message:
    """Return a message with the way a table plays a house rule."""
    return Message(HOUSE_RULE_TEXTS[name, value])
