"""The plain twin of volume/voxels.py: clip the triangle with the six planes of every cell."""

import numpy as np


def touched_voxels(corners, shape):
    touched = np.zeros(shape, bool)
    for cell in np.ndindex(shape):
        touched[cell] = any(len(_clipped(list(triangle - np.array(cell)))) > 0 for triangle in corners)
    return touched


def _clipped(polygon):
    for axis in range(3):
        polygon = _clip(polygon, lambda point, axis=axis: point[axis])
        polygon = _clip(polygon, lambda point, axis=axis: 1.0 - point[axis])
    return polygon


def _clip(polygon, height):
    """The part of a convex polygon where the height is not negative [Sutherland and Hodgman 1974]."""
    result = []
    for here, there in zip(polygon, polygon[1:] + polygon[:1]):
        if height(here) >= 0.0:
            result.append(here)
        if (height(here) < 0.0) != (height(there) < 0.0):
            result.append(here + (there - here) * height(here) / (height(here) - height(there)))
    return result
