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
)
