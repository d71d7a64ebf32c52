"""Methods against the exact reference, and the judge against what is known."""

import numpy as np
import pytest

from stiction.solver.contact.local_law import solve_local
from stiction.solver.contact.methods import METHODS, solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge, onto_cone
from stiction.solver.reference.friction import solve_exactly

from .problems import general_form, random_problem

FRICTIONS = [0.0, 0.3, 1.0, 5.0]
ALIKE = {"admm", "nl-ica"}  # find the reference's solution also where friction is so strong that there are several


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("seed", range(6))
def test_the_reference_is_exact(seed, friction):
    problem = random_problem(seed, friction=friction)
    residuals = judge(problem, *solve_exactly(problem))
    assert residuals.natural_map < 1e-12 and residuals.dynamics < 1e-12
    assert residuals.fischer_burmeister < 1e-10
    assert residuals.penetration < 1e-10 and residuals.cone_violation < 1e-12


@pytest.mark.parametrize("form", [lambda problem: problem, general_form])
@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("method", METHODS)
def test_methods_agree_with_the_reference(method, seed, friction, form):
    problem = form(random_problem(seed, friction=friction))
    solution = solve(problem, method, tolerance=1e-9, iterations=20000)
    v, _ = solve_exactly(problem)
    assert solution.converged, solution.residual
    assert solution.v == pytest.approx(v, abs=1e-6) or (friction > 1.0 and method not in ALIKE)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("optional", [{"cohesion": 0.2}, {"compliance": 0.5}, {"cohesion": 0.1, "compliance": 0.2}])
def test_cohesion_and_compliance(method, optional):
    problem = random_problem(3, **optional)
    solution = solve(problem, method, tolerance=1e-9, iterations=20000)
    v, _ = solve_exactly(problem)
    assert solution.converged
    assert solution.v == pytest.approx(v, abs=1e-6)


@pytest.mark.parametrize("seed", range(200))
def test_one_contact_of_any_shape(seed):
    """W is positive definite with any coupling of normal and tangents; the answer obeys the law."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-3, 3)
    W, b = root @ root.T + 1e-9 * np.trace(root @ root.T) * np.eye(3), rng.normal(size=3)
    mu = float(rng.choice([0.0, 0.1, 1.0, 30.0]))
    r = np.array(solve_local(tuple(W[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]), tuple(b), mu))
    problem = FrictionProblem.local(W, b, mu)
    assert judge(problem, np.zeros(0), r[None]).natural_map < 1e-6


def test_the_judge_sees_errors():
    problem = random_problem(1, friction=0.4)
    v, r = solve_exactly(problem)
    active = int(np.argmax(r[:, 0]))
    for axis in range(3):
        wrong = r.copy()
        wrong[active, axis] += 0.1 * r[active, 0]
        assert judge(problem, v, wrong).natural_map > 1e-4
        assert judge(problem, v, wrong).dynamics > 1e-4
    assert judge(problem, v, -r).cone_violation > 0.0


def test_the_projection_onto_the_cone_is_the_nearest_point():
    rng = np.random.default_rng(0)
    z, mu = rng.normal(size=(500, 3)), rng.choice([0.0, 0.3, 2.0], 500)
    p = onto_cone(z, mu)
    assert (np.linalg.norm(p[:, 1:], axis=1) <= mu * p[:, 0] + 1e-12).all()
    # Optimality in a cone: the rest is normal to the point, and to no point of the cone pointing along.
    assert ((z - p) * p).sum(axis=1) == pytest.approx(np.zeros(500), abs=1e-12)
    others = rng.normal(size=(500, 3))
    inside = onto_cone(others, mu)
    assert (((z - p) * inside).sum(axis=1) <= 1e-12).all()


def test_bad_numbers_are_refused():
    problem = random_problem()
    for name in ("f", "k"):
        values = getattr(problem, name).copy()
        values.flat[0] = np.nan
        arguments = {"A": problem.A, "f": problem.f, "J": problem.J, "k": problem.k, "mu": problem.mu, name: values}
        with pytest.raises(ValueError, match="infinite or undefined"):
            FrictionProblem(**arguments)
    with pytest.raises(ValueError, match="negative"):
        FrictionProblem(problem.A, problem.f, problem.J, problem.k, -0.1)


def test_unknown_methods_are_refused():
    with pytest.raises(ValueError, match='no contact method "magic"'):
        solve(random_problem(), "magic")
