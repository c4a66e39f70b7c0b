"""Questions about a mismatch, and their answers.

Law: a question names the place and asks what a person there can answer; it names no tag, and no
card that lies face down, but for the robbed ones that should have been shown.
"""

from typing import NamedTuple

from companion.core.i18n import N_


class Question(NamedTuple):
    """A question, and its answers: that the cards are right, or that the log is; "" for none."""

    text: str
    cards: str = ""
    log: str = ""


BY_HAND = N_("Go on without this reader")
TAKEN_AWAY = Question(N_("Was a card taken away from {use}?"), N_("Yes"), N_("No, all is there"))
UNHEARD = Question(
    N_(
        "{use}: was a card laid there? The reader cannot see it. Enter it on a phone, or put "
        "back what you lifted."
    ),
    N_("No, one was taken away"),
    N_("No, all is there"),
)
FORGOTTEN = Question(
    N_("{use}: hold the new card to the reader once more, or enter it on a phone.")
)
SURPLUS = Question(
    N_("{use}: {count} too many. Laid there on purpose?"),
    N_("Yes, it lies there"),
    N_("No, leave it out"),
)
UNKNOWN_STICKER = Question(
    N_("{use}: an unknown sticker lies there. Take it off."),
    N_("It is a card of this box"),
    N_("Leave it out"),
)
UNTIMELY = Question(
    N_("{use}: it is not yet time for the card that was tapped. Tap it again when it is."),
    N_("It counts now"),
    N_("It does not count"),
)
MISTAKEN = Question(
    N_("{use}: the reader sees another card than was noted. Which one lies there?"),
    N_("The one that the reader sees"),
    N_("The one that was noted"),
)
MISTAKEN_ELSEWHERE = Question(
    N_(
        "{use}: the reader sees a card that was entered at {other_use}, where no reader saw it. "
        "Look which card lies there, and put that right in the log."
    ),
    "",
    N_("The one that was noted"),
)
LEFT_OVER = Question(
    N_("{use} still holds {count}: take them off."), N_("They stay there"), N_("Leave them out")
)
MOVED = Question(N_("{use}: has a card moved here from {other_use}?"), N_("Yes"), N_("No"))
OTHERS_SHOWN = Question(
    N_("{use}: {gone} was laid there, {cards} was shown."),
    N_("What was shown is right"),
    N_("What was laid is right"),
)
MORE_SHOWN = OTHERS_SHOWN._replace(
    text=N_("{use}: {cards} was shown too, more cards than lie there.")
)
