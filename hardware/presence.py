"""From looks to arrivals and departures: pure, with the time inside the looks.

Laws: a tag answers at one place until clean silence has made it unbelievable that it still does.
Silence is not leaving: a tag that answers nowhere may lie under another card. Only one that answers
elsewhere has left.
How many silent looks that takes depends on how well this tag has been answering: for one that
always does, three; for one at the edge of the field, many more. A tag heard at a second place
while it lies at the first is an echo, a neighbour's antenna picking it up; it has moved only
when the first place falls silent. What is unclear changes nothing.
"""

from collections.abc import Mapping
from math import ceil, log
from typing import Literal

import msgspec

from companion.core.sensor_events import Arrived, Evidence, FellSilent, Left

Sign = Literal["seen", "unclear", "silent"]
"""Answered to its name; something was heard; clean silence, however often it was asked."""

UNBELIEVABLE = 1e-8  # how likely it may be that a tag told to be silent still answers
FEWEST, MOST = 3, 60
LIFTED = 0.4  # seconds; a flicker is shorter
MEMORY = 200  # looks
DOUBT = 0.2  # how many misses a tag of which nothing is known is taken to have had


class ReaderLook(msgspec.Struct, frozen=True):
    """One reader, one moment: a sign for every tag asked after or met there."""

    place: int
    at: float
    signs: Mapping[str, Sign]


class TagPresence(msgspec.Struct, frozen=True):
    """A tag at its place: how and when it has been answering, and since when it does not."""

    place: int
    answered_at: float = 0.0
    answered: float = 1.0
    missed: float = 0.0
    silent: int = 0
    since: float = 0.0
    echo: int | None = None
    """Other place where it has been heard since it fell silent here."""

    @property
    def patience(self) -> int:
        """The number of silent looks in a row that cannot be chance any more."""
        miss = (self.missed + DOUBT) / (self.missed + self.answered + DOUBT)
        return min(MOST, max(FEWEST, ceil(log(UNBELIEVABLE) / log(miss))))


LyingTags = Mapping[str, TagPresence]
"""Every tag that lies somewhere."""


def apply_look(lying_tags: LyingTags, look: ReaderLook) -> tuple[LyingTags, list[Evidence]]:
    """Return the lying tags after one look, and the evidence that follows from it."""
    after, news = dict(lying_tags), list[Evidence]()
    for tag, sign in look.signs.items():
        lying = after.get(tag)
        if lying is None:
            if sign == "seen":
                after[tag] = TagPresence(look.place, look.at)
                news.append(Arrived(look.at, look.place, tag))
        elif lying.place == look.place:
            after[tag] = _update_lying(lying, sign, look.at)
        elif sign == "seen" and lying.silent:
            after[tag] = msgspec.structs.replace(lying, echo=look.place)
        news += _remove_departed(after, tag, look.at)
    return after, news


def move_tag(
    lying_tags: LyingTags, tag: str, place: int, at: float
) -> tuple[LyingTags, list[Evidence]]:
    """Return the lying tags when one is heard better elsewhere than where it lay."""
    news: list[Evidence] = [Left(at, lying_tags[tag].place, tag), Arrived(at, place, tag)]
    return {**lying_tags, tag: TagPresence(place, at)}, news


def tags_at(lying_tags: LyingTags, place: int) -> list[str]:
    """Return the tags that are taken to lie at a place."""
    return [tag for tag, lying in lying_tags.items() if lying.place == place]


def _update_lying(lying: TagPresence, sign: Sign, at: float) -> TagPresence:
    if sign == "unclear":
        return lying
    if sign == "silent":
        since = lying.since if lying.silent else at
        return msgspec.structs.replace(lying, silent=lying.silent + 1, since=since)
    fade = 1 - 1 / MEMORY
    return TagPresence(
        lying.place,
        at,
        answered=lying.answered * fade + 1,
        missed=lying.missed * fade + lying.silent,
    )


def _remove_departed(lying_tags: dict[str, TagPresence], tag: str, at: float) -> list[Evidence]:
    """Report silence once it is long enough; an echo shows that the tag has left, and whereto."""
    lying = lying_tags.get(tag)
    if lying is None or not _is_gone(lying, at):
        return []
    del lying_tags[tag]
    if lying.echo is None:
        return [FellSilent(at, lying.place, tag, lying.answered_at)]
    lying_tags[tag] = TagPresence(lying.echo, at)
    return [Left(at, lying.place, tag), Arrived(at, lying.echo, tag)]


def _is_gone(lying: TagPresence, at: float) -> bool:
    return lying.silent >= lying.patience and (lying.echo is not None or at - lying.since >= LIFTED)
