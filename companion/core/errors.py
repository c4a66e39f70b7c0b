"""Refusals and faults of input, each with its sentence.

Law: *malformed* means that the request cannot be understood; *refused* means that it is understood,
and the rules say no. Either way it is one sentence, in the asker's words, and nothing has changed.
"""

import msgspec

from companion.core.i18n import Message, get_language


class Refusal(msgspec.Struct, frozen=True):
    """Why a request is not granted: a stable code, the rule behind it, and the sentence."""

    code: str
    rule: str
    say: Message


def refusal(code: str, rule: str, text: str, /, **facts: object) -> Refusal:
    """Make a refusal; the catalogue collects its text."""
    return Refusal(code, rule, Message(text, facts))


class Malformed(ValueError):
    """A thing that cannot be read; `field` names the place in it, as the writer would."""

    def __init__(self, field: str, text: str, /, **facts: object) -> None:
        self.field = field
        self.say = Message(text, {"field": field, **facts})
        super().__init__(get_language("en")(self.say))


class NotWritten(Malformed):
    """What the disk does not take: nothing has changed, on disk or in memory."""

    code = "not_written"


class MaybeWritten(NotWritten):
    """What the disk may have taken: it failed after the change, before it was safe."""

    code = "maybe_written"
