"""Hardware errors, each in one translatable sentence.

Law: a sentence names the pin, the place or the profile, and ends with what to type or to touch.
It stays a message until it is shown; `str` of an error is its English.
"""

import errno
import sys
from typing import Literal

from companion.core.errors import ExplainedError
from companion.core.i18n import N_

LONGEST = 200


NO_PINS = N_("This user may not use the Pi's pins ({reason}); type: {command}, then log in again.")
FORBIDDEN = ("/dev/mem", "/dev/gpiomem", "gpiochip", "permission", "not permitted", "root")


class HardwareError(ExplainedError):
    """Something wrong with the hardware or its wiring, in one translatable sentence."""


class WiringError(HardwareError, ValueError):
    """A wiring profile that cannot be built, or that does not exist."""


class NotConnected(HardwareError, OSError):
    """A device that this machine does not have, or that this user may not open."""


def pin_errors() -> tuple[type[Exception], ...]:
    """Return the exception types of the pin libraries; lgpio has one of its own."""
    own = getattr(sys.modules.get("lgpio"), "error", None)
    known = (OSError, RuntimeError)
    return (*known, own) if isinstance(own, type) and issubclass(own, Exception) else known


def refusal_kind(error: Exception) -> Literal["busy", "forbidden", "other"]:
    """Classify a pin library's refusal by its message or error number."""
    words, number = str(error).lower(), getattr(error, "errno", None)
    if "busy" in words or number == errno.EBUSY:
        return "busy"
    if number in (errno.EACCES, errno.EPERM) or any(word in words for word in FORBIDDEN):
        return "forbidden"
    return "other"


def quote_text(text_or_number: object) -> str:
    """Return foreign text for quoting in a sentence: printable, on one line, shortened."""
    too_long = (
        isinstance(text_or_number, int) and text_or_number.bit_length() > 64
    )  # to be written in digits
    text = f"{text_or_number:#x}" if too_long else str(text_or_number)
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
