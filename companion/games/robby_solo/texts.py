"""What the names in the box of Robby Solo are called."""

from companion.core.i18n import N_, GameTexts

TEXTS = GameTexts(
    words={
        "object": N_("object"),
        "red": N_("red"),
        "yellow": N_("yellow"),
        "green": N_("green"),
        "blue": N_("blue"),
        "grey": N_("grey"),
        "purple": N_("purple"),
        "khaki": N_("khaki"),
        "will": N_("I rob it"),
        "not will": N_("I leave it alone"),
    },
)
