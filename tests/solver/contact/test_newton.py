"""Newton's method on softened contacts: against the reference, and where contacts are redundant."""

import numpy as np
import pytest

from stiction.solver.contact.local_form import joins_few, local_form, velocities_under
from stiction.solver.contact.methods import solve
from stiction.solver.contact.newton import alart_curnier
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge
from stiction.solver.reference.friction import delassus, solve_exactly

from .problem_files import box_on_the_ground
from .problems import general_form, random_problem


@pytest.mark.parametrize("optional", [{}, {"cohesion": 0.2, "compliance": 0.5}])
@pytest.mark.parametrize("stiffness", [0.0, 3.0])
def test_the_local_form_is_the_dense_one(stiffness, optional):
    """By small parts of A without springs, by columns with them."""
    problem = random_problem(2, nodes=20, stiffness=stiffness, **optional)
    assert joins_few(problem.A) == (stiffness == 0.0)
    form, (W, q) = local_form(problem), delassus(problem)
    assert form.W.toarray() == pytest.approx(W, abs=1e-14)
    assert form.q.ravel() == pytest.approx(q, abs=1e-14)
    v, r = solve_exactly(problem)
    assert velocities_under(problem, r) == pytest.approx(v, abs=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_the_slope_is_that_of_the_functions(seed):
    """By differences: z moves by what r moves, where W vanishes."""
    rng = np.random.default_rng(seed)
    form = local_form(FrictionProblem.local(np.eye(30), rng.normal(size=30), rng.uniform(0.1, 2.0, 10)))
    form = form._replace(W=0.0 * form.W)
    r, direction, h = rng.normal(size=(10, 3)), rng.normal(size=(10, 3)), 1e-6
    ahead, behind = (alart_curnier(form, r + side * h * direction).values for side in (1.0, -1.0))
    slope = direction - np.einsum("mij,mj->mi", alart_curnier(form, r).blocks, direction)
    assert (ahead - behind) / (2.0 * h) == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("friction", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(10))
def test_it_finds_the_velocities_of_the_reference(seed, friction):
    problem = general_form(random_problem(seed, friction=friction))
    solution = solve(problem, "newton", tolerance=1e-10)
    assert solution.converged, solution.residual
    assert solution.v == pytest.approx(solve_exactly(problem)[0], abs=1e-6)


@pytest.mark.parametrize("friction", [0.0, 0.3, 1.0, 5.0, 30.0])
def test_stiff_problems_and_high_friction(friction):
    """The judge alone decides: the reference does not find all of these, and some have several solutions."""
    for seed in range(8):
        problem = random_problem(seed, stiffness=1e4, friction=friction)
        solution = solve(problem, "newton")
        residuals = judge(problem, solution.v, solution.r)
        assert residuals.natural_map < 1e-8 and residuals.dynamics < 1e-10
        assert residuals.penetration < 1e-7 and residuals.cone_violation < 1e-7


@pytest.mark.parametrize("side", [2, 5, 12])
def test_a_box_with_redundant_contacts_slides_as_one_point(side):
    """3 m rows, but W has rank 6; friction slows a box 1 m wide and 0.2 m high by μ times what the ground stops."""
    problem = box_on_the_ground(side, pull=(3.0, 4.0), friction=0.5, height=0.1)
    assert np.linalg.matrix_rank(local_form(problem).W.toarray()) == 6
    solution = solve(problem)
    assert solution.method == "newton" and solution.converged and solution.iterations < 60
    assert solution.v == pytest.approx([2.7, 3.6, 0.0, 0.0, 0.0, 0.0], abs=1e-7)
    assert solution.r[:, 0].sum() == pytest.approx(2.0) and (solution.r[:, 0] > -1e-12).all()


def test_a_box_with_redundant_contacts_sticks():
    solution = solve(box_on_the_ground(10, pull=(0.3, 0.2), friction=0.5))
    assert solution.converged and solution.v == pytest.approx(np.zeros(6), abs=1e-8)


def test_a_delassus_operator_that_is_not_quite_symmetric():
    problem = random_problem(3)
    W, q = delassus(problem)
    W += 1e-3 * np.abs(W).max() * np.random.default_rng(0).normal(size=W.shape)
    solution = solve(FrictionProblem.local(W, q, 0.4))
    assert solution.converged and solution.residual < 1e-8


def test_no_contacts_at_all():
    solution = solve(FrictionProblem.local(np.zeros((0, 0)), np.zeros(0), np.zeros(0)))
    assert solution.converged and solution.r.shape == (0, 3)


def test_what_has_no_solution_is_told():
    """Two walls meet with nothing that may give way: no impulse helps."""
    W = np.kron([[1.0, -1.0], [-1.0, 1.0]], np.eye(3))
    solution = solve(FrictionProblem.local(W, [[-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], 0.5), iterations=100)
    assert not solution.converged and np.isfinite(solution.r).all()


def test_nothing_that_has_neither_mass_nor_hold():
    problem = random_problem()
    A = problem.A.tolil()
    A[4] = A[:, 4] = 0.0
    with pytest.raises(ValueError, match="singular"):
        solve(FrictionProblem(A, problem.f, problem.J, problem.k, problem.mu), "newton")


def test_more_than_memory_holds_is_refused(monkeypatch):
    monkeypatch.setattr("stiction.solver.contact.local_form.MOST_GIGABYTES", 1e-6)
    with pytest.raises(ValueError, match=r"What each of 20 contacts does to each other would take .* ADMM"):
        solve(random_problem(contacts=20, nodes=40), "newton")
    free = random_problem(contacts=8, nodes=40, stiffness=0.0)  # joined by nothing but contacts: W is sparse
    assert solve(free, "newton").converged
