"""The rigid motions nearest to those of groups of points [Kabsch 1976]."""

from typing import NamedTuple

import numpy as np

UNTURNED = 1e-9  # of the points' spread: directions that they do not span are left as they are


class RigidMotions(NamedTuple):
    centres: np.ndarray  # where they start           (g, 3) [m]
    ends: np.ndarray  # of the centres                (g, 3) [m]
    turns: np.ndarray  # rotations about the centres  (g, 3, 3)


def nearest_rigid_motions(labels, weights, count: int, starts, motion) -> RigidMotions:
    """Of `count` groups, in the mean of squares by weight; points with labels (n,), starts and motion (n, 3) [m]."""
    totals = np.bincount(labels, weights, count)
    totals = np.where(totals > 0.0, totals, 1.0)
    centres, ends = (_sums(labels, weights, values, count) / totals[:, None] for values in (starts, starts + motion))
    before, after = starts - centres[labels], starts + motion - ends[labels]
    products = np.zeros((count, 3, 3))
    np.add.at(products, labels, (weights / totals[labels])[:, None, None] * before[:, :, None] * after[:, None, :])
    spread = np.einsum("gii->g", np.abs(products))
    products += UNTURNED * spread[:, None, None] * np.eye(3)
    return RigidMotions(centres, ends, _nearest_rotations(products))


def rigidly_moved(rigid: RigidMotions, labels, starts) -> np.ndarray:
    """The motion (n, 3) [m] of points with labels (n,) and starts (n, 3) along with their groups."""
    offsets = starts - rigid.centres[labels]
    return rigid.ends[labels] + np.einsum("nij,nj->ni", rigid.turns[labels], offsets) - starts


def _sums(labels, weights, vectors, count):
    return np.stack([np.bincount(labels, weights * vectors[:, axis], count) for axis in range(3)], axis=1)


def _nearest_rotations(products):
    """R (g, 3, 3) with the largest Σ w (R a) · b, from Σ w a bᵀ."""
    left, _, right = np.linalg.svd(products)
    turns = np.swapaxes(left @ right, 1, 2)
    is_mirrored = np.linalg.det(turns) < 0.0
    right[is_mirrored, 2] *= -1.0
    return np.swapaxes(left @ right, 1, 2)
