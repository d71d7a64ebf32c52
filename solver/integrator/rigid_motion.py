"""The rigid motions nearest to those of groups of points [Kabsch 1976]."""

from typing import NamedTuple

import numpy as np

TINY = float(np.finfo(float).tiny)
UNTURNED = 1e-15  # of the points' spread: directions that they do not span are left as they are


class RigidMotions(NamedTuple):
    centres: np.ndarray  # where they start           (g, 3) [m]
    ends: np.ndarray  # of the centres                (g, 3) [m]
    turns: np.ndarray  # rotations about the centres  (g, 3, 3)


def nearest_rigid_motions(labels, weights, count: int, starts, motion) -> RigidMotions:
    """Of `count` groups, in the mean of squares by weight; points with labels (n,), starts and motion (n, 3) [m]."""
    centres, ends = (weighted_means(labels, weights, count, values) for values in (starts, starts + motion))
    before, after = starts - centres[labels], starts + motion - ends[labels]
    products = np.zeros((count, 3, 3))
    shares = weights / np.maximum(np.bincount(labels, weights, count), TINY)[labels]
    np.add.at(products, labels, shares[:, None, None] * before[:, :, None] * after[:, None, :])
    spread = np.einsum("gii->g", np.abs(products))
    products += UNTURNED * spread[:, None, None] * np.eye(3)
    return RigidMotions(centres, ends, _nearest_rotations(products))


def rigidly_moved(rigid: RigidMotions, labels, starts) -> np.ndarray:
    """The motion (n, 3) [m] of points with labels (n,) and starts (n, 3) along with their groups."""
    offsets = starts - rigid.centres[labels]
    return rigid.ends[labels] + np.einsum("nij,nj->ni", rigid.turns[labels], offsets) - starts


def weighted_means(labels, weights, count: int, vectors) -> np.ndarray:
    """Of the vectors (n, 3) with each of `count` labels; zero where there are none."""
    totals = np.maximum(np.bincount(labels, weights, count), TINY)
    return np.stack([np.bincount(labels, weights * vectors[:, axis], count) / totals for axis in range(3)], axis=1)


def _nearest_rotations(products):
    """R (g, 3, 3) with the largest Σ w (R a) · b, from Σ w a bᵀ."""
    left, _, right = np.linalg.svd(products)
    turns = np.swapaxes(left @ right, 1, 2)
    is_mirrored = np.linalg.det(turns) < 0.0
    right[is_mirrored, 2] *= -1.0
    return np.swapaxes(left @ right, 1, 2)
