"""Solids to be printed: layers of outlines, some added and some taken away, written as STL.

Laws: a printed solid is closed and in one piece. manifold3d and trimesh belong to the extra
`build`; they are imported when a solid is made.
"""

from typing import NamedTuple

import msgspec

from hardware.plans.outlines import Outline, flatten_outline


class Layer(NamedTuple):
    """An outline from one height to another."""

    outline: Outline
    low: float
    high: float


class Solid(msgspec.Struct, frozen=True):
    """What is added, less what is taken away."""

    added: tuple[Layer, ...]
    taken: tuple[Layer, ...] = ()

    def make_stl(self) -> bytes:
        """Return the solid as a binary STL; ImportError without the extra `build`."""
        from manifold3d import CrossSection, Manifold, OpType  # noqa: PLC0415
        from trimesh import Trimesh  # noqa: PLC0415
        from trimesh.exchange.stl import export_stl  # noqa: PLC0415

        def join(layers: tuple[Layer, ...]) -> Manifold:
            return Manifold.batch_boolean(
                [
                    CrossSection([flatten_outline(layer.outline)])
                    .extrude(layer.high - layer.low)
                    .translate((0, 0, layer.low))
                    for layer in layers
                ],
                OpType.Add,
            )

        mesh = (join(self.added) - join(self.taken)).to_mesh()
        body = Trimesh(mesh.vert_properties[:, :3], mesh.tri_verts)
        return export_stl(body)
