"""Evaluated meshes as arrays: positions in world space and metres, triangles facing outwards."""

from typing import NamedTuple

import bpy
import numpy as np

from .marked_object import MarkedObject, frame_of
from .mesh_arrays import read_triangles, read_vertices
from .units import transformed, world_matrix

EVERY = slice(None)


class Surface(NamedTuple):
    positions: np.ndarray  # (n, 3) [m]
    triangles: np.ndarray  # (t, 3) int32


class MeshSampler:
    """Where the vertices of an object are, at whatever frame the depsgraph shows."""

    def __init__(self, marked: MarkedObject, obj: bpy.types.Object, words: str = "it"):
        """`obj` is the object of `marked`, or another that it depends on, named by `words` in a refusal."""
        self.marked = marked
        self.obj = obj
        self.words = words
        self.first: tuple[int, str] | None = None  # vertex count and frame of the first sample

    def __call__(self, depsgraph, vertices: np.ndarray | slice = EVERY) -> np.ndarray:
        """Positions (n, 3) [m] of some vertices, or of all."""
        evaluated = self.obj.evaluated_get(depsgraph)
        if evaluated.hide_viewport:
            raise self.marked.refusal(
                f"{self.words} is disabled in viewports at frame {frame_of(depsgraph)}, so Blender does not move it. "
                "Switch on the screen icon in the outliner for all frames."
            )
        geometry = evaluated.evaluated_geometry()  # owns the mesh
        local = read_vertices(geometry.mesh)
        self._refuse_new_count(len(local), depsgraph)
        return transformed(local[vertices], world_matrix(evaluated, self.marked.scene))

    def surface(self, depsgraph) -> Surface:
        """Positions and triangles; a mirroring transform does not turn the surface inside out."""
        evaluated = self.obj.evaluated_get(depsgraph)
        geometry = evaluated.evaluated_geometry()
        triangles = read_triangles(geometry.mesh)
        return Surface(self(depsgraph), facing_outwards(triangles, evaluated))

    def guard(self, depsgraph) -> None:
        """Refuse a change of the number of vertices, without reading them."""
        geometry = self.obj.evaluated_get(depsgraph).evaluated_geometry()
        self._refuse_new_count(len(geometry.mesh.vertices) if geometry.mesh else 0, depsgraph)

    def _refuse_new_count(self, count, depsgraph):
        frame = frame_of(depsgraph)
        if self.first is None:
            self.first = (count, frame)
        if count != self.first[0]:
            raise self.marked.refusal(
                f"{self.words} has {self.first[0]} vertices at frame {self.first[1]} but {count} at frame "
                f"{frame}. Freeze the modifier that changes it, or move it below Stiction."
            )


def facing_outwards(triangles: np.ndarray, evaluated: bpy.types.Object) -> np.ndarray:
    """Corners (t, 3) of triangles in an order that a mirroring transform does not turn inside out."""
    is_mirrored = evaluated.matrix_world.determinant() < 0
    return np.ascontiguousarray(triangles[:, ::-1] if is_mirrored else triangles)
