"""Enrolment: find which sticker is on which thing of a box.

    take everything off -> lay the thing that is asked for -> it is enrolled -> take it off -> …

Laws: a sticker is on one thing, and nothing is enrolled more often than the box holds it. Four
cards of a kind in a row take the four slots of the jig once each, in an order of their own, so no
slot tells a card. The order follows from the deck's salt: it is the same whenever this deck is
asked, and another in every other deck.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Self

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.deck import Deck, name_piece
from companion.core.i18n import Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp
from companion.setup.lone_card import CardWalk

replace = msgspec.structs.replace
SLOTS = (1, 2, 3, 4)


def suggest_slot(salt: str, thing: str, number: int) -> int | None:
    """Return the slot for the card that is the n-th of its kind, counted from 1; None for a tile or
    the figure, which have no slots."""
    if thing.startswith(TILE) or thing == FIGURE:
        return None
    group, place = divmod(number - 1, len(SLOTS))
    key, name = bytes.fromhex(salt), f"{thing}|{group}"

    def rank(slot: int) -> bytes:
        return hashlib.blake2b(f"{name}|{slot}".encode(), key=key, digest_size=8).digest()

    return sorted(SLOTS, key=rank)[place]


def begin_stickers(
    holds: Mapping[str, int], deck: Deck, lying: Iterable[Evidence] = ()
) -> "StickerWalk":
    """Return the walk through a box of which this deck is enrolled."""
    wanted = tuple(thing for thing, total in holds.items() for _ in range(total))
    walk = StickerWalk(wanted=wanted, found=deck.things, deck=deck).over_lying(lying)
    return walk.complain(message("Take everything off the readers.")) if walk.lying else walk


class StickerWalk(CardWalk[str, str], frozen=True, kw_only=True):
    """The walk through a box; `found` are the things of its deck."""

    deck: Deck

    @property
    def number(self) -> int:
        """Which of its kind is asked for, counted from 1."""
        if self.asked is None:
            return 0
        return 1 + self.wanted.count(self.asked) - self.open.count(self.asked)

    @property
    def slot(self) -> int | None:
        """The slot for the sticker of the thing that is asked for; None if it has no slots."""
        if self.asked is None:
            return None
        return suggest_slot(self.deck.salt, self.asked, self.number)

    @property
    def asked_name(self) -> Message:
        if self.asked is None:
            return message("nothing more")
        thing, total = name_piece(self.asked), self.wanted.count(self.asked)
        if total == 1:
            return thing
        return message("{thing} ({n} of {total})", thing=thing, n=self.number, total=total)

    @property
    def instruction(self) -> Message:
        if self.lying:
            return message("Take off what lies there, then lay {thing}.", thing=self.asked_name)
        return message("Lay on any reader: {thing}.", thing=self.asked_name)

    @property
    def may_renew(self) -> bool:
        others = [thing for mark in self.lying if (thing := self.found.get(mark)) is not None]
        is_other = self.asked is not None and others != [self.asked]
        return self.wrong and len(self.lying) == len(others) == 1 and is_other

    def mark(self, tag: str) -> str:
        return self.deck.mark(tag)

    def lamp(self, seat: int) -> Lamp:
        """Return what every lamp shows: put something right; lay the next thing; take it off."""
        return "off" if self.lying and not self.in_trouble else super().lamp(seat)

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the walk after a sensor event: a short press takes back, a long one leaves out."""
        if isinstance(evidence, ButtonPressed):
            return self.skip() if evidence.held else self.undo()
        return super().take_evidence(evidence)

    def take_answer(self, mark: str) -> Self:
        """Enrol the sticker that lies alone, or say why not."""
        lying = self.lying[mark]
        if not lying.is_sticker:
            text = (
                "What lies on reader {place} is no sticker of the right kind: take one of the kind "
                "NTAG213, whose number has seven bytes."
            )
            return self.complain(message(text, place=lying.reader))
        if mark in self.found:
            return self._complain_known(self.found[mark])
        if self.asked is None:
            text = "Everything is enrolled; what lies on reader {place} belongs to nothing."
            return self.complain(message(text, place=lying.reader))
        return self._enrol(mark, self.asked)

    def _complain_known(self, thing: str) -> Self:
        facts = {"thing": name_piece(thing), "other_thing": self.asked_name}
        text = (
            "This sticker was enrolled before, as {thing}: lay another card; if that one has its "
            "own, the two are twins, and one needs a new sticker."
        )
        if self.asked not in (None, thing):
            text = (
                "This sticker was enrolled before, as {thing}. Lay another card, or say that it is "
                "on {other_thing} now; if both have one, they are twins, and one needs a new "
                "sticker."
            )
        return self.complain(Message(text, facts))

    def renew(self) -> Self:
        """Enrol the sticker that lies there, and is in the deck, as what is asked for now."""
        if not self.may_renew or self.asked is None:
            return self
        return self._enrol(next(iter(self.lying)), self.asked)

    def _enrol(self, mark: str, thing: str) -> Self:
        deck = self.deck.with_thing(mark, thing, self.slot)
        after = replace(self, deck=deck, found=deck.things, latest=mark)
        return self.take_step(after, message("Enrolled: {thing}.", thing=self.asked_name))

    def restart(self) -> Self:
        """Forget every sticker."""
        return replace(super().restart(), deck=Deck({}, self.deck.salt))
