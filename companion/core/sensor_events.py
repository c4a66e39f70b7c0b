"""Sensor events: evidence from readers and buttons, before it is interpreted.

Law: evidence is not fact. "Reader 3 saw this tag" is evidence; "the card lies at bank 3" is
a fact, and only `tracking` turns the one into the other. A tag's UID stays on the Pi.
"""

from typing import Literal

import msgspec

Lamp = Literal["off", "on", "slow", "fast"]
"""Nothing to do, your turn, your seal is missing, put something right."""

Oddity = Literal["nothing", "telephone", "unreadable", "twin"]
"""Nothing; a number drawn by lot, a new one every time; something that answers and cannot be
understood; a tag that another reader hears just as firmly at its own place."""


PlaceMode = Literal["presence", "tap"]
"""Whether the reader lies under a place, or beside it, and cards are held over it in passing."""


class Evidence(msgspec.Struct, frozen=True, tag_field="sense"):
    """Something a device noticed, `at` this many seconds on that device's clock."""

    at: float


class Arrived(Evidence, frozen=True, tag="arrived"):
    """A tag has come to lie at a place."""

    place: int
    tag: str


class Left(Evidence, frozen=True, tag="left"):
    """A tag no longer lies at a place: it answers at another one."""

    place: int
    tag: str


class FellSilent(Evidence, frozen=True, tag="fell_silent"):
    """A tag no longer answers at a place, nor at any other; it last did at `since`.

    It may have been lifted, or a card on top of it may detune its sticker.
    """

    place: int
    tag: str
    since: float


PlacedTag = Arrived | Left | FellSilent
"""Evidence of a tag at a place."""


class ButtonPressed(Evidence, frozen=True, tag="pressed"):
    """The button of a seat was pressed, or held for two seconds."""

    seat: int
    held: bool = False


class ButtonHeldOn(Evidence, frozen=True, tag="held_on"):
    """The button of a seat, pressed `at` that moment, has been held for six seconds by now."""

    seat: int


class ButtonHeldOff(Evidence, frozen=True, tag="held_off"):
    """The button of a seat, pressed `at` that moment, has been held for ten seconds by now."""

    seat: int


class ReaderLost(Evidence, frozen=True, tag="reader_lost"):
    """A reader no longer answers: its place must be tapped on the phones instead."""

    place: int


class ReaderFound(Evidence, frozen=True, tag="reader_found"):
    """A lost reader answers again."""

    place: int


class Odd(Evidence, frozen=True, tag="odd"):
    """A change at a place that is no card's tag; sent once it is stable."""

    place: int
    what: Oddity


class ReaderCondition(msgspec.Struct, frozen=True):
    """A reader: its place, its condition in a word, and its faults so far.

    `retries` are visits that did not go well, `healings` how often it came back after it had to be
    treated. Nothing tells how many tags it hears or asks by name, which would say how many cards of
    a pile are covered.
    """

    place: int
    word: str
    retries: int = 0
    healings: int = 0
