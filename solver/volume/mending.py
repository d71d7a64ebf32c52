"""Exchange the faces of a patch: try the cavities near it, fill the best one."""

import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import row3
from .cavity import MOST_FACES, NEW_POINT, add_face, best_corner, best_new_point, cavity_faces
from .mesh_edit import has_room, replace_cavity

ACCEPTABLE = 0.05  # quality of a star from which on no larger cavity is tried
LEAST = 1e-4  # quality of a star that is better than no star; far above rounding
# Cavities: behind the extra faces, around the edges that must go, around all edges, around all corners of a patch;
# from RINGS on, around one side of one face.
OWNERS, AT_GOING, AT_EDGES, AT_CORNERS, RINGS = 0, 1, 2, 3, 4


@kernel(
    "void(float64[:, ::1], int32[:, ::1], boolean[::1], int32[::1], int32[::1], int32[::1], int32[::1], "
    "int32[:, ::1], int32[::1])"
)
def mend_patches(points, tetrahedra, is_alive, counts, starts, around, patch_starts, patch_faces, owners):
    """Mend each patch whose cavity no earlier one has changed.

    `owners` is the tetrahedron of a face that is to go, −1 for a face that is to come.
    """
    taken = np.full(len(tetrahedra), -1, np.int32)  # the last trial that has this tetrahedron in its cavity
    cavity = np.empty(MOST_FACES, np.int32)
    faces = np.empty((MOST_FACES, 3), np.int32)
    trial = 0
    for patch in range(len(patch_starts) - 1):
        first, last = patch_starts[patch], patch_starts[patch + 1]
        if last - first >= MOST_FACES // 2:
            continue
        wrong, behind = patch_faces[first:last], owners[first:last]
        best, best_choice = LEAST, -1
        for turn in range(RINGS + 3 * len(wrong)):
            choice = (turn + RINGS) % (RINGS + 3 * len(wrong))  # single edges first: they make the small cavities
            if best > ACCEPTABLE and choice < RINGS:
                break
            trial += 1
            size = _cavity(tetrahedra, is_alive, starts, around, wrong, behind, choice, taken, trial, cavity)
            count = _mended_faces(tetrahedra, cavity, size, wrong, behind, faces)
            if size >= 0 and 0 < count < MOST_FACES:
                _, quality, _ = _best_apex(points, faces, count, best)
                if quality > best:
                    best, best_choice = quality, choice
        if best_choice >= 0:
            trial += 1
            size = _cavity(tetrahedra, is_alive, starts, around, wrong, behind, best_choice, taken, trial, cavity)
            count = _mended_faces(tetrahedra, cavity, size, wrong, behind, faces)
            node, _, point = _best_apex(points, faces, count, LEAST)
            if has_room(points, tetrahedra, counts, count):
                replace_cavity(points, tetrahedra, is_alive, counts, cavity, size, faces, count, node, point)


@compiled
def _cavity(tetrahedra, is_alive, starts, around, wrong, behind, choice, taken, trial, cavity_out):
    """The tetrahedra of one choice of cavity; their number, −1 if it is not to be had."""
    if choice >= RINGS:
        row, corner = (choice - RINGS) // 3, (choice - RINGS) % 3
        tail, head = wrong[row, corner], wrong[row, (corner + 1) % 3]
        if behind[row] < 0 or tail > head:
            return -1
        return _ring(tetrahedra, is_alive, starts, around, tail, head, taken, trial, 0, cavity_out)
    size = 0
    for row in range(len(wrong)):
        if behind[row] >= 0:
            size = _take(is_alive, behind[row], taken, trial, size, cavity_out)
        for corner in range(3):
            tail, head = wrong[row, corner], wrong[row, (corner + 1) % 3]
            if choice == AT_EDGES or (choice == AT_GOING and not _stays(wrong, behind, tail, head)):
                size = _ring(tetrahedra, is_alive, starts, around, tail, head, taken, trial, size, cavity_out)
            elif choice == AT_CORNERS:
                size = _ring(tetrahedra, is_alive, starts, around, tail, tail, taken, trial, size, cavity_out)
    return size


@compiled
def _stays(wrong, behind, tail, head):
    """Whether an edge belongs to a face that is to come."""
    for row in range(len(wrong)):
        if behind[row] < 0:
            a, b, c = row3(wrong, row)
            if tail in (a, b, c) and head in (a, b, c):
                return True
    return False


@compiled
def _ring(tetrahedra, is_alive, starts, around, tail, head, taken, trial, size, cavity_out):
    """Add the tetrahedra that have both nodes."""
    for index in range(starts[tail], starts[tail + 1]):
        row = around[index]
        for corner in range(4):
            if tetrahedra[row, corner] == head:
                size = _take(is_alive, row, taken, trial, size, cavity_out)
    return size


@compiled
def _take(is_alive, row, taken, trial, size, cavity_out):
    """Add one tetrahedron to a cavity, once; −1 for good if it is no longer there or the cavity is full."""
    if size < 0 or not is_alive[row] or size >= MOST_FACES:
        return -1
    if taken[row] != trial:
        taken[row] = trial
        cavity_out[size] = row
        size += 1
    return size


@compiled
def _mended_faces(tetrahedra, cavity, size, wrong, behind, faces_out):
    """The faces around a cavity with the patch's extra faces exchanged for its missing ones."""
    count = cavity_faces(tetrahedra, cavity, size, faces_out)
    for row in range(len(wrong)):
        p, q, r = row3(wrong, row)
        if behind[row] >= 0:
            count = add_face(faces_out, count, p, r, q)
        else:
            count = add_face(faces_out, count, p, q, r)
    return count


@compiled
def _best_apex(points, faces, count, enough):
    """The best apex of a cavity: a corner's node or NEW_POINT, the lowest quality of its star, and the new point."""
    node, quality = best_corner(points, faces, count, enough)
    point = row3(points, 0)
    if quality < ACCEPTABLE:
        new_point, new_quality = best_new_point(points, faces, count)
        if new_quality > quality:
            node, quality, point = NEW_POINT, new_quality, new_point
    return node, quality, point
