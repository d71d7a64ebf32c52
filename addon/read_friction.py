"""Painted friction: a vertex group, or an attribute of numbers, that an object's friction is multiplied by."""

import bpy
import numpy as np

from ..solver.contact_settings import ContactSettings
from .marked_object import MarkedObject
from .read_weights import read_weights


def read_friction_map(marked: MarkedObject, item: ContactSettings, source: bpy.types.Object, depsgraph) -> None:
    """Give the vertices of an object, read from `source`, the friction that its map tells."""
    name = marked.settings.friction_map
    if not name:
        return
    if name not in marked.obj.vertex_groups:
        item.friction = item.friction * _read_attribute(marked, name, source.evaluated_get(depsgraph))
    elif marked.is_linked:
        raise marked.refusal(
            f'it is linked from another file, so the vertex group "{name}" cannot be read for its friction. '
            "Make a library override of it, or clear the friction map."
        )
    else:
        item.friction = item.friction * read_weights(marked, name, "multiply its friction by", depsgraph)


def _read_attribute(marked, name, evaluated):
    """Numbers of an attribute (n,), one for each vertex or point."""
    geometry = evaluated.evaluated_geometry()  # owns what is read
    data = geometry.curves or geometry.mesh
    attribute = data.attributes.get(name) if data else None
    if attribute is None:
        raise marked.refusal(f'it has no vertex group and no attribute "{name}" to multiply its friction by. '
                             "Choose another, or clear the field.")  # fmt: skip
    if attribute.data_type != "FLOAT" or attribute.domain not in ("POINT", "CURVE"):
        raise marked.refusal(f'its attribute "{name}" has no number for each vertex or strand to multiply its '
                             "friction by. Choose another, or convert it to a float attribute.")  # fmt: skip
    values = np.empty(len(attribute.data), np.float32)
    attribute.data.foreach_get("value", values)
    if attribute.domain == "CURVE":
        values = np.repeat(values, [curve.points_length for curve in data.curves])
    return values.astype(np.float64)
