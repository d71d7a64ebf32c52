"""Hair curves and ropes as strands, and how their pinned ends move."""

from typing import NamedTuple

import bpy
import numpy as np

from ..solver.scene import Hair
from .marked_object import MarkedObject, frame_of
from .nearest_triangles import has_area
from .read_mesh import EVERY, MeshSampler
from .read_settings import simulation_settings
from .root_binding import RootBinding
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
        offsets = _read_offsets(geometry.curves)
        self._refuse_new_offsets(offsets, depsgraph)
        local = _read_points(geometry.curves)[points]
        return Strands(transformed(local, world_matrix(evaluated, self.marked.scene)), offsets)

    def guard(self, depsgraph) -> None:
        """Refuse a change of the strands, without reading their points."""
        geometry = self.obj.evaluated_get(depsgraph).evaluated_geometry()
        self._refuse_other_geometry(geometry)
        self._refuse_new_offsets(_read_offsets(geometry.curves), depsgraph)

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


class RootSampler:
    """Pinned ends that ride on the deforming surface which the hair is attached to."""

    def __init__(self, marked: MarkedObject, segments: np.ndarray, members: np.ndarray, depsgraph):
        """End segments (e, 2, 3) [m], and which of their 2e points are the pinned ones."""
        surface = marked.obj.data.surface
        self.marked = marked
        self.members = members
        self.sampler = MeshSampler(marked, surface, f'its surface "{surface.name}"')
        self.binding = RootBinding(segments, *self._read_surface(surface, depsgraph))

    def __call__(self, depsgraph) -> np.ndarray:
        """Positions (p, 3) [m]."""
        surface = self.sampler(depsgraph)
        segments = self.binding.segments(surface).reshape(-1, 3)
        if np.isfinite(surface).all() and not np.isfinite(segments).all():
            raise self.marked.refusal(
                f"a face of {self.sampler.words} that carries a strand collapses to a line at frame "
                f"{frame_of(depsgraph)}. Correct the deformation there."
            )
        return segments[self.members]

    def _read_surface(self, surface, depsgraph):
        if surface.stiction.kind not in ("NONE", "COLLIDER"):
            raise self.marked.refusal(
                f"{self.sampler.words} is simulated itself, and strands cannot ride on that yet. "
                "Remove one of the two from the simulation."
            )
        if not surface.evaluated_get(depsgraph).is_evaluated:
            raise self.marked.refusal(f"{self.sampler.words} is hidden from Blender's animation. Show it.")
        positions, triangles = self.sampler.surface(depsgraph)
        if not np.isfinite(positions).all():
            raise self.marked.refusal(f"{self.sampler.words} is not finite at frame {frame_of(depsgraph)}.")
        if not has_area(positions, triangles).any():
            raise self.marked.refusal(f"{self.sampler.words} has no faces. Give it faces, or choose another.")
        return positions, triangles


def read_hair(marked: MarkedObject, obj: bpy.types.Object, depsgraph):
    """Hair or a rope in the present frame, what follows its pinned ends (None without pins), and what guards it."""
    if obj.type not in ("CURVES", "CURVE"):
        raise marked.refusal("it is neither hair curves nor a curve. Convert it, or remove it from the simulation.")
    marked.matrix(depsgraph)
    sampler = StrandSampler(marked, obj)
    positions, offsets = sampler(depsgraph)
    segments = end_segments(offsets, marked.settings.pinned_ends)
    pinned, members = np.unique(segments, return_index=True)
    item = Hair(marked.name, positions, offsets, **simulation_settings(marked))
    if len(pinned) == 0 or not np.isfinite(positions).all():  # the validation refuses it in better words
        return item, None, sampler.guard
    item.pinned, item.pin_motion = pinned.astype(np.int32), positions[pinned]
    if obj.type == "CURVES" and obj.data.surface:
        return item, RootSampler(marked, positions[segments], members, depsgraph), sampler.guard
    return item, EndSampler(sampler, pinned), None


def end_segments(offsets: np.ndarray, ends: str) -> np.ndarray:
    """The outermost two points of the chosen ends of each strand, the end itself first (e, 2)."""
    first, last = offsets[:-1], offsets[1:] - 1
    starts = np.stack([first, np.minimum(first + 1, last)], axis=1)
    tips = np.stack([last, np.maximum(last - 1, first)], axis=1)
    chosen = {"NONE": [], "START": [starts], "END": [tips], "BOTH": [starts, tips]}[ends]
    return np.concatenate([np.empty((0, 2), np.int32), *chosen])


def _counts(offsets):
    return f"{len(offsets) - 1} strands with {offsets[-1]} points"


def _read_points(curves):
    positions = np.empty((len(curves.points) if curves else 0, 3), np.float32)
    if curves:
        curves.position_data.foreach_get("vector", positions.ravel())
    return positions


def _read_offsets(curves):
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
