"""Refusals and faults of input, each with its sentence.

Law: *malformed* means that the request cannot be understood; *refused* means that it is understood,
and the rules say no. Either way it is one sentence, in the asker's words, and nothing has changed.
What a decoded document holds is only trusted after the code that reads a field has checked it.
"""

from typing import Any

import msgspec

from companion.core.i18n import N_, Message, get_language

JsonObject = dict[str, Any]
JsonArray = list[Any]
"""Decoded JSON and TOML, whose fields are not checked yet."""


class Refusal(msgspec.Struct, frozen=True):
    """The reason a request is refused: a stable code, the rule behind it, and the sentence."""

    code: str
    rule: str
    say: Message


def refusal(code: str, rule: str, text: str, /, **facts: object) -> Refusal:
    """Make a refusal; the catalogue collects its text."""
    return Refusal(code, rule, Message(text, facts))


class ExplainedError(Exception):
    """An error that `say` explains in one translatable sentence; its `str` is the English."""

    def __init__(self, say: Message) -> None:
        self.say = say
        super().__init__(get_language("en")(say))


class Malformed(ExplainedError, ValueError):
    """A thing that cannot be read; `field` names the place in it, as the writer would."""

    def __init__(self, field: str, text: str, /, **facts: object) -> None:
        self.field = field
        super().__init__(Message(text, {"field": field, **facts}))


def not_read(field: object, error: OSError) -> Malformed:
    """Return the error of a file that cannot be read, with the reason in words."""
    return Malformed(str(field), N_("{field} cannot be read: {reason}."), reason=error.strerror)


class NotWritten(Malformed):
    """A write that failed: nothing has changed, on disk or in memory."""

    code = "not_written"


class MaybeWritten(NotWritten):
    """A write that may have succeeded: the disk failed after the change, before it was safe."""

    code = "maybe_written"


# Text of a stranger, shown so that it cannot mislead.


SHORTENED = 80


def show_safely(thing: object, most: int = SHORTENED) -> str:
    """Return an object as one line of text: unprintable characters are escaped, a long text is
    cut."""
    try:
        text = str(thing)
    except Exception:  # noqa: BLE001 -- Its own code wrote the text.
        text = type(thing).__name__
    text = text[: most + 1]
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= most else text[: most - 1] + "…"
