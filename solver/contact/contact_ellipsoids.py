"""Contacts whose friction is an ellipsoid: it differs between two tangents, and resists spinning.

docs/theory/proximal.md, 3 and 10 to 13.
"""

from typing import NamedTuple

import numpy as np


class ContactEllipsoids(NamedTuple):
    """One for each contact of a set; or none, where all have a cone of friction."""

    tangents: np.ndarray  # of length one, in world axes                                         (m, 3)
    axes: np.ndarray  # coefficients of friction along the tangent, across it, and of spinning [m]   (m, 3)
    turning: np.ndarray  # what is given of the relative angular velocity along the normal       (m,) [rad/s]


NO_ELLIPSOIDS = ContactEllipsoids(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0))


def any_tangents(normals: np.ndarray) -> np.ndarray:
    """A direction of length one at right angles to each normal (m, 3)."""
    least = np.argmin(np.abs(normals), axis=1)
    tangents = np.cross(normals, np.eye(3)[least])
    return tangents / np.linalg.norm(tangents, axis=1)[:, None]
