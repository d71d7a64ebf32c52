"""Refusals of rest shapes, and of what is inside closed cloth."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .degenerate_elements import segments_without_length, triangles_without_area
from .filling import filling_troubles
from .scene import Cloth, Hair, SoftBody


class Trouble(NamedTuple):
    """A sentence about one object."""

    sentence: str
    elements: tuple[int, ...] = ()  # vertices that it is about
    is_warning: bool = False


def rest_troubles(item) -> Iterator[Trouble]:
    """What is wrong with the rest shape of one object and what fills it."""
    if isinstance(item, Hair):
        yield from _shape_troubles(item)
    if isinstance(item, Cloth):
        yield from [*_shape_troubles(item), *_pattern_troubles(item)] or _face_troubles(item)
        yield from _pressure_troubles(item)
    if isinstance(item, SoftBody):
        if item.frame_count < 0:
            yield Trouble(f"its number of frames must not be negative (it is {item.frame_count}).")
        if item.resolution is not None and item.resolution < 1:
            yield Trouble(f"its resolution must be at least 1 (it is {item.resolution}).")
        if item.filling is not None:
            yield from map(Trouble, filling_troubles(item.filling, item.positions, item.triangles))


def segment_words(point: int, offsets: np.ndarray) -> str:
    """Where a segment of strands with offsets (s + 1,) is, by its first point."""
    strand = int(np.searchsorted(offsets, point, side="right")) - 1
    return f"at point {point} of strand {strand}"


def _shape_troubles(item):
    shape = item.rest_positions
    if shape is None:
        return
    if shape.shape != item.positions.shape:
        yield Trouble(f"its rest shape has {len(shape)} vertices, but it has {len(item.positions)}.")
    elif not np.isfinite(shape).all():
        yield Trouble("its rest shape is not finite. Undo the edit that made it.")
    elif isinstance(item, Hair):
        yield from _segment_troubles(item)


def _segment_troubles(hair):
    bad = segments_without_length(hair.rest_positions, hair.strand_offsets)
    if len(bad):
        count = "1 segment" if len(bad) == 1 else f"{len(bad)} segments"
        yield Trouble(f"its rest shape has {count} without length (first: {segment_words(bad[0], hair.strand_offsets)})"
                      ". Move the points of its shape key apart.", tuple(bad.tolist()))  # fmt: skip


def _pattern_troubles(cloth):
    corners = cloth.rest_corners
    if corners is None:
        return
    if corners.shape != (len(cloth.triangles), 3, 2):
        yield Trouble("its sewing pattern does not have a triangle for each face. Unwrap it anew.")
    elif not np.isfinite(corners).all():
        yield Trouble("its sewing pattern is not finite. Unwrap it anew.")


def _face_troubles(cloth):
    """Of the triangles at rest. A few without area are survived: they have no stiffness and no mass."""
    corners, subject, remedy = _rest_faces(cloth)
    is_flat = triangles_without_area(corners)
    flat, bad = cloth.triangles[is_flat], _weightless(cloth, is_flat)
    if is_flat.all():
        yield Trouble(f"{subject} no area: all its faces lie on a point or a line there. {remedy}")
    elif len(bad):
        count = "1 vertex" if len(bad) == 1 else f"{len(bad)} vertices"
        yield Trouble(f"{subject} {count} in faces without area only (first: {bad[0]}), and so without mass. {remedy}",
                      tuple(bad.tolist()))  # fmt: skip
    elif len(flat) and (cloth.rest_positions is not None or cloth.rest_corners is not None):
        count = "1 triangle" if len(flat) == 1 else f"{len(flat)} triangles"
        first = " ".join(map(str, flat[0]))
        yield Trouble(f"{subject} {count} without area (first: of the vertices {first}), which will not keep their "
                      f"shape. {remedy}", tuple(np.unique(flat).tolist()), is_warning=True)  # fmt: skip


def _rest_faces(cloth):
    """Corners of the triangles at rest, who has them, and what helps."""
    if cloth.rest_corners is not None:
        return cloth.rest_corners, "its sewing pattern has", "Unwrap it anew."
    corners = cloth.rest_shape[cloth.triangles]
    if cloth.rest_positions is not None:
        return corners, "its rest shape has", "Choose another shape key."
    return corners, "it has", "Merge by Distance, or delete them."


def _weightless(cloth, is_flat):
    """Vertices (k,) that no face gives a mass, though they have to move by it."""
    is_heavy = np.zeros(len(cloth.positions), bool)
    is_heavy[cloth.triangles[~is_flat]] = True
    is_heavy[cloth.pinned] = True
    return np.flatnonzero(~is_heavy)


def _pressure_troubles(cloth):
    if not np.isfinite(cloth.pressure):
        yield Trouble("its pressure is not finite.")
    elif (cloth.pressure or cloth.is_sealed) and not _is_closed(cloth.triangles):
        yield Trouble("it has pressure inside, but its surface is open. Close its holes, or set the pressure to zero.")


def _is_closed(triangles):
    """Every edge has two faces."""
    sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, counts = np.unique(sides, axis=0, return_counts=True)
    return bool((counts == 2).all())
