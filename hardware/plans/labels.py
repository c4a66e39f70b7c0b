"""Sheets of numbered round labels for the stickers of a box, to be printed on A4 and cut out.

Laws: a label is smaller than its sticker and bears a number only, never a card. It is glued onto
the sticker, on the back of the card, where an opaque sleeve hides both.
"""

from companion.core.i18n import Language, message
from companion.games import find_game
from hardware.plans.measures import Measures
from hardware.plans.svg_page import A4, draw_paper_head, draw_text, frame_page

RIM = 1.0
"""By how much the label is smaller than the sticker, all round."""
GAP = 1.5
SIDE, TOP, FOOT = 13.0, 44.0, 28.0
SPARES = 6
"""Labels beyond those of the box, for stickers that are replaced or measured."""


def draw_label_sheets(measures: Measures, game: str, words: Language) -> list[str]:
    """Return the pages of one box, its labels numbered from 1."""
    box = find_game(game).standard_box()
    total = sum(box.tagged_pieces().values()) + SPARES
    radius = measures.sticker.diameter / 2 - RIM
    step = 2 * radius + GAP
    columns = int((A4[0] - 2 * SIDE + GAP) // step)
    rows = int((A4[1] - TOP - FOOT + GAP) // step)
    pages = []
    for first in range(0, total, columns * rows):
        numbers = range(first + 1, min(first + columns * rows, total) + 1)
        pages.append(_draw_page(box.title, numbers, columns, radius, words))
    return pages


def _draw_page(title: str, numbers: range, columns: int, radius: float, words: Language) -> str:
    step = 2 * radius + GAP
    heading = words(message("{box}: labels {first} to {last}",
                            box=title, first=numbers[0], last=numbers[-1]))  # fmt: skip
    lines = [
        words(message("Print at 100 % and check with the ruler. Glue a label onto its sticker.")),
        words(message("Both lie on the back of the card; an opaque sleeve hides them.")),
    ]
    parts = [*draw_paper_head(heading, lines)]
    for place, number in enumerate(numbers):
        x = SIDE + radius + place % columns * step
        y = TOP + radius + place // columns * step
        ring = "fill:none;stroke:#888;stroke-width:.1"
        parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" style="{ring}"/>')
        parts.append(draw_text(x, y + 2.6, str(number), 7.5, "font-weight:bold;text-anchor:middle"))
        parts.append(draw_text(x, y + 7, title, 2.0, "text-anchor:middle"))
    return frame_page(*A4, parts, paper=True)
