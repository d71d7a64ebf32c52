"""The shape in which a garment is free of stress: a shape key, or a sewing pattern laid out as a UV map."""

import numpy as np

from ..solver.scene import Cloth
from .marked_object import MarkedObject
from .read_mesh import facing_outwards
from .units import metres_per_unit, transformed


def read_rest_shape(marked: MarkedObject, cloth: Cloth, depsgraph) -> None:
    """Give a garment the rest shape that its settings name, if they name one."""
    settings = marked.settings
    if not len(cloth.triangles):  # the validation refuses it in better words
        return
    if settings.rest_shape_key and settings.rest_uv_map:
        raise marked.refusal("it has two rest shapes, a shape key and a UV map. Clear one of the two fields.")
    if settings.rest_shape_key:
        cloth.rest_positions = _key_positions(marked, len(cloth.positions), depsgraph)
    elif settings.rest_uv_map:
        corners = _uv_corners(marked, depsgraph)
        cloth.rest_corners = corners * _uv_scale(marked, cloth, corners)


def rest_key(marked: MarkedObject):
    """The shape key that the settings name, or a refusal."""
    name = marked.settings.rest_shape_key
    keys = getattr(marked.obj.data, "shape_keys", None)  # hair curves do not know the word
    key = keys.key_blocks.get(name) if keys else None
    if key is None:
        raise marked.refusal(f'it has no shape key "{name}" for its rest shape. Choose another, or clear the field.')
    return key


def _key_positions(marked, vertex_count, depsgraph):
    key = rest_key(marked)
    local = np.empty((len(key.data), 3), np.float32)
    key.data.foreach_get("co", local.ravel())
    if len(local) != vertex_count:
        raise marked.refusal(
            f'its shape key "{key.name}" has {len(local)} vertices, but with the modifiers above Stiction it has '
            f"{vertex_count}. Apply these modifiers, or move them below Stiction."
        )
    return transformed(local, marked.matrix(depsgraph))


def _uv_corners(marked, depsgraph):
    """The UV map at the corners of the triangles (t, 3, 2)."""
    evaluated = marked.evaluated(depsgraph)
    geometry = evaluated.evaluated_geometry()  # owns the mesh
    name = marked.settings.rest_uv_map
    layer = geometry.mesh.uv_layers.get(name)
    if layer is None:
        raise marked.refusal(f'it has no UV map "{name}" for its rest shape. Choose another, or clear the field.')
    coordinates = np.empty((len(layer.uv), 2), np.float32)
    layer.uv.foreach_get("vector", coordinates.ravel())
    geometry.mesh.calc_loop_triangles()
    loops = np.empty((len(geometry.mesh.loop_triangles), 3), np.int32)
    geometry.mesh.loop_triangles.foreach_get("loops", loops.ravel())
    return coordinates.astype(np.float64)[facing_outwards(loops, evaluated)]


def _uv_scale(marked, cloth, corners):
    """The length [m] of a unit of the UV map."""
    if marked.settings.uv_scale:
        return marked.settings.uv_scale * metres_per_unit(marked.scene)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    pattern_area = 0.5 * np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]).sum()
    at = cloth.positions[cloth.triangles]
    area = 0.5 * np.linalg.norm(np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]), axis=1).sum()
    return np.sqrt(area / pattern_area) if pattern_area > 0.0 else 1.0  # the validation refuses a pattern without area
