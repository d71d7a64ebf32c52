"""Which edges of a triangle mesh are hinges, where they lie in the weave, and how stiff they are."""

from typing import NamedTuple

import numpy as np

from .law import element_rows


class Hinges(NamedTuple):
    nodes: np.ndarray  # the shared edge, then the opposite corners of its two triangles  (h, 4) int32
    sides: np.ndarray  # side 3 t + c of the first triangle t: from its corner c to the next (h,)


def find_hinges(triangles) -> Hinges:
    """Every edge between two triangles, whatever their orientation; where n triangles meet, n − 1 hinges join them."""
    triangles = element_rows(triangles, 3)
    starts, ends, opposites = triangles.ravel(), np.roll(triangles, -1, 1).ravel(), np.roll(triangles, -2, 1).ravel()
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    order = np.lexsort((np.arange(len(starts)), high, low))
    is_shared = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    first, second = order[:-1][is_shared], order[1:][is_shared]
    nodes = np.column_stack([starts[first], ends[first], opposites[first], opposites[second]])
    return Hinges(np.ascontiguousarray(nodes, np.int32), first)


def find_edges(triangles) -> np.ndarray:
    """Every edge once, as pairs of nodes (m, 2) int32, the smaller first."""
    triangles = element_rows(triangles, 3)
    sides = np.sort(np.stack([triangles, np.roll(triangles, -1, 1)], axis=-1).reshape(-1, 2), axis=1)
    return np.unique(sides[sides[:, 0] < sides[:, 1]], axis=0)


def hinge_directions(hinges: Hinges, rest_coordinates) -> np.ndarray:
    """Unit directions (h, 2) of the edges in the weave, from rest coordinates (t, 3, 2) along warp and weft."""
    coordinates = np.asarray(rest_coordinates, float)
    sides = (np.roll(coordinates, -1, 1) - coordinates).reshape(-1, 2)[hinges.sides]
    lengths = np.linalg.norm(sides, axis=1, keepdims=True)
    return np.divide(sides, lengths, out=np.zeros_like(sides), where=lengths > 0.0)


def directional_rigidity(directions, warp, weft) -> np.ndarray:
    """Flexural rigidity (h,) [N m] across edges of these directions: an edge along the weft bends the warp."""
    return np.multiply(warp, directions[:, 1] ** 2) + np.multiply(weft, directions[:, 0] ** 2)


def flexural_rigidity(youngs_modulus, thickness, poisson_ratio):
    """Of a plate, D = E h³ / (12 (1 − ν²)) [N m]."""
    return youngs_modulus * thickness**3 / (12.0 * (1.0 - np.square(poisson_ratio)))
