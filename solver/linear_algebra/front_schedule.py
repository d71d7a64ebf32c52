"""Who may do what when: a list of tasks for any number of threads.

Subtrees of the tree of fronts that are small are one task each. The fronts above them are cut into chunks of rows and
columns, so that several threads can work on one front. The list depends on the matrix's pattern only, never on the
number of threads, and each task computes the same whoever does it.
"""

from typing import NamedTuple

import numpy as np
from numba import boolean, int64

from ..jit_cache import tuple_of
from .elimination_tree import NO_PARENT, FrontTree
from .front_layout import PANEL_NODES

CHUNK_PANELS = 8  # rows and columns of a task: a chunk of 96 × 96 numbers, with its operands, fits in a fast cache
SUBTREE_SHARE = 1.0 / 64.0  # of all work, at most in a subtree: enough for the threads of a desktop computer

# Trees between the forward and the backward substitution of one: its factor is then still in the cache, and threads
# that come for the latter seldom wait for the former.
LAG = 4
SOLVE_CHUNK_PANELS = 16  # rows or columns of a task of a solve, which does far less with a number than a factorisation

SUBTREE, ASSEMBLE, ELIMINATE, UPDATE = 0, 1, 2, 3
FORWARD_SUBTREE, FORWARD_PIVOTS, FORWARD_TRAILING, BACKWARD_COLUMNS, BACKWARD_PIVOTS, BACKWARD_SUBTREE = range(6)

# Columns of the table of counters' places.
FINISHED, FINISHED_AT, PROGRESS = 0, 1, 2


class FactorTasks(NamedTuple):
    tasks: np.ndarray  # kind, front, chunk of rows or first front of a subtree, chunk of columns (t, 4) int64
    counters: np.ndarray  # of each front: where its counter of finished tasks is, the value at which the front
    #                       is finished, where the counters of its chunks' progress are           (f, 3) int64


class SolveTasks(NamedTuple):
    tasks: np.ndarray  # kind, front, chunk or first front of a subtree                           (s, 3) int64
    carry_tasks: np.ndarray  # how many tasks of a front update right-hand sides above it         (f,) int64
    is_due: np.ndarray  # whether a front is solved at all, or what it carries up is known        (f,) bool


class Schedule(NamedTuple):
    factor: FactorTasks
    counter_count: int
    solve: SolveTasks


factor_tasks_type = tuple_of(FactorTasks, int64[:, ::1], int64[:, ::1])
solve_tasks_type = tuple_of(SolveTasks, int64[:, ::1], int64[::1], boolean[::1])


def find_subtrees(tree: FrontTree) -> np.ndarray:
    """First front of the subtree that each front belongs to, or −1 for the fronts above (f,) int32."""
    pivots = 3.0 * np.diff(tree.starts)
    trailing = 3.0 * np.diff(tree.trailing_offsets)
    work = pivots**3 / 3.0 + trailing * pivots * (trailing + pivots)
    largest = SUBTREE_SHARE * work.sum()
    sums, sizes = work.tolist(), [1] * len(work)
    for front, parent in enumerate(tree.parents.tolist()):
        if parent != NO_PARENT:
            sums[parent] += sums[front]
            sizes[parent] += sizes[front]
    starts = np.full(len(work), -1, np.int32)
    front = len(work) - 1
    while front >= 0:
        size = 1
        if sums[front] <= largest:
            size = sizes[front]
            starts[front + 1 - size : front + 1] = front + 1 - size
        front -= size
    return starts


def make_schedule(tree: FrontTree, subtree_starts) -> Schedule:
    """All tasks of a factorisation and of a solve; subtree_starts as `find_subtrees` returns them."""
    subtrees = _subtrees(subtree_starts)
    above = _from_the_bottom_up(tree.parents, subtree_starts)
    pivots, trailing = np.diff(tree.starts), np.diff(tree.trailing_offsets)
    front_count = len(tree.parents)
    counters = np.zeros((front_count, 3), np.int64)
    counters[:, FINISHED] = 1 + np.arange(front_count)  # the counter before them is that of tasks taken
    counters[:, FINISHED_AT] = 1
    counter_count = 1 + front_count
    tasks = [(SUBTREE, root, first, 0) for first, root in subtrees]
    for front in above:
        pivot_chunks, trailing_chunks = (_chunks(nodes[front], CHUNK_PANELS) for nodes in (pivots, trailing))
        tasks += _front_tasks(front, pivot_chunks, trailing_chunks)
        counters[front, FINISHED_AT] = trailing_chunks * (trailing_chunks + 1) // 2
        counters[front, PROGRESS] = counter_count
        counter_count += pivot_chunks + trailing_chunks
    factor = FactorTasks(np.array(tasks, np.int64).reshape(-1, 4), counters)
    is_whole = {root for _, root in subtrees if tree.parents[root] == NO_PARENT}
    return Schedule(factor, counter_count, _solve_tasks(subtrees, is_whole, above, pivots, trailing))


def _subtrees(subtree_starts):
    """First front and root of each subtree."""
    is_root = (subtree_starts >= 0) & (np.append(subtree_starts[1:], -1) != subtree_starts)
    return [(int(subtree_starts[root]), int(root)) for root in np.flatnonzero(is_root)]


def _from_the_bottom_up(parents, subtree_starts):
    """Fronts above the subtrees, those first that wait for the fewest generations."""
    heights = np.zeros(len(parents), np.int32)
    above = np.flatnonzero(subtree_starts < 0)
    for front in above:
        if parents[front] != NO_PARENT:
            heights[parents[front]] = max(heights[parents[front]], heights[front] + 1)
    return above[np.argsort(heights[above], kind="stable")].tolist()


def _chunks(nodes, panels):
    return int(-(-nodes // (PANEL_NODES * panels)))


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


def _solve_tasks(subtrees, is_whole, above, pivots, trailing):
    """Forward substitution from the bottom up, then backward substitution from the top down; before that, subtrees
    that are whole trees, one after the other."""
    carry_tasks = np.ones(len(pivots), np.int64)
    whole = _in_turn([(root, first) for first, root in subtrees if root in is_whole])
    forward = [(FORWARD_SUBTREE, root, first) for first, root in subtrees if root not in is_whole]
    backward = [(BACKWARD_SUBTREE, root, first) for first, root in subtrees if root not in is_whole]
    for front in above:
        carry_tasks[front] = _chunks(trailing[front], SOLVE_CHUNK_PANELS)
        forward.append((FORWARD_PIVOTS, front, 0))
        forward += [(FORWARD_TRAILING, front, chunk) for chunk in range(carry_tasks[front])]
        backward.append((BACKWARD_PIVOTS, front, 0))
        backward += [(BACKWARD_COLUMNS, front, i) for i in range(_chunks(pivots[front], SOLVE_CHUNK_PANELS))]
    tasks = np.array(whole + forward + backward[::-1], np.int64).reshape(-1, 3)
    return SolveTasks(tasks, carry_tasks, np.ones(len(pivots), bool))


def _in_turn(trees):
    """Both substitutions of each tree, the second a little after the first."""
    forward = [(FORWARD_SUBTREE, *tree) for tree in trees]
    backward = [(BACKWARD_SUBTREE, *tree) for tree in trees]
    tasks = forward[:LAG]
    for place, task in enumerate(backward):
        tasks += [task, *forward[place + LAG : place + LAG + 1]]
    return tasks
