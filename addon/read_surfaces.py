"""Objects that are given by a surface: colliders, cloth, soft and rigid bodies."""

from collections.abc import Callable

from ..solver.scene import Cloth, Collider, SurfaceObject
from .marked_object import KIND_CLASSES, MarkedObject
from .read_friction import read_friction_map, read_own_axes
from .read_mesh import MeshSampler
from .read_motion import Track
from .read_pins import read_pins
from .read_rest_shape import read_rest_shape
from .read_settings import contact_settings, simulation_settings

MESH_YIELDING_TYPES = ("MESH", "CURVE", "SURFACE", "FONT", "META", "CURVES", "POINTCLOUD")


def read_collider(marked: MarkedObject, depsgraph) -> tuple[Collider, list[Track], None]:
    """A collider in the present frame, and what follows it through the animation."""
    if marked.obj.type not in MESH_YIELDING_TYPES:
        raise marked.refusal("it has no surface to collide with. Mark a mesh instead.")
    marked.evaluated(depsgraph)
    sampler = MeshSampler(marked, marked.obj)
    surface = sampler.surface(depsgraph)
    item = Collider(marked.name, surface.positions, surface.triangles, **contact_settings(marked))
    read_own_axes(marked, item, depsgraph)
    read_friction_map(marked, item, marked.obj, depsgraph)
    return item, [Track(item, "positions", sampler)], None


def read_simulated_mesh(marked: MarkedObject, depsgraph) -> tuple[SurfaceObject, list[Track], Callable | None]:
    """Cloth, a soft or a rigid body in the present frame, what follows its pins, and what guards it without pins."""
    if marked.obj.type != "MESH":
        raise marked.refusal("it is not a mesh. Convert it to a mesh, or remove it from the simulation.")
    marked.matrix(depsgraph)
    sampler = MeshSampler(marked, marked.obj)
    surface = sampler.surface(depsgraph)
    item = KIND_CLASSES[marked.settings.kind](marked.name, *surface, **simulation_settings(marked))
    read_own_axes(marked, item, depsgraph)
    read_friction_map(marked, item, marked.obj, depsgraph)
    if isinstance(item, Cloth):
        read_rest_shape(marked, item, depsgraph)
    tracks = read_pins(marked, item, sampler, depsgraph)
    return item, tracks, None if tracks else sampler.guard
