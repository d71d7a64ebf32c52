"""Fronts: sets of nodes eliminated together, the nodes that they touch later, and the tree that they form.

A front eliminates its pivot nodes, which are consecutive in the order of elimination, and updates its trailing nodes.
Its parent is the front that eliminates the first trailing node; all trailing nodes belong to the parent too.
"""

from typing import NamedTuple

import numpy as np
from numba import int32, int64

from ..jit_cache import compiled, compiled_with_arrays, kernel, tuple_of

# What a front costs, for the decision which ones to merge; measured on a current desktop processor.
NANOSECONDS_A_FRONT = 1500.0
NANOSECONDS_A_PRODUCT = 0.05  # of two numbers in dense tiles, with its addition
NANOSECONDS_AN_UPDATE = 1.0  # of a number in the parent

NO_PARENT = -1


class Elimination(NamedTuple):
    offsets: np.ndarray  # first block of each node's row                 (n + 1,) int32
    columns: np.ndarray  # nodes of the blocks                            (k,) int32
    order: np.ndarray  # nodes, first eliminated first                    (n,) int32
    places: np.ndarray  # of the nodes in the order                       (n,) int32
    starts: np.ndarray  # first place of each front's pivots, and the end (f + 1,) int32


elimination_type = tuple_of(Elimination, *[int32[::1]] * 5)


class FrontTree(NamedTuple):
    order: np.ndarray  # nodes, first eliminated first                            (n,) int32
    starts: np.ndarray  # first place of each front's pivots in it                 (f + 1,) int32
    parents: np.ndarray  # front to be updated, or NO_PARENT                        (f,) int32
    trailing_offsets: np.ndarray  # first of each front's trailing nodes below     (f + 1,) int64
    trailing: np.ndarray  # their places in the order, ascending in each front     (t,) int32


def build_tree(offsets, columns, order, starts) -> FrontTree:
    """Fronts of the parts that nested dissection found, merged where that is quicker; children come first.

    offsets (n + 1,), columns (k,), order (n,) and starts (p,) are int32, as `dissect` takes and returns them.
    """
    fine = _find_structure(offsets, columns, order, starts)
    return _find_structure(offsets, columns, *_renumber(fine, _merge_fronts(fine)))


def find_roots(tree: FrontTree) -> np.ndarray:
    """The last front of the tree that each front belongs to (f,) int32: one a part of the matrix that is connected."""
    roots = np.arange(len(tree.parents), dtype=np.int32)
    for front in range(len(roots) - 1, -1, -1):  # children come first
        if tree.parents[front] != NO_PARENT:
            roots[front] = roots[tree.parents[front]]
    return roots


def _find_structure(offsets, columns, order, starts):
    starts = np.append(starts, len(order)).astype(np.int32)
    places = np.empty_like(order)
    places[order] = np.arange(len(order), dtype=np.int32)
    parents = np.full(len(starts) - 1, NO_PARENT, np.int32)
    trailing_offsets = np.zeros(len(starts), np.int64)
    unsorted = _collect_trailing(Elimination(offsets, columns, order, places, starts), parents, trailing_offsets)
    trailing = np.empty_like(unsorted)
    _sort_trailing(unsorted, trailing_offsets, np.zeros(len(order) + 1, np.int64), trailing)
    return FrontTree(order, starts, parents, trailing_offsets, trailing)


@kernel((elimination_type, int32[::1], int64[::1]))
def _collect_trailing(elimination, parents_out, trailing_offsets_out):
    """Trailing nodes of each front, in any order: later neighbours of its pivots and trailing nodes of its children.

    parents_out (f,) NO_PARENT and trailing_offsets_out (f + 1,) zeros before
    """
    offsets, columns, order, places, starts = elimination
    front_count = len(starts) - 1
    front_of_place = np.empty(len(order), np.int32)
    for front in range(front_count):
        front_of_place[starts[front] : starts[front + 1]] = front
    first_child, next_sibling = np.full(front_count, -1, np.int32), np.full(front_count, -1, np.int32)
    met_by = np.full(len(order), -1, np.int32)
    trailing = np.empty(len(columns), np.int32)
    for front in range(front_count):
        begin = end = trailing_offsets_out[front]
        trailing = _with_room(trailing, end, end + len(order))
        for place in range(starts[front], starts[front + 1]):
            for block in range(offsets[order[place]], offsets[order[place] + 1]):
                end = _append_later(places[columns[block]], front, starts[front + 1], met_by, trailing, end)
        child = first_child[front]
        while child >= 0:
            for item in range(trailing_offsets_out[child], trailing_offsets_out[child + 1]):
                end = _append_later(trailing[item], front, starts[front + 1], met_by, trailing, end)
            child = next_sibling[child]
        trailing_offsets_out[front + 1] = end
        if end > begin:
            parent = parents_out[front] = front_of_place[_smallest(trailing, begin, end)]
            next_sibling[front], first_child[parent] = first_child[parent], front
    return trailing[: trailing_offsets_out[-1]].copy()


@compiled_with_arrays
def _with_room(values, used, needed):
    """The values, in a larger array if need be, of which many are not used yet."""
    if needed <= len(values):
        return values
    larger = np.empty(needed + len(values), np.int32)
    for index in range(used):  # to assign a slice would be compiled with all that numba can say of shapes that differ
        larger[index] = values[index]
    return larger


@compiled
def _append_later(place, front, first_place, met_by, trailing_out, end):
    if place < first_place or met_by[place] == front:
        return end
    met_by[place] = front
    trailing_out[end] = place
    return end + 1


@compiled
def _smallest(values, begin, end):
    smallest = values[begin]
    for index in range(begin, end):
        smallest = min(smallest, values[index])
    return smallest


@kernel("void(int32[::1], int64[::1], int64[::1], int32[::1])")
def _sort_trailing(unsorted, trailing_offsets, ends_of_places, trailing_out):
    """Sort the places of each front: first all fronts by place, then, place after place, back to their fronts.

    ends_of_places (n + 1,) zeros: workspace
    """
    for place in unsorted:
        ends_of_places[place + 1] += 1
    for place in range(1, len(ends_of_places)):
        ends_of_places[place] += ends_of_places[place - 1]
    fronts_by_place = np.empty(len(unsorted), np.int32)
    for front in range(len(trailing_offsets) - 1):
        for item in range(trailing_offsets[front], trailing_offsets[front + 1]):
            fronts_by_place[ends_of_places[unsorted[item]]] = front
            ends_of_places[unsorted[item]] += 1
    targets = trailing_offsets.copy()
    begin = 0
    for place in range(len(ends_of_places) - 1):
        for item in range(begin, ends_of_places[place]):
            front = fronts_by_place[item]
            trailing_out[targets[front]] = place
            targets[front] += 1
        begin = ends_of_places[place]


def _merge_fronts(tree):
    """For each front, the ancestor that takes over its pivots, or itself (f,).

    A merged front has more zeros to compute with, but the update of a parent and the work around a front are saved.
    """
    pivots, trailing = np.diff(tree.starts), np.diff(tree.trailing_offsets)
    costs = _cost(pivots, trailing).tolist()
    pivots, trailing = pivots.tolist(), trailing.tolist()
    merged_into = list(range(len(pivots)))
    for front, parent in enumerate(tree.parents.tolist()):
        if parent == NO_PARENT:
            continue
        together = _cost(pivots[front] + pivots[parent], trailing[parent])
        if together < costs[front] + costs[parent]:
            pivots[parent] += pivots[front]
            costs[parent] = together
            merged_into[front] = parent
    for front in reversed(range(len(merged_into))):
        merged_into[front] = merged_into[merged_into[front]]
    return np.array(merged_into)


def _cost(pivot_nodes, trailing_nodes):
    """Nanoseconds to eliminate a front's pivots and to update its parent."""
    columns = 3.0 * pivot_nodes
    rows = 12.0 * ((trailing_nodes + 3) // 4)
    products = columns * columns * columns / 6.0 + rows * columns * (columns + rows) / 2.0
    updates = 0.5 * rows * rows
    return NANOSECONDS_A_FRONT + NANOSECONDS_A_PRODUCT * products + NANOSECONDS_AN_UPDATE * updates


def _renumber(tree, merged_into):
    """The order and its parts after merging: all descendants of a front come directly before it."""
    is_kept = merged_into == np.arange(len(merged_into))
    kept_parents = np.where(tree.parents == NO_PARENT, NO_PARENT, merged_into[tree.parents])
    ranks = _rank_children_first(kept_parents.tolist(), is_kept.tolist())
    rank_of_place = np.repeat(ranks[merged_into], np.diff(tree.starts))
    by_rank = np.argsort(rank_of_place, kind="stable")
    sizes = np.bincount(rank_of_place, minlength=np.count_nonzero(is_kept))
    return tree.order[by_rank], (np.cumsum(sizes) - sizes).astype(np.int32)


def _rank_children_first(parents, is_kept):
    """Number the kept fronts such that each subtree is consecutive and ends with its root."""
    count = len(parents)
    sizes = [int(kept) for kept in is_kept]  # of subtrees; parents come after children here too
    for front in range(count):
        if is_kept[front] and parents[front] != NO_PARENT:
            sizes[parents[front]] += sizes[front]
    ranks = np.full(count, -1)
    next_rank = [0] * (count + 1)  # where the next child's subtree begins; the last entry, NO_PARENT's, is for roots
    for front in reversed(range(count)):
        if is_kept[front]:
            begin = next_rank[parents[front]]
            next_rank[parents[front]] += sizes[front]
            next_rank[front] = begin
            ranks[front] = begin + sizes[front] - 1
    return ranks
