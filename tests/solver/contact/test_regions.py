"""Regions against the quadratic algorithm; gradients and sweeps against the reference, the pyramid and each other."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.methods import fitting_methods, solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.region_rows import contact_regions
from stiction.solver.contact.regions import RegionSettings, run_regions
from stiction.solver.reference.friction import solve_exactly
from stiction.solver.reference.regions import regions_by_comparison
from tests.solver.collision.threads import on_any_number_of_threads

from .problems import frames_at, general_form, random_problem


def scattered_problem(seed=0, nodes=60, contacts=40, friction=0.4):
    """Free nodes with contacts among them and with the world: many regions."""
    rng = np.random.default_rng(seed)
    widths = rng.integers(1, 3, contacts)
    touched = [rng.choice(nodes, width, replace=False) for width in widths]
    weights = [np.array([1.0, -1.0])[:width] for width in widths]
    normals = rng.normal(size=(contacts, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    masses = np.repeat(rng.uniform(0.5, 2.0, nodes), 3)
    return FrictionProblem.nodal(
        *(sparse.diags_array(masses), rng.normal(size=3 * nodes), np.concatenate([[0], np.cumsum(widths)])),
        *(np.concatenate(touched), np.concatenate(weights), frames_at(normals), np.zeros((contacts, 3)), friction),
    ), [set(points.tolist()) for points in touched]


def same_partition(first, second):
    pairs = set(zip(first, second))
    return len(pairs) == len(set(first)) == len(set(second))


@pytest.mark.parametrize("nodes", [15, 60, 400])
@pytest.mark.parametrize("seed", range(10))
def test_regions_equal_those_of_the_quadratic_algorithm(seed, nodes):
    problem, touched = scattered_problem(seed, nodes)
    count, regions = contact_regions(local_form(problem).W)
    expected = regions_by_comparison(touched)
    assert count == len(set(expected)) and same_partition(regions.tolist(), expected)


def test_a_contact_that_joins_two_regions():
    """Contacts of points a, of b, and of both: one region, though the first two share nothing."""
    assert len(set(regions_by_comparison([{0}, {1}, {0, 1}]))) == 1
    assert len(set(regions_by_comparison([{0}, {1}, {2}]))) == 3


@pytest.mark.parametrize("is_polak_ribiere", [False, True])
@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_split_and_unsplit_solutions_are_those_of_the_reference(seed, friction, is_polak_ribiere):
    problem, _ = scattered_problem(seed, friction=friction)
    form = local_form(problem)
    _, r = solve_exactly(problem)
    for is_split in (True, False):
        settings = RegionSettings(tolerance=1e-11, is_polak_ribiere=is_polak_ribiere, is_split=is_split)
        result = run_regions(form, settings)
        assert result.unfinished == 0 and (result.region_count > 5) == is_split
        assert (form.W @ (result.impulses - r).ravel()) == pytest.approx(np.zeros(r.size), abs=1e-7)


def test_with_high_friction_what_is_found_is_a_solution():
    """One of several there may be."""
    for seed in range(8):
        problem, _ = scattered_problem(seed, friction=1.0)
        solution = solve(problem, "regions", iterations=2000)
        assert solution.converged, seed


def test_a_region_does_not_notice_the_others():
    """To the bit: those of two problems side by side are those of each alone."""
    parts = [local_form(scattered_problem(seed)[0]) for seed in (1, 2)]
    both = parts[0]._replace(
        W=sparse.csr_array(sparse.block_diag([part.W for part in parts])),
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in ("q", "mu", "softness")},
    )
    settings = RegionSettings(iterations=4, tolerance=0.0)
    alone = np.concatenate([run_regions(part, settings).impulses for part in parts])
    assert np.array_equal(run_regions(both, settings).impulses, alone)


def test_the_same_bits_on_any_number_of_threads():
    form = local_form(scattered_problem(4)[0])
    one, all_threads = on_any_number_of_threads(lambda: run_regions(form, RegionSettings(iterations=5, tolerance=0.0)))
    assert np.array_equal(one.impulses, all_threads.impulses) and one.history == all_threads.history


def test_gradients_get_near_before_sweeps_begin():
    """And the best of them is kept: more sweeps never make the residual larger."""
    form = local_form(scattered_problem(3, friction=0.0)[0])
    with_gradients = run_regions(form, RegionSettings(tolerance=1e-12)).history
    without = run_regions(form, RegionSettings(tolerance=1e-12, gradient_steps=0)).history
    assert with_gradients[0] < 1e-3 * without[0]
    assert (np.diff(with_gradients) <= 0.0).all() and (np.diff(without) <= 0.0).all()


@pytest.mark.parametrize("form", [lambda problem: problem, general_form])
@pytest.mark.parametrize("friction", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_pyramid_has_its_own_law(seed, friction, form):
    """Impulses lie in their bounds, and where they do not touch them the velocity is zero."""
    problem = form(random_problem(seed, friction=friction))
    solution = solve(problem, "regions-pyramid", tolerance=1e-9, iterations=2000)
    u, r = solution.u, solution.r
    assert r[:, 0] == pytest.approx(np.maximum(r[:, 0] - u[:, 0], 0.0), abs=1e-8)
    most = friction * r[:, :1]
    assert r[:, 1:] == pytest.approx(np.clip(r[:, 1:] - u[:, 1:], -most, most), abs=1e-8)


@pytest.mark.parametrize("method", ["regions", "anticipation"])
def test_a_region_without_contacts_and_one_of_a_single_contact(method):
    empty = FrictionProblem.local(np.zeros((0, 0)), np.zeros(0), np.zeros(0))
    solution = solve(empty, method)
    assert solution.converged and solution.r.shape == (0, 3)
    assert contact_regions(local_form(empty).W)[0] == 0
    single = solve(FrictionProblem.local(np.eye(3), [[-1.0, 3.0, 4.0]], 0.5), method)
    assert single.converged and single.u[0] == pytest.approx([0.0, 2.7, 3.6])


def test_anticipation_equals_regions():
    problem = random_problem(5)
    dense, split = solve(problem, "anticipation", tolerance=1e-10), solve(problem, "regions", tolerance=1e-10)
    assert dense.converged and split.converged
    assert dense.v == pytest.approx(split.v, abs=1e-8)


def test_what_was_not_reached_is_told():
    problem = random_problem(2, stiffness=1e4, contacts=20)
    solution = solve(problem, "regions", tolerance=1e-12, iterations=1)
    assert not solution.converged and solution.iterations == 1 and np.isfinite(solution.r).all()
    result = run_regions(local_form(problem), RegionSettings(1, 1e-14))
    assert result.unfinished == result.region_count == 1


def test_without_a_method_one_that_fits_is_chosen():
    problem = random_problem()
    assert solve(problem).method == "admm"
    assert solve(general_form(problem)).method == "newton"
    form = local_form(problem)
    assert solve(FrictionProblem.local(form.W, form.q, form.mu)).method == "newton"
    stiff = random_problem(1, stiffness=1e4, friction=0.8)
    chosen, first = solve(stiff, iterations=40), solve(stiff, "admm", iterations=40)
    assert not first.converged and chosen.converged and chosen.method == "newton"
    assert solve(replace(problem, restitution=0.5, approach=-1.0)).converged


def test_the_method_that_fits_depends_on_form_and_size(monkeypatch):
    problem = general_form(random_problem(nodes=20))
    free = general_form(random_problem(nodes=20, stiffness=0.0))
    assert fitting_methods(problem) == ("newton", "admm") and fitting_methods(free) == ("newton", "prox")
    monkeypatch.setattr("stiction.solver.contact.methods.QUICK_IF_DENSE", (3, 9))
    assert fitting_methods(problem) == ("admm", "newton") and fitting_methods(free) == ("newton", "prox")
    monkeypatch.setattr("stiction.solver.contact.methods.QUICK_TO_FACTOR", (3, 9))
    assert fitting_methods(free) == ("prox", "newton")
    monkeypatch.setattr("stiction.solver.contact.methods.QUICK_TO_FACTOR", (3, 4))
    assert fitting_methods(free) == ("prox",)
    nodal = random_problem(nodes=20)
    assert fitting_methods(nodal) == ("admm", "newton")
    monkeypatch.setattr("stiction.solver.contact.methods.QUICK_IF_DENSE", (3, 4))
    assert fitting_methods(nodal) == ("admm",)
