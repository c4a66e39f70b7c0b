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
)
