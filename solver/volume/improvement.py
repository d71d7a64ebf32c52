"""Better shapes: replace the worst tetrahedra and their neighbours by better stars."""

import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import row3
from .cavity import MOST_FACES, NEW_POINT, best_corner, best_new_point, cavity_faces, corners4, star_quality
from .mesh import tetrahedron_qualities
from .mesh_edit import begin_pass, end_pass, has_room, replace_cavity

PASSES = 6
WANTED = 0.2  # quality below which a tetrahedron is worked on
WORTHWHILE = 0.02  # share of the bad ones that a pass must replace for another to follow
LEAST_GAIN = 1.02  # of the worst quality in a cavity, by which it must improve
GOOD_GAIN = 4.0  # of a flip, from which on no new point is tried
LEAST_QUALITY = 1e-6  # below, all shapes are equally bad
CHOICES = (3, 5, 9, 6, 10, 12, 14, 13, 11, 7, 1, 2, 4, 8)  # cavities: at edges, faces, corners, as masks of corners
FIRST_CORNER = 10  # among these


def improve_shapes(points: np.ndarray, tetrahedra: np.ndarray):
    """The mesh with its worst tetrahedra replaced; the boundary stays as it is."""
    is_fresh = np.ones(len(points), bool)  # nodes where the last pass changed something: elsewhere nothing is new
    for _ in range(PASSES):
        qualities = tetrahedron_qualities(points, tetrahedra)
        bad = np.flatnonzero((qualities < WANTED) & is_fresh[tetrahedra].any(axis=1))
        bad = bad[np.argsort(qualities[bad], kind="stable")].astype(np.int32)
        edit = begin_pass(points, tetrahedra)
        changes = _improve(*edit, bad)
        if changes <= WORTHWHILE * len(bad):
            return end_pass(edit)
        is_fresh = np.zeros(edit.counts[0], bool)
        is_fresh[edit.tetrahedra[len(tetrahedra) : edit.counts[1]].ravel()] = True
        points, tetrahedra = end_pass(edit)
    return points, tetrahedra


@kernel("int64(float64[:, ::1], int32[:, ::1], boolean[::1], int32[::1], int32[::1], int32[::1], int32[::1])")
def _improve(points, tetrahedra, is_alive, counts, starts, around, bad):
    """Replace the best cavity at each bad tetrahedron that still lives; the number of changes."""
    cavity = np.empty(MOST_FACES, np.int32)
    faces = np.empty((MOST_FACES, 3), np.int32)
    changes = 0
    for worst in bad:
        best_gain, best_choice = LEAST_GAIN, -1
        for choice in range(len(CHOICES)):
            # What a flip can do needs no new point; those come last, and only for want of a good flip.
            if not is_alive[worst] or (choice >= FIRST_CORNER and best_gain > GOOD_GAIN):
                break
            size = _around(tetrahedra, is_alive, starts, around, worst, CHOICES[choice], cavity)
            gain, _, _, _ = _star_gain(points, tetrahedra, cavity, size, choice >= FIRST_CORNER, best_gain, faces)
            if gain > best_gain:
                best_gain, best_choice = gain, choice
        if best_choice < 0:
            continue
        size = _around(tetrahedra, is_alive, starts, around, worst, CHOICES[best_choice], cavity)
        _, count, node, point = _star_gain(
            points, tetrahedra, cavity, size, best_choice >= FIRST_CORNER, LEAST_GAIN, faces
        )
        if has_room(points, tetrahedra, counts, count):
            replace_cavity(points, tetrahedra, is_alive, counts, cavity, size, faces, count, node, point)
            changes += 1
    return changes


@compiled
def _star_gain(points, tetrahedra, cavity, size, may_add_point, enough, faces_out):
    """How many times better the best star of a cavity is than its tetrahedra; its face count, node and new point."""
    point = row3(points, 0)
    if size <= 0:
        return 0.0, 0, NEW_POINT, point
    before = max(_worst_in_cavity(points, tetrahedra, cavity, size), LEAST_QUALITY)
    count = cavity_faces(tetrahedra, cavity, size, faces_out)
    if count >= MOST_FACES:
        return 0.0, 0, NEW_POINT, point
    node, quality = best_corner(points, faces_out, count, enough * before)
    if may_add_point and quality < WANTED:
        new_point, new_quality = best_new_point(points, faces_out, count)
        if new_quality > quality:
            return new_quality / before, count, NEW_POINT, new_point
    if node == NEW_POINT:  # no corner was good enough
        return 0.0, count, node, point
    return quality / before, count, node, point


@compiled
def _around(tetrahedra, is_alive, starts, around, worst, corners, cavity_out):
    """All tetrahedra at the corners of one that a bit mask names; 0 if one no longer lives, or they are too many."""
    pivot, needed = 0, 0
    for corner in range(4):
        if corners & (1 << corner):
            pivot = tetrahedra[worst, corner]
            needed += 1
    size = 0
    for index in range(starts[pivot], starts[pivot + 1]):
        row = around[index]
        if _shared(tetrahedra, row, worst, corners) == needed:
            if not is_alive[row] or size >= MOST_FACES // 2:
                return 0
            cavity_out[size] = row
            size += 1
    return size


@compiled
def _shared(tetrahedra, row, worst, corners):
    """How many of the named corners of one tetrahedron another has."""
    count = 0
    for corner in range(4):
        if corners & (1 << corner):
            for other in range(4):
                if tetrahedra[row, other] == tetrahedra[worst, corner]:
                    count += 1
    return count


@compiled
def _worst_in_cavity(points, tetrahedra, cavity, size):
    worst = 2.0
    for row in range(size):
        a, b, c, d = corners4(tetrahedra, cavity[row])
        worst = min(worst, star_quality(points, b, c, d, row3(points, a)))
    return worst
