"""Cubes cut into six tetrahedra each, neighbours being mirror images of each other."""

import numpy as np

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])  # of a cube; number 4x + 2y + z
ORDERS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))  # of the axes, a tetrahedron each
STRIDES = np.array([4, 2, 1])  # of the axes in a corner's number


def cube_tetrahedra(cells: np.ndarray) -> np.ndarray:
    """The corners of the six tetrahedra of each cube (c, 6, 4), by number.

    Kuhn's cut: a tetrahedron is a path along the edges from corner 0 to corner 7. Cubes with an odd index are
    mirrored (`cells` (c, 3)): that still fits together, and no diagonal is preferred.
    """
    paths = np.array([np.cumsum([0] + [STRIDES[axis] for axis in order]) for order in ORDERS])
    is_left_handed = np.array([order in ((0, 2, 1), (1, 0, 2), (2, 1, 0)) for order in ORDERS])
    is_odd = cells % 2 == 1
    corners = np.repeat(paths[None], len(cells), axis=0) ^ (is_odd @ STRIDES)[:, None, None]
    swap = is_left_handed[None] ^ (is_odd.sum(axis=1) % 2 == 1)[:, None]
    corners[swap] = corners[swap][:, [0, 2, 1, 3]]
    return corners


def cube_weights(cells: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners (v, 4) and weights (v, 4) of the tetrahedron at each place (v, 3) in [0, 1]³ of a cube.

    The weights are differences of the sorted coordinates, so none is negative and they sum to one.
    """
    is_odd = cells % 2 == 1
    local = np.where(is_odd, 1.0 - offsets, offsets)
    order = np.argsort(-local, axis=1, kind="stable")
    steps = np.take_along_axis(local, order, axis=1)
    first = np.zeros((len(cells), 1), int)
    corners = np.concatenate([first, np.cumsum(STRIDES[order], axis=1)], axis=1) ^ (is_odd @ STRIDES)[:, None]
    bounds = np.concatenate([np.ones((len(cells), 1)), steps, np.zeros((len(cells), 1))], axis=1)
    return corners, bounds[:, :-1] - bounds[:, 1:]
