"""Hair curves and ropes as strands, and how their pinned ends move."""

from collections.abc import Callable
from typing import NamedTuple

import bpy
import numpy as np

from ..solver.scene import Hair
from .input_stack import only_shape_key
from .marked_object import MarkedObject, frame_of
from .read_friction import read_friction_map
from .read_mesh import EVERY
from .read_motion import Track
from .read_pins import can_let_go, pin_points
from .read_rest_shape import rest_key
from .read_roots import RootSampler, are_roots_bound, end_segments, grows_on_simulated
from .read_settings import simulation_settings
from .units import transformed, world_matrix


class Strands(NamedTuple):
    positions: np.ndarray  # (n, 3) [m]
    offsets: np.ndarray  # first point of each strand, and the end   (s + 1,) int32


class StrandSampler:
    """Where the points of evaluated curves are, at whatever frame the depsgraph shows."""

    def __init__(self, marked: MarkedObject, obj: bpy.types.Object):
        """`obj` is the object of `marked`, or the stand-in of a rope."""
        self.marked = marked
        self.obj = obj
        self.first: tuple[np.ndarray, str] | None = None  # offsets and frame of the first sample

    def __call__(self, depsgraph, points: np.ndarray | slice = EVERY) -> Strands:
        """Some points, or all, and the offsets of all strands."""
        evaluated = self.obj.evaluated_get(depsgraph)
        geometry = evaluated.evaluated_geometry()  # owns the curves
        self._refuse_other_geometry(geometry)
        offsets = read_offsets(geometry.curves)
        self._refuse_new_offsets(offsets, depsgraph)
        local = read_points(geometry.curves)[points]
        return Strands(transformed(local, world_matrix(evaluated, self.marked.scene)), offsets)

    def guard(self, depsgraph) -> None:
        """Refuse a change of the strands, without reading their points."""
        geometry = self.obj.evaluated_get(depsgraph).evaluated_geometry()
        self._refuse_other_geometry(geometry)
        self._refuse_new_offsets(read_offsets(geometry.curves), depsgraph)

    def _refuse_other_geometry(self, geometry):
        if geometry.curves is None and geometry.mesh and len(geometry.mesh.vertices):
            raise self.marked.refusal(
                "a modifier above Stiction turns it into a mesh. Move that modifier below Stiction, "
                "or switch on its Apply on Spline."
            )
        cyclic = np.flatnonzero(_read_cyclic(geometry.curves))
        if len(cyclic):
            raise self.marked.refusal(
                f"curve {cyclic[0]} is cyclic, but a strand has two ends. Toggle Cyclic off in Edit Mode."
            )

    def _refuse_new_offsets(self, offsets, depsgraph):
        frame = frame_of(depsgraph)
        if self.first is None:
            self.first = (offsets, frame)
        if not np.array_equal(offsets, self.first[0]):
            raise self.marked.refusal(
                f"it has {_counts(self.first[0])} at frame {self.first[1]} but {_counts(offsets)} at frame "
                f"{frame}. Freeze the modifier that changes it, or move it below Stiction."
            )


class EndSampler:
    """Pinned ends that follow the curves' own animation."""

    def __init__(self, sampler: StrandSampler, pinned: np.ndarray):
        self.sampler = sampler
        self.pinned = pinned

    def __call__(self, depsgraph) -> np.ndarray:
        """Positions (p, 3) [m]."""
        return self.sampler(depsgraph, self.pinned).positions


def read_hair(marked: MarkedObject, obj: bpy.types.Object, depsgraph) -> tuple[Hair, list[Track], Callable | None]:
    """Hair or a rope in the present frame, what follows its pinned ends, and what guards it.

    Roots on a simulated surface are not pinned here: `bind_roots` binds them when that surface is read, too.
    """
    if obj.type not in ("CURVES", "CURVE"):
        raise marked.refusal("it is neither hair curves nor a curve. Convert it, or remove it from the simulation.")
    marked.matrix(depsgraph)
    sampler = StrandSampler(marked, obj)
    item = Hair(marked.name, *sampler(depsgraph), **simulation_settings(marked))
    read_friction_map(marked, item, obj, depsgraph)
    if marked.settings.rest_shape_key:
        item.rest_positions = _read_rest_positions(marked, obj, sampler, depsgraph)
    if not np.isfinite(item.positions).all():  # the validation refuses it in better words
        return item, [], sampler.guard
    if obj.type == "CURVES" and obj.data.surface and not grows_on_simulated(obj):
        return item, _ride_on_surface(marked, item, depsgraph), sampler.guard
    return item, *_follow_curves(marked, item, sampler)


def _ride_on_surface(marked, item, depsgraph) -> list[Track]:
    if not len(end_segments(item.strand_offsets, marked.settings.pinned_ends)):
        return []
    sampler = RootSampler(marked, item, depsgraph)
    tracks = [pin_points(marked, item, sampler.pinned, sampler)]
    if marked.settings.pinned_ends != "END" and not can_let_go(marked):
        item.root_directors = sampler.directors(depsgraph)
        tracks.append(Track(item, "root_directors", sampler.directors))
    return tracks


def _follow_curves(marked, item, sampler):
    pinned = np.unique(end_segments(item.strand_offsets, marked.settings.pinned_ends))
    if are_roots_bound(marked):
        pinned = np.setdiff1d(pinned, end_segments(item.strand_offsets, "START"))
    if not len(pinned):
        return [], sampler.guard
    return [pin_points(marked, item, pinned, EndSampler(sampler, pinned))], None


def _read_rest_positions(marked, obj, sampler, depsgraph):
    """Where the points of a rope are (n, 3) [m] when one of its shape keys is shown alone."""
    if obj.type != "CURVE":
        raise marked.refusal("hair curves have no shape keys. Clear the shape key of its rest shape.")
    with only_shape_key(obj, rest_key(marked).name, depsgraph):
        return sampler(depsgraph).positions


def _counts(offsets):
    return f"{len(offsets) - 1} strands with {offsets[-1]} points"


def read_points(curves) -> np.ndarray:
    """Positions of all points (n, 3), in the space of the object."""
    positions = np.empty((len(curves.points) if curves else 0, 3), np.float32)
    if curves:
        curves.position_data.foreach_get("vector", positions.ravel())
    return positions


def read_offsets(curves) -> np.ndarray:
    """First point of each strand, and the end (s + 1,)."""
    offsets = np.zeros((len(curves.curves) if curves else 0) + 1, np.int32)
    if len(offsets) > 1:  # Blender keeps no offsets at all for no curves
        curves.curve_offset_data.foreach_get("value", offsets)
    return offsets


def _read_cyclic(curves):
    """Which curves are closed (s,) bool."""
    cyclic = np.zeros(len(curves.curves) if curves else 0, bool)
    attribute = curves.attributes.get("cyclic") if curves else None
    if attribute:
        attribute.data.foreach_get("value", cyclic)
    return cyclic
