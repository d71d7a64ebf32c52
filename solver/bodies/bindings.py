"""Strands tied to bodies: where each bound point sits among the bodies' nodes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..attachment import Attachment
from ..rods.bound_points import NONE, BoundPoints, local_directors, triangle_axes
from ..rods.rods import RodFrames, Rods
from ..scene import Hair, Roots, Scene
from .placement import Placed


class _Ties(NamedTuple):
    """Bound points on triangles of vertices of one body."""

    points: np.ndarray  # (p,)
    placed: Placed
    triangles: np.ndarray  # vertices (p, 3)
    weights: np.ndarray  # of the vertices (p, 3)
    heights: np.ndarray  # (p,) [m]


def bind_strands(scene: Scene, placed: Sequence[Placed], rods: Rods, frames: RodFrames) -> BoundPoints | None:
    """All points of strands that bodies carry; None if there are none."""
    bodies = {entry.item.name: entry for entry in placed if not entry.is_hair}
    hairs = {entry.item.name: entry for entry in placed if entry.is_hair}
    ties = [
        _root_ties(entry.item, entry.item.roots, entry.span.first, bodies[entry.item.roots.surface])
        for entry in placed
        if isinstance(entry.item, Hair) and entry.item.roots is not None
    ]
    ties += [
        _end_ties(tied, hairs[tied.first], bodies[tied.second])
        for tied in scene.attachments
        if tied.first in hairs and tied.second in bodies
    ]
    return _bound_points(ties, rods, frames) if ties else None


def _root_ties(hair: Hair, on: Roots, first: int, placed: Placed) -> _Ties:
    """The first two points of each strand: the segment keeps its place and slant on the triangle."""
    roots = hair.strand_offsets[:-1]
    points = np.stack([roots, roots + 1], axis=1).ravel()
    triangles = np.repeat(on.triangles, 2, axis=0)
    weights, heights = _places(hair.positions[points], _vertices(placed.body, triangles))
    return _Ties(points + first, placed, triangles, weights, heights)


def _end_ties(tied: Attachment, hair: Placed, placed: Placed) -> _Ties:
    """Points held at weighted sums of up to three vertices, or where they start beside a triangle."""
    points = tied.first_vertices + hair.span.first
    if tied.keeps_distance and tied.second_vertices.shape[1] == 3:
        corners = _vertices(placed.body, tied.second_vertices)
        weights, heights = _places(hair.item.positions[tied.first_vertices], corners)
        return _Ties(points, placed, tied.second_vertices, weights, heights)
    missing = 3 - tied.second_vertices.shape[1]
    triangles = np.pad(tied.second_vertices, ((0, 0), (0, missing)), mode="edge")
    weights = np.pad(tied.second_weights, ((0, 0), (0, missing)))
    return _Ties(points, placed, triangles, weights, np.zeros(len(triangles)))


def _vertices(body, triangles):
    """Positions of the corners (p, 3, 3) [m]."""
    nodes, weights = body.embedding(triangles.ravel())
    return np.einsum("vw,vwx->vx", weights, body.positions[nodes]).reshape(*triangles.shape, 3)


def _places(points, corners):
    """Weights (p, 3) of the corners (p, 3, 3) and heights (p,) that give points (p, 3)."""
    axes = triangle_axes(corners)
    local = np.einsum("pax,pcx->pca", axes, corners - corners[:, :1])[:, :, :2]
    target = np.einsum("pax,px->pa", axes, points - corners[:, 0])
    edges = local[:, 1:].swapaxes(1, 2)
    is_flat = np.abs(np.linalg.det(edges)) <= 1e-12 * (edges**2).sum(axis=(1, 2))
    edges[is_flat] = np.eye(2)
    inner = np.linalg.solve(edges, target[:, :2, None])[:, :, 0]
    inner[is_flat] = 1.0 / 3.0
    return np.column_stack([1.0 - inner.sum(axis=1), inner]), target[:, 2]


def _bound_points(ties, rods, frames) -> BoundPoints:
    width = max(1 if tie.placed.body.skin is None else tie.placed.body.skin.nodes.shape[1] for tie in ties)
    corner_nodes, corner_weights = (np.concatenate(parts) for parts in zip(*(_corners(tie, width) for tie in ties)))
    points, weights, heights = (
        np.concatenate([getattr(tie, name) for tie in ties]) for name in ("points", "weights", "heights")
    )
    strands, slots = _slots(points, rods.offsets)
    count = len(points)
    bound = BoundPoints(
        points=points.astype(np.int32),
        nodes=np.ascontiguousarray(corner_nodes.reshape(count, -1)),
        weights=(weights[:, :, None] * corner_weights).reshape(count, -1),
        corner_nodes=corner_nodes,
        corner_weights=corner_weights,
        heights=heights,
        strands=strands,
        slots=slots,
        directors=np.zeros((len(strands), 3)),
    )
    return bound._replace(directors=_start_directors(ties, bound, rods, frames))


def _corners(tie, width):
    """Nodes and weights (p, 3, width) of the triangles' corners, among the nodes of all bodies."""
    nodes, weights = tie.placed.body.embedding(tie.triangles.ravel())
    missing = width - nodes.shape[1]
    nodes = np.pad(nodes, ((0, 0), (0, missing)), mode="edge") + tie.placed.first
    weights = np.pad(weights, ((0, 0), (0, missing)))
    return nodes.reshape(*tie.triangles.shape, width).astype(np.int32), weights.reshape(*tie.triangles.shape, width)


def _slots(points, offsets):
    """Strands with bound points (b,), and these points' rows (b, k), in order along the strand."""
    order = np.lexsort((points,))
    strands = np.searchsorted(offsets, points[order], side="right") - 1
    used, firsts, counts = np.unique(strands, return_index=True, return_counts=True)
    slots = np.full((len(used), counts.max()), NONE, np.int32)
    for place in range(slots.shape[1]):
        has = counts > place
        slots[has, place] = order[firsts[has] + place]
    return used.astype(np.int32), slots


def _start_directors(ties, bound, rods, frames):
    corners = np.concatenate([_vertices(tie.placed.body, tie.triangles) for tie in ties])
    axes = triangle_axes(corners[bound.slots[:, 0]])
    return local_directors(axes, frames.directors[rods.offsets[bound.strands]])
