"""Pictures of verdicts: the drawing of a result, as data that any screen can draw.

Laws: a picture shows the facts of a verdict's steps and nothing else. Each mark names the step with
which it comes, so that a picture which is told up to a step shows no later one. All marks keep
their places while it is told.

Lengths are in units of which a picture is `WIDTH` wide. A text is at least `SMALL` high: at 640
pixels it is then read from three metres, on a phone it is larger than 12 pixels.
"""

from typing import Literal

import msgspec

from companion.core.i18n import Message

WIDTH = 640
SMALL, PLAIN, LARGE = 24, 26, 36
"""The heights of texts."""
CARD_SHAPE = 0.72
"""The width of a card by its height."""

Tone = Literal["plain", "soft", "gold", "good", "bad"]
Anchor = Literal["start", "middle", "end"]
Motion = Literal["fade", "rise", "turn", "grow"]
Said = Message | str


class Mark(msgspec.Struct, frozen=True, kw_only=True, tag_field="mark"):
    """Anything drawn: the step with which it comes, that with which it goes (0: never), and how it
    comes."""

    at: int = 0
    until: int = 0
    comes: Motion = "fade"


class Text(Mark, frozen=True, tag="text"):
    """Words at a point; smaller if they would be wider than `wide`."""

    x: float
    y: float
    say: Said
    size: float = PLAIN
    anchor: Anchor = "start"
    tone: Tone = "plain"
    wide: float = 0
    bold: bool = False


class Card(Mark, frozen=True, tag="card"):
    """A card by its face; None lies face down. It is crossed out with the step `leaves`. With a
    `width` it lies on its side, as a note."""

    x: float
    y: float
    height: float
    face: str | int | None
    leaves: int = 0
    width: float = 0


class Bar(Mark, frozen=True, tag="bar"):
    """A part of a bar, in the colour of a seat, or with seat 0 as its frame."""

    x: float
    y: float
    width: float
    height: float
    seat: int = 0


class Chair(Mark, frozen=True, tag="chair"):
    """The number of a seat in its colour; 0 for a player without a chair."""

    x: float
    y: float
    size: float
    seat: int


class RoundPiece(Mark, frozen=True, tag="token"):
    """A round piece of a colour, with its letters, or with a number instead."""

    x: float
    y: float
    size: float
    colour: str
    number: int | None = None


class StraightLine(Mark, frozen=True, tag="rule"):
    """A straight line; a `bold` one is golden."""

    x: float
    y: float
    to_x: float
    to_y: float
    bold: bool = False


class RoundFrame(Mark, frozen=True, tag="frame"):
    """A rounded frame round something that was decided."""

    x: float
    y: float
    width: float
    height: float
    tone: Tone = "gold"


AnyMark = Text | Card | Bar | Chair | RoundPiece | StraightLine | RoundFrame


class VerdictPicture(msgspec.Struct, frozen=True):
    """A picture of a verdict: its height, and all its marks in the order of drawing."""

    height: float
    marks: tuple[AnyMark, ...]
