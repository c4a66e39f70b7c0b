"""Text of a stranger, shown so that it cannot mislead: one line, short, no control signs."""

SHORTENED = 80


def show_safely(thing: object, most: int = SHORTENED) -> str:
    """Return a thing as text on one line; what cannot be printed is escaped, the rest cut off."""
    try:
        text = str(thing)
    except Exception:  # noqa: BLE001 -- Its own code wrote the text.
        text = type(thing).__name__
    text = text[: most + 1]
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= most else text[: most - 1] + "…"
