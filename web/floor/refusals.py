"""What the floor says where it refuses something: one sentence, in the language of the reader."""

import msgspec
from tornado.web import HTTPError

from companion.core.i18n import N_, Message

SENTENCES = {
    400: N_("The floor did not understand that."),
    401: N_("Sign in with the PIN of the floor first."),
    403: N_("This was not sent from the floor's own page."),
    404: N_("The floor does not know this table, or this page."),
    405: N_("The floor does not know this table, or this page."),
    413: N_("That is more than the floor takes at once."),
    429: N_("That was too quick for the floor. Please wait a moment and try again."),
    503: N_("The floor is too busy just now. Please try again."),
}
DEFAULT_SENTENCE = N_("Something went wrong at the floor. The tables play on.")
UNPROVEN = {
    "unsigned": N_(
        "What this browser sends is not signed. Allow scripts for this page, and load it again."
    ),
    "unknown_key": N_("The floor does not know the key of this browser. Load the page again."),
    "bad_signature": N_(
        "The signature of this browser does not fit what was sent. Load the page again."
    ),
    "counter_used": N_("The floor already has this; it counts once."),
    "no_cookie": N_(
        "This browser keeps no cookies, so the floor would not know it again. Allow cookies for"
        " this page."
    ),
}
"""Why a write is not proven to come from its browser, by the code of the reason."""


class SaidError(HTTPError):
    """A status with the sentence that the page is to show."""

    def __init__(
        self, status: int, say: Message, code: str = "", next_counter: int = 0, wait: int = 0
    ) -> None:
        super().__init__(status)
        self.say, self.code, self.next_counter, self.wait = say, code, next_counter, wait


class FloorProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wrong, as the scripts of tables and floors read it (RFC 9457)."""

    status: int
    title: str
    code: str = ""
    next_counter: int = 0
    """The next counter that this browser can sign with, if the one it used is too low."""
