"""Nearest features of primitives by trying them all: the twin of the search for contacts."""

import itertools

import numpy as np

from stiction.solver.collision.feature_normals import SLACK
from tests.solver.collision.test_candidates import SINGLE, brute_force


def near_pairs(surface, positions, reach):
    """Corners of both sides (k, c), (k, d) of all pairs of points and triangles, and of edges, that are near."""
    points = np.unique(surface.edges)[:, None]
    for first, second in ((points, surface.triangles), (surface.edges, surface.edges)):
        is_near = brute_force(surface, first, second, positions, positions, positions, 0.5 * reach, SINGLE)
        own, other = np.nonzero(np.triu(is_near) if first is second else is_near)
        yield first[own], second[other]


def nearest_features(first, second, positions):
    """Distances (k,), and weights (k, c), (k, d) of the corners of each side, smallest over all their parts.

    A part's own nearest points are those of its whole plane or line; they count where they lie inside it.
    """
    best = np.full(len(first), np.inf), np.zeros(first.shape), np.zeros(second.shape)
    for own, other in itertools.product(_parts(first.shape[1]), _parts(second.shape[1])):
        if len(own) + len(other) > 4:
            continue
        found = _of_parts(first, second, own, other, positions)
        is_better = found[0] < best[0]
        for values, new in zip(best, found):
            values[is_better] = new[is_better]
    return best


def _parts(count):
    """Corners, edges and the face of a primitive with so many corners."""
    return [part for size in range(1, count + 1) for part in itertools.combinations(range(count), size)]


def _of_parts(first, second, own, other, positions):
    x, y = positions[first[:, own]], positions[second[:, other]]
    # x₀ + X a = y₀ + Y b in the sense of least squares
    matrix = np.concatenate([x[:, 1:] - x[:, :1], y[:, :1] - y[:, 1:]], axis=1).transpose(0, 2, 1)
    unknowns = np.einsum("kij,kj->ki", np.linalg.pinv(matrix, rcond=1e-9), y[:, 0] - x[:, 0])
    a, b = np.split(unknowns, [len(own) - 1], axis=1)
    weights, other_weights = np.zeros(first.shape), np.zeros(second.shape)
    weights[:, own], other_weights[:, other] = _with_first(a), _with_first(b)
    distances = np.linalg.norm(
        np.einsum("kc,kcx->kx", weights[:, own], x) - np.einsum("kd,kdx->kx", other_weights[:, other], y), axis=1
    )
    is_inside = (weights[:, own] > 0.0).all(axis=1) & (other_weights[:, other] > 0.0).all(axis=1)
    if matrix.shape[2]:  # parallel or without size: one of the parts of lower dimension is as near
        sizes = np.linalg.svd(matrix, compute_uv=False)
        is_inside &= sizes[:, -1] > 1e-9 * sizes[:, 0]
    return np.where(is_inside, distances, np.inf), weights, other_weights


def _with_first(others):
    """Weights that sum to one."""
    return np.column_stack([1.0 - others.sum(axis=1), others])


def touching_twin(surface, positions, reach):
    """Distance and separation of all contacts, by the points of both sides, {A, B}."""
    contacts = {}
    for first, second in near_pairs(surface, positions, reach):
        for pair in zip(first, second, *nearest_features(first, second, positions)):
            _add_contact(surface, positions, reach, pair, contacts)
    return contacts


def _add_contact(surface, positions, reach, pair, contacts_out):
    first, second, distance, weights, other_weights = pair
    points = surface.points
    radii = points.self_radii if points.objects[first[0]] == points.objects[second[0]] else points.radii
    separation = weights @ radii[first] + other_weights @ radii[second]
    sides = _used(first, weights), _used(second, other_weights)
    if distance < separation + reach and not points.is_given[list(sides[0] | sides[1])].all():
        offset = weights @ positions[first] - other_weights @ positions[second]
        if not _leads(surface, sides[0], -offset, positions) and not _leads(surface, sides[1], offset, positions):
            contacts_out[frozenset(sides)] = distance, separation


def _used(corners, weights):
    return frozenset(corner for corner, weight in zip(corners, weights) if weight > 0.0)


def _leads(surface, side, direction, positions):
    """Whether a primitive that a feature bounds leads along a direction, more than by the slack."""
    if len(side) == 3:
        return False
    wider = surface.edges if len(side) == 1 else surface.triangles
    for corners in wider:
        if side < set(corners):
            (more,) = set(corners) - side
            first, *others = (positions[corner] for corner in sorted(side))
            along = positions[more] - first
            for other in others:
                axis = (other - first) / np.linalg.norm(other - first)
                along = along - (along @ axis) * axis
            if along @ direction > SLACK * np.linalg.norm(along) * np.linalg.norm(direction):
                return True
    return False
