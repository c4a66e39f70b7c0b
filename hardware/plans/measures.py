"""The measures of jig, tray and labels: one TOML file, parsed and checked.

Laws: all lengths are millimetres. Measures that load can be built; whatever is wrong is one
sentence that names the field and what to write.
"""

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec

from companion.core.errors import Malformed
from companion.core.i18n import N_
from hardware.errors import quote_text

MAX_FILE_SIZE = 100_000
LEAST_STACK, MOST_STACK = 1.0, 15.0
"""Between coil and sticker: beyond, a card in the middle is heard half as well as on 6 mm."""
STACK = 4
"""Cards of a pile that are to be within reach of the reader."""
BOUND = re.compile(r"Expected `(?:float|int)` ([<>]=?) ([\d.]+)")
MARGIN = 4.0
"""Between the edge of a card and the window of the jig."""

Length = Annotated[float, msgspec.Meta(gt=0, le=500)]
Gap = Annotated[float, msgspec.Meta(ge=0, le=20)]
CardName = Annotated[str, msgspec.Meta(pattern=r"\A[a-z0-9_-]{1,30}\Z")]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: it has these fields and no other."""


class Sleeve(_Section, frozen=True):
    """What a sleeve adds to a card."""

    width: Gap
    height: Gap
    thickness: Annotated[float, msgspec.Meta(gt=0, le=5)]


class Sticker(_Section, frozen=True):
    """The stickers and the four slots for them on a card."""

    diameter: Annotated[float, msgspec.Meta(ge=8, le=40)]
    pitch: Annotated[float, msgspec.Meta(ge=15, le=16)]
    play: Annotated[float, msgspec.Meta(ge=0, le=2)]


class ReaderPlace(_Section, frozen=True):
    """The reader under a place."""

    coil: Annotated[float, msgspec.Meta(ge=10, le=150)]
    wood: Annotated[float, msgspec.Meta(ge=0, le=15)]
    pitch: Annotated[float, msgspec.Meta(ge=100, le=500)]


class Jig(_Section, frozen=True):
    """The jig in which a sticker is glued to a card."""

    wall: Annotated[float, msgspec.Meta(ge=3, le=30)]
    mask: Annotated[float, msgspec.Meta(ge=0.4, le=6)]
    base: Annotated[float, msgspec.Meta(ge=0.8, le=10)]


class Tray(_Section, frozen=True):
    """The corner against which a card is laid over its reader."""

    wall: Annotated[float, msgspec.Meta(ge=2, le=20)]
    height: Annotated[float, msgspec.Meta(ge=1, le=30)]
    floor: Annotated[float, msgspec.Meta(ge=0.4, le=3)]
    play: Annotated[float, msgspec.Meta(ge=0, le=3)]


class Cut(_Section, frozen=True):
    """The laser."""

    kerf: Annotated[float, msgspec.Meta(ge=0, le=1)]


class Measures(_Section, frozen=True):
    """All measures."""

    cards: Annotated[dict[CardName, tuple[Length, Length]], msgspec.Meta(min_length=1)]
    sleeve: Sleeve
    sticker: Sticker
    reader: ReaderPlace
    jig: Jig
    tray: Tray
    cut: Cut

    @property
    def window_radius(self) -> float:
        """The radius of each of the four arcs of the jig's window."""
        return self.sticker.diameter / 2 + self.sticker.play

    def place_size(self, card: str) -> tuple[float, float]:
        """Return the width and height that a sleeved card of this size needs in its tray."""
        width, height = self.cards[card]
        play = self.tray.play
        return width + self.sleeve.width + play, height + self.sleeve.height + play


def load_measures(path: Path | None = None) -> Measures:
    """Load the measures of a file, or the default ones; Malformed if they cannot be built."""
    if path is None:
        text = resources.files("hardware.plans").joinpath("default.toml").read_text("utf-8")
        return parse_measures("default.toml", text)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_SIZE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or quote_text(error)
        raise Malformed(str(path), N_("{field} cannot be read: {reason}."), reason=reason) from None
    if len(data) > MAX_FILE_SIZE:
        text = N_("{field} is longer than measures can be ({most} bytes).")
        raise Malformed(str(path), text, most=MAX_FILE_SIZE)
    try:
        return parse_measures(path.name, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Malformed(str(path), N_("{field} is not UTF-8 text.")) from None


def parse_measures(name: str, text: str) -> Measures:
    """Parse measures from their text; Malformed names the field that is wrong."""
    try:
        measures = msgspec.convert(tomllib.loads(text), Measures)
    except (ValueError, RecursionError) as wrong:
        raise _parse_error(name, str(wrong)) from None
    _check_reach(measures)
    for card in measures.cards:
        _check_card(measures, card)
    return measures


def _parse_error(name: str, fault: str) -> Malformed:
    """Return the error for what the parser found, naming the field if it is about one."""
    what, _, where = fault.partition(" - at `$")
    field = quote_text(where.rstrip("`").lstrip(".")) or name
    bound = BOUND.search(what)
    if bound:
        text = N_("{field} in {file} must be {sign} {bound}; lengths are millimetres.")
        sign = {">=": "≥", "<=": "≤"}.get(bound[1], bound[1])
        return Malformed(field, text, file=name, sign=sign, bound=f"{float(bound[2]):g}")
    text = N_("{field} in {file} cannot be understood: {reason}.")
    return Malformed(field, text, file=name, reason=quote_text(what).rstrip("."))


def _check_reach(measures: Measures) -> None:
    """Refuse wood so thick that a small pile cannot be heard, and so thin that none is left."""
    stack = measures.reader.wood + measures.tray.floor + STACK * measures.sleeve.thickness
    if not LEAST_STACK <= stack <= MOST_STACK:
        text = N_(
            "{field}: wood, floor of the tray and {n} sleeved cards are {found} mm high; a reader "
            "needs {least} to {most} mm: change reader.wood, tray.floor or sleeve.thickness."
        )
        facts = {"n": STACK, "found": f"{stack:.1f}", "least": LEAST_STACK, "most": MOST_STACK}
        raise Malformed("reader.wood", text, **facts)


def _check_card(measures: Measures, card: str) -> None:
    """Refuse a card on which the window has no rim, or whose tray reaches into the next place."""
    window = measures.sticker.pitch + 2 * measures.window_radius
    least = window + 2 * MARGIN
    for length in measures.cards[card]:
        if length < least:
            text = N_(
                "{field}: {found} mm is too small for four slots; these stickers need {least} mm."
            )
            facts = {"found": f"{length:g}", "least": f"{least:.1f}"}
            raise Malformed(f"cards.{card}", text, **facts)
    across = min(measures.place_size(card)) + measures.tray.wall
    if across > measures.reader.pitch:
        text = N_(
            "{field}: the tray of card {card} is {found} mm wide, more than the {pitch} mm between "
            "two places; write more for reader.pitch."
        )
        facts = {"card": card, "found": f"{across:.1f}", "pitch": f"{measures.reader.pitch:g}"}
        raise Malformed("reader.pitch", text, **facts)
