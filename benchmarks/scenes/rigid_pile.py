"""Friction problems of rigid spheres and boxes, without a scene around them."""

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.problem import FrictionProblem

MASS, INERTIA, RADIUS = 1.0, 0.1, 0.5
TILT = 0.2  # of normals, so that no two pairs of spheres touch alike
BOX_INERTIA = MASS / 6.0  # of a cube with sides of one
UP = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def sphere_pile(
    side: int, spin: bool = False, friction: float = 0.5, seed: int = 0, heaviest: float = 1.0
) -> FrictionProblem:
    """side³ spheres in a lattice, each in contact with its neighbours, and moving at random.

    Their masses rise from layer to layer up to the heaviest, which is on top.
    """
    rng = np.random.default_rng(seed)
    pairs, axes = _neighbours(side)
    frames = _frames(np.eye(3)[axes] + TILT * rng.normal(size=(len(pairs), 3)))
    first, second = _rows(frames, RADIUS, spin), _rows(frames, -RADIUS, spin)
    width, bodies = first.shape[1], side**3
    growth = heaviest ** np.linspace(0.0, 1.0, side)[np.arange(bodies) % side]
    masses = (growth[:, None] * ([MASS] * 3 + [INERTIA] * 3)).ravel()
    J = _placed(np.concatenate([-first, second], axis=2), pairs, bodies)
    mu = [friction, friction, 0.02 * friction] if spin else friction
    f = masses * rng.normal(size=6 * bodies)
    return FrictionProblem(sparse.diags_array(masses), f, J, np.zeros((len(pairs), width)), mu, spin=spin)


def box_tower(levels: int, points: int, friction: float = 0.5, seed: int = 0) -> FrictionProblem:
    """Cubes on each other and on the ground, falling and drifting, with points² contacts between any two.

    Six of the impulses between two cubes would do: the others are redundant.
    """
    rng = np.random.default_rng(seed)
    side = np.linspace(-0.5, 0.5, points)
    x, y = (values.ravel() for values in np.meshgrid(side, side))
    above = _at(np.column_stack([x, y, np.full(len(x), -0.5)]))
    below = _at(np.column_stack([x, y, np.full(len(x), 0.5)]))
    J = np.zeros((levels, len(x), 3, levels, 6))
    for level in range(levels):
        J[level, :, :, level] = above
        if level:
            J[level, :, :, level - 1] = -below
    masses = np.tile([MASS] * 3 + [BOX_INERTIA] * 3, levels)
    velocities = [0.5, 0.2, -1.0, 0.0, 0.0, 0.3] + 0.1 * rng.normal(size=(levels, 6))
    k = np.zeros((levels * len(x), 3))
    return FrictionProblem(
        sparse.diags_array(masses), masses * velocities.ravel(), J.reshape(-1, 6 * levels), k, friction
    )


def _at(arms):
    """Velocity of points at arms from the middle, along up and two tangents (p, 3, 6)."""
    turning = np.cross(arms[:, None], UP)
    return np.concatenate([np.broadcast_to(UP, turning.shape), turning], axis=2)


def _neighbours(side):
    bodies = np.arange(side**3).reshape(side, side, side)
    parts = [
        np.stack([np.moveaxis(bodies, axis, 0)[:-1].ravel(), np.moveaxis(bodies, axis, 0)[1:].ravel()], axis=1)
        for axis in range(3)
    ]
    return np.concatenate(parts), np.repeat(np.arange(3), [len(part) for part in parts])


def _frames(normals):
    """Rows normal, tangent, tangent (m, 3, 3)."""
    normals = normals / np.linalg.norm(normals, axis=1)[:, None]
    tangents = np.cross(normals, np.roll(normals, 1, axis=1))
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    return np.stack([normals, tangents, np.cross(normals, tangents)], axis=1)


def _rows(frames, arm, spin):
    """Velocity of the surface's point at arm times the normal, by the body's velocity and turning (m, w, 6)."""
    turning = np.cross(arm * frames[:, :1], frames)
    rows = np.concatenate([frames, turning], axis=2)
    if not spin:
        return rows
    about = np.concatenate([np.zeros((len(frames), 1, 3)), frames[:, :1]], axis=2)
    return np.concatenate([rows, about], axis=1)


def _placed(values, pairs, bodies):
    count, width, _ = values.shape
    columns = (6 * pairs[:, :, None] + np.arange(6)).reshape(count, 1, 12)
    rows = width * np.arange(count)[:, None, None] + np.arange(width)[:, None]
    places = np.broadcast_to(rows, values.shape).ravel(), np.broadcast_to(columns, values.shape).ravel()
    return sparse.csr_array((values.ravel(), places), shape=(width * count, 6 * bodies))
