"""A tetrahedral mesh in the making: passes of independent cavities over fixed arrays."""

from typing import NamedTuple

import numpy as np

from ..jit_cache import compiled
from .cavity import NEW_POINT, write_star


class MeshEdit(NamedTuple):
    """A mesh with room for what a pass adds; `counts` holds the used points and tetrahedra."""

    points: np.ndarray  # the surface's vertices first                        (capacity, 3)
    tetrahedra: np.ndarray  # those of the start of the pass, then new ones   (capacity, 4) int32
    is_alive: np.ndarray  # false for tetrahedra that a pass replaced         (capacity,) bool
    counts: np.ndarray  # points, tetrahedra                                  (2,) int32
    starts: np.ndarray  # of each point's row in `around`                     (points + 1,) int32
    around: np.ndarray  # tetrahedra at each point when the pass began        (k,) int32


def begin_pass(points: np.ndarray, tetrahedra: np.ndarray) -> MeshEdit:
    """Room for the mesh to half again its size, and the tetrahedra around each point."""
    spare = 1000 + len(tetrahedra) // 2
    order = np.argsort(tetrahedra.ravel(), kind="stable")
    starts = np.searchsorted(tetrahedra.ravel()[order], np.arange(len(points) + 1))
    return MeshEdit(
        np.concatenate([points, np.zeros((spare, 3))]),
        np.concatenate([tetrahedra, np.zeros((spare, 4), np.int32)]).astype(np.int32),
        np.concatenate([np.ones(len(tetrahedra), bool), np.zeros(spare, bool)]),
        np.array([len(points), len(tetrahedra)], np.int32),
        starts.astype(np.int32),
        (order // 4).astype(np.int32),
    )


def end_pass(edit: MeshEdit) -> tuple[np.ndarray, np.ndarray]:
    """The mesh after the pass: all its points, and the tetrahedra that live."""
    point_count, count = edit.counts
    return edit.points[:point_count], edit.tetrahedra[:count][edit.is_alive[:count]]


def without_unused_points(points, tetrahedra, surface_count) -> tuple[np.ndarray, np.ndarray]:
    """The same mesh with the interior points that no tetrahedron uses left out."""
    used = np.zeros(len(points), bool)
    used[tetrahedra.ravel()] = True
    used[:surface_count] = True
    return points[used], (np.cumsum(used) - 1)[tetrahedra].astype(np.int32)


@compiled
def has_room(points, tetrahedra, counts, face_count):
    return counts[0] < len(points) and counts[1] + face_count <= len(tetrahedra)


@compiled
def replace_cavity(points, tetrahedra, is_alive, counts, cavity, size, faces, face_count, node, point):
    """Take the cavity's tetrahedra out and put the star of a node, or of a new point, in."""
    if node == NEW_POINT:
        node = counts[0]
        points[node, 0], points[node, 1], points[node, 2] = point
        counts[0] += 1
    for row in range(size):
        is_alive[cavity[row]] = False
    end = write_star(tetrahedra, faces, face_count, node, counts[1])
    for row in range(counts[1], end):
        is_alive[row] = True
    counts[1] = end
