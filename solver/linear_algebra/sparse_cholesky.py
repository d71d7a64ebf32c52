"""Sparse Cholesky for matrices of 3 × 3 blocks: analyse a pattern once, factorise new values often, solve oftener.

Multifrontal on an order by nested dissection. The interpreter is free meanwhile, and the bits of a result depend on
the pattern and the values only, not on the number of threads. A factor may be of single precision: memory is the limit
of a solve, and the error is one of rounding (6e-8) times the matrix's condition.
"""

from typing import NamedTuple

import numpy as np
from numba import get_num_threads

from .elimination_tree import NO_PARENT, build_tree, find_roots
from .errors import NotPositiveDefinite
from .front_assembly import MatrixEntries
from .front_layout import PIVOTS, lay_out
from .front_schedule import FINISHED, FINISHED_AT, SolveTasks, find_subtrees, make_schedule
from .frontal_cholesky import factorize
from .nested_dissection import dissect
from .padded_vectors import put_padded, take_padded
from .triangular_solves import COUNTERS, solve

# Smaller factors are quicker on one thread: waking the others costs some 10 µs, and milliseconds on a busy computer.
NUMBERS_FOR_THREADS_IN_FACTORIZATION = 200_000
NUMBERS_FOR_THREADS_IN_SOLVE = 2_000_000


class SolvedPart(NamedTuple):
    """Nodes that are solved without the others."""

    nodes: np.ndarray  # (k,)
    slots: np.ndarray  # of these nodes in the padded vector (k,)
    tasks: SolveTasks


class SparseCholesky:
    """A = L Lᵀ for symmetric positive definite A, and solutions of A x = b."""

    def __init__(self, offsets, columns, positions=None):
        """Find an order of elimination and plan the work for a symmetric pattern that includes the diagonal.

        offsets (n + 1,) int32: first block of each node's row; columns (k,) int32, ascending in each row
        positions (n, 3): of the nodes, if known; they may help to find small separators
        """
        offsets, columns = np.ascontiguousarray(offsets, np.int32), np.ascontiguousarray(columns, np.int32)
        tree = build_tree(offsets, columns, *dissect(offsets, columns, positions))
        subtree_starts = find_subtrees(tree)
        self._order = tree.order
        self._layout = lay_out(tree, offsets, columns, subtree_starts)
        self._schedule = make_schedule(tree, subtree_starts)
        self._parents, self._roots = tree.parents, find_roots(tree)
        self._front_of_node = np.empty(len(tree.order), np.int32)
        self._front_of_node[tree.order] = np.repeat(np.arange(len(tree.parents)), np.diff(tree.starts))
        self._every = SolvedPart(np.arange(len(tree.order)), self._layout.node_slots, self._schedule.solve)
        self._factor = self._updates = np.empty(0)  # until there are values: `factor_bytes` may be too many
        self._is_factorized = False

    @property
    def factor_numbers(self) -> int:
        """Numbers in the factor, padding included."""
        return self._layout.factor_size

    @property
    def factor_bytes(self) -> int:
        """Memory for the factor and for the workspace of factorisations; taken by the first of them, not before."""
        return np.dtype(float).itemsize * (self._layout.factor_size + self._layout.update_size)

    def factorize(self, blocks, is_changed=None, precision=np.float64) -> None:
        """Factorise new values: blocks (k, 3, 3) in the analysed pattern; only those of one triangle are read.

        If only blocks between some nodes (n,) bool have other values than last time, fronts that none of these nodes
        comes before keep their factor. Its precision is np.float64 or np.float32. Raises NotPositiveDefinite.
        """
        layout = self._layout
        if not len(self._factor) or self._factor.dtype != precision:
            self._make_room(precision)
        failures = np.full(len(layout.fronts.table), -1, np.int32)
        tasks, counters = self._tasks(is_changed)
        factorize(
            *(self._thread_count(NUMBERS_FOR_THREADS_IN_FACTORIZATION), tasks, counters, layout.fronts),
            MatrixEntries(layout.entry_blocks, layout.entry_places, np.ascontiguousarray(blocks, np.float64)),
            *(self._factor, self._updates, failures),
        )
        self._is_factorized = bool(np.all(failures < 0))
        if not self._is_factorized:
            raise self._refusal(failures)

    def _make_room(self, precision):
        layout = self._layout
        self._factor, self._updates = np.empty(layout.factor_size, precision), np.empty(layout.update_size, precision)
        self._carried = np.empty(layout.trailing_vector_size, precision)
        self._padded = np.zeros((layout.pivot_vector_size // 3, 3), precision)
        self._is_factorized = False

    def _tasks(self, is_changed):
        """Those of a factorisation, and its counters; only of fronts that change, if the others have a factor."""
        every, counters = self._schedule.factor, np.zeros(self._schedule.counter_count, np.int64)
        if is_changed is None or not self._is_factorized:
            return every, counters
        is_due = self._are_above(is_changed)
        kept = every.counters[~is_due]
        counters[kept[:, FINISHED]] = kept[:, FINISHED_AT]
        return every._replace(tasks=every.tasks[is_due[every.tasks[:, 1]]]), counters

    def _are_above(self, is_chosen):
        """Which fronts eliminate chosen nodes (n,) bool, or come after one that does (f,) bool."""
        is_above = np.zeros(len(self._parents), bool)
        fronts = np.unique(self._front_of_node[is_chosen])
        while len(fronts):
            is_above[fronts] = True
            fronts = np.unique(self._parents[fronts])
            fronts = fronts[fronts != NO_PARENT]
            fronts = fronts[~is_above[fronts]]
        return is_above

    def solve(self, right_hand_side, solution_out) -> None:
        """A x = b with the last factor: right_hand_side (n, 3), solution_out (n, 3), which may be the same array."""
        self.solve_part(self._every, right_hand_side, solution_out)

    def forget_right_hand_side(self) -> None:
        """For parts that are solved next: that of all other nodes is zero."""
        self._carried[:] = 0.0

    def part_with(self, is_chosen) -> "SolvedPart":
        """All that is connected with some nodes (n,) bool, to be solved by itself."""
        is_root = np.zeros(len(self._roots), bool)
        is_root[self._roots[self._front_of_node[is_chosen]]] = True
        return self._part(is_root[self._roots])

    def part_above(self, is_chosen) -> "SolvedPart":
        """For solutions where only chosen nodes (n,) bool have another right-hand side than when all were last solved.

        They and what comes after them in the order of elimination: no other node is needed to find these.
        """
        return self._part(self._are_above(is_chosen))

    def _part(self, is_due):
        every = self._schedule.solve
        nodes = np.flatnonzero(is_due[self._front_of_node])
        tasks = SolveTasks(every.tasks[is_due[every.tasks[:, 1]]], every.carry_tasks, is_due)
        return SolvedPart(nodes, self._layout.node_slots[nodes], tasks)

    def solve_part(self, part: "SolvedPart", right_hand_side, solution_out) -> None:
        """As `solve`, for the nodes of a part; the solution of others stays as it is."""
        if not self._is_factorized:
            raise RuntimeError("Solve needs a factor: call factorize first.")
        fronts = self._layout.fronts
        put_padded(right_hand_side, part.nodes, part.slots, self._padded)
        counters = np.zeros(1 + COUNTERS * len(fronts.table), np.int64)
        solve(
            *(self._thread_count(NUMBERS_FOR_THREADS_IN_SOLVE), part.tasks, counters),
            *(fronts, self._factor, self._carried, self._padded.reshape(-1)),
        )
        take_padded(solution_out, part.nodes, part.slots, self._padded)

    def _thread_count(self, numbers_for_threads):
        return get_num_threads() if self._layout.factor_size >= numbers_for_threads else 1

    def _refusal(self, failures):
        """Fronts that come first in the order fail first, whichever thread was quicker."""
        front = int(np.flatnonzero(failures >= 0)[0])
        first = int(self._layout.fronts.table[:front, PIVOTS].sum())
        return NotPositiveDefinite(int(self._order[first + failures[front] // 3]), int(failures[front] % 3))
