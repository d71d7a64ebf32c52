"""Fronts: sets of nodes eliminated together, the nodes that they touch later, and the tree that they form.

A front eliminates its pivot nodes, which are consecutive in the order of elimination, and updates its trailing nodes.
Its parent is the front that eliminates the first trailing node; all trailing nodes belong to the parent too.
"""

from typing import NamedTuple

import numpy as np

from ..jit_cache import compiled, kernel

# What a front costs, for the decision which ones to merge; measured on a current desktop processor.
NANOSECONDS_A_FRONT = 1500.0
NANOSECONDS_A_PRODUCT = 0.05  # of two numbers in dense tiles, with its addition
NANOSECONDS_AN_UPDATE = 1.0  # of a number in the parent

NO_PARENT = -1


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
    merged_into = _merge_fronts(fine.starts, fine.parents, fine.trailing_offsets)
    return _find_structure(offsets, columns, *_renumber(fine.order, fine.starts, fine.parents, merged_into))


def _find_structure(offsets, columns, order, starts):
    starts = np.append(starts, len(order)).astype(np.int32)
    places = np.empty_like(order)
    places[order] = np.arange(len(order), dtype=np.int32)
    parents, trailing_offsets, trailing = _collect_trailing(offsets, columns, order, places, starts)
    return FrontTree(order, starts, parents, trailing_offsets, trailing)


@kernel(
    "Tuple((int32[::1], int64[::1], int32[::1]))(int32[::1], int32[::1], int32[::1], int32[::1], int32[::1])",
)
def _collect_trailing(offsets, columns, order, places, starts):
    """Trailing nodes of each front: later neighbours of its pivots and trailing nodes of its children."""
    front_count = len(starts) - 1
    front_of_place = np.empty(len(order), np.int32)
    for front in range(front_count):
        front_of_place[starts[front] : starts[front + 1]] = front
    parents = np.full(front_count, NO_PARENT, np.int32)
    first_child, next_sibling = np.full(front_count, -1, np.int32), np.full(front_count, -1, np.int32)
    met_by = np.full(len(order), -1, np.int32)
    trailing_offsets = np.zeros(front_count + 1, np.int64)
    trailing = np.empty(len(columns), np.int32)
    for front in range(front_count):
        begin = end = trailing_offsets[front]
        while len(trailing) < end + len(order):
            trailing = np.concatenate((trailing, np.empty_like(trailing)))
        for place in range(starts[front], starts[front + 1]):
            neighbours = places[columns[offsets[order[place]] : offsets[order[place] + 1]]]
            end = _append_later(neighbours, front, starts[front + 1], met_by, trailing, end)
        child = first_child[front]
        while child >= 0:
            rows = trailing[trailing_offsets[child] : trailing_offsets[child + 1]]
            end = _append_later(rows, front, starts[front + 1], met_by, trailing, end)
            child = next_sibling[child]
        trailing[begin:end].sort()
        trailing_offsets[front + 1] = end
        if end > begin:
            parent = parents[front] = front_of_place[trailing[begin]]
            next_sibling[front], first_child[parent] = first_child[parent], front
    return parents, trailing_offsets, trailing[: trailing_offsets[-1]].copy()


@compiled
def _append_later(places, front, first_place, met_by, trailing_out, end):
    for place in places:
        if place >= first_place and met_by[place] != front:
            met_by[place] = front
            trailing_out[end] = place
            end += 1
    return end


@kernel("int32[::1](int32[::1], int32[::1], int64[::1])")
def _merge_fronts(starts, parents, trailing_offsets):
    """For each front, the ancestor that takes over its pivots, or itself.

    A merged front has more zeros to compute with, but the update of a parent and the work around a front are saved.
    """
    front_count = len(parents)
    pivots = np.diff(starts)
    trailing = np.diff(trailing_offsets)
    merged_into = np.arange(front_count).astype(np.int32)
    for front in range(front_count):
        parent = parents[front]
        if parent == NO_PARENT:
            continue
        apart = _cost(pivots[front], trailing[front]) + _cost(pivots[parent], trailing[parent])
        if _cost(pivots[front] + pivots[parent], trailing[parent]) < apart:
            pivots[parent] += pivots[front]
            merged_into[front] = parent
    for front in range(front_count - 1, -1, -1):
        merged_into[front] = merged_into[merged_into[front]]
    return merged_into


@compiled
def _cost(pivot_nodes, trailing_nodes):
    """Nanoseconds to eliminate a front's pivots and to update its parent."""
    columns = 3.0 * pivot_nodes
    rows = 12.0 * ((trailing_nodes + 3) // 4)
    products = columns**3 / 6.0 + rows * columns**2 / 2.0 + rows**2 * columns / 2.0
    updates = 0.5 * rows**2
    return NANOSECONDS_A_FRONT + NANOSECONDS_A_PRODUCT * products + NANOSECONDS_AN_UPDATE * updates


def _renumber(order, starts, parents, merged_into):
    """The order and its parts after merging: all descendants of a front come directly before it."""
    is_kept = merged_into == np.arange(len(merged_into))
    kept_parents = np.where(parents == NO_PARENT, NO_PARENT, merged_into[parents]).astype(np.int32)
    ranks = _rank_children_first(kept_parents, is_kept)
    rank_of_place = np.repeat(ranks[merged_into], np.diff(starts))
    by_rank = np.argsort(rank_of_place, kind="stable")
    sizes = np.bincount(rank_of_place, minlength=np.count_nonzero(is_kept))
    return order[by_rank], (np.cumsum(sizes) - sizes).astype(np.int32)


@kernel("int32[::1](int32[::1], boolean[::1])")
def _rank_children_first(parents, is_kept):
    """Number the kept fronts such that each subtree is consecutive and ends with its root."""
    count = len(parents)
    sizes = is_kept.astype(np.int32)  # of subtrees; parents come after children here too
    for front in range(count):
        if is_kept[front] and parents[front] != NO_PARENT:
            sizes[parents[front]] += sizes[front]
    ranks = np.full(count, -1, np.int32)
    next_rank = np.zeros(count + 1, np.int32)  # where the next child's subtree begins; the last entry is for roots
    for front in range(count - 1, -1, -1):
        if is_kept[front]:
            parent = parents[front] if parents[front] != NO_PARENT else count
            begin = next_rank[parent]
            next_rank[parent] += sizes[front]
            next_rank[front] = begin
            ranks[front] = begin + sizes[front] - 1
    return ranks
