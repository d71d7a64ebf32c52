"""What conjugate residuals return of problems that they do not solve: the best that they came by."""

import numpy as np
import pytest

from stiction.solver.contact.best_so_far import BestSoFar, contact_misses
from stiction.solver.contact.conjugate_residual import CrSettings, MixedSolver, run_cr
from stiction.solver.contact.krylov_steps import ConjugateResidualSteps
from stiction.solver.contact.methods import solve
from stiction.solver.contact.mixed_problem import mixed_problem
from stiction.solver.contact.residuals import judge
from stiction.solver.reference.friction import solve_exactly

from .problems import random_problem


def started(problem, iterations, is_full=True):
    solver = MixedSolver(mixed_problem(problem), CrSettings(1e-11, iterations, is_full))
    solver.free_velocities()
    return solver


def true_miss(solver, problem):
    """From matrices, not from what steps say."""
    lack = problem.f + problem.J.T @ solver.rows.impulses.ravel() - problem.A @ solver.state.v
    misses = np.linalg.norm(contact_misses(solver.rows, solver.state.v), axis=0)
    return max(np.linalg.norm(lack) / solver.force_scale, *(misses / solver.velocity_scale))


@pytest.mark.parametrize("is_full", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_nothing_worse_is_returned_than_what_was_found(seed, is_full, monkeypatch):
    problem, miss, found = random_problem(seed, nodes=60, contacts=40, friction=1.0), BestSoFar.miss, []

    def watched(best, *scales):
        found.append(miss(best, *scales))
        return found[-1]

    monkeypatch.setattr(BestSoFar, "miss", watched)
    for iterations in (20, 21, 23, 27, 35, 50, 80):
        found.clear()
        solver = started(problem, iterations, is_full)
        start = true_miss(solver, problem)
        solver.solve()
        end = true_miss(solver, problem)
        assert not solver.is_solved
        assert found[0] == pytest.approx(start, rel=1e-6)
        assert end == pytest.approx(min(found), rel=1e-6) == pytest.approx(solver.error)
    assert len(found) > 3  # on the way, too


@pytest.mark.parametrize("blow", [1e14, np.inf, np.nan])
def test_steps_that_break_down_do_no_harm(blow, monkeypatch):
    """Velocities that are lost in the thirtieth step, and in all that follow, leave what was found before."""
    problem, step, count = random_problem(2, nodes=60, contacts=40, friction=0.5), ConjugateResidualSteps.step, []

    def step_and_blow(steps):
        alpha = step(steps)
        count.append(alpha)
        if len(count) >= 30:
            steps.state.v[:] += blow
            steps.state.residual.top[:] += blow
            steps.norms = steps.state.residual.norms()
        return alpha

    monkeypatch.setattr(ConjugateResidualSteps, "step", step_and_blow)
    solver = started(problem, 200)
    start = true_miss(solver, problem)
    solver.solve()
    assert len(count) > 30 and not solver.is_solved
    assert np.isfinite(solver.state.v).all() and np.isfinite(solver.rows.impulses).all()
    assert true_miss(solver, problem) < 0.5 * start


def test_misses_vanish_at_the_solution_and_nowhere_near_it():
    problem = random_problem(4, nodes=40, contacts=25, friction=0.5)
    v, r = solve_exactly(problem)
    solver = MixedSolver(mixed_problem(problem), CrSettings())
    solver.rows.give_all(r)
    assert np.abs(contact_misses(solver.rows, v)).max() < 1e-7
    pushing = int(np.argmax(r[:, 0]))
    for axis in range(3):
        wrong = r.copy()
        wrong[pushing, axis] -= 0.1 * r[pushing, 0] if axis == 0 else 2.0 * r[pushing, 0]
        solver.rows.give_all(wrong)
        assert np.abs(contact_misses(solver.rows, v)[pushing]).max() > 1e-4


@pytest.mark.parametrize("friction", [0.3, 1.0])
def test_digits_beyond_the_first_are_found_from_states_that_are(friction):
    """A tolerance that is a hundred thousand times stricter takes less than three times the iterations."""
    problem = random_problem(1, nodes=400, contacts=300, friction=friction)
    rough, fine = (len(run_cr(problem, CrSettings(tolerance, 5000))[2]) for tolerance in (1e-5, 1e-10))
    assert rough < fine < 3 * rough
    solution = solve(problem, "cr", tolerance=1e-9, iterations=5000)
    assert judge(problem, solution.v, solution.r).natural_map < 1e-8
