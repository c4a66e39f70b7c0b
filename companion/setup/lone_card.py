"""A walk in which one card after the other is laid on a reader: what lies alone is the answer.

    table empty ──a card──▶ it answers ──lifted──▶ table empty
                               └──a second card──▶ take one off, or all of them

Laws: one card lies on the table at a time, so it is never a guess which one answers. Of two that
came in one hand neither counts. A pile may be passed over one reader card by card: the next card
counts once the one before is gone. Only marks are remembered, never tags.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Generic, Literal, Self

import msgspec

from companion.core.i18n import N_, Message
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    Odd,
    Oddity,
    ReaderLost,
)
from companion.setup.walk import Answer, Asked, Walk

replace = msgspec.structs.replace
TOGETHER = 1.0
"""Seconds: what arrives within them came in one hand, in an unknown order."""
TOGETHER_HERE = 0.4
"""The same at one reader, which hears in one look, or else in the next, what is laid together."""
STICKER_PREFIX, STICKER_BYTES = "04", 7
"""First byte and length of the UIDs of the stickers that the table is built for."""

ODDITY_TEXTS: Mapping[Oddity, str] = {
    "telephone": N_(
        "Something on reader {place} has a new number every time, as telephones and some bank "
        "cards do: take it away."
    ),
    "unreadable": N_(
        "What lies on reader {place} answers and cannot be read: lay it in the middle; if that "
        "does not help, put a new sticker on it."
    ),
    "twin": N_(
        "Reader {place} reads the same number as another reader: if one card lies between them, "
        "move it; if there are two cards, their stickers are twins, and one needs a new sticker."
    ),
}
READER_LOST = N_("Reader {place} no longer answers: use another one.")


def is_sticker(tag: str) -> bool:
    """Return whether a UID is that of a sticker of the right kind."""
    return len(tag) == 2 * STICKER_BYTES and tag.startswith(STICKER_PREFIX)


def update_oddities(odd: Mapping[int, Oddity], report: Odd | ReaderLost) -> dict[int, Oddity]:
    """Return the oddities by reader after one more report."""
    others = {place: what for place, what in odd.items() if place != report.place}
    if isinstance(report, Odd) and report.what != "nothing":
        others[report.place] = report.what
    return others


class LyingCard(msgspec.Struct, frozen=True):
    """A card on the table: on which reader, since when, and whether its sticker will do."""

    reader: int
    since: float
    is_sticker: bool
    is_judged: bool = False
    """Whether it has answered or was refused; if not, its turn may still come."""

    def came_with(self, other: "LyingCard") -> bool:
        """Return whether this card may have come in one hand with another one."""
        apart = TOGETHER_HERE if self.reader == other.reader else TOGETHER
        return self.since - other.since < apart


class CardWalk(Walk[Asked, Answer], Generic[Asked, Answer], frozen=True, kw_only=True):
    """Such a walk; a subclass says what a lone card answers."""

    lying: Mapping[str, LyingCard] = {}
    odd: Mapping[int, Oddity] = {}
    needs: Literal["", "one off", "all off"] = ""
    """What has to be taken off before another card counts."""
    latest: str = ""
    """The mark of the card that made the last step."""

    came_together: ClassVar[str] = N_(
        "Several stickers came at once, on reader {numbers}: take all off, lay one at a time."
    )
    lies_still: ClassVar[str] = N_(
        "Something still lies on reader {numbers}: take it off; only the next card may lie there."
    )
    reader_lost: ClassVar[str] = READER_LOST
    oddities: ClassVar[Mapping[Oddity, str]] = ODDITY_TEXTS

    def mark(self, tag: str) -> str:
        """Return the mark that stands for a tag."""
        raise NotImplementedError

    def take_answer(self, mark: str) -> Self:
        """Return the walk after a card that lies alone, the only one in `lying`."""
        raise NotImplementedError

    @property
    def in_trouble(self) -> bool:
        return self.wrong or bool(self.odd)

    @property
    def news(self) -> Message | None:
        for place, what in self.odd.items():
            return Message(self.oddities[what], {"place": place})
        return self.says

    def over_lying(self, reports: Iterable[Evidence]) -> Self:
        """Return the walk with what lies there from before; it has to be taken off first."""
        walk = self
        for report in reports:
            if isinstance(report, Arrived):
                walk = walk._with_card(report)
            elif isinstance(report, Odd):
                walk = replace(walk, odd=update_oddities(walk.odd, report))
        return replace(walk, needs="all off", wrong=True) if walk.lying else walk

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the walk after what a reader noticed."""
        match evidence:
            case Arrived():
                return self._arrive(evidence)
            case Left(place=reader, tag=tag) | FellSilent(place=reader, tag=tag):
                card = self.lying.get(self.mark(tag))
                is_gone = card is not None and card.reader == reader
                return self._take_off({self.mark(tag)}) if is_gone else self
            case Odd():
                return replace(self, odd=update_oddities(self.odd, evidence))
            case ReaderLost(place=reader):
                lost = {mark for mark, card in self.lying.items() if card.reader == reader}
                walk = replace(self, odd=update_oddities(self.odd, evidence))._take_off(lost)
                return walk.complain(Message(self.reader_lost, {"place": reader}))
        return self

    def _with_card(self, arrived: Arrived) -> Self:
        card = LyingCard(arrived.place, arrived.at, is_sticker(arrived.tag))
        return replace(self, lying={**self.lying, self.mark(arrived.tag): card})

    def _arrive(self, arrived: Arrived) -> Self:
        mark, others, walk = self.mark(arrived.tag), self.lying, self._with_card(arrived)
        if mark in others:
            is_same = others[mark].reader == arrived.place
            return self if is_same else self.hear_twice(mark, arrived.place)
        if not others:
            return walk._judge_lone(mark)
        first = others.get(self.latest)
        if any(walk.lying[mark].came_with(other) for other in others.values()):
            takes_back = first is not None and walk.lying[mark].came_with(first)
            return walk.refuse_all(self.came_together, takes_back=takes_back)
        if self.needs == "all off":
            return walk
        readers = sorted({card.reader for card in others.values()})
        says = Message(self.lies_still, {"numbers": readers})
        return replace(walk, needs="one off").complain(says)

    def hear_twice(self, _mark: str, reader: int) -> Self:
        """Return the walk after a card that another reader hears already."""
        twin = Message(self.oddities["twin"], {"place": reader})
        return replace(self, needs="all off").complain(twin)

    def refuse_all(self, text: str, *, takes_back: bool) -> Self:
        """Return the walk that only an empty table helps; take back the last step if asked to."""
        walk = self.undo() if takes_back else self
        readers = sorted({card.reader for card in self.lying.values()})
        return replace(walk, needs="all off", latest="").complain(
            Message(text, {"numbers": readers})
        )

    def _judge_lone(self, mark: str) -> Self:
        judged = replace(self.lying[mark], is_judged=True)
        return replace(self, lying={mark: judged}).take_answer(mark)

    def _take_off(self, marks: set[str]) -> Self:
        """Return the walk without these cards; a card that waited for its turn gets it."""
        left = {mark: card for mark, card in self.lying.items() if mark not in marks}
        walk = replace(self, lying=left)
        if len(left) == len(self.lying) or (left and self.needs != "one off") or len(left) > 1:
            return walk
        walk = replace(walk, needs="", wrong=False, says=None if self.wrong else self.says)
        for mark, card in left.items():
            return walk if card.is_judged else walk._judge_lone(mark)
        return walk

    def skip(self) -> Self:
        """Leave out what is asked for."""
        return self if self.asked is None else replace(super().skip(), latest="")

    def undo(self) -> Self:
        """Take back the last step; what lies on the table stays."""
        if self.before is None:
            return self
        return replace(super().undo(), lying=self.lying, odd=self.odd, needs=self.needs, latest="")

    def restart(self) -> Self:
        """Forget all that was found."""
        return replace(super().restart(), latest="")
