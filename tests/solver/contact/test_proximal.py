"""PROX schemes against a plain twin, the reference and each other."""

import numpy as np
import pytest

from benchmarks.scenes.rigid_pile import sphere_pile
from stiction.solver.contact.block_rows import block_rows
from stiction.solver.contact.local_form import LocalForm, local_form
from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.proximal import ProxSettings, run_prox
from stiction.solver.contact.proximal_schemes import OverDelassus, OverRoot
from stiction.solver.contact.proximal_sweeps import sweep_cones, sweep_ellipsoids
from stiction.solver.contact.r_factors import BLOCKED, GLOBAL, LOCAL, cone_law, ellipsoid_law
from stiction.solver.reference.friction import solve_exactly
from stiction.solver.reference.proximal import prox_sweep

from .problem_files import box_on_the_ground, ring_on_the_ground
from .problems import random_problem

STRATEGIES = [GLOBAL, LOCAL, BLOCKED]


def random_form(width, contacts=7, seed=0):
    """Contacts that all answer to each other."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(width * contacts, width * contacts)) / np.sqrt(width * contacts)
    mu = rng.uniform(0.1, 1.0, (contacts, 3) if width == 4 else contacts)
    W = root @ root.T + 0.1 * np.eye(width * contacts)
    return local_form(FrictionProblem.local(W, rng.normal(size=(contacts, width)), mu, spin=width == 4))


def plain_factors(form: LocalForm, law, strategy):
    """R⁻¹ of friction: the own blocks of contacts, their diagonals, or one number."""
    W, count = form.W.toarray(), len(form.q)
    own = np.array([W[4 * c + 1 : 4 * c + 4, 4 * c + 1 : 4 * c + 4] for c in range(count)])
    if strategy == LOCAL:
        own = np.array([np.diag(np.diag(block)) for block in own])
    if strategy == GLOBAL:
        own = np.eye(3) / law.factors[:, None, None]
    return law.factors, np.linalg.inv(own)


@pytest.mark.parametrize("is_jacobi", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_sweeps_with_ellipsoids_equal_the_plain_twin(strategy, is_jacobi):
    """Once the roots are known: the first sweep may leave a little of their equations."""
    form = random_form(4)
    law = ellipsoid_law(form, strategy)
    r = np.abs(np.random.default_rng(1).normal(size=form.q.shape))
    for share in (1.0, 0.3):
        normal, friction = plain_factors(form, law, strategy)
        expected = prox_sweep(form.W.toarray(), form.q, form.mu, share * normal, share * friction, r, is_jacobi)
        for within in (1e-3, 1e-9, 1e-10):
            new = r.copy()
            change = sweep_ellipsoids(block_rows(form.W, 4), law, share, is_jacobi, r if is_jacobi else new, new)
            assert new == pytest.approx(expected, abs=within)
        assert change == pytest.approx(np.abs(expected - r).max())


@pytest.mark.parametrize("is_jacobi", [False, True])
@pytest.mark.parametrize("strategy", [GLOBAL, LOCAL])
def test_sweeps_with_cones_equal_the_plain_twin(strategy, is_jacobi):
    form = random_form(3)
    law = cone_law(form, strategy)
    r = np.abs(np.random.default_rng(1).normal(size=form.q.shape))
    new = r.copy()
    change = sweep_cones(block_rows(form.W, 3), law, 0.7, is_jacobi, r if is_jacobi else new, new)
    expected = r.copy()
    for c in range(len(r)):
        known = r if is_jacobi else expected
        u = form.W.toarray()[3 * c : 3 * c + 3] @ known.ravel() + form.q[c]
        normal = max(known[c, 0] - 0.7 * law.factors[c, 0] * u[0], 0.0)
        z, limit = known[c, 1:] - 0.7 * law.factors[c, 1] * u[1:], form.mu[c] * (r[c, 0] if is_jacobi else normal)
        expected[c] = [normal, *(z * min(1.0, limit / np.linalg.norm(z)))]
    assert new == pytest.approx(expected, abs=1e-13)
    assert change == pytest.approx(np.abs(expected - r).max())


@pytest.mark.parametrize("is_jacobi", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("spin", [False, True])
def test_sweeps_over_the_root_equal_those_over_the_whole(spin, strategy, is_jacobi):
    """W = G Gᵀ; some contacts give way. Blocked factors of cones have no root."""
    if strategy == BLOCKED and not spin:
        strategy = LOCAL
    problem = sphere_pile(2, spin)
    problem.compliance[:] = np.linspace(0.0, 0.5, problem.contact_count)
    form = local_form(problem)
    give = np.repeat(problem.compliance, problem.width)
    assert (form.root @ form.root.T).toarray() + np.diag(give) == pytest.approx(form.W.toarray(), abs=1e-13)
    make_law = ellipsoid_law if spin else cone_law
    rooted, whole = (kind(form, make_law(form, strategy), is_jacobi) for kind in (OverRoot, OverDelassus))
    for _ in range(120):  # longer than z is kept
        assert rooted.attempt(0.8) == pytest.approx(whole.attempt(0.8), rel=1e-6, abs=1e-12)
        rooted.accept()
        whole.accept()
        assert rooted.impulses == pytest.approx(whole.impulses, abs=1e-11)


@pytest.mark.parametrize("is_jacobi", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", range(3))
def test_all_schemes_find_the_reference(seed, strategy, is_jacobi):
    problem = random_problem(seed)
    result = run_prox(local_form(problem), ProxSettings(is_jacobi, strategy, 20000, 1e-11))
    assert len(result.history) < 20000
    assert result.impulses == pytest.approx(solve_exactly(problem)[1], abs=1e-7)


def test_jacobi_rolls_back_more_often_than_gauss_seidel():
    """Figure 9 of the paper."""
    form = local_form(random_problem(3, contacts=20))
    jacobi, seidel = (run_prox(form, ProxSettings(is_jacobi, LOCAL, 2000, 1e-9)) for is_jacobi in (True, False))
    assert jacobi.roll_backs > seidel.roll_backs
    assert len(jacobi.history) > len(seidel.history)


def test_what_is_rolled_back_is_not_kept():
    """Accepted changes never grow by more than the factors grow back."""
    form = local_form(random_problem(3, contacts=20))
    result = run_prox(form, ProxSettings(True, BLOCKED, 500, 0.0))
    assert result.roll_backs > 0 and np.isfinite(result.impulses).all()
    before = run_prox(form, ProxSettings(True, BLOCKED, 1, 0.0)).impulses
    assert np.abs(result.impulses).max() < 100.0 * np.abs(before).max()


def test_a_box_with_redundant_contacts():
    """Relaxation is slow there, but the velocities come out."""
    solution = solve(box_on_the_ground(3, pull=(3.0, 4.0), height=0.1), "prox", tolerance=1e-7, iterations=20000)
    assert solution.converged
    assert solution.v == pytest.approx([2.7, 3.6, 0.0, 0.0, 0.0, 0.0], abs=1e-5)


@pytest.mark.parametrize("contacts", [3, 12, 40])
@pytest.mark.parametrize("method", ["prox", "newton", "regions"])
def test_a_turning_ring_is_slowed_by_friction_at_its_radius(method, contacts):
    """All slide along it: together they take μ times what the ground stops, at one lever. A spin row does the same."""
    problem = ring_on_the_ground(contacts, turning=3.0)
    solution = solve(problem, method, tolerance=1e-8, iterations=20000)
    assert solution.converged
    slower = 3.0 - 0.5 * 1.0 / 0.4  # ω − μ v/R
    assert solution.v == pytest.approx([0.0, 0.0, 0.0, 0.0, 0.0, slower], abs=1e-6)
    rows = np.zeros((4, 6))
    rows[[0, 1, 2, 3], [2, 0, 1, 5]] = 1.0
    single = FrictionProblem(problem.A, problem.f, rows, np.zeros((1, 4)), [[0.5, 0.5, 0.5 * 0.4]], spin=True)
    assert solve(single, tolerance=1e-10).v == pytest.approx([0.0, 0.0, 0.0, 0.0, 0.0, slower], abs=1e-8)


def test_a_turning_ring_drifts_more_readily():
    """What friction takes of the turning it cannot take of the drift."""
    drifts = [solve(ring_on_the_ground(24, turning, drift=1.0)).v[0] for turning in (0.0, 2.0, 20.0)]
    assert drifts[0] == pytest.approx(0.5, abs=1e-8)
    assert drifts[0] < drifts[1] < drifts[2] < 1.0


def test_no_contacts_at_all():
    plain = random_problem()
    problem = FrictionProblem(plain.A, plain.f, np.zeros((0, len(plain.f))), np.zeros((0, 3)), 0.3)
    solution = solve(problem, "prox")
    assert solution.converged and solution.v == pytest.approx(np.linalg.solve(plain.A.toarray(), plain.f))


@pytest.mark.parametrize("method", ["prox", "regions", "anticipation", "newton"])
def test_no_mass_and_infinite_mass_are_refused_in_words(method):
    problem = random_problem()
    arguments = problem.f, problem.J, problem.k, problem.mu
    A = problem.A.tolil()
    A[4] = A[:, 4] = 0.0
    with pytest.raises(ValueError, match="neither mass nor hold"):
        solve(FrictionProblem(A, *arguments), method)
    with pytest.raises(ValueError, match="not positive definite"):
        solve(FrictionProblem(-problem.A, *arguments), method)
    A[4, 4] = np.inf
    with pytest.raises(ValueError, match="infinite or undefined"):
        solve(FrictionProblem(A, *arguments), method)
