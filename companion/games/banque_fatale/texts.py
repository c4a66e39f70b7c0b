"""What the names in the box of Banque Fatale are called."""

from companion.core.i18n import N_, GameTexts

TEXTS = GameTexts(
    words={
        "red": N_("red"),
        "yellow": N_("yellow"),
        "green": N_("green"),
        "blue": N_("blue"),
        "orange": N_("orange"),
    },
    house_rules={
        ("unplayed", "to_minimum"): N_("a colour that no one played falls to 2"),
        ("unplayed", "minus_two"): N_("a colour that no one played falls by 2"),
        ("tied_for_most", "all_rise"): N_("three or more colours that tie for most all rise"),
        ("tied_for_most", "none_rises"): N_(
            "of three or more colours that tie for most none rises"
        ),
        ("sale_ban", "just_won"): N_("the card just won cannot be sold"),
        ("sale_ban", "just_risen"): N_("a card of a colour that just rose cannot be sold"),
        ("chips_at_end", "one_million"): N_("every chip is worth one million at the end"),
        ("chips_at_end", "nothing"): N_("chips are worth nothing at the end"),
    },
)
