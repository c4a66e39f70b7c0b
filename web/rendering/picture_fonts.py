"""The fonts of the picture cards: those of the pages, as files that need no unpacking.

Law: a picture is drawn with these and no others, so that it looks alike on every machine.
"""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "picture_fonts"
SERIF, SANS = "Companion Serif", "Companion Sans"
"""The names by which the files call themselves; tests/generators/fonts.py writes both kinds."""


def font_files() -> list[Path]:
    """Return the files of the fonts; none if they are missing."""
    return sorted(FOLDER.glob("*.ttf"))
