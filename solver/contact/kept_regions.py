"""Contact regions that are kept from step to step [contact regions, section 3]; docs/theory/regions.md, 1.

Most contacts of a step were there in the last one. Regions that lost none stay as they are, those that did are found
anew, and new contacts join what they touch.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from numba import boolean, int32, int64, uint64
from scipy.sparse.csgraph import connected_components

from ..jit_cache import compiled, kernel
from .problem import FrictionProblem

FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)  # odd, of no pattern


class Touched(NamedTuple):
    """What moves as one, and is touched by each contact; in rising order."""

    offsets: np.ndarray  # first place of each contact in the next, and the end   (m + 1,) int32
    points: np.ndarray  # (t,) int32


class KeptRegions:
    """The regions of one step's contacts, which the next step begins with."""

    def __init__(self) -> None:
        self._forget(0)

    def _forget(self, point_count):
        self.regions = np.arange(point_count, dtype=np.int32)  # smallest point of the region of each  (p,)
        self.names = np.zeros(0, np.int64)  # of the contacts that there were
        self.firsts = np.zeros(0, np.int32)  # a point of each of them
        self.found = 0, np.zeros(0, np.int32)  # what the last update gave, of contacts with all of these names
        self.all_names = self.names
        self.joined_count = 0  # contacts that were joined in the last update

    def update(self, point_count: int, touched: Touched) -> tuple[int, np.ndarray]:
        """How many regions the contacts are in now, and that of each contact (m,); other bodies begin anew."""
        if point_count != len(self.regions):
            self._forget(point_count)
        names = contact_names(touched)
        if np.array_equal(names, self.all_names):
            self.joined_count = 0
            return self.found
        has_points = np.diff(touched.offsets) > 0
        is_gone = are_missing(self.names, np.sort(names))
        is_broken = np.zeros(len(self.regions), bool)
        is_broken[self.regions[self.firsts[is_gone]]] = True
        firsts = touched.points[touched.offsets[:-1][has_points]]
        is_joining = np.zeros(len(names), bool)
        is_new = are_missing(names[has_points], np.sort(self.names))
        is_joining[has_points] = is_new | is_broken[self.regions[firsts]]
        is_loose = is_broken[self.regions]
        self.regions[is_loose] = np.flatnonzero(is_loose)
        join_points(*touched, is_joining, self.regions)
        self.names, self.firsts, self.joined_count = names[has_points], firsts, int(is_joining.sum())
        self.all_names, self.found = names, _numbered(self.regions[firsts], has_points)
        return self.found


def contact_names(touched: Touched) -> np.ndarray:
    """A number (m,) for each contact by the points that it touches: the same points, the same number."""
    names = np.empty(len(touched.offsets) - 1, np.uint64)
    name_contacts(*touched, names)
    return names.view(np.int64)


def are_missing(names: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which names (m,) are not among others, which rise."""
    is_missing = np.empty(len(names), bool)
    mark_missing(names, others, is_missing)
    return is_missing


def touched_parts(problem: FrictionProblem) -> tuple[int, Touched]:
    """How many unknowns there are, and the first of each part of A, which nothing joins, that a contact touches."""
    part_count, parts = connected_components(problem.A, directed=False)
    count = len(parts)
    firsts = np.full(part_count, count)
    np.minimum.at(firsts, parts, np.arange(count))
    entries = sparse.coo_array(problem.J)
    pairs = np.unique(entries.row // problem.width * np.int64(count) + firsts[parts[entries.col]])
    contacts, points = np.divmod(pairs, max(count, 1))
    offsets = np.searchsorted(contacts, np.arange(problem.contact_count + 1))
    return count, Touched(offsets.astype(np.int32), points.astype(np.int32))


def _numbered(roots, has_points):
    """Regions from 0 on; a contact that touches nothing that moves is one of its own."""
    regions = np.zeros(len(has_points), np.int64)
    names, regions[has_points] = np.unique(roots, return_inverse=True)
    alone = int((~has_points).sum())
    regions[~has_points] = len(names) + np.arange(alone)
    return len(names) + alone, regions


@kernel((int32[::1], int32[::1], uint64[::1]))
def name_contacts(offsets, points, names_out):
    for contact in range(len(names_out)):
        name = uint64(0)
        for place in range(offsets[contact], offsets[contact + 1]):
            mixed = uint64(points[place] + 1) * FIRST_FACTOR
            mixed ^= mixed >> uint64(31)
            name += (mixed * SECOND_FACTOR) ^ (mixed >> uint64(27))
        names_out[contact] = name


@kernel((int64[::1], int64[::1], boolean[::1]))
def mark_missing(names, others, is_missing_out):
    for place in range(len(names)):
        at = np.searchsorted(others, names[place])
        is_missing_out[place] = at == len(others) or others[at] != names[place]


@kernel((int32[::1], int32[::1], boolean[::1], int32[::1]))
def join_points(offsets, points, is_joining, regions_out):
    """Regions of points (p,), each told by its smallest one, with those of each joining contact made one."""
    for contact in range(len(is_joining)):
        if is_joining[contact]:
            for place in range(offsets[contact] + 1, offsets[contact + 1]):
                join_two(regions_out, points[place - 1], points[place])
    for point in range(len(regions_out)):
        regions_out[point] = regions_out[regions_out[point]]  # a smaller point, which is done


@compiled
def join_two(regions_out, a, b):
    a, b = _root(regions_out, a), _root(regions_out, b)
    regions_out[max(a, b)] = min(a, b)


@compiled
def _root(regions_out, point):
    """On the way, what is passed is hung higher."""
    while regions_out[point] != point:
        regions_out[point] = regions_out[regions_out[point]]
        point = regions_out[point]
    return point
