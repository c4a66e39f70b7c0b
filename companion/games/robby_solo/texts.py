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
    },
    house_rules={
        ("retake", "once"): N_("after the declaration a card is taken back once at most"),
        ("retake", "until_gone_on"): N_("cards are taken back until the Gentleman goes on"),
        ("own_pile", "whole"): N_("everyone may look through their own pile"),
        ("own_pile", "top_card"): N_("no one may look through a pile, not even their own"),
    },
)
