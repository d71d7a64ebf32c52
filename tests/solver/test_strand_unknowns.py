"""Strands by the root of their matrix, against the dense matrix and its Schur complement."""

import numpy as np
import pytest

from stiction.solver import Cloth, Hair, HairMaterial, RigidBody, Scene, Simulation
from stiction.solver.contact.jacobian_products import jacobian_products
from stiction.solver.contact.nodal_contacts import NodalContacts
from stiction.solver.integrator.linearized_steps import frames_of
from stiction.solver.integrator.step_problem import step_problem
from stiction.solver.integrator.step_start import inertia_of
from stiction.solver.integrator.strand_products import mixed_problem_with_strands
from stiction.solver.linear_algebra.errors import NotPositiveDefinite
from stiction.solver.reference import banded_cholesky as plain

from .conftest import cube, grid

COUNTS = [2, 6, 3, 6, 6, 5, 6, 6]  # points of the strands: five of six fill a group, and begin another
STEP = 0.01  # [s]


def curls(rng):
    """Strands that wind through space, so that bending and twist depend on each other, and their offsets."""
    positions = []
    for number, count in enumerate(COUNTS):
        angle = 1.3 * np.arange(count) + rng.uniform(0.0, 6.0)
        curl = 0.01 * np.column_stack([np.cos(angle), np.sin(angle), np.arange(count)])
        positions.append(curl + [0.2 * number, 0.0, 0.0])
    return np.concatenate(positions), np.concatenate([[0], np.cumsum(COUNTS)])


def linearized(method, *others):
    """A step's linearization amid motion and twisting; the dense matrices of the strands, and the solver."""
    rng = np.random.default_rng(5)
    scene = Scene()
    positions, offsets = curls(rng)
    stiff = HairMaterial(radius=3e-4, bending_modulus=1e8, stretching_modulus=1e8)
    scene.add(Hair("curls", positions, offsets, material=stiff, pinned=[2, 3, 11]))
    for item in others:
        scene.add(item)
    simulation = Simulation(scene, contact_method=method)
    solver, state = simulation.integrator.solver, simulation.state
    state.velocities[solver.model.is_free] += 0.1 * rng.normal(size=(solver.model.is_free.sum(), 3))
    state.twist_velocities[:] = rng.normal(size=len(positions)) * solver.model.rods.is_free_edge
    state.twist_velocities[offsets[1:] - 1] = 0.0
    state.impulses[solver.model.is_free] = 1e-6 * rng.normal(size=(solver.model.is_free.sum(), 3))
    inertia = inertia_of(solver.model, state, STEP, STEP)
    start = state.positions.copy()
    state.positions += STEP * state.velocities
    solver.start_step(state, start, STEP, STEP)
    solver.system.linearize(state, inertia, STEP, solver.gradient)
    dynamics = solver.system.strands.dynamics
    dense = [plain.dense(plain.strand_band(dynamics.layout, dynamics.matrix, s)) for s in range(len(COUNTS))]
    return solver, solver._linearize(state, inertia, STEP), dense, state


def of_strand(vectors, numbers, strand):
    """Values of points (n, 3) and edges (n,) as a strand's system has them."""
    first = sum(COUNTS[:strand])
    rows = slice(first, first + COUNTS[strand])
    return np.column_stack([vectors[rows], numbers[rows]]).ravel()[:-1]


def test_velocities_of_unknowns_solve_the_dense_system():
    """A v = A v₀ − ∇𝒜 + p, of twists too, where the unknowns solve m̄ w = f + √m̄ L⁻¹ p."""
    solver, linear, dense, state = linearized("cr")
    strands, pushes = solver.unknowns.strands, state.impulses
    w = (linear.f + strands.pull(pushes)) / strands.masses
    assert w == pytest.approx(linear.unknowns, rel=1e-12)  # where the impulses that are known lead
    v = solver.unknowns.velocities(w)
    for strand, A in enumerate(dense):
        right = of_strand(pushes - solver.gradient.nodes, -solver.gradient.twists, strand)
        exact = of_strand(state.velocities, state.twist_velocities, strand) + np.linalg.solve(A, right)
        found = of_strand(v.nodes, v.twists, strand)
        assert found == pytest.approx(exact, rel=1e-6, abs=1e-6 * np.abs(exact).max())
    assert np.array_equal(v.nodes[[2, 3, 11]], state.velocities[[2, 3, 11]])  # given points keep theirs


def test_what_is_not_touched_is_condensed_as_by_the_schur_complement():
    """B Bᵀ/m̄ of some points is the inverse of their Schur complement."""
    solver, _, dense, _ = linearized("prox")
    strands, first = solver.unknowns.strands, sum(COUNTS[:3])
    touched = np.array([1, 2, 5])
    basis = strands.basis(first + touched)
    rows = (3 * (first + touched)[:, None] + np.arange(3)).ravel()
    assert not np.delete(np.diff(basis.indptr), rows).any()
    ours = (basis @ basis.T).toarray()[np.ix_(rows, rows)] / strands.mean_masses[3]
    is_touched = np.zeros(len(dense[3]), bool)
    is_touched[(4 * touched[:, None] + np.arange(3)).ravel()] = True
    own, beside, rest = (dense[3][a][:, b] for a, b in
                         ((is_touched, is_touched), (is_touched, ~is_touched), (~is_touched, ~is_touched)))  # fmt: skip
    schur = own - beside @ np.linalg.solve(rest, beside.T)
    assert ours @ schur == pytest.approx(np.eye(9), abs=1e-6)


def test_blocks_of_the_inverse_are_those_of_the_dense_one():
    solver, _, dense, _ = linearized("cr")
    own, beside = solver.unknowns.strands.inverse_blocks()
    for strand, A in enumerate(dense):
        inverse, first = np.linalg.inv(A), sum(COUNTS[:strand])
        scale = np.abs(inverse).max()
        for point in range(COUNTS[strand]):
            at = 4 * point
            assert own[first + point] == pytest.approx(inverse[at : at + 3, at : at + 3], abs=1e-6 * scale)
            if point + 1 < COUNTS[strand]:
                expected = inverse[at : at + 3, at + 4 : at + 7]
                assert beside[first + point] == pytest.approx(expected, abs=1e-6 * scale)


def random_contacts(solver, count=20):
    """Of one to four nodes; neighbours on a strand as its edges have them, and others."""
    rng = np.random.default_rng(2)
    free = np.flatnonzero(solver.model.is_free)
    sets = [rng.choice(free, 1 + number % 4, replace=False) for number in range(count)]
    sets += [np.array([12, 13]), np.array([13, 12, 18, 19]), np.array([25, 39])]
    offsets = np.cumsum([0, *map(len, sets)]).astype(np.int32)
    nodes, count = np.concatenate(sets).astype(np.int32), len(sets)
    normals = rng.normal(size=(count, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    numbers = rng.normal(size=(count, 3)), np.full(count, 0.3), np.zeros(count), np.zeros(count)
    return NodalContacts(offsets, nodes, rng.uniform(-1.0, 1.0, len(nodes)), normals, *numbers)


OTHERS = {
    "hair alone": lambda: [],
    "with cloth": lambda: [Cloth("sheet", *grid())],
    "with a rigid body": lambda: [RigidBody("prop", *cube(0.1, (0, 0, 3)))],
    "with both": lambda: [Cloth("sheet", *grid()), RigidBody("prop", *cube(0.1, (0, 0, 3)))],
}


@pytest.mark.parametrize("others", OTHERS)
def test_products_that_apply_the_root_are_those_of_the_matrix(others):
    """J w, Jᵀ r and A w by half solves, against the sparse matrices that other methods get."""
    items = OTHERS[others]()
    solver, linear, _, _ = linearized("prox", *items)
    contacts = random_contacts(solver)
    frames, rng = frames_of(contacts), np.random.default_rng(1)
    problem = step_problem(linear, contacts, frames)
    mixed = linearized("cr", *items)
    ours = mixed_problem_with_strands(mixed[1], mixed[0].unknowns.strands, contacts, frames, bool(solver.rigid))
    # By CR the strands' unknowns may be measured by other masses: √m̄ w is the same.
    scales = np.ones(len(linear.f))
    first = solver.unknowns.body_count
    scales[first:] = mixed[0].unknowns.strands.roots / solver.unknowns.strands.roots
    assert (scales[first:] >= 1.0 - 1e-12).all()
    w, r = rng.normal(size=len(linear.f)), rng.normal(size=(contacts.contact_count, 3))
    plain_products = jacobian_products(problem)
    assert ours.k == pytest.approx(problem.k)
    assert ours.products.velocities(w / scales) == pytest.approx(plain_products.velocities(w), rel=1e-7, abs=1e-7)
    assert ours.products.push(r) / scales == pytest.approx(plain_products.push(r), rel=1e-7, abs=1e-9)
    assert ours.f / scales == pytest.approx(problem.f, rel=1e-7, abs=1e-9 * np.abs(problem.f).max())
    padded, product = np.append(w / scales, 0.0), np.empty(len(w))
    ours.dynamics.put(padded, product)
    assert product / scales == pytest.approx(problem.A @ w, rel=1e-7, abs=1e-9)
    own = plain_products.own_softness(1.0 / problem.A.diagonal())
    is_exact = np.diff(contacts.offsets) == 1  # what far points of one strand do to each other is left out
    is_exact[-3:] = True
    assert ours.own[is_exact] == pytest.approx(own[is_exact], rel=1e-6, abs=1e-6 * np.abs(own[is_exact]).min())


@pytest.mark.parametrize("lost", ["positions", "momentum"])
def test_numbers_that_are_lost_name_the_strand(lost):
    solver, _, _, state = linearized("cr")
    inertia = inertia_of(solver.model, state, STEP, STEP)
    if lost == "positions":
        state.positions[13] = np.inf
    else:
        inertia.momentum[13] = np.nan
    with np.errstate(all="ignore"), pytest.raises(NotPositiveDefinite) as error:
        solver._linearize(state, inertia, STEP)
    assert error.value.is_of_strand and 11 <= error.value.node < 17
