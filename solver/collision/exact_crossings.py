"""Whether segments and triangles have a point in common, without any rounding."""

import numpy as np

from .exact_signs import turn_signs, volume_signs

VIEWS = ((1, 2), (2, 0), (0, 1))  # what is seen along each axis


def segments_meet_triangles(p, q, a, b, c) -> tuple[np.ndarray, np.ndarray]:
    """Whether the segments pq meet the triangles abc (n,) bool, and whether they pass through their inside (n,) bool.

    All are (n, 3), the triangles not without area. Both count with their rims: what touches, meets. What meets and
    does not pass through touches with an end, or at the rim, or lies in the triangle's plane.
    """
    p_sides, q_sides = volume_signs(a, b, c, p), volume_signs(a, b, c, q)
    meets, passes = np.zeros(len(p), bool), np.zeros(len(p), bool)
    across = np.flatnonzero(p_sides * q_sides < 0)
    meets[across], passes[across] = _line_meets(*(corner[across] for corner in (p, q, a, b, c)))
    for rows, start, end in (
        (np.flatnonzero((p_sides == 0) & (q_sides == 0)), p, q),
        (np.flatnonzero((p_sides == 0) & (q_sides != 0)), p, p),
        (np.flatnonzero((p_sides != 0) & (q_sides == 0)), q, q),
    ):
        meets[rows] = _meet_in_plane(*(corner[rows] for corner in (start, end, a, b, c)))
    return meets, passes


def have_area(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Which triangles (n, 3) are more than a line or a point (n,) bool."""
    return np.any([turn_signs(a[:, view], b[:, view], c[:, view]) != 0 for view in VIEWS], axis=0)


def _line_meets(p, q, a, b, c):
    """For segments whose ends are on different sides."""
    turns = np.stack([volume_signs(p, q, a, b), volume_signs(p, q, b, c), volume_signs(p, q, c, a)])
    return (turns.max(axis=0) <= 0) | (turns.min(axis=0) >= 0), np.abs(turns.sum(axis=0, dtype=int)) == 3


def _meet_in_plane(p, q, a, b, c):
    """For segments in the triangles' planes, seen along an axis that shows the triangle, best of all large."""
    meets = np.zeros(len(p), bool)
    if not len(p):
        return meets
    turns = np.stack([turn_signs(a[:, view], b[:, view], c[:, view]) for view in VIEWS])
    sizes = np.where(turns != 0, np.abs(np.cross(b - a, c - a)).T, -1.0)
    views = sizes.argmax(axis=0)
    for number, view in enumerate(VIEWS):
        rows = np.flatnonzero(views == number)
        meets[rows] = _meet_in_view(turns[number, rows], *(corner[rows][:, view] for corner in (p, q, a, b, c)))
    return meets


def _meet_in_view(turn, p, q, a, b, c):
    """In two dimensions: a side is met, or the segment is inside."""
    corner_turns = [turn_signs(p, q, corner) for corner in (a, b, c)]
    inside = np.ones(len(p), bool)
    meets = np.zeros(len(p), bool)
    for start, end, start_turn, end_turn in (
        (a, b, corner_turns[0], corner_turns[1]),
        (b, c, corner_turns[1], corner_turns[2]),
        (c, a, corner_turns[2], corner_turns[0]),
    ):
        p_turn, q_turn = turn_signs(start, end, p), turn_signs(start, end, q)
        is_between = (start_turn * end_turn <= 0) & (p_turn * q_turn <= 0)
        meets |= is_between & _ranges_meet(p, q, start, end)  # all on one line: only their ranges tell
        inside &= p_turn == turn
    return meets | inside


def _ranges_meet(p, q, a, b):
    return ((np.maximum(p, q) >= np.minimum(a, b)) & (np.minimum(p, q) <= np.maximum(a, b))).all(axis=1)
