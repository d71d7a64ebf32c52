"""The collision surface of a scene, joined from one part an object; and where its points are."""

from dataclasses import dataclass, field

import numpy as np
from numba import float64, prange

from ..errors import Problem
from ..jit_cache import kernel
from .mesh_features import mesh_features, smallest_heights, unique_edges
from .surface import NOTHING, POINT_NODES, CollisionSurface, PointNodes, SurfacePoints

FREE_SHARE = 0.25  # of the smallest height around a point: two radii then take half of what lies between neighbours


@dataclass
class SurfacePart:
    """One object's share of the surface; indices count its own points."""

    name: str
    rest: np.ndarray  # points where the object is free of stress: measures what neighbours leave free   (n, 3) [m]
    radii: np.ndarray  # half the thickness                                              (n,) [m]
    friction: np.ndarray  # coefficient of Coulomb's law                                 (n,)
    triangles: np.ndarray  # may be empty                                                (t, 3) int32
    segments: np.ndarray  # of strands, may be empty                                     (s, 2) int32
    strands: np.ndarray  # strand of each point, NOTHING for meshes                      (n,) int32
    is_given: np.ndarray  # True for a collider's points, pinned points and hair roots   (n,) bool
    nodes: np.ndarray | None  # model nodes of each point; None for a collider           (n, w) int32
    weights: np.ndarray | None  # of the nodes                                           (n, w)
    has_inside: bool = False  # closed, oriented outward
    groups: int = 1  # bit mask: two objects collide if they share a bit
    self_collides: bool = True
    grows_on: str | None = None  # object whose surface its strands grow on
    near_root: np.ndarray | None = None  # True for points too near their root to collide with it, none if None (n,)
    tied: list[tuple[str, np.ndarray]] = field(default_factory=list)  # objects, and which points are tied to them (k,)

    @property
    def is_collider(self) -> bool:
        return self.nodes is None


def join_parts(parts: list[SurfacePart]) -> CollisionSurface:
    """One surface of all parts. Triangles and segments with doubled corners are left out."""
    firsts = np.concatenate([[0], np.cumsum([len(part.rest) for part in parts])]).astype(np.int32)
    triangles = _joined([_sound(part.triangles) + first for part, first in zip(parts, firsts)], 3, np.int32)
    segments = _joined([_sound(part.segments) + first for part, first in zip(parts, firsts)], 2, np.int32)
    edges = unique_edges(triangles, segments)
    rest = _joined([part.rest for part in parts], 3, np.float64)
    return CollisionSurface(
        names=tuple(part.name for part in parts),
        firsts=firsts,
        has_inside=np.array([part.has_inside for part in parts], bool),
        meets=_meeting_objects(parts),
        points=_points(parts, FREE_SHARE * smallest_heights(rest, segments, triangles)),
        nodes=_point_nodes(parts),
        edges=edges,
        triangles=triangles,
        features=mesh_features(int(firsts[-1]), edges, triangles),
    )


def _sound(primitives):
    """Those whose corners are all different."""
    is_doubled = np.zeros(len(primitives), bool)
    for corner in range(primitives.shape[1]):
        is_doubled |= primitives[:, corner] == primitives[:, corner - 1]
    return primitives[~is_doubled]


def _joined(arrays, width, dtype):
    return np.ascontiguousarray(np.concatenate([np.empty((0, width)), *arrays]), dtype)


def _meeting_objects(parts):
    """(o, o) uint8: those that share a group; two colliders never, as neither could give way."""
    meets = np.zeros((len(parts), len(parts)), np.uint8)
    for i, part in enumerate(parts):
        for j, other in enumerate(parts):
            may_meet = part.self_collides if i == j else part.groups & other.groups != 0
            meets[i, j] = may_meet and not (part.is_collider and other.is_collider)
    return meets


def _points(parts, free_radii):
    def all_of(arrays, dtype):
        return np.concatenate([np.empty(0, dtype), *arrays]).astype(dtype)

    names = [part.name for part in parts]
    radii = all_of([part.radii for part in parts], np.float64)
    return SurfacePoints(
        objects=all_of([np.full(len(part.rest), number) for number, part in enumerate(parts)], np.int32),
        is_given=all_of([part.is_given for part in parts], np.bool_),
        radii=radii,
        self_radii=np.minimum(radii, free_radii),
        friction=all_of([part.friction for part in parts], np.float64),
        grows_on=all_of([_ground(part, names) for part in parts], np.int32),
        strands=all_of([part.strands for part in parts], np.int32),
    )


def _ground(part, names):
    """The object that each point does not collide with (n,), because the strand grows there, or is tied to it."""
    ground = np.full(len(part.rest), NOTHING)
    if part.grows_on in names and part.near_root is not None:
        ground[part.near_root] = names.index(part.grows_on)
    for name, points in part.tied:
        ground[points] = names.index(name)
    return ground


def _point_nodes(parts):
    counts, nodes, weights = [np.empty(0, np.int32)], [np.empty(0, np.int32)], [np.empty(0)]
    for part in parts:
        if part.nodes is None or part.weights is None:
            counts.append(np.zeros(len(part.rest), np.int32))
            continue
        is_used = part.weights != 0.0
        counts.append(is_used.sum(axis=1))
        nodes.append(part.nodes[is_used])
        weights.append(part.weights[is_used])
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int32)
    return PointNodes(offsets, np.concatenate(nodes).astype(np.int32), np.concatenate(weights).astype(np.float64))


def thinned_points(surface: CollisionSurface) -> list[Problem]:
    """A warning for each object that is too thick for its own mesh, with the points where it is."""
    is_thinned = surface.points.self_radii < surface.points.radii
    problems = []
    for number, name in enumerate(surface.names):
        first, end = surface.firsts[number : number + 2]
        points = np.flatnonzero(is_thinned[first:end])
        if len(points) and surface.meets[number, number]:
            sentence = (
                f'"{name}" is thick for its mesh at {len(points)} points (first: {points[0]}): where it touches '
                "itself it is taken to be thinner there. Lower its thickness, or make its faces or segments larger."
            )
            problems.append(Problem(name, sentence, tuple(points.tolist()), is_warning=True))
    return problems


def point_positions(
    surface: CollisionSurface,
    node_positions: np.ndarray,
    given_positions: list[np.ndarray | None],
    out: np.ndarray,
) -> np.ndarray:
    """Positions (p, 3) [m] of all points, written to `out` and returned.

    Points of simulated objects follow `node_positions` (nodes, 3); those of colliders are copied from their entry
    (n, 3) of `given_positions`, which has one an object (None for simulated ones).
    """
    sum_nodes(surface.nodes, node_positions, out)
    for number, given in enumerate(given_positions):
        if given is not None:
            out[surface.firsts[number] : surface.firsts[number + 1]] = given
    return out


@kernel((POINT_NODES, float64[:, ::1], float64[:, ::1]), parallel=True)
def sum_nodes(nodes, node_positions, positions_out):
    """Weighted sums of nodes; points without nodes are left as they are."""
    for point in prange(len(nodes.offsets) - 1):
        first, end = nodes.offsets[point], nodes.offsets[point + 1]
        for axis in range(3):
            total = 0.0
            for place in range(first, end):
                total += nodes.weights[place] * node_positions[nodes.nodes[place], axis]
            if end > first:
                positions_out[point, axis] = total
