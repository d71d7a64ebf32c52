"""Leaps of PROX: extrapolation against least squares, and what leaps spare, or do not spoil."""

import numpy as np
import pytest

from benchmarks.scenes.rigid_pile import sphere_pile
from stiction.solver.contact import extrapolation
from stiction.solver.contact.extrapolation import MEMORY, Extrapolation
from stiction.solver.contact.local_form import local_form
from stiction.solver.contact.proximal import ProxSettings, run_prox
from stiction.solver.contact.r_factors import BLOCKED, GLOBAL, LOCAL
from stiction.solver.reference.friction import solve_exactly

from .problems import random_problem


def contraction(size, seed=0):
    """x ↦ M x + b that halves distances or better, and its fixed point."""
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(size, size))
    M *= 0.5 / np.linalg.norm(M, 2)
    b = rng.normal(size=size)
    return M, b, np.linalg.solve(np.eye(size) - M, b)


@pytest.mark.parametrize("size", range(1, MEMORY + 1))
def test_as_many_turns_as_there_are_components_find_a_fixed_point(size):
    """Of a linear iteration; what is left is what the regularization leaves."""
    M, b, fixed = contraction(size)
    heading, x = Extrapolation(size), np.zeros(size)
    for _ in range(size + 1):
        end = M @ x + b
        landing = heading.after(end - x, end)
        x = end if landing is None else landing
    assert x == pytest.approx(fixed, abs=1e-5 * np.abs(fixed).max())
    assert np.abs(end - fixed).max() < 2.0 * 0.5**size * np.abs(fixed).max()


@pytest.mark.parametrize("turns", [2, MEMORY, MEMORY + 4])
def test_where_it_lands_is_the_least_squares_combination_of_the_last_turns(turns):
    rng = np.random.default_rng(turns)
    ways, ends = rng.normal(size=(2, turns, 30))
    heading = Extrapolation(30)
    for way, end in zip(ways, ends):
        landing = heading.after(way, end)
    changes, moves = np.diff(ways, axis=0)[-MEMORY:], np.diff(ends, axis=0)[-MEMORY:]
    shares = np.linalg.lstsq(changes.T, ways[-1], rcond=None)[0]
    assert landing == pytest.approx(ends[-1] - shares @ moves, abs=1e-7)
    heading.forget()
    assert heading.after(ways[0], ends[0]) is None


def test_turns_that_go_nowhere_lead_nowhere():
    heading = Extrapolation(4)
    assert all(heading.after(np.ones(4), np.ones(4)) is None for _ in range(3))


@pytest.mark.parametrize("is_jacobi", [False, True])
@pytest.mark.parametrize("strategy", [GLOBAL, LOCAL, BLOCKED])
@pytest.mark.parametrize("seed", range(3))
def test_all_schemes_leap_to_the_reference(seed, strategy, is_jacobi):
    problem = random_problem(seed)
    result = run_prox(local_form(problem), ProxSettings(is_jacobi, strategy, 20000, 1e-11, leaps=True))
    assert len(result.history) < 20000
    assert result.impulses == pytest.approx(solve_exactly(problem)[1], abs=1e-7)


@pytest.mark.parametrize(("spin", "heaviest"), [(False, 1000.0), (True, 1.0)])
def test_leaps_spare_most_sweeps_of_a_pile(spin, heaviest):
    form = local_form(sphere_pile(3, spin=spin, heaviest=heaviest), by_root=True)
    swept, leapt = (run_prox(form, ProxSettings(tolerance=1e-9, leaps=leaps)) for leaps in (False, True))
    assert 2 * len(leapt.history) < len(swept.history) < 1000
    root = form.root.toarray()
    assert root.T @ (leapt.impulses - swept.impulses).ravel() == pytest.approx(np.zeros(root.shape[1]), abs=1e-6)


def test_leaps_that_lead_astray_are_taken_back(monkeypatch):
    """Wherever they land: sweeps go on from before the leap."""
    form = local_form(random_problem(1))
    honest = run_prox(form, ProxSettings(tolerance=1e-11))
    monkeypatch.setattr(extrapolation.Extrapolation, "_landing", lambda self, way, end: end + 1e3)
    astray = run_prox(form, ProxSettings(iterations=5000, tolerance=1e-11, leaps=True))
    assert len(astray.history) < 5000 and astray.impulses == pytest.approx(honest.impulses, abs=1e-9)


def test_what_diverges_with_leaps_is_rolled_back():
    """The best is given back, however far the rest went."""
    form = local_form(random_problem(3, contacts=20))
    first = run_prox(form, ProxSettings(True, BLOCKED, 1, 0.0, leaps=True)).impulses
    result = run_prox(form, ProxSettings(True, BLOCKED, 500, 0.0, leaps=True))
    assert np.isfinite(result.impulses).all()
    assert np.abs(result.impulses).max() < 100.0 * np.abs(first).max()
