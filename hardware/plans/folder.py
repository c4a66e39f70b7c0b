"""Write all plans of a wiring into a folder.

Laws: a file is written whole or not at all. DXF and STL need the libraries of the extra `build`;
without them everything else is written, and `write_plans` returns which files are missing.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.core.durable_files import make_folder, write_file
from companion.core.i18n import Language, message
from companion.games import game_names
from hardware.plans.dxf_file import make_dxf
from hardware.plans.jig import build_jig_base, build_jig_mask, draw_jig, draw_jig_in_rows
from hardware.plans.joint_list import format_joints
from hardware.plans.labels import draw_label_sheets
from hardware.plans.measures import Cut, Measures
from hardware.plans.pi_page import draw_pi_page
from hardware.plans.readers_page import draw_readers_page
from hardware.plans.shopping import format_csv, format_markdown, list_items
from hardware.plans.svg_page import draw_laser_page, draw_paper_page
from hardware.plans.tray import build_tray, draw_place, draw_tray
from hardware.wiring.table import format_table
from hardware.wiring.wires import Wiring

LIBRARIES = {"dxf": ("ezdxf",), "stl": ("manifold3d", "trimesh")}
"""What each kind of file needs."""
READABLE = 0o644

Make = Callable[[], str | bytes]


class WrittenPlans(NamedTuple):
    """The files that were written, and those that need a library that is missing."""

    written: tuple[str, ...]
    missing: tuple[str, ...]


def write_plans(
    folder: Path,
    wiring: Wiring,
    measures: Measures,
    words: Language,
    has_library: Callable[[str], bool] = lambda name: find_spec(name) is not None,
) -> WrittenPlans:
    """Write every plan into a folder, made if need be; NotWritten if the disk refuses."""
    make_folder(folder)
    written, missing = [], []
    for name, make in list_plans(wiring, measures, words).items():
        if not all(map(has_library, LIBRARIES.get(name.rpartition(".")[2], ()))):
            missing.append(name)
            continue
        content = make()
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        write_file(folder / name, data, READABLE)
        written.append(name)
    return WrittenPlans(tuple(written), tuple(missing))


def list_plans(wiring: Wiring, measures: Measures, words: Language) -> Mapping[str, Make]:
    """Return every file by its name, with what makes its content."""
    plans: dict[str, Make] = {
        "parts.md": lambda: format_markdown(list_items(wiring, measures), words),
        "parts.csv": lambda: format_csv(list_items(wiring, measures), words),
        "wiring.txt": lambda: format_table(wiring, words),
        "wiring-joints.md": lambda: format_joints(wiring, words),
        "wiring-pi.svg": lambda: draw_pi_page(wiring, words),
    }
    if wiring.spi_devices():
        plans["wiring-readers.svg"] = lambda: draw_readers_page(wiring, words)
    for card in measures.cards:
        plans.update(_cut_plans(measures, card, words))
    for game in game_names():
        for page, sheet in enumerate(draw_label_sheets(measures, game, words), start=1):
            plans[f"labels-{game}-{page}.svg"] = partial(str, sheet)
    return plans


def _cut_plans(measures: Measures, card: str, words: Language) -> Iterator[tuple[str, Make]]:
    """Yield jig and tray of one size of cards."""
    jig, tray = draw_jig(measures, card), draw_tray(measures, card)
    by_knife = msgspec.structs.replace(measures, cut=Cut(kerf=0))
    title = words(message("Jig for the stickers, card {card}", card=card))
    how = (
        message(
            "Print at 100 %, check with the ruler, glue onto 2 mm of cardboard, cut along red."
        ),
        message(
            "Glue the stop onto the base. Lay the card into the corner, its back up, and the mask "
            "on it. Push the sticker outwards into the lobe of its slot. Draw nothing on a card."
        ),
    )
    paper = draw_paper_page(draw_jig_in_rows(by_knife, card), title, map(words, how))
    place = draw_paper_page(
        draw_place(measures, card, words),
        words(message("Place of a reader, card {card}", card=card)),
        [
            words(message("Print at 100 %, check with the ruler. Cross: the middle of the coil.")),
            words(message("The marks at the sides are half-way to the next place.")),
        ],
    )
    yield f"jig-{card}.svg", lambda: draw_laser_page(jig)
    yield f"jig-{card}-paper.svg", lambda: paper
    yield f"jig-{card}.dxf", lambda: make_dxf(jig)
    yield f"jig-{card}-base.stl", build_jig_base(measures, card).make_stl
    yield f"jig-{card}-mask.stl", build_jig_mask(measures, card).make_stl
    yield f"tray-{card}.svg", lambda: draw_laser_page(tray)
    yield f"tray-{card}.dxf", lambda: make_dxf(tray)
    yield f"tray-{card}.stl", build_tray(measures, card).make_stl
    yield f"place-{card}.svg", lambda: place
