"""Friction by an ellipsoid: its nearest points, and contacts that slide and spin, against their own equations."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from stiction.solver.contact.ellipsoid import onto_ellipsoid
from stiction.solver.contact.ellipsoid_residual import nearest_in_ellipsoid
from stiction.solver.contact.methods import METHODS, solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.residuals import judge

from .problems import random_problem


def one_contact(seed=0, q=(-1.0, 2.0, -1.0, 3.0), mu=(0.4, 0.2, 0.05), coupling=0.3):
    """A contact that answers in all four rows, more or less by themselves."""
    rng = np.random.default_rng(seed)
    root = np.eye(4) + coupling * rng.normal(size=(4, 4))
    return FrictionProblem.local(root @ root.T, [q], [mu], spin=True)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e9])
def test_the_nearest_point_is_nearer_than_all_others(size):
    """x is nearest to z in a convex set where (z − x)·(y − x) ≤ 0 for all of its y."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        axes = size * 10.0 ** rng.uniform(-4, 0, 3) * rng.choice([0.0, 1.0], 3, p=[0.1, 0.9])
        z = size * rng.normal(size=3) * 10.0 ** rng.uniform(-5, 3)
        x = np.array(onto_ellipsoid(tuple(z), tuple(axes), 0.0)[:3])
        directions = rng.normal(size=(50, 3))
        others = axes * directions / np.linalg.norm(directions, axis=1)[:, None]
        assert ((others - x) @ (z - x)).max() <= 1e-12 * size * np.linalg.norm(z)
        inside = np.divide(x, axes, out=np.zeros(3), where=axes > 0.0)
        assert np.linalg.norm(inside) <= 1.0 + 1e-12 and not x[axes == 0.0].any()
        assert x == pytest.approx(nearest_in_ellipsoid(z[None], axes[None])[0], abs=1e-11 * size)


def nearest(z, axes, guess=0.0):
    return onto_ellipsoid(z, axes, guess)[:3]


def test_a_ball_scales_and_what_is_inside_stays():
    assert nearest((3.0, 0.0, 4.0), (2.0, 2.0, 2.0)) == pytest.approx((1.2, 0.0, 1.6))
    assert nearest((0.1, -0.2, 0.3), (1.0, 2.0, 3.0)) == pytest.approx((0.1, -0.2, 0.3), rel=1e-15)
    assert nearest((1.0, 2.0, 3.0), (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert nearest((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)
    assert nearest((1e200, 0.0, 0.0), (1e-200, 1.0, 1e-9)) == (0.0, 0.0, 0.0)
    tiny = nearest((3e-160, 0.0, 4e-160), (2e-160, 2e-160, 2e-160))
    assert 1e160 * np.array(tiny) == pytest.approx([1.2, 0.0, 1.6])


def level_at(z, axes, guess):
    """What is left of equation 35 at the root found, in exact fractions."""
    t = Fraction(onto_ellipsoid(z, axes, guess)[3]) * Fraction(max(axes))
    squares = [Fraction(axis) ** 2 for axis in axes]
    shares = [square * Fraction(point) ** 2 / (square + t) ** 2 for point, square in zip(z, squares)]
    return float(sum(shares) - 1)


@pytest.mark.parametrize("spread", [0.0, 1.0, 4.0])
def test_the_root_solves_its_own_equation_from_any_guess(spread):
    rng = np.random.default_rng(1)
    levels = []
    for _ in range(400):
        axes = tuple(10.0 ** -rng.uniform(0.0, spread, 3))
        z = rng.normal(size=3)
        z = tuple(float(part) for part in z / np.linalg.norm(z / axes) * (1.0 + 10.0 ** rng.uniform(-6, 3)))
        right = onto_ellipsoid(z, axes, 0.0)[3]
        for guess in (0.0, right, right * (1.0 + rng.normal(0.0, 0.1)), 10.0 * right, 1e-3 * right, 1e9):
            levels.append(level_at(z, axes, guess))
    assert np.abs(levels).max() <= 2e-14


@pytest.mark.parametrize("seed", range(20))
def test_one_contact_obeys_its_own_equation(seed):
    """It presses, u_N = 0, and slides: friction lies on the ellipsoid, and −u points along its normal K r there."""
    problem = one_contact(seed)
    solution = solve(problem, tolerance=1e-10, iterations=20000)
    assert solution.method == "prox" and solution.converged
    r, u, mu = solution.r[0], solution.u[0], problem.mu[0]
    assert r[0] > 0.0 and u[0] == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(r[1:] / (mu * r[0])) == pytest.approx(1.0, abs=1e-8)
    outward = r[1:] / mu**2
    assert -u[1:] / np.linalg.norm(u[1:]) == pytest.approx(outward / np.linalg.norm(outward), abs=1e-7)


def test_strong_friction_holds_and_an_opening_contact_pushes_nothing():
    stuck = solve(one_contact(mu=(50.0, 50.0, 50.0), coupling=0.05), tolerance=1e-10, iterations=5000)
    assert stuck.converged and stuck.u == pytest.approx(np.zeros((1, 4)), abs=1e-9)
    opening = solve(one_contact(q=(1.0, 2.0, 3.0, 4.0), coupling=0.0))
    assert opening.converged and not opening.r.any()


def test_a_body_slides_more_readily_where_friction_is_low():
    """Alike in all directions, pushed diagonally: the slow axis has the higher friction."""
    solution = solve(one_contact(q=(-1.0, 3.0, 3.0, 0.0), mu=(0.8, 0.1, 0.0), coupling=0.0), tolerance=1e-10)
    assert solution.converged and 0.0 < solution.u[0, 1] < 0.9 * solution.u[0, 2] and solution.r[0, 3] == 0.0


def slid_velocity(steps, mu=(0.4, 0.2, 0.0), weight=10.0, seconds=0.25):
    """Velocity along both tangents of a unit mass that starts at 1 m/s along each, after steps of friction."""
    velocity = np.array([1.0, 1.0])
    for _ in range(steps):
        q = [-weight * seconds / steps, *velocity, 0.0]
        solution = solve(one_contact(q=q, mu=mu, coupling=0.0), tolerance=1e-11, iterations=5000)
        assert solution.converged
        velocity = solution.u[0, 1:3]
    return velocity


def test_a_body_turns_towards_the_direction_of_low_friction():
    """v̇ = −g K v/‖·‖ with K = diag(μ²): v_S/v_T⁴ stays where μ_S = 2 μ_T, to first order in the step."""
    misses = []
    for steps in (10, 20, 40):
        along, across = slid_velocity(steps)
        assert 0.0 < along < across < 1.0
        misses.append(abs(np.log(along) / np.log(across) - 4.0))
    assert misses[2] < 0.1 and 1.7 < misses[0] / misses[1] < 2.3 and 1.7 < misses[1] / misses[2] < 2.3


def test_spinning_uses_up_friction():
    """A spinning contact slides on almost freely: Contensou's effect."""
    slowed = []
    for spin in (0.0, 1.0, 30.0):
        solution = solve(one_contact(q=(-1.0, 1.0, 0.0, spin), mu=(0.3, 0.3, 0.3), coupling=0.0), tolerance=1e-10)
        assert solution.converged
        slowed.append(1.0 - solution.u[0, 1])
    assert slowed[0] == pytest.approx(0.3) and slowed[0] > slowed[1] > slowed[2] and slowed[2] < 0.02


def with_a_fourth_row(problem, spin_friction):
    """The same contacts, of which nothing turns about the normal."""
    count = problem.contact_count
    rows = np.zeros((count, 4, problem.J.shape[1]))
    rows[:, :3] = problem.J.toarray().reshape(count, 3, -1)
    k = np.column_stack([problem.k, np.zeros(count)])
    mu = np.column_stack([problem.mu, problem.mu, np.full(count, spin_friction)])
    return FrictionProblem(problem.A, problem.f, rows.reshape(4 * count, -1), k, mu, spin=True)


@pytest.mark.parametrize("seed", range(4))
def test_without_spin_it_is_coulombs_law(seed):
    plain = random_problem(seed)
    solution = solve(with_a_fourth_row(plain, 0.1), tolerance=1e-10, iterations=20000)
    assert solution.converged
    assert solution.r[:, :3] == pytest.approx(solve(plain, "newton", tolerance=1e-10).r, abs=1e-7)


def test_the_judge_sees_errors_in_every_row():
    problem = one_contact(1)
    solution = solve(problem, tolerance=1e-10, iterations=20000)
    for axis in range(4):
        wrong = solution.r.copy()
        wrong[0, axis] += 0.05 * solution.r[0, 0]
        assert judge(problem, solution.v, wrong).natural_map > 1e-4
    larger = solution.r * [[1.0, 1.5, 1.5, 1.5]]
    assert judge(problem, solution.v, larger).cone_violation == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"prox"}))
def test_other_methods_refuse_spin_with_a_reason(method):
    with pytest.raises(ValueError, match="knows no friction of spinning"):
        solve(one_contact(), method)


@pytest.mark.parametrize("method", [*METHODS, None])
def test_restitution(method):
    """A ball that falls with 3 m/s leaves with 0.8 of it; friction slows it by μ times both."""
    frames, k = np.eye(3)[None], np.zeros((1, 3))
    one = np.array([0, 1]), np.array([0]), np.array([1.0])
    problem = FrictionProblem.nodal(np.eye(3), [-3.0, 4.0, 0.0], *one, frames, k, 0.5, restitution=0.8, approach=-3.0)
    solution = solve(problem, method)
    assert solution.converged
    assert solution.v == pytest.approx([2.4, 4.0 - 0.5 * 5.4, 0.0], abs=1e-7)
    assert solution.u[0] == pytest.approx([2.4, 1.3, 0.0], abs=1e-7)
    parting = solve(replace(problem, approach=3.0), method)
    assert parting.v == pytest.approx([0.0, 2.5, 0.0], abs=1e-7)


def test_restitution_without_sense_is_refused():
    for value, sentence in ((1.1, "must not be above one"), (-0.1, "negative"), (np.nan, "undefined")):
        with pytest.raises(ValueError, match=sentence):
            FrictionProblem.local(np.eye(3), [[-1.0, 0.0, 0.0]], 0.5, restitution=value)
