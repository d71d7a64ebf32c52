"""Time to build the Delassus operator against that of the whole solution [Verschoor and Jalba 2019, figure 12].

W = J A⁻¹ Jᵀ by a Cholesky factor of A and one substitution for each row of J and each body that the row acts on, as
methods need it that know contacts only. The spheres of the bearing are pressed into their groove meanwhile, so that
there are more and more contacts. `python -m benchmarks.delassus_growth FOLDER LEVELS STEPS` draws both times.
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components

from stiction.solver.contact.problem import AXES, FrictionProblem
from stiction.solver.linear_algebra.sparse_cholesky import SparseCholesky

from .mixed_steps import problem_of, watched_steps
from .plots import save_plot
from .report import Row, print_table
from .scenes.bearing import bearing

NAME = "delassus_growth.png"
LEVELS, STEPS, EVERY = 3, 100, 5
TITLE = "Contact: building the Delassus operator, beside the whole solution by conjugate residuals"


class Times(NamedTuple):
    contacts: int
    building: float  # W [s]
    solving: float  # the step, with linearization and the search for new contacts [s]


def delassus(problem: FrictionProblem) -> sparse.csr_array:
    """W (3 m, 3 m) [1/kg]: only blocks of contacts that have a body in common are computed."""
    A = sparse.bsr_array(problem.A, blocksize=(AXES, AXES))
    A.sort_indices()
    factor = SparseCholesky(A.indptr, A.indices)
    factor.factorize(A.data)
    _, body_of = connected_components(sparse.csr_array((np.ones(len(A.indices)), A.indices, A.indptr)), directed=False)
    J = sparse.csr_array(problem.J)
    body_of_entries = body_of[J.indices // AXES]
    rows_of_entries = np.repeat(np.arange(J.shape[0]), np.diff(J.indptr))
    parts = [sparse.coo_array(J.shape[:1] * 2)]
    for body in np.unique(body_of_entries):
        rows = np.unique(rows_of_entries[body_of_entries == body])
        part = factor.part_with(body_of == body)
        unknowns = (AXES * part.nodes[:, None] + np.arange(AXES)).ravel()
        own = J[rows][:, unknowns]
        block = own @ _substitutions(factor, part, own)
        places = np.broadcast_to(rows[:, None], block.shape).ravel(), np.broadcast_to(rows, block.shape).ravel()
        parts.append(sparse.coo_array((block.ravel(), places), J.shape[:1] * 2))
    return sparse.csr_array(sum(parts))


def _substitutions(factor, part, rows):
    """A⁻¹ Jᵀ (n, r) of a body's unknowns, for rows (r, n)."""
    right, solutions = np.zeros((part.nodes.max() + 1, AXES)), np.empty(rows.shape[::-1])
    for number, row in enumerate(rows.toarray()):
        right[part.nodes] = row.reshape(-1, AXES)
        factor.solve_part(part, right, right)
        solutions[:, number] = right[part.nodes].ravel()
    return solutions


def times_of_steps(levels: int = LEVELS, step_count: int = STEPS) -> list[Times]:
    """Of every fifth step in which something touches, on one thread."""
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        steps = enumerate(watched_steps(bearing(levels), step_count), 1)
        return [_times(step) for number, step in steps if number % EVERY == 0 and step.contact_count]
    finally:
        numba.set_num_threads(threads)


def _times(step):
    problem, start = problem_of(step.solvers[-1]), time.perf_counter()
    delassus(problem)
    return Times(step.contact_count, time.perf_counter() - start, step.seconds)


def measure() -> list[Row]:
    return _rows(times_of_steps())


def _rows(times):
    rows = []
    for entry in (times[0], times[len(times) // 2], times[-1]):
        shown = f"{entry.solving:.2f} s", f"{entry.building:.2f} s to build the operator"
        rows.append(Row(f"a step of the bearing, {entry.contacts} contacts", *shown, entry.solving / entry.building))
    return rows


def draw(folder: str, times: list[Times]) -> None:
    def plot(axes):
        contacts, building, solving = zip(*times)
        axes.plot(contacts, building, "o-", markersize=3, linewidth=1.0, label="Delassus operator, building alone")
        axes.plot(contacts, solving, "o-", markersize=3, linewidth=1.0, label="CR (Full), the whole solution")
        axes.set(xlabel="contacts", ylabel="seconds a step", ylim=(0, None))

    save_plot(Path(folder) / NAME, plot)


def main(folder: str, levels: str = str(LEVELS), step_count: str = str(STEPS)) -> None:
    times = times_of_steps(int(levels), int(step_count))
    print_table(TITLE, _rows(times))
    draw(folder, times)


if __name__ == "__main__":
    main(*sys.argv[1:])
