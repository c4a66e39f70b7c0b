"""The language of what a command prints: that of --lang, else that of the terminal.

Laws: the terminal's is read as gettext reads it ($LANGUAGE, $LC_ALL, $LC_MESSAGES, $LANG); one that
we do not speak is English, and so is the help of the commands.
"""

import os
from collections.abc import Sequence

from companion.core.i18n import LANGUAGES

SAID = "--lang"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def terminal_language() -> str:
    """Return the code of the language of this terminal."""
    told = next((told for name in VARIABLES if (told := os.environ.get(name))), "")
    codes = (each[:2].lower() for each in told.split(":"))
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


def find_language(words: Sequence[str]) -> str:
    """Return the language that these words ask for, else that of the terminal."""
    asked = [
        value if equals else after
        for word, after in zip(words, [*words[1:], ""], strict=False)
        for name, equals, value in [word.partition("=")]
        if name == SAID
    ]
    return asked[-1] if asked and asked[-1] in LANGUAGES else terminal_language()
