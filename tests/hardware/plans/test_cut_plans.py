"""Jig and tray: closed solids, true scale, and a window in which a sticker lies where it should."""

import io
import math
from xml.etree import ElementTree

import ezdxf
import msgspec
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.i18n import get_language
from hardware.plans.dxf_file import make_dxf
from hardware.plans.jig import build_jig_base, build_jig_mask, draw_jig, draw_jig_in_rows
from hardware.plans.measures import Measures, Sticker, load_measures
from hardware.plans.outlines import (
    QUARTER,
    Outline,
    draw_slot_windows,
    find_bounds,
    flatten_outline,
    slot_middles,
)
from hardware.plans.sheets import PlanSheet
from hardware.plans.solids import Solid
from hardware.plans.svg_page import draw_laser_page, draw_paper_page
from hardware.plans.tray import build_tray, card_middle, draw_place, draw_tray
from tests.worlds.campaign import pick

MEASURES = load_measures()
CARD = "standard"
WORDS = get_language("en")
SHEETS = {
    "jig": draw_jig(MEASURES, CARD),
    "jig in rows": draw_jig_in_rows(MEASURES, CARD),
    "tray": draw_tray(MEASURES, CARD),
    "place": draw_place(MEASURES, CARD, WORDS),
}
SOLIDS = {
    "base": build_jig_base(MEASURES, CARD),
    "mask": build_jig_mask(MEASURES, CARD),
    "tray": build_tray(MEASURES, CARD),
}


def printed(solid: Solid) -> trimesh.Trimesh:
    """Read the STL back, as a slicer does."""
    mesh = trimesh.load(io.BytesIO(solid.make_stl()), file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh


@pytest.mark.parametrize("name", SOLIDS)
def test_a_printed_part_is_closed_and_in_one_piece(name: str) -> None:
    mesh = printed(SOLIDS[name])
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    neighbours = dict[int, set[int]]()
    for one, other in mesh.face_adjacency.tolist():
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    reached, edge = {0}, [0]
    while edge:
        new = neighbours[edge.pop()] - reached
        reached |= new
        edge += new
    assert len(reached) == len(mesh.faces)


def test_a_printed_part_has_the_measures_of_the_file() -> None:
    width, height = MEASURES.cards[CARD]
    wall = MEASURES.jig.wall
    base = printed(SOLIDS["base"]).extents
    assert base[:2] == pytest.approx((width + wall, height + wall), abs=0.01)
    place_width, place_height = MEASURES.place_size(CARD)
    tray = printed(SOLIDS["tray"]).extents
    outer = (place_width + MEASURES.tray.wall, place_height + MEASURES.tray.wall)
    assert tray[:2] == pytest.approx(outer, abs=0.01)
    assert tray[2] == pytest.approx(MEASURES.tray.floor + MEASURES.tray.height)


@pytest.mark.parametrize("name", SHEETS)
def test_a_dxf_is_sound_and_at_true_scale(name: str) -> None:
    sheet = SHEETS[name]
    drawing = ezdxf.read(io.StringIO(make_dxf(sheet).decode("cp1252")))
    assert drawing.audit().errors == []
    assert drawing.header["$INSUNITS"] == 4
    lines = drawing.modelspace().query("LWPOLYLINE")
    assert {line.dxf.layer for line in lines} <= {"CUT", "ENGRAVE"}
    corners = [corner for line in lines for corner in line.vertices()]
    left, bottom, right, top = sheet.bounds
    assert all(
        left - 0.1 <= x <= right + 0.1 and bottom - 0.1 <= y <= top + 0.1 for x, y in corners
    )
    assert len(lines) == len(sheet.shapes)


@pytest.mark.parametrize("name", SHEETS)
def test_an_svg_is_at_true_scale(name: str) -> None:
    sheet: PlanSheet = SHEETS[name]
    for text in (draw_laser_page(sheet), draw_paper_page(sheet, "Title", ["How"])):
        page = ElementTree.fromstring(text)
        width, height = (
            float(page.attrib[side].removesuffix("mm")) for side in ("width", "height")
        )
        assert page.attrib["viewBox"] == f"0 0 {width:.2f} {height:.2f}"
        left, bottom, right, top = sheet.bounds
        assert right - left <= width
        assert top - bottom <= height
        cut = [shape for shape in sheet.shapes if shape.layer == "cut"]
        (group,) = (g for g in page.iter() if g.attrib.get("id") == "cut")
        assert len(group) == len(cut)


@settings(max_examples=pick(30, 100, 500))
@given(
    st.floats(15, 16), st.floats(8, 40), st.floats(0, 2),
)  # fmt: skip
def test_a_sticker_fits_each_slot_and_cannot_slip_outwards(
    pitch: float, diameter: float, play: float
) -> None:
    radius = diameter / 2
    windows = draw_slot_windows(0, 0, pitch, radius + play)
    edge = [point for window in windows for point in flatten_outline(window)]
    for x, y in slot_middles(pitch):
        nearest = min(math.hypot(px - x, py - y) for px, py in edge)
        assert radius + play - 0.05 <= nearest <= radius + play + 0.01
        reach = math.hypot(x, y) + radius + play
        outward = max((px * x + py * y) / math.hypot(x, y) for px, py in edge)
        assert outward == pytest.approx(reach, abs=0.05)


def test_a_half_turn_of_the_card_exchanges_the_diagonal_slots() -> None:
    first, second, third, fourth = slot_middles(MEASURES.sticker.pitch)
    assert (-first[0], -first[1]) == fourth
    assert (-second[0], -second[1]) == third


@settings(max_examples=pick(20, 50, 200))
@given(kerf=st.floats(0, 1))
def test_the_kerf_is_taken_off_every_edge(kerf: float) -> None:
    measures: Measures = msgspec.structs.replace(
        MEASURES, cut=msgspec.structs.replace(MEASURES.cut, kerf=kerf)
    )
    bare = msgspec.structs.replace(MEASURES, cut=msgspec.structs.replace(MEASURES.cut, kerf=0))
    wide, plain = draw_tray(measures, CARD).bounds, draw_tray(bare, CARD).bounds
    assert [b - a for a, b in zip(plain, wide, strict=True)] == pytest.approx(
        [-kerf / 2, -kerf / 2, kerf / 2, kerf / 2]
    )
    (window,) = (s.outline for s in draw_jig(measures, CARD).shapes if is_window(s.outline))
    assert find_bounds([window])[2] - find_bounds([window])[0] == pytest.approx(
        MEASURES.sticker.pitch + 2 * MEASURES.window_radius - kerf, abs=0.05
    )


def is_window(outline: Outline) -> bool:
    return len(outline) == 4 and all(abs(v.bulge) > QUARTER + 0.01 for v in outline)


def test_a_card_in_its_corner_lies_over_the_coil() -> None:
    x, y = card_middle(MEASURES, CARD)
    width, height = MEASURES.cards[CARD]
    sleeve = MEASURES.sleeve
    assert x - (width + sleeve.width) / 2 == 0
    assert y + (height + sleeve.height) / 2 == pytest.approx(MEASURES.place_size(CARD)[1])


def test_small_stickers_have_a_window_for_each_slot() -> None:
    small = msgspec.structs.replace(MEASURES, sticker=Sticker(diameter=12, pitch=15, play=0.2))
    mesh = printed(build_jig_mask(small, CARD))
    assert mesh.is_watertight
