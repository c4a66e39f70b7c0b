"""A plan as a DXF of release 2000, which laser programs read: unit millimetre, true arcs."""

from io import StringIO

from hardware.plans.sheets import COLOURS, PlanSheet

MILLIMETRES = 4
"""The number of this unit in the header of a DXF."""


def make_dxf(sheet: PlanSheet) -> bytes:
    """Return the sheet as DXF, with the layers CUT and ENGRAVE; ImportError without the extra
    `build`."""
    from ezdxf.document import Drawing  # noqa: PLC0415
    from ezdxf.enums import TextEntityAlignment  # noqa: PLC0415

    drawing = Drawing.new("R2000")
    drawing.units = MILLIMETRES
    for layer, (_, number) in COLOURS.items():
        drawing.layers.add(layer.upper(), color=number)
    space = drawing.modelspace()
    for shape in sheet.shapes:
        points = [(v.x, v.y, v.bulge) for v in shape.outline]
        look = {"layer": shape.layer.upper()}
        space.add_lwpolyline(points, format="xyb", close=True, dxfattribs=look)
    for writing in sheet.writings:
        look = {"layer": "ENGRAVE"}
        text = space.add_text(writing.text, height=writing.height, dxfattribs=look)
        text.set_placement((writing.x, writing.y), align=TextEntityAlignment.CENTER)
    out = StringIO()
    drawing.write(out)
    return drawing.encode(out.getvalue())
