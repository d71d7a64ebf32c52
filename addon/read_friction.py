"""Painted friction: a vertex group, or an attribute of numbers, that an object's friction is multiplied by.

And the axes that its direction is given in.
"""

import bpy
import numpy as np

from ..solver.contact_settings import ContactSettings, SolidContactSettings
from ..solver.motion import sample_motion
from .marked_object import MarkedObject
from .read_weights import read_weights
from .units import world_matrix


def read_friction_map(marked: MarkedObject, item: ContactSettings, source: bpy.types.Object, depsgraph) -> None:
    """Give the vertices of an object, read from `source`, the friction that its map tells."""
    name = marked.settings.friction_map
    if not name:
        return
    share = _read_map(marked, name, source, depsgraph)
    item.friction = item.friction * share
    if item.kinetic_friction is not None:
        item.kinetic_friction = item.kinetic_friction * share


def read_own_axes(marked: MarkedObject, item: ContactSettings, depsgraph) -> None:
    """Where an object's own axes point in the frame that is shown, if its friction has a direction in them."""
    if isinstance(item, SolidContactSettings) and item.friction_ratio != 1.0:
        item.own_axes = world_matrix(marked.evaluated(depsgraph), marked.scene)[:3, :3].copy()


class FrictionRecorder:
    """Follows the keys of an object's friction through the animation."""

    def __init__(self, marked: MarkedObject, item: ContactSettings):
        self.marked, self.item = marked, item
        self.times: list[float] = []
        self.values: list[tuple[float, float]] = []  # of rest, and while it slides

    def record(self, time: float, depsgraph) -> None:
        """Add the frame that is shown, at a time [s]."""
        settings = self.marked.obj.evaluated_get(depsgraph).stiction
        self.times.append(time)
        self.values.append((settings.friction, settings.kinetic_friction))

    def close(self) -> None:
        """Nothing is open."""

    def finish(self) -> None:
        """Give the object frictions that change, where they do."""
        static, kinetic = np.array(self.values).T
        self.item.friction = self._over_time(self.item.friction, static)
        if self.item.kinetic_friction is not None:
            self.item.kinetic_friction = self._over_time(self.item.kinetic_friction, kinetic)

    def _over_time(self, at_start, values):
        """Of the first frame, painted or not, in proportion to the values of all frames."""
        if (values == values[0]).all():
            return at_start
        share = 1.0 if not np.ndim(at_start) else self._map(at_start, values[0])
        return sample_motion(lambda time: np.interp(time, self.times, values) * share, self.times)

    def _map(self, at_start, value):
        if value == 0.0:
            raise self.marked.refusal(
                "its friction is animated and zero at the first frame, so its friction map cannot be followed. "
                "Key a small number there, or clear the map."
            )
        return at_start / value


def _read_map(marked, name, source, depsgraph):
    """What the friction of each vertex is multiplied by (n,)."""
    if name not in marked.obj.vertex_groups:
        return _read_attribute(marked, name, source.evaluated_get(depsgraph))
    if marked.is_linked:
        raise marked.refusal(
            f'it is linked from another file, so the vertex group "{name}" cannot be read for its friction. '
            "Make a library override of it, or clear the friction map."
        )
    return read_weights(marked, name, "multiply its friction by", depsgraph)


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
