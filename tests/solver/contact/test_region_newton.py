"""Newton's method in a region: what sweeps creep to for ever, found; against the judge and the plain twin."""

import numpy as np
import pytest

from benchmarks.scenes.rigid_pile import box_tower
from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.regions import RegionSettings, run_regions
from tests.solver.collision.threads import on_any_number_of_threads

from .problems import random_problem


def three_on_an_edge(inconsistency=1e-6, friction=0.4):
    """Contacts at the ends of an edge and in its middle, which the others hold still already.

    The middle one would stick too, but for a velocity of its own: only without an impulse is it at peace.
    """
    middle = 0.5 * np.ones((1, 2))
    J = np.kron(np.concatenate([np.eye(2), middle]), np.eye(3))
    q = J @ np.array([-0.3, 0.05, 0.03, -0.2, 0.02, -0.05])
    q = q.reshape(3, 3) + np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], inconsistency * np.array([1.0, -2.0, 2.0])])
    return FrictionProblem.local(J @ J.T, q, friction)


def relaxed(problem, tolerance=1e-8, **options):
    form = local_form(problem)
    settings = RegionSettings(tolerance=tolerance * float(np.linalg.norm(form.q)), **options)
    return form, run_regions(form, settings)


def projected_residual(form, r, mu):
    """Equation 19 by whole arrays."""
    rest = -(form.W @ r.ravel()).reshape(r.shape) - form.q
    length = np.linalg.norm(r[:, 1:], axis=1)
    at_limit = (length >= (1.0 - 1e-14) * mu * r[:, 0]) & (length > 0.0)
    along = np.divide(r[:, 1:], length[:, None], out=np.zeros_like(r[:, 1:]), where=length[:, None] > 0.0)
    outward = np.maximum((rest[:, 1:] * along).sum(axis=1), 0.0)
    rest[at_limit, 1:] -= (outward[:, None] * along)[at_limit]
    rest[r[:, 0] <= 0.0, 1:] = 0.0
    rest[r[:, 0] <= 0.0, 0] = np.maximum(rest[r[:, 0] <= 0.0, 0], 0.0)
    return float(np.linalg.norm(rest))


def test_what_sweeps_creep_to_for_ever_is_found():
    """Three cubes with 16 contacts between any two: gradients and sweeps alone do not end."""
    form, without = relaxed(box_tower(3, 4), iterations=200, uses_newton=False)
    _, found = relaxed(box_tower(3, 4), iterations=200)
    assert without.unfinished == 1 and found.unfinished == 0
    reached = projected_residual(form, found.impulses, form.mu)
    assert reached == pytest.approx(found.history[-1], rel=1e-3, abs=1e-14)
    assert reached <= 1e-8 * float(np.linalg.norm(form.q))


@pytest.mark.parametrize("inconsistency", [1e-4, 1e-6])
def test_a_contact_between_two_that_hold_it(inconsistency):
    problem = three_on_an_edge(inconsistency)
    form, found = relaxed(problem)
    assert found.unfinished == 0
    start = np.array([[0.22, -0.04, -0.038], [0.11, -0.028, 0.033], [0.1, 0.007, 0.012]])
    settings = RegionSettings(tolerance=1e-8 * float(np.linalg.norm(form.q)), gradient_steps=0)
    creeping = RegionSettings(settings.iterations, settings.tolerance, gradient_steps=0, uses_newton=False)
    assert run_regions(form, creeping, start=start).unfinished == (inconsistency == 1e-6)
    from_afar = run_regions(form, settings, start=start)
    assert from_afar.unfinished == 0 and len(from_afar.history) < 50


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("is_pyramid", [False, True])
def test_it_finds_what_sweeps_find(seed, is_pyramid):
    """Where they do: the same velocities, by so few sweeps that Newton's method has to end them."""
    problem = random_problem(seed, friction=0.3)
    form, swept = relaxed(problem, 1e-10, is_pyramid=is_pyramid, uses_newton=False)
    _, found = relaxed(problem, 1e-10, is_pyramid=is_pyramid)
    if not swept.unfinished:
        assert found.unfinished == 0
        assert form.W @ (found.impulses - swept.impulses).ravel() == pytest.approx(np.zeros(form.q.size), abs=1e-7)


def test_the_judge_is_content_with_redundant_contacts():
    solution = solve(box_tower(5, 5), "regions", tolerance=1e-6, iterations=300)
    assert solution.converged


def test_the_same_bits_on_any_number_of_threads():
    form = local_form(box_tower(3, 4))
    settings = RegionSettings(40, 1e-9 * float(np.linalg.norm(form.q)))
    one, all_threads = on_any_number_of_threads(lambda: run_regions(form, settings))
    assert np.array_equal(one.impulses, all_threads.impulses) and one.history == all_threads.history
