"""Evaluated meshes as arrays: positions in world space and metres, triangles facing outwards."""

from typing import NamedTuple

import bpy
import numpy as np

from ..solver.scene import Collider
from .input_stack import WEIGHT_ATTRIBUTE
from .marked_object import KIND_CLASSES, MarkedObject, frame_of
from .read_settings import simulation_settings
from .units import transformed, world_matrix

PINNING_WEIGHT = 0.5
EVERY = slice(None)
MESH_YIELDING_TYPES = ("MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD")


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
        if evaluated.matrix_world.determinant() < 0:
            triangles = triangles[:, ::-1]
        return Surface(self(depsgraph), np.ascontiguousarray(triangles))

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


class PinSampler:
    """Where the pinned vertices of an object are."""

    def __init__(self, sampler: MeshSampler, pinned: np.ndarray):
        self.sampler = sampler
        self.pinned = pinned

    def __call__(self, depsgraph) -> np.ndarray:
        """Positions (p, 3) [m]."""
        return self.sampler(depsgraph, self.pinned)


def read_collider(marked: MarkedObject, depsgraph) -> tuple[Collider, MeshSampler]:
    """A collider at rest in the present frame, and what follows its motion."""
    if marked.obj.type not in MESH_YIELDING_TYPES:
        raise marked.refusal("it has no surface to collide with. Mark a mesh instead.")
    marked.evaluated(depsgraph)
    sampler = MeshSampler(marked, marked.obj)
    surface = sampler.surface(depsgraph)
    return Collider(marked.name, surface.positions, surface.triangles), sampler


def read_simulated_mesh(marked: MarkedObject, depsgraph):
    """Cloth, a soft or a rigid body in the present frame, what follows its pins, and what guards it without pins.

    Weights of the pin group are expected on the evaluated mesh as WEIGHT_ATTRIBUTE.
    """
    if marked.obj.type != "MESH":
        raise marked.refusal("it is not a mesh. Convert it to a mesh, or remove it from the simulation.")
    marked.matrix(depsgraph)
    sampler = MeshSampler(marked, marked.obj)
    surface = sampler.surface(depsgraph)
    pinned = _read_pinned(marked, depsgraph)
    pins = {"pinned": pinned, "pin_motion": surface.positions[pinned]} if len(pinned) else {}
    item = KIND_CLASSES[marked.settings.kind](marked.name, *surface, **pins, **simulation_settings(marked))
    return (item, PinSampler(sampler, pinned), None) if pins else (item, None, sampler.guard)


def has_pin_group(marked: MarkedObject) -> bool:
    return marked.settings.pin_group in marked.obj.vertex_groups


def _read_pinned(marked, depsgraph):
    group = marked.settings.pin_group
    if group and not has_pin_group(marked):
        raise marked.refusal(f'it has no vertex group "{group}" to pin. Choose another, or clear the field.')
    geometry = marked.evaluated(depsgraph).evaluated_geometry()
    attribute = geometry.mesh.attributes.get(WEIGHT_ATTRIBUTE)
    if attribute is None:
        return np.zeros(0, np.int32)
    weights = np.empty(len(geometry.mesh.vertices), np.float32)
    attribute.data.foreach_get("value", weights)
    return np.flatnonzero(weights >= PINNING_WEIGHT).astype(np.int32)


def read_vertices(mesh: bpy.types.Mesh | None) -> np.ndarray:
    """Local positions (n, 3) float32; none for no mesh."""
    positions = np.empty((len(mesh.vertices) if mesh else 0, 3), np.float32)
    if len(positions):
        mesh.attributes["position"].data.foreach_get("vector", positions.ravel())  # faster than "co"
    return positions


def read_triangles(mesh: bpy.types.Mesh | None) -> np.ndarray:
    """Vertices of each triangle (t, 3) int32; none for no mesh."""
    if mesh is None:
        return np.empty((0, 3), np.int32)
    mesh.calc_loop_triangles()
    triangles = np.empty((len(mesh.loop_triangles), 3), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles.ravel())
    return triangles
