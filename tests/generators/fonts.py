"""The two fonts of the pages: letters of Latin languages, cut from Debian's packages and renamed.

    sudo apt install fonts-inter-variable fonts-vollkorn \\
        fonts-liberation fonts-roboto-unhinted fonts-noto-core
    python -m tests.generators.fonts [where they lie, if not in /usr/share/fonts]

writes web/static/fonts/*.woff2 and the sheet that brings them, with its stand-ins: fonts that a
device has, stretched to the same widths and lines, so that nothing moves when the own font arrives.

Laws: a digit is as high as a capital, and every digit as wide as the next, without a feature that a
`font:` in a sheet would switch off. A font bears our name, as its licence asks of a changed one
where the name is reserved; the licence and its authors stand beside it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from babel.messages.pofile import read_po
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from tests.worlds.paths import ROOT

PLACE = Path("/usr/share/fonts")
FONTS = ROOT / "web" / "static" / "fonts"
SHEET = ROOT / "web" / "static" / "css" / "fonts.css"
LETTERS = frozenset(
    {*range(0x20, 0x7F), *range(0xA0, 0x180)}
    | set(map(ord, "ẞ–—‘’‚“”„†•…‰‹›⁄€™−×≤≥≠→←↑↓✓✗★▲▼●○◆\u2007\u2009\u2011\u202f"))
)
"""Latin-1 and the Latin letters after it, also for names of guests, and the signs of our texts."""
KEPT = ["ccmp", "kern", "locl", "mark"]
DIGITS = ("lnum", "tnum")
"""The features that are made the default, in this order."""


class Likeness(NamedTuple):
    """A font that devices have: its names there in each weight, and a file of the same widths."""

    name: str
    local: Mapping[str, tuple[str, ...]]
    files: Mapping[str, str]


class PageFont(NamedTuple):
    """A font of the pages: its file, where it comes from, its weights, and its stand-ins."""

    name: str
    file: str
    source: str
    axis: tuple[int, int] | None
    weights: str
    lines: tuple[int, int]
    """How far a line reaches over and under its base, in hundredths of the size."""
    likenesses: tuple[Likeness, ...]


ARIAL = Likeness(
    "Arial",
    {"400": ("Arial", "Helvetica Neue", "Helvetica", "Liberation Sans"),
     "700": ("Arial Bold", "Arial-BoldMT", "Helvetica Neue Bold", "Liberation Sans Bold")},
    {"400": "truetype/liberation/LiberationSans-Regular.ttf",
     "700": "truetype/liberation/LiberationSans-Bold.ttf"},
)  # fmt: skip
ROBOTO = Likeness(
    "Roboto",
    {"400": ("Roboto", "Roboto-Regular"), "700": ("Roboto Bold", "Roboto-Bold")},
    {"400": "truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
     "700": "truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf"},
)  # fmt: skip
NOTO = Likeness(
    "Noto",
    {"400 900": ("Noto Serif Bold", "NotoSerif-Bold")},
    {"400 900": "truetype/noto/NotoSerif-Bold.ttf"},
)
TIMES = Likeness(
    "Times",
    {"400 900": ("Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold")},
    {"400 900": "truetype/liberation/LiberationSerif-Bold.ttf"},
)
PAGE_FONTS = (
    PageFont("Companion Sans", "sans.woff2", "truetype/inter-vf/Inter-roman.var.ttf",
             (400, 700), "400 700", (97, 24), (ROBOTO, ARIAL)),
    PageFont("Companion Serif", "serif.woff2", "truetype/vollkorn/Vollkorn-Bold.ttf",
             None, "400 900", (90, 30), (NOTO, TIMES)),
)  # fmt: skip


def main() -> None:
    """Write the fonts and their sheet."""
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else PLACE
    counts = count_letters()
    faces = [
        "/* Written by tests/generators/fonts.py: the fonts of the pages and their stand-ins. */"
    ]
    for wanted in PAGE_FONTS:
        font = cut_font(TTFont(place / wanted.source, recalcTimestamp=False), wanted)
        font.save(FONTS / wanted.file)
        faces.append(own_face(wanted))
        faces += stand_in_faces(wanted, font, counts, lambda file: TTFont(place / file))
    SHEET.write_text("\n".join(faces) + "\n", "utf-8")


def cut_font(font: TTFont, wanted: PageFont) -> TTFont:
    """Return the font with our letters, weights, digits and name only."""
    set_digits(font)
    options = subset.Options()
    options.layout_features = KEPT
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 6, 13, 14]
    options.flavor = "woff2"
    cut = subset.Subsetter(options)
    cut.populate(unicodes=LETTERS)
    cut.subset(font)
    if wanted.axis:
        font = instancer.instantiateVariableFont(font, {"wght": wanted.axis})
    for number in (1, 3, 4, 6):
        written = wanted.name.replace(" ", "") if number == 6 else wanted.name
        font["name"].setName(written, number, 3, 1, 0x409)
    font.flavor = "woff2"
    return font


def set_digits(font: TTFont) -> None:
    """Have the digits' code points lead to the lining digits of equal width."""
    features = font["GSUB"].table.FeatureList.FeatureRecord
    lookups = font["GSUB"].table.LookupList.Lookup
    for tag in DIGITS:
        found = next((record for record in features if record.FeatureTag == tag), None)
        changes: dict[str, str] = {}
        for index in found.Feature.LookupListIndex if found else ():
            for table in lookups[index].SubTable:
                changes |= getattr(getattr(table, "ExtSubTable", table), "mapping", {})
        for table in font["cmap"].tables:
            for digit in map(ord, "0123456789"):
                if digit in getattr(table, "cmap", {}):
                    table.cmap[digit] = changes.get(table.cmap[digit], table.cmap[digit])


def own_face(wanted: PageFont) -> str:
    """Return the rule that brings a font of ours."""
    return (
        f'@font-face {{ font-family: "{wanted.name}"; font-weight: {wanted.weights}; '
        f"font-display: swap; ascent-override: {wanted.lines[0]}%; "
        f"descent-override: {wanted.lines[1]}%; line-gap-override: 0%; "
        f'src: url(../fonts/{wanted.file}) format("woff2"); }}'
    )


def stand_in_faces(
    wanted: PageFont, font: TTFont, counts: Mapping[int, int], load: Callable[[str], TTFont]
) -> Iterator[str]:
    """Yield a rule for each stand-in: as wide as ours in the mean of our texts, with our lines."""
    for likeness in wanted.likenesses:
        for weights, local in likeness.local.items():
            scale = mean_width(at_weight(font, wanted, weights), counts) / mean_width(
                load(likeness.files[weights]), counts
            )
            over, under = (each / scale for each in wanted.lines)
            named = ", ".join(f'local("{name}")' for name in local)
            yield (
                f'@font-face {{ font-family: "{wanted.name} as {likeness.name}"; '
                f"font-weight: {weights}; src: {named}; size-adjust: {100 * scale:.1f}%; "
                f"ascent-override: {over:.1f}%; descent-override: {under:.1f}%; "
                "line-gap-override: 0%; }"
            )


def at_weight(font: TTFont, wanted: PageFont, weights: str) -> TTFont:
    """Return the font at this weight, if it has more than one."""
    if not wanted.axis:
        return font
    return instancer.instantiateVariableFont(font, {"wght": int(weights)}, inplace=False)


def mean_width(font: TTFont, counts: Mapping[int, int]) -> float:
    """Return the mean width of our letters, in the font's size."""
    names, widths = font.getBestCmap(), font["hmtx"]
    found = {letter: count for letter, count in counts.items() if letter in names}
    total = sum(widths[names[letter]][0] * count for letter, count in found.items())
    return float(total / sum(found.values()) / font["head"].unitsPerEm)


def count_letters() -> Mapping[int, int]:
    """Count the letters of all our texts in the three languages."""
    return Counter(ord(letter) for text in all_texts() for letter in text if ord(letter) in LETTERS)


def all_texts() -> Iterable[str]:
    """Yield every text of the catalogues with its translations."""
    for path in sorted((ROOT / "companion").glob("**/LC_MESSAGES/*.po")):
        with path.open("rb") as file:
            for entry in read_po(file):
                for text in (entry.id, entry.string):
                    yield from (text,) if isinstance(text, str) else text


if __name__ == "__main__":
    main()
