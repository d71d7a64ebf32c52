"""Refusals of rest shapes, and of what is inside closed cloth."""

from collections.abc import Iterator

import numpy as np

from .scene import Cloth, Hair, SoftBody


def rest_troubles(item) -> Iterator[str]:
    """Sentences about the rest shape of one object and what fills it."""
    if isinstance(item, Cloth | Hair) and item.rest_positions is not None:
        if item.rest_positions.shape != item.positions.shape:
            yield f"its rest shape has {len(item.rest_positions)} vertices, but it has {len(item.positions)}."
        elif not np.isfinite(item.rest_positions).all():
            yield "its rest shape is not finite. Undo the edit that made it."
    if isinstance(item, Cloth):
        yield from _pattern_troubles(item)
        yield from _pressure_troubles(item)
    if isinstance(item, SoftBody):
        if item.frame_count < 0:
            yield f"its number of frames must not be negative (it is {item.frame_count})."
        if item.resolution is not None and item.resolution < 1:
            yield f"its resolution must be at least 1 (it is {item.resolution})."


def _pattern_troubles(cloth):
    if cloth.rest_corners is None:
        return
    if cloth.rest_corners.shape != (len(cloth.triangles), 3, 2):
        yield "its sewing pattern does not have a triangle for each face. Unwrap it anew."
    elif not np.isfinite(cloth.rest_corners).all():
        yield "its sewing pattern is not finite. Unwrap it anew."
    elif not _areas(cloth.rest_corners).any():
        yield "its sewing pattern has no area: all its faces lie on a point or a line of the UV map. Unwrap it."


def _pressure_troubles(cloth):
    if not np.isfinite(cloth.pressure):
        yield "its pressure is not finite."
    elif (cloth.pressure or cloth.is_sealed) and not _is_closed(cloth.triangles):
        yield "it has pressure inside, but its surface is open. Close its holes, or set the pressure to zero."


def _areas(corners):
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]


def _is_closed(triangles):
    """Every edge has two faces."""
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, counts = np.unique(sides, axis=0, return_counts=True)
    return bool((counts == 2).all())
