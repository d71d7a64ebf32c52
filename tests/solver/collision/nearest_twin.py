"""Nearest features of primitives by trying them all: the twin of the search for contacts."""

import itertools

import numpy as np

from stiction.solver.collision.feature_normals import SLACK
from tests.solver.collision.test_candidates import SINGLE, brute_force


def near_pairs(surface, positions, reach):
    """Corners of both sides of all pairs that may meet and whose boxes overlap."""
    points = np.unique(surface.edges)[:, None]
    for first, second in ((points, surface.triangles), (surface.edges, surface.edges)):
        is_near = brute_force(surface, first, second, positions, positions, 0.5 * reach, SINGLE)
        if first is second:
            is_near = np.triu(is_near)
        yield from ((first[i], second[j]) for i, j in zip(*np.nonzero(is_near)))


def nearest_features(first, second, positions):
    """Distance, and weights of the corners of each side, smallest over all pairs of parts of two primitives.

    A part's own nearest points are those of its whole plane or line; they count where they lie inside it.
    """
    best = np.inf, None, None
    for own_count in range(1, len(first) + 1):
        for other_count in range(1, len(second) + 1):
            for own in itertools.combinations(range(len(first)), own_count):
                for other in itertools.combinations(range(len(second)), other_count):
                    best = min(best, _of_parts(first, second, own, other, positions), key=lambda found: found[0])
    return best


def _of_parts(first, second, own, other, positions):
    nowhere = np.inf, None, None
    if len(own) + len(other) > 4:
        return nowhere
    x, y = positions[[first[i] for i in own]], positions[[second[j] for j in other]]
    # x₀ + X a = y₀ + Y b in the sense of least squares
    matrix = np.column_stack([*(x[1:] - x[0]), *(-(y[1:] - y[0]))]) if len(own) + len(other) > 2 else np.empty((3, 0))
    unknowns, _, rank, _ = np.linalg.lstsq(matrix, y[0] - x[0], rcond=1e-9)
    if rank < matrix.shape[1]:
        return nowhere  # parallel or without size: one of the parts of lower dimension is as near
    a, b = unknowns[: len(own) - 1], unknowns[len(own) - 1 :]
    weights, other_weights = np.array([1 - a.sum(), *a]), np.array([1 - b.sum(), *b])
    if weights.min() <= 0.0 or other_weights.min() <= 0.0:
        return nowhere
    all_weights, all_other = np.zeros(len(first)), np.zeros(len(second))
    all_weights[list(own)], all_other[list(other)] = weights, other_weights
    return float(np.linalg.norm(weights @ x - other_weights @ y)), all_weights, all_other


def touching_twin(surface, positions, reach):
    """Distance and separation of all contacts, by the points of both sides, {A, B}."""
    contacts = {}
    points = surface.points
    for first, second in near_pairs(surface, positions, reach):
        distance, weights, other_weights = nearest_features(first, second, positions)
        radii = points.self_radii if points.objects[first[0]] == points.objects[second[0]] else points.radii
        separation = weights @ radii[list(first)] + other_weights @ radii[list(second)]
        sides = _used(first, weights), _used(second, other_weights)
        if distance < separation + reach and not points.is_given[list(sides[0] | sides[1])].all():
            offset = weights @ positions[list(first)] - other_weights @ positions[list(second)]
            if not _leads(surface, sides[0], -offset, positions) and not _leads(surface, sides[1], offset, positions):
                contacts[frozenset(sides)] = distance, separation
    return contacts


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
