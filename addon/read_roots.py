"""Roots of hair: on surfaces that are animated they are pinned, on simulated ones they are bound."""

from collections.abc import Mapping

import bpy
import numpy as np

from ..solver.scene import Hair, Roots, SurfaceObject
from .marked_object import MarkedObject, frame_of
from .nearest_triangles import has_area, nearest_triangles
from .read_mesh import MeshSampler
from .read_pins import can_let_go
from .root_binding import RootBinding


class RootSampler:
    """Pinned ends that ride on the deforming surface which the hair is attached to."""

    def __init__(self, marked: MarkedObject, hair: Hair, depsgraph):
        surface = marked.obj.data.surface
        self.marked = marked
        self.strand_count = len(hair.strand_offsets) - 1
        segments = end_segments(hair.strand_offsets, marked.settings.pinned_ends)
        self.pinned, self.members = np.unique(segments, return_index=True)  # which of the segments' points they are
        self.sampler = MeshSampler(marked, surface, f'its surface "{surface.name}"')
        self.binding = RootBinding(hair.positions[segments], *self._read_surface(surface, depsgraph))

    def __call__(self, depsgraph) -> np.ndarray:
        """Positions (p, 3) [m]."""
        surface = self.sampler(depsgraph)
        segments = self.binding.segments(surface).reshape(-1, 3)
        self._refuse_collapse(surface, segments, depsgraph)
        return segments[self.members]

    def directors(self, depsgraph) -> np.ndarray:
        """Where the sections of pinned roots point (s, 3): they turn with the surface, also when it spins."""
        surface = self.sampler(depsgraph)
        directors = self.binding.directors(surface)[: self.strand_count]
        self._refuse_collapse(surface, directors, depsgraph)
        return directors

    def _refuse_collapse(self, surface, values, depsgraph):
        if np.isfinite(surface).all() and not np.isfinite(values).all():
            raise self.marked.refusal(
                f"a face of {self.sampler.words} that carries a strand collapses to a line at frame "
                f"{frame_of(depsgraph)}. Correct the deformation there."
            )

    def _read_surface(self, surface, depsgraph):
        if not surface.evaluated_get(depsgraph).is_evaluated:
            raise self.marked.refusal(f"{self.sampler.words} is hidden from Blender's animation. Show it.")
        positions, triangles = self.sampler.surface(depsgraph)
        if not np.isfinite(positions).all():
            raise self.marked.refusal(f"{self.sampler.words} is not finite at frame {frame_of(depsgraph)}.")
        if not has_area(positions, triangles).any():
            raise self.marked.refusal(f"{self.sampler.words} has no faces. Give it faces, or choose another.")
        return positions, triangles


def grows_on_simulated(obj: bpy.types.Object) -> bool:
    """Whether the surface of hair curves is simulated itself."""
    surface = getattr(obj.data, "surface", None)  # ropes have none
    return surface is not None and surface.stiction.kind not in ("NONE", "COLLIDER")


def end_segments(offsets: np.ndarray, ends: str) -> np.ndarray:
    """The outermost two points of the chosen ends of each strand, the end itself first (e, 2); starts come first."""
    first, last = offsets[:-1], offsets[1:] - 1
    starts = np.stack([first, np.minimum(first + 1, last)], axis=1)
    tips = np.stack([last, np.maximum(last - 1, first)], axis=1)
    chosen = {"NONE": [], "START": [starts], "END": [tips], "BOTH": [starts, tips]}[ends]
    return np.concatenate([np.empty((0, 2), np.int32), *chosen])


def are_roots_bound(marked: MarkedObject) -> bool:
    """Whether a simulated surface carries the roots; tips can only follow the animation."""
    return grows_on_simulated(marked.obj) and marked.settings.pinned_ends in ("START", "BOTH")


def bind_roots(marked: MarkedObject, hair: Hair, surfaces: Mapping[bpy.types.Object, SurfaceObject]) -> None:
    """Let hair grow on a simulated surface, if it has one and its roots are not free."""
    if not are_roots_bound(marked):
        return
    obj = marked.obj.data.surface
    if can_let_go(marked):
        raise marked.refusal(
            f'its roots grow on "{obj.name}", which is simulated too, and cannot be let go of by Pin Strength. '
            "Clear its keyframes and set it to one, or set Pinned Ends to None."
        )
    if obj not in surfaces:
        raise marked.refusal(f'its surface "{obj.name}" is simulated, but no mesh of this scene. Choose another.')
    surface = surfaces[obj]
    if can_be_tied(hair, surface):
        place = nearest_triangles(hair.positions[hair.strand_offsets[:-1]], surface.positions, surface.triangles)
        hair.roots = Roots(surface.name, surface.triangles[place.triangles], place.weights)


def can_be_tied(item, surface: SurfaceObject) -> bool:
    """Whether there is something to tie, and to tie to; if not, the validation refuses one of the two."""
    is_finite = np.isfinite(item.positions).all() and np.isfinite(surface.positions).all()
    return bool(is_finite and len(item.positions) and has_area(surface.positions, surface.triangles).any())
