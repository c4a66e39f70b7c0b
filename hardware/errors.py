"""What can be wrong with wires, in one sentence each.

Law: a sentence names the pin, the place or the profile, and ends with what to type or to touch.
It is a saying until somebody reads it; `str` of an error is its English.
"""

from companion.texts import Say, language

LONGEST = 200


class Said(Exception):
    """Something that is wrong, in one sentence."""

    def __init__(self, sentence: Say) -> None:
        self.say = sentence
        super().__init__(language("en")(sentence))


class WiringError(Said, ValueError):
    """A wiring profile that cannot be built, or that does not exist."""


class NotConnected(Said, OSError):
    """A device that this machine does not offer, or does not offer to us."""


def quoted(words: object) -> str:
    """What somebody else wrote, as it is quoted in a sentence: on one line, and not for ever."""
    too_long = isinstance(words, int) and words.bit_length() > 64  # to be written in digits
    text = f"{words:#x}" if too_long else str(words)
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
