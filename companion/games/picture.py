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


LEAST = 20.0
"""The lowest height of a name."""


LETTERS = {letter: wide for letters, wide in (("ijlI.,:;’ \u00a0\u202f", 0.28), ("frt()-–", 0.42),
           ("mwMW", 0.92)) for letter in letters}  # fmt: skip
"""The widths of letters that are narrower or wider than others, by their height."""


def estimate_width(text: str) -> float:
    """Return the width of a text by its height; that of bold letters is hardly larger."""
    return sum(LETTERS.get(letter, 0.75 if letter.isupper() else 0.65) for letter in text)


def fit_text(text: str, size: float, wide: float, is_name: bool) -> tuple[str, float]:
    """Return a text, and the height at which it is no wider than `wide`, if that is not 0; a name
    is cut instead where it would be lower than `LEAST`."""
    while is_name and len(text) > 2 and estimate_width(text) * LEAST > wide > 0:
        text = text.removesuffix("…")[:-1] + "…"
    full = estimate_width(text) * size
    return text, round(size * wide / full, 1) if 0 < wide < full else size


class VerdictPicture(msgspec.Struct, frozen=True):
    """A picture of a verdict: its height, and all its marks in the order of drawing."""

    height: float
    marks: tuple[AnyMark, ...]
