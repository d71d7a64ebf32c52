"""Steps by conjugate residuals, watched from outside: their problems, solutions, iterations and time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import scipy.sparse as sparse

from stiction.solver import Scene, Simulation
from stiction.solver.contact.conjugate_residual import MixedSolver
from stiction.solver.contact.problem import FrictionProblem

from .scenes.solids import solid_simulation


class WatchedStep(NamedTuple):
    solvers: list[MixedSolver]  # in the order in which they were asked; the last one has the step's solution
    seconds: float  # in all systems, with the search for what they would run into

    @property
    def iterations(self) -> int:
        return sum(len(solver.history) for solver in self.solvers)

    @property
    def contact_count(self) -> int:
        return self.solvers[-1].problem.contact_count if self.solvers else 0


def problem_of(solver: MixedSolver) -> FrictionProblem:
    """By matrices, until the next linearization: blocks of A are not copied before."""
    problem, form = solver.problem, solver.problem.products.form
    offsets, columns = problem.dynamics.pattern
    return FrictionProblem.nodal(
        *(sparse.bsr_array((problem.dynamics.blocks, columns, offsets)), problem.f, form.offsets, form.nodes),
        *(form.weights, form.frames, problem.k, problem.friction, form.node_rows),
        cohesion=problem.cohesion,
        compliance=problem.compliance,
    )


def watched_steps(scene: Scene, step_count: int) -> Iterator[WatchedStep]:
    """The first steps of a scene that asks for conjugate residuals."""
    simulation = solid_simulation(scene)
    clock = _timed(simulation)
    for _ in range(step_count):
        clock.clear()
        with _watched_solves() as solvers:
            simulation.advance()
        yield WatchedStep(solvers, sum(clock))


def _timed(simulation: Simulation) -> list[float]:
    """Seconds of each solve from now on."""
    solver, seconds = simulation.integrator.solver, []
    solve = solver.solve

    def solve_and_time(*arguments, **named):
        start = time.perf_counter()
        results = solve(*arguments, **named)
        seconds.append(time.perf_counter() - start)
        return results

    solver.solve = solve_and_time
    return seconds


@contextmanager
def _watched_solves() -> Iterator[list[MixedSolver]]:
    solve, shown = MixedSolver.solve, []

    def solve_and_show(solver):
        solve(solver)
        shown.append(solver)

    MixedSolver.solve = solve_and_show
    try:
        yield shown
    finally:
        MixedSolver.solve = solve
