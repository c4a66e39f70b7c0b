"""A plan as SVG at its true scale: a page for the laser, or A4 pages for the printer.

Law: one user unit is one millimetre, and the size of the page is written in millimetres, so that no
program has to guess the scale. A page for paper has a ruler of 100 mm to check it.
"""

from collections.abc import Iterable, Iterator
from textwrap import wrap
from xml.sax.saxutils import escape

from hardware.plans.outlines import path_data
from hardware.plans.sheets import COLOURS, Layer, PlanSheet, Writing

MARGIN = 5.0
A4, A3 = (210.0, 297.0), (297.0, 420.0)
HEAD, FOOT = 48.0, 26.0
"""Space above and below the plan on a page."""
LINE = 100
"""Letters in a line of instructions."""
HAIRLINE = 0.1
RULER = 100
FONT = "font-family:DejaVu Sans,Arial,sans-serif"


def draw_laser_page(sheet: PlanSheet) -> str:
    """Return the sheet on a page of its own size, one group for each layer."""
    left, bottom, right, top = sheet.bounds
    width, height = right - left + 2 * MARGIN, top - bottom + 2 * MARGIN
    moved = sheet.move_by(MARGIN - left, MARGIN - bottom)
    return frame_page(width, height, _draw_layers(moved, height))


def draw_paper_page(sheet: PlanSheet, title: str, lines: Iterable[str]) -> str:
    """Return the sheet in the middle of a page, with title, instructions and a ruler: of A4, or of
    A3 where that is too small."""
    left, bottom, right, top = sheet.bounds
    fits = right - left <= A4[0] - 2 * MARGIN and top - bottom <= A4[1] - HEAD - FOOT
    width, height = A4 if fits else A3
    moved = sheet.move_by((width - left - right) / 2, (height - HEAD + FOOT - bottom - top) / 2)
    head = draw_paper_head(title, lines, height)
    return frame_page(width, height, [*_draw_layers(moved, height), *head], paper=True)


def draw_paper_head(title: str, lines: Iterable[str], height: float = A4[1]) -> Iterator[str]:
    """Yield the title and the instructions at the top of a page, and the ruler at its foot."""
    yield draw_text(15, 18, title, 5.0, "font-weight:bold")
    wrapped = [part for line in lines for part in wrap(line, LINE)]
    for row, line in enumerate(wrapped):
        yield draw_text(15, 25 + row * 5, line, 3.4)
    yield from _draw_ruler(15, height - 14)


def frame_page(width: float, height: float, parts: Iterable[str], paper: bool = False) -> str:
    """Return an SVG of this size in millimetres; for paper, a browser prints it at full size."""
    rule = f"<style>@page{{size:{width:g}mm {height:g}mm;margin:0}}</style>" if paper else ""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}mm" height="{height:.2f}mm" '
        f'viewBox="0 0 {width:.2f} {height:.2f}">{rule}',
        *parts,
        "</svg>\n",
    ])  # fmt: skip


def draw_text(x: float, y: float, text: str, size: float, style: str = "") -> str:
    """Return text at its base line; `size` is the size of the font in mm."""
    look = f"{FONT};font-size:{size:g}px;{style}"
    return f'<text x="{x:.2f}" y="{y:.2f}" style="{look}">{escape(text)}</text>'


def _draw_layers(sheet: PlanSheet, height: float) -> Iterator[str]:
    """Yield a group for each layer; engraving first, as a laser does it."""
    layers: tuple[Layer, ...] = ("engrave", "cut")
    for layer in layers:
        colour = COLOURS[layer][0]
        yield (
            f'<g id="{layer}" transform="translate(0 {height:.3f})" '
            f'style="fill:none;stroke:{colour};stroke-width:{HAIRLINE}">'
        )
        for shape in sheet.shapes:
            if shape.layer == layer:
                yield f'<path d="{path_data(shape.outline)}"/>'
        if layer == "engrave":
            yield from (_draw_writing(writing, colour) for writing in sheet.writings)
        yield "</g>"


def _draw_writing(writing: Writing, colour: str) -> str:
    size = writing.height / 0.72  # The capitals of these fonts are 0.72 of their size.
    style = f"text-anchor:middle;stroke:none;fill:{colour}"
    return draw_text(writing.x, -writing.y, writing.text, size, style)


def _draw_ruler(x: float, y: float) -> Iterator[str]:
    """Yield a ruler with a tick every millimetre and a number every centimetre."""
    ticks = " ".join(
        f"M {x + at} {y} v {-4 if at % 10 == 0 else -3 if at % 5 == 0 else -2}"
        for at in range(RULER + 1)
    )
    yield f'<path d="M {x} {y} h {RULER} {ticks}" style="fill:none;stroke:#000;stroke-width:.15"/>'
    for at in range(0, RULER + 1, 10):
        name = f"{at} mm" if at == RULER else str(at)
        yield draw_text(x + at, y + 4, name, 2.6, "text-anchor:middle")
