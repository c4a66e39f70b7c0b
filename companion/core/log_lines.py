"""Log lines: a stable event name, then facts as key=value.

Laws: a line names no player, card, bid, tag, pass, cookie or address, and nothing that one seat
knows and another does not. An event name is a contract: people search for it, so it stays.
"""

import json
import re

Fact = str | int | float | bool | None

_PLAIN = re.compile(r"[\w.:/+-]+", re.ASCII)


def log_line(event: str, **facts: Fact) -> str:
    """Return the line of an event with its facts in this order; a fact that is None is left out."""
    told = (f"{key}={_quoted(fact)}" for key, fact in facts.items() if fact is not None)
    return " ".join((event, *told))


def _quoted(fact: Fact) -> str:
    """Spell a fact so that a line stays one line and its words can be split at spaces."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    text = f"{fact:.1f}" if isinstance(fact, float) else str(fact)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
