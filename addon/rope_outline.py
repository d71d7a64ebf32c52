"""The points of a rope (a legacy curve) as its modifiers above the simulation leave them, without bevel."""

from typing import NamedTuple

import bpy
import numpy as np

from .input_stack import rope_stand_in


class RopeOutline(NamedTuple):
    """A rope's splines, cut into points as the node Resample Curve (Evaluated) does it."""

    positions: np.ndarray  # local                      (n, 3) float32
    offsets: np.ndarray  # first point of each spline   (m + 1,) int32
    radii: np.ndarray  # factors of the thickness       (n,) float32
    tilts: np.ndarray  #                                (n,) float32 [rad]
    material_slots: np.ndarray  # of each point         (n,) int32

    @property
    def point_count(self) -> int:
        return len(self.positions)

    def edges(self) -> np.ndarray:
        """Pairs of neighbouring points (n − m, 2) int32."""
        starts = np.delete(np.arange(self.point_count, dtype=np.int32), self.offsets[1:] - 1)
        return np.column_stack((starts, starts + np.int32(1)))

    def along(self) -> np.ndarray:
        """0 at the start of each spline, 1 at its end, equal steps from point to point (n,) float32."""
        sizes = np.diff(self.offsets)
        index = np.arange(self.point_count) - np.repeat(self.offsets[:-1], sizes)
        return (index / np.repeat(np.maximum(sizes - 1, 1), sizes)).astype(np.float32)


def read_rope_outline(obj: bpy.types.Object) -> RopeOutline:
    """Evaluate the rope at the current frame; the object itself is not touched."""
    with rope_stand_in(obj, bpy.context.scene) as stand_in:
        stand_in.hide_viewport = False  # Blender does not evaluate what is disabled
        depsgraph = bpy.context.evaluated_depsgraph_get()
        geometry = stand_in.evaluated_get(depsgraph).evaluated_geometry()  # owns its curves: keep it alive
        return _outline_of(geometry.curves, obj.data.splines)


def _outline_of(curves, splines):
    count, spline_count = len(curves.points), len(curves.curves)
    offsets = np.empty(spline_count + 1, np.int32)
    curves.curve_offset_data.foreach_get("value", offsets)
    positions = np.empty((count, 3), np.float32)
    curves.position_data.foreach_get("vector", positions.ravel())
    radii = _attribute(curves, "radius", np.ones(count, np.float32))
    tilts = _attribute(curves, "tilt", np.zeros(count, np.float32))
    slots = np.repeat(_material_slots(splines, spline_count), np.diff(offsets))
    return RopeOutline(positions, offsets, radii, tilts, slots)


def _attribute(curves, name, default):
    attribute = curves.attributes.get(name)
    if attribute:
        attribute.data.foreach_get("value", default)
    return default


def _material_slots(splines, spline_count):
    """Modifiers above may have added splines; nobody knows which materials those should have."""
    slots = np.zeros(spline_count, np.int32)
    if len(splines) == spline_count:
        splines.foreach_get("material_index", slots)
    return slots
