"""What of a whole state intersects: edges through triangles, points inside solids, strands inside each other.

The judge of all that moves things apart, and so written apart from it: it shares no search and no geometry with the
rest of this folder, and its signs are exact.
"""

from typing import NamedTuple

import numpy as np

from ..errors import StictionError
from ..volume.inside import are_inside, inside_test
from ..volume.tree_queries import PairsExceeded, distances_to_surface
from ..volume.triangle_tree import triangle_tree
from .doubtful_pairs import doubtful_pairs
from .errors import TooMuchIntersects
from .exact_crossings import have_area, segments_meet_triangles
from .strand_overlaps import Overlaps, strand_overlaps
from .surface import CollisionSurface

CHUNK = 1 << 18  # pairs at a time: bounds the memory
MOST_PAIRS = 30_000_000  # of edges and triangles whose boxes meet; they take about a minute
MOST_OF_EDGE = 30  # of these for each edge, in scenes so large that this is more; a mesh by itself has about ten
ROUNDING = 1e-12  # of an object's size: a point so near its surface lies on it


class Crossings(NamedTuple):
    """Edges and triangles that have a point in common; those that share a corner do not count."""

    edges: np.ndarray  # of the surface                                               (k,) int32
    triangles: np.ndarray  # of the surface                                           (k,) int32
    objects: np.ndarray  # of the edge and of the triangle                            (k, 2) int32
    where: np.ndarray  # a common point; nearby if they lie in one plane              (k, 3) [m]
    depths: np.ndarray  # how far the nearer end of the edge is beyond the triangle   (k,) [m]
    is_touching: np.ndarray  # only just: at an end, at the rim, or in one plane      (k,) bool
    collides: np.ndarray  # False where nothing parts them: groups, or both are animated  (k,) bool


class Insides(NamedTuple):
    """Points inside closed objects other than their own."""

    points: np.ndarray  # of the surface                                              (k,) int32
    objects: np.ndarray  # of the point and the one that it is in                     (k, 2) int32
    depths: np.ndarray  # distance to that one's surface                              (k,) [m]
    collides: np.ndarray  # False where nothing parts them                            (k,) bool


class Intersections(NamedTuple):
    crossings: Crossings
    insides: Insides
    overlaps: Overlaps  # of strands


def find_intersections(surface: CollisionSurface, positions: np.ndarray) -> Intersections:
    """Everything that intersects at positions (p, 3) [m] of the surface's points.

    Hair near its root may be inside what it grows on. Triangles without area are left out. Raises TooMuchIntersects.
    """
    positions = np.ascontiguousarray(positions, np.float64)
    _refuse_bad_positions(surface, positions)
    return Intersections(
        find_crossings(surface, positions), find_insides(surface, positions), strand_overlaps(surface, positions)
    )


def find_crossings(
    surface: CollisionSurface, positions: np.ndarray, most: int | None = None, only_colliding: bool = False
) -> Crossings:
    """All edges that cross or touch triangles at finite positions (p, 3), or only those that something parts.

    Raises TooMuchIntersects where the boxes of more than `most` pairs meet, if not said otherwise, MOST_PAIRS.
    """
    most = max(MOST_PAIRS, MOST_OF_EDGE * len(surface.edges)) if most is None else most
    found = [(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, bool))]
    for edges, triangles in _near_pairs(surface, positions, most, only_colliding) if len(surface.triangles) else ():
        for first in range(0, len(edges), CHUNK):
            chunk = slice(first, first + CHUNK)
            found.append(_those_that_meet(surface, positions, edges[chunk], triangles[chunk]))
    return _crossings(surface, positions, *(np.concatenate(parts) for parts in zip(*found, strict=True)))


def _near_pairs(surface, positions, most, only_colliding):
    """Edges and triangles that may meet, in turns."""
    try:
        yield from doubtful_pairs(surface, positions, most, only_colliding)
    except PairsExceeded as exceeded:
        owner = surface.points.objects[surface.edges[exceeded.box, 0]]
        raise TooMuchIntersects(surface.names[owner]) from None


def _collide(surface, edges, triangles):
    """Whether something parts an edge and a triangle (k,) bool: their groups, and that not both are animated."""
    points, ends, corners = surface.points, surface.edges[edges], surface.triangles[triangles]
    is_given = points.is_given[ends].all(axis=1) & points.is_given[corners].all(axis=1)
    return surface.meets[points.objects[ends[:, 0]], points.objects[corners[:, 0]]].astype(bool) & ~is_given


def _those_that_meet(surface, positions, edges, triangles):
    """Of pairs: edges, triangles, and whether they only touch."""
    corners = positions[surface.triangles[triangles]]
    kept = have_area(corners[:, 0], corners[:, 1], corners[:, 2])
    edges, triangles = edges[kept], triangles[kept]
    points = np.concatenate([positions[surface.edges[edges]], corners[kept]], axis=1)
    meets, passes = segments_meet_triangles(*points.swapaxes(0, 1))
    return edges[meets], triangles[meets], ~passes[meets]


def _crossings(surface, positions, edges, triangles, is_touching):
    order = np.lexsort((triangles, edges))
    edges, triangles, is_touching = edges[order], triangles[order], is_touching[order]
    ends, corners = surface.edges[edges], surface.triangles[triangles]
    objects = surface.points.objects[np.column_stack([ends[:, 0], corners[:, 0]])].reshape(-1, 2)
    return Crossings(
        edges=edges,
        triangles=triangles,
        objects=objects,
        where=_common_points(positions[ends], positions[corners]),
        depths=_depths_beyond(positions[ends], positions[corners]),
        is_touching=is_touching,
        collides=_collide(surface, edges, triangles),
    )


def _common_points(ends, corners):
    """Where segments (k, 2, 3) meet the planes of triangles (k, 3, 3); next to the centre if they lie in them."""
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    height, slope = _dots(corners[:, 0] - start, normals), _dots(along, normals)
    towards_centre, square = _dots(corners.mean(axis=1) - start, along), _dots(along, along)
    is_steep = slope != 0.0
    shares = np.where(is_steep, height, towards_centre) / np.where(is_steep, slope, np.where(square > 0, square, 1.0))
    return start + np.clip(shares, 0.0, 1.0)[:, None] * along


def _depths_beyond(ends, corners):
    """How far the nearer ends of segments (k, 2, 3) are from the planes of triangles (k, 3, 3): so much is embedded."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.sqrt(_dots(normals, normals))
    heights = [np.abs(_dots(ends[:, end] - corners[:, 0], normals)) for end in range(2)]
    return np.divide(np.minimum(*heights), lengths, out=np.zeros(len(lengths)), where=lengths > 0.0)


def _dots(first, second):
    return np.einsum("ki,ki->k", first, second)


def find_insides(surface: CollisionSurface, positions: np.ndarray) -> Insides:
    """All points inside closed objects at finite positions (p, 3); those that belong to nothing do not count."""
    found = [(np.empty(0, np.int32), np.empty((0, 2), np.int32), np.empty(0))]
    used = np.unique(surface.edges)
    triangle_objects = surface.points.objects[surface.triangles[:, 0]]
    for number in np.flatnonzero(surface.has_inside):
        triangles = surface.triangles[triangle_objects == number]
        is_other = (surface.points.objects[used] != number) & (surface.points.grows_on[used] != number)
        points, depths = _depths_inside(positions, triangles, used[is_other])
        objects = np.column_stack([surface.points.objects[points], np.full(len(points), number, np.int32)])
        found.append((points, objects, depths))
    points, objects, depths = (np.concatenate(parts) for parts in zip(*found, strict=True))
    is_animated = surface.points.is_given[points] & _are_animated(surface)[objects[:, 1]]
    collides = surface.meets[objects[:, 0], objects[:, 1]].astype(bool) & ~is_animated
    return Insides(points, objects, depths, collides)


def _depths_inside(positions, triangles, points):
    """Those points that are inside a closed surface, and how deep."""
    corners, compact = np.unique(triangles, return_inverse=True)
    low, high = positions[corners].min(axis=0, initial=np.inf), positions[corners].max(axis=0, initial=-np.inf)
    points = points[((positions[points] > low) & (positions[points] < high)).all(axis=1)]
    if not len(points):
        return points, np.empty(0)
    own, compact = positions[corners], compact.reshape(-1, 3).astype(np.int32)
    points = points[are_inside(inside_test(own, compact), positions[points])]
    depths = distances_to_surface(triangle_tree(own, compact), positions[points])
    is_deep = depths > ROUNDING * float((high - low).max())
    return points[is_deep], depths[is_deep]


def _are_animated(surface):
    """Objects all of whose points are given (o,) bool."""
    free = np.bincount(surface.points.objects, ~surface.points.is_given, minlength=len(surface.names))
    return free == 0


def _refuse_bad_positions(surface, positions):
    bad = np.flatnonzero(~np.isfinite(positions).all(axis=1))
    if len(bad):
        number = surface.points.objects[bad[0]]
        raise StictionError(
            f'"{surface.names[number]}": vertex {bad[0] - surface.firsts[number]} is not finite, so that nothing can '
            "be said about what intersects."
        )
