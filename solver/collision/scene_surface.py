"""The collision surface of a scene: a part for each of its objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..motion import positions_at
from ..over_time import value_at
from ..scene import Cloth, Collider, Hair, RigidBody, Scene, SceneObject, SimulatedObject
from ..volume.orientation import surface_edges, turned_triangles
from ..volume.tree_queries import distances_to_surface
from ..volume.triangle_tree import triangle_tree
from .surface import NOTHING, CollisionSurface
from .surface_parts import SurfacePart, join_parts

if TYPE_CHECKING:  # what is not imported is not compiled
    from ..bodies.placement import Placed

THICKNESS = 1e-3  # of meshes that have none set [m]
THICKNESS_OF_EDGE = 0.1  # at most, over the median edge: fine meshes are thinner
SEGMENTS_NEAR_ROOT = 2  # that do not collide with what the strand grows on
RADII_NEAR_ROOT = 2.0  # the same as a length, over the radii of the strand and of what it grows on together


class PointOrigins(NamedTuple):
    """What moves the vertices of one object."""

    nodes: np.ndarray  # of the model                                        (n, w) int32
    weights: np.ndarray  # of these nodes                                    (n, w)
    is_given: np.ndarray  # True where the motion of a vertex is given       (n,) bool


def surface_of(scene: Scene, placed: Iterable[Placed], is_free: np.ndarray) -> CollisionSurface:
    """The surface of all objects, in the order of the scene.

    `placed` are the simulated ones among the nodes of the model; `is_free` (nodes,) is the model's.
    """
    return _surface(scene, {entry.item.name: _origins_of(entry, is_free) for entry in placed})


def start_surface(scene: Scene) -> tuple[CollisionSurface, np.ndarray]:
    """The surface as if every vertex were a node, which asks for no model, and its points (p, 3) [m] at the start."""
    origins, first = {}, 0
    for item in scene.simulated:
        origins[item.name] = _vertices_as_nodes(item, first)
        first += len(item.positions)
    points = [positions_at(item.positions, 0.0) for item in scene.objects.values()]
    return _surface(scene, origins), np.concatenate(points)


def given_positions(scene: Scene, time: float) -> list[np.ndarray | None]:
    """The vertices (n, 3) [m] of each collider at a time [s], None for simulated ones, in the surface's order."""
    return [
        positions_at(item.positions, time) if isinstance(item, Collider) else None for item in scene.objects.values()
    ]


def _surface(scene, origins: Mapping[str, PointOrigins]) -> CollisionSurface:
    radii = {name: contact_radii(item) for name, item in scene.objects.items()}
    parts = {name: _part(scene, item, origins.get(name), radii) for name, item in scene.objects.items()}
    for attachment in scene.attachments:  # what it draws together thickness must not drive apart
        parts[attachment.first].tied.append((attachment.second, attachment.first_vertices))
    return join_parts(list(parts.values()))


def _origins_of(entry: Placed, is_free) -> PointOrigins:
    nodes, weights = entry.body.embedding(np.arange(len(entry.item.positions)))
    nodes = (nodes + entry.span.first).astype(np.int32)
    return PointOrigins(nodes, weights, ~(is_free[nodes] & (weights != 0.0)).any(axis=1))


def _vertices_as_nodes(item: SimulatedObject, first) -> PointOrigins:
    vertices = np.arange(len(item.positions), dtype=np.int32)
    is_given = np.isin(vertices, item.pinned)
    if isinstance(item, Hair) and item.roots is not None:
        is_given[item.strand_offsets[:-1]] = is_given[item.strand_offsets[:-1] + 1] = True
    return PointOrigins(vertices[:, None] + np.int32(first), np.ones((len(vertices), 1)), is_given)


def contact_radii(item: SceneObject) -> np.ndarray:
    """Half the thickness of each vertex (n,) [m]."""
    count = len(positions_at(item.positions, 0.0))
    if item.thickness is not None:
        return np.full(count, 0.5 * item.thickness)
    if isinstance(item, Hair):
        return np.full(count, item.material.radius) if item.radii is None else item.radii
    return np.full(count, 0.5 * _automatic_thickness(item))


def _automatic_thickness(item):
    ends = _rest_of(item)[surface_edges(item.triangles).ends]
    median_edge = float(np.median(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)))
    return min(THICKNESS, THICKNESS_OF_EDGE * median_edge)


def _rest_of(item: SceneObject) -> np.ndarray:
    if isinstance(item, Cloth | Hair):
        return item.rest_shape
    return positions_at(item.positions, 0.0)


def _part(scene, item, origins: PointOrigins | None, radii: Mapping[str, np.ndarray]) -> SurfacePart:
    own_radii = radii[item.name]
    count = len(own_radii)
    part = SurfacePart(
        name=item.name,
        rest=_rest_of(item),
        radii=own_radii,
        friction=np.broadcast_to(value_at(item.friction, 0.0), count),
        triangles=np.empty((0, 3), np.int32),
        segments=np.empty((0, 2), np.int32),
        strands=np.full(count, NOTHING, np.int32),
        is_given=np.ones(count, bool) if origins is None else origins.is_given,
        nodes=None if origins is None else origins.nodes,
        weights=None if origins is None else origins.weights,
        groups=item.collision_groups,
        self_collides=item.self_collision and not isinstance(item, RigidBody),  # what keeps its shape cannot
    )
    if isinstance(item, Hair):
        _add_strands(part, scene, item, radii)
    else:
        part.triangles, is_closed = _outward_triangles(positions_at(item.positions, 0.0), item.triangles)
        part.has_inside = is_closed and not isinstance(item, Cloth)  # cloth is thin, also where it is closed
    return part


def _outward_triangles(positions, triangles):
    """Triangles without doubled corners, facing outwards if they enclose something; and whether they do."""
    kept = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
    if not len(kept):
        return kept, False
    turned, _, is_watertight = turned_triangles(positions, kept, surface_edges(kept))
    return (turned, True) if is_watertight else (kept, False)


def _add_strands(part, scene, hair, radii):
    counts = np.diff(hair.strand_offsets)
    part.strands = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    firsts = np.flatnonzero(part.strands[1:] == part.strands[:-1])
    part.segments = np.column_stack([firsts, firsts + 1]).astype(np.int32)
    part.grows_on = _ground_of(scene, hair)
    if part.grows_on is not None:
        part.near_root = _near_root(hair, part.strands, part.radii + np.max(radii[part.grows_on]))


def _near_root(hair, strands, reach):
    """Points within a few segments of their root, or within a few radii along the strand (n,) bool."""
    places = np.arange(len(strands)) - hair.strand_offsets[:-1][strands]
    lengths = np.linalg.norm(np.diff(hair.rest_shape, axis=0, prepend=hair.rest_shape[:1]), axis=1)
    travelled = np.cumsum(lengths)
    from_root = travelled - travelled[hair.strand_offsets[:-1]][strands]
    return (places <= SEGMENTS_NEAR_ROOT) | (from_root <= RADII_NEAR_ROOT * reach)


def _ground_of(scene, hair: Hair) -> str | None:
    """The object whose surface carries the roots: a simulated one, or the collider that they are fixed next to."""
    if hair.roots is not None:
        return hair.roots.surface
    roots = hair.strand_offsets[:-1]
    roots = roots[np.isin(roots, hair.held)]
    if not len(roots):
        return None
    segment = float(np.median(np.linalg.norm(hair.positions[roots + 1] - hair.positions[roots], axis=1)))
    distances = {item.name: _distance(item, hair.positions[roots]) for item in scene.colliders}
    nearest = min(distances, key=lambda name: distances[name], default=None)
    return nearest if nearest is not None and distances[nearest] <= segment else None


def _distance(collider: Collider, points):
    """The median distance [m] of points to a collider at the start."""
    tree = triangle_tree(positions_at(collider.positions, 0.0), collider.triangles)
    return float(np.median(distances_to_surface(tree, points)))
