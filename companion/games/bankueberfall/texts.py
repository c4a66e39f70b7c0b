"""What the names in the box of Banküberfall are called."""

from companion.core.i18n import N_, GameTexts

TEXTS = GameTexts(
    words={
        "seductress": N_("seductress"),
        "policeman": N_("policeman"),
        "detective": N_("detective"),
        "thief": N_("thief"),
        "x": N_("X"),
        "place": N_("Placement"),
        "spy": N_("Spy"),
        "reveal": N_("Reveal"),
        "rob": N_("Robbery"),
    },
    house_rules={
        ("shortfall", "continue"): N_("after a shortfall the next bid is still tried"),
        ("shortfall", "stop"): N_("after a shortfall no one else is paid"),
        ("final_direction", "right_hand"): N_("the final round goes to the right-hand neighbour"),
        ("final_direction", "clockwise"): N_("the final round goes clockwise"),
        ("credit", "worth_ten"): N_("a red credit brings ten coins"),
        ("credit", "up_to_ten"): N_("a red credit fills up to ten coins"),
        ("empty_bank", "skipped"): N_("the final round passes empty banks by"),
        ("empty_bank", "robbed"): N_("the final round robs empty banks, too"),
    },
)
