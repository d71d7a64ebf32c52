"""Which rows each object has in the arrays of all nodes."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..masses import strand_masses
from ..materials import is_keyed, material_at
from ..model import ObjectSpan
from ..over_time import value_at
from ..scene import Cloth, Hair, Scene, SimulatedObject, SoftBody
from .body import Body


class Placed(NamedTuple):
    """An object of the scene, as nodes, and where these are."""

    item: SimulatedObject
    body: Body
    span: ObjectSpan
    first: int  # its node 0 among the nodes of all bodies, which come after those of strands

    @property
    def is_hair(self) -> bool:
        return isinstance(self.item, Hair)

    def rows(self, vertices) -> np.ndarray:
        """Of vertices that are nodes."""
        return (vertices + self.span.first).astype(np.int32)


def place(scene: Scene) -> list[Placed]:
    """Strands first, otherwise in the order of the scene."""
    placed: list[Placed] = []
    first = strand_nodes = 0
    for item in sorted(scene.simulated, key=lambda item: not isinstance(item, Hair)):
        item = _at_start(item)
        body = _body(item, scene)
        end = first + len(body.positions)
        placed.append(Placed(item, body, ObjectSpan(item.name, first, end, body.skin), first - strand_nodes))
        first = end
        strand_nodes = end if isinstance(item, Hair) else strand_nodes
    return placed


def _at_start(item):
    """The object with the material that it has at the first frame."""
    return replace(item, material=material_at(item.material, 0.0)) if is_keyed(item.material) else item


def _body(item, scene):
    """Imported when there is one: compiling the kernels takes a while."""
    if isinstance(item, Hair):
        return Body(item.positions, strand_masses(item), [])
    if isinstance(item, Cloth):
        return _cloth(item, value_at(scene.gravity, 0.0))
    if isinstance(item, SoftBody):
        from .solid import soft_body

        return soft_body(item)
    from .rigid import rigid_body

    return rigid_body(item, is_affine=not scene.is_truly_rigid)


def _cloth(item, gravity):
    from .cloth import cloth_body

    body = cloth_body(item)
    if item.is_sag_free:
        from ..rest_shapes.sag_free_objects import keep_pose

        keep_pose(item, body, gravity)
    return body
