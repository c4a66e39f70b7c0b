"""What a reader cannot use, in one sentence each with what to do about it."""

from collections.abc import Mapping

from companion.core.i18n import N_, Say
from companion.core.sensor_events import Odd, Oddity, ReaderLost

SENTENCES: Mapping[Oddity, str] = {
    "telephone": N_(
        "Something on reader {place} has a new number every time, as telephones and some bank "
        "cards do: take it away."
    ),
    "unreadable": N_(
        "What lies on reader {place} answers and cannot be read: lay it in the middle; if that "
        "does not help, put a new sticker on it."
    ),
    "twin": N_(
        "Reader {place} hears the same number as another reader: if one card lies between them, "
        "move it; if there are two cards, their stickers are twins, and one needs a new sticker."
    ),
}
LOST = N_("Reader {place} no longer answers: use another one.")


def why(what: Oddity, place: int) -> Say:
    """What is odd at a place."""
    return Say(SENTENCES[what], {"place": place})


def lost(news: ReaderLost) -> Say:
    return Say(LOST, {"place": news.place})


def after(odd: Mapping[int, Oddity], news: Odd) -> dict[int, Oddity]:
    """What is odd where, after one more piece of news."""
    others = without(odd, news.place)
    return others if news.what == "nothing" else {**others, news.place: news.what}


def without(odd: Mapping[int, Oddity], place: int) -> dict[int, Oddity]:
    """The same with nothing odd at one place."""
    return {other: what for other, what in odd.items() if other != place}
