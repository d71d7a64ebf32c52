"""The laws of all bodies: their own, what ties them, and what is written anew each step."""

from collections.abc import Iterable, Sequence

import numpy as np

from ..materials import is_keyed
from ..model import DampedLaw, MovedTethers
from ..scene import Cloth, Scene
from .placement import Placed


def body_laws(
    scene: Scene, placed: Sequence[Placed], moved_tethers: Iterable[MovedTethers], surface_drag
) -> tuple[DampedLaw, ...]:
    """Laws that number the nodes of all bodies."""
    bodies = [entry for entry in placed if not entry.is_hair]
    if not bodies:
        return ()
    from .joined_laws import PlacedLaw, joined_laws
    from .seams import seam_laws

    joined = joined_laws(
        PlacedLaw(law, entry.first, getattr(entry.item.material, "damping", 0.0), _is_keyed(scene, entry))
        for entry in bodies
        for law in entry.body.laws
    )
    undamped = [*(tethers.law for tethers in moved_tethers), *([surface_drag] if surface_drag else [])]
    undamped += seam_laws(scene.attachments, {entry.item.name: entry for entry in bodies})
    return (*joined, *(DampedLaw(law, 0.0) for law in undamped))


def _is_keyed(scene, entry):
    """`entry` has the numbers of the first frame already."""
    return is_keyed(scene.objects[entry.item.name].material)


def surface_drag_of(placed: Iterable[Placed]):
    """The air on all sheets that feel it; None if there are none."""
    sheets = [
        (entry.item.triangles + entry.first, entry.item.material.normal_drag)
        for entry in placed
        if isinstance(entry.item, Cloth) and entry.item.material.normal_drag
    ]
    if not sheets:
        return None
    from ..air.surface_drag import SurfaceDrag

    coefficients = [np.full(len(triangles), drag) for triangles, drag in sheets]
    return SurfaceDrag(np.concatenate([triangles for triangles, _ in sheets]), np.concatenate(coefficients))
