"""Draws the icons of the web app from web/static/icon.svg: plain ones, one for iOS, a maskable one.

A maskable icon fills its square, and what it shows lies in the circle of four fifths that every
system leaves. `python -m tests.generators.icons` writes them.
"""

import re
from collections.abc import Mapping

import resvg_py

from tests.worlds.paths import ROOT

ICON = ROOT / "web/static/icon.svg"
FOLDER = ROOT / "web/static/icons"
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "maskable-512.png": 512, "touch-180.png": 180}
WHOLE = ("maskable-512.png", "touch-180.png")
"""Those without corners: the system rounds them itself."""
SHRUNK = 0.8
BACKGROUND = re.compile(r'<rect width="32" height="32" rx="7" fill="(#[0-9a-f]{6})"/>')


def draw_icons() -> Mapping[str, bytes]:
    """Return each icon by the name of its file."""
    plain = ICON.read_text("utf-8")
    found = BACKGROUND.search(plain)
    assert found is not None, "the icon has another background"
    square = found[0].replace(' rx="7"', "")
    centred = f'<g transform="translate(16 16) scale({SHRUNK}) translate(-16 -16)">'
    whole = plain.replace(found[0], square + centred).replace("</svg>", "</g></svg>")
    return {
        name: bytes(resvg_py.svg_to_bytes(svg_string=whole if name in WHOLE else plain,
                                          width=size, height=size))
        for name, size in SIZES.items()
    }  # fmt: skip


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, data in draw_icons().items():
        (FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    main()
