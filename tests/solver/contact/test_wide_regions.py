"""Regions by a root of W, where contacts answer to many others: against the same regions by W itself."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sparse

from benchmarks.scenes.rigid_pile import box_tower, sphere_pile
from stiction.solver.contact.kept_regions import KeptRegions, touched_parts
from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.region_parts import region_parts
from stiction.solver.contact.regions import RegionSettings, run_regions
from tests.solver.collision.threads import on_any_number_of_threads


def by_root(problem):
    """Its form without W, and the regions."""
    return local_form(problem, by_root=True), KeptRegions().update(*touched_parts(problem))


def relaxed(problem, settings):
    form, regions = by_root(problem)
    return run_regions(form, settings, regions)


def beside(first, second):
    """Both problems as one, with nothing between them."""
    A, J = (sparse.csr_array(sparse.block_diag(pair)) for pair in ((first.A, second.A), (first.J, second.J)))
    f, k, mu = (np.concatenate([getattr(first, name), getattr(second, name)]) for name in ("f", "k", "mu"))
    return FrictionProblem(A, f, J, k, mu)


def many_on_points_of_four_unknowns(points=3, contacts=30, seed=0):
    """Three unknowns that are visited together belong to two points, and so to two regions."""
    rng = np.random.default_rng(seed)
    blocks = [np.eye(4) + 0.1 * np.ones((4, 4)) for _ in range(points)]
    J = sparse.block_diag([rng.normal(size=(3 * contacts, 4)) for _ in range(points)])
    A = sparse.csr_array(sparse.block_diag(blocks))
    return FrictionProblem(A, rng.normal(size=4 * points), sparse.csr_array(J), np.zeros((contacts * points, 3)), 0.4)


WIDE = {
    "boxes on each other": lambda: box_tower(3, 4),
    "boxes whose contacts give way": lambda: replace(box_tower(3, 4), compliance=np.linspace(0.0, 0.2, 48)),
    "regions that share columns": many_on_points_of_four_unknowns,
}


@pytest.mark.parametrize("is_pyramid", [False, True])
@pytest.mark.parametrize("name", WIDE)
def test_sweeps_by_a_root_are_those_by_the_operator(name, is_pyramid):
    """Gradients and eighty sweeps from nothing: the same impulses but for rounding."""
    problem = WIDE[name]()
    settings = RegionSettings(iterations=5, tolerance=0.0, is_pyramid=is_pyramid)
    assert all(part.rows.is_rooted for part in region_parts(*by_root(problem)))
    rooted, whole = relaxed(problem, settings), run_regions(local_form(problem), settings)
    assert rooted.region_count == whole.region_count
    assert rooted.history == pytest.approx(whole.history, rel=1e-6)
    assert rooted.impulses == pytest.approx(whole.impulses, abs=1e-8 * np.abs(whole.impulses).max())


def test_newtons_method_by_a_root_ends_what_sweeps_do_not():
    """After as many sweeps as take it longer, which are more than by the operator."""
    form, regions = by_root(box_tower(3, 4))
    settings = RegionSettings(200, 1e-8 * float(np.linalg.norm(form.q)))
    assert run_regions(form, replace(settings, uses_newton=False), regions).unfinished == 1
    found = run_regions(form, settings, regions)
    assert found.unfinished == 0 and 100 < len(found.history) < 200
    assert solve(box_tower(3, 4), "regions", 1e-8, 200).converged


def test_a_wide_region_and_narrow_ones_do_not_notice_each_other():
    """To the bit: each is visited as if the others were not there."""
    problems = box_tower(3, 4), sphere_pile(3)
    settings = RegionSettings(iterations=4, tolerance=0.0)
    assert {part.rows.is_rooted for part in region_parts(*by_root(beside(*problems)))} == {False, True}
    both = relaxed(beside(*problems), settings)
    alone = [relaxed(problem, settings) for problem in problems]
    assert np.array_equal(both.impulses, np.concatenate([result.impulses for result in alone]))
    assert both.history == pytest.approx(np.hypot(*(result.history for result in alone)), rel=1e-12)
    assert both.region_count == sum(result.region_count for result in alone)


def test_the_same_bits_on_any_number_of_threads():
    form, regions = by_root(many_on_points_of_four_unknowns(points=8))
    settings = RegionSettings(iterations=5, tolerance=0.0)
    one, all_threads = on_any_number_of_threads(lambda: run_regions(form, settings, regions))
    assert np.array_equal(one.impulses, all_threads.impulses) and one.history == all_threads.history
