"""Every page that there is: which viewers it is for, and which table has it."""

from web.context import current_context

PAGES = {
    "join": "browser",
    "quick_start": "browser",
    "table": "everyone",
    "judge": "everyone",
    "phone": "seat",
    "share": "browser",
    "play": "hands",
    "lab": "hands",
    "login": "everyone",
    "host": "host",
    "people": "host",
    "surroundings": "host",
    "care": "host",
    "health": "host",
    "new_game": "host",
    "first": "host",
    "rules": "everyone",
    "names": "browser",
}
"""Every page, and the viewers it is for: everyone, one browser, the browser that holds a seat or
moves its pieces, or a browser that is signed in as host."""

HOST_PAGES = ("login", "host", "people", "surroundings", "care", "health", "new_game", "first")
"""The pages of a host; only tables with a host service have them."""
UNSTREAMED_PAGES = ("login", "new_game", "quick_start", "rules")
"""The pages without a stream."""
REQUESTING_PAGES = ("phone", "play")
"""The pages from which a seat requests events."""
PAGES_BESIDE_GAME = ("login", "health", "first", "names")
"""The pages that are about the table, and not about its game: they have no version of it."""


def has_page(page: str) -> bool:
    """Check that this table has such a page."""
    if page in ("play", "lab", "quick_start"):
        return current_context().is_simulated
    if page == "first" and current_context().setup is None:
        return False
    return page in PAGES and (page not in HOST_PAGES or current_context().host is not None)
