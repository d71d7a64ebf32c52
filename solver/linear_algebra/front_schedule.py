"""Who may do what when: a list of tasks for any number of threads.

Subtrees of the tree of fronts that are small are one task each. The fronts above them are cut into chunks of rows and
columns, so that several threads can work on one front. The list depends on the matrix's pattern only, never on the number
of threads, and each task computes the same whoever does it.
"""

from typing import NamedTuple

import numpy as np

from ..jit_cache import kernel
from .elimination_tree import NO_PARENT, FrontTree
from .front_layout import PANEL_NODES

CHUNK_PANELS = 8  # rows and columns of a task: a chunk of 96 × 96 numbers, with its operands, fits in a fast cache
SUBTREE_SHARE = 1.0 / 64.0  # of all work, at most in a subtree: enough for the threads of a desktop computer

SUBTREE, ASSEMBLE, ELIMINATE, UPDATE = 0, 1, 2, 3

# Columns of the table of counters' places.
FINISHED, FINISHED_AT, PROGRESS = 0, 1, 2


class Schedule(NamedTuple):
    tasks: np.ndarray  # kind, front, chunk of rows or first front of a subtree, chunk of columns  (t, 4) int32
    counters: np.ndarray  # of each front: where its counter of finished tasks is, the value at which the front
    #                       is finished, where the counters of its chunks' progress are            (f, 3) int32
    counter_count: int


def find_subtrees(tree: FrontTree) -> np.ndarray:
    """First front of the subtree that each front belongs to, or −1 for the fronts above (f,) int32."""
    pivots = 3.0 * np.diff(tree.starts)
    trailing = 3.0 * np.diff(tree.trailing_offsets)
    return _find_subtrees(tree.parents, pivots**3 / 3.0 + trailing * pivots * (trailing + pivots))


@kernel("int32[::1](int32[::1], float64[::1])")
def _find_subtrees(parents, work):
    count = len(parents)
    sums, sizes = work.copy(), np.ones(count, np.int32)
    for front in range(count):
        if parents[front] != NO_PARENT:
            sums[parents[front]] += sums[front]
            sizes[parents[front]] += sizes[front]
    largest = SUBTREE_SHARE * np.sum(work)
    starts = np.full(count, -1, np.int32)
    for front in range(count - 1, -1, -1):
        if starts[front] < 0 and sums[front] <= largest:
            starts[front + 1 - sizes[front] : front + 1] = front + 1 - sizes[front]
    return starts


def make_schedule(tree: FrontTree, subtree_starts) -> Schedule:
    front_count = len(tree.parents)
    counters = np.zeros((front_count, 3), np.int32)
    counters[:, FINISHED] = 1 + np.arange(front_count)  # the counter before them is that of tasks taken
    counters[:, FINISHED_AT] = 1
    counter_count = 1 + front_count
    tasks = _subtree_tasks(tree, subtree_starts)
    for front in _from_the_bottom_up(tree.parents, subtree_starts):
        pivot_chunks = _chunks(tree.starts[front + 1] - tree.starts[front])
        trailing_chunks = _chunks(tree.trailing_offsets[front + 1] - tree.trailing_offsets[front])
        tasks += _front_tasks(int(front), pivot_chunks, trailing_chunks)
        counters[front, FINISHED_AT] = trailing_chunks * (trailing_chunks + 1) // 2
        counters[front, PROGRESS] = counter_count
        counter_count += pivot_chunks + trailing_chunks
    return Schedule(np.array(tasks, np.int32).reshape(-1, 4), counters, counter_count)


def _subtree_tasks(tree, subtree_starts):
    is_root = (subtree_starts >= 0) & (np.append(subtree_starts[1:], -1) != subtree_starts)
    return [(SUBTREE, int(root), int(subtree_starts[root]), 0) for root in np.flatnonzero(is_root)]


def _from_the_bottom_up(parents, subtree_starts):
    """Fronts above the subtrees, those first that wait for the fewest generations."""
    heights = np.zeros(len(parents), np.int32)
    above = np.flatnonzero(subtree_starts < 0)
    for front in above:
        if parents[front] != NO_PARENT:
            heights[parents[front]] = max(heights[parents[front]], heights[front] + 1)
    return above[np.argsort(heights[above], kind="stable")]


def _chunks(nodes):
    return int(-(-nodes // (PANEL_NODES * CHUNK_PANELS)))


def _front_tasks(front, pivot_chunks, trailing_chunks):
    """Column after column; the next diagonal chunk as early as it can be done, since all others wait for it."""
    rows = pivot_chunks + trailing_chunks
    tasks = [(ASSEMBLE, front, row, 0) for row in range(rows)]
    tasks.append((ELIMINATE, front, 0, 0))
    for column in range(pivot_chunks):
        for row in range(column + 1, rows):
            tasks.append((ELIMINATE, front, row, column))
            if row == column + 1 < pivot_chunks:
                tasks.append((ELIMINATE, front, row, row))
    tasks += [(UPDATE, front, row, column) for row in range(trailing_chunks) for column in range(row + 1)]
    return tasks
