"""What holds for every energy law: derivatives, invariances, and the same numbers one by one and all at once."""

import numba
import numpy as np
import pytest

from tests.solver.energies.law_cases import CASES, SOLIDS, batch, matrices

EPSILON = np.finfo(float).eps
STEP = EPSILON ** (1 / 5)  # of the size: where truncation and round-off of a difference of fourth order are alike
DIFFERENCE_ERROR = 1e4 * STEP**4  # relative; the fifth derivatives of these laws are thousands of times the first
SIZES = [1e-4, 1e-2, 1.0, 1e2]  # [m]
STIFFNESS = [1e-3, 1e3, 1e9]

every_law = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
every_solid = pytest.mark.parametrize("case", SOLIDS, ids=lambda case: case.name)


def deformed(random, rest, size, amount):
    """Rest positions with random offsets, turned and moved."""
    return rigidly_moved(random, rest + amount * size * random.normal(size=rest.shape), size)


def rigidly_moved(random, positions, size):
    return positions @ rotation(random).T + size * random.normal(size=3)


def rotation(random):
    q, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return q * np.linalg.det(q)


def central_difference(function, positions, step):
    """Derivative of a function of positions (k, 3) to fourth order, the last axis along their 3 k numbers."""
    columns = []
    for index in np.ndindex(positions.shape):
        offset = np.zeros_like(positions)
        offset[index] = step
        near, far = (function(positions + n * offset) - function(positions - n * offset) for n in (1.0, 2.0))
        columns.append((8.0 * near - far) / (12.0 * step))
    return np.stack(columns, axis=-1)


@every_law
@pytest.mark.parametrize("stiffness", STIFFNESS)
@pytest.mark.parametrize("size", SIZES)
def test_derivatives_are_those_of_the_energy(case, size, stiffness):
    random = np.random.default_rng(11)
    law, rest = case.one(size, stiffness)
    for amount in (1e-3, 0.05, 0.2, 0.2, 0.2):
        x = deformed(random, rest, size, amount)
        gradient, hessian = case.gradient(law, 0, x), case.hessian(law, 0, x)
        by_energy = central_difference(lambda y: case.energy(law, 0, y), x, STEP * size).reshape(gradient.shape)
        by_gradient = central_difference(lambda y: case.gradient(law, 0, y).ravel(), x, STEP * size)
        # Near rest the gradient is small beside the change of it over one step.
        scale = np.abs(gradient).max() + STEP * size * np.abs(hessian).max()
        np.testing.assert_allclose(gradient, by_energy, rtol=0, atol=DIFFERENCE_ERROR * scale)
        np.testing.assert_allclose(hessian, by_gradient, rtol=0, atol=DIFFERENCE_ERROR * np.abs(hessian).max())


@every_law
def test_rest_has_no_energy_and_no_force(case):
    random = np.random.default_rng(12)
    for size in SIZES:
        law, rest = case.one(size, 1e3)
        energies, gradients, hessians = batch(law, rigidly_moved(random, rest, size))
        stiffness = np.abs(hessians).max()
        assert abs(energies[0]) <= (100 * EPSILON * size) * (size * stiffness)
        assert np.abs(gradients).max() <= 100 * EPSILON * size * stiffness


@every_law
def test_projected_hessian_is_exact_at_rest(case):
    law, rest = case.one()
    exact = case.hessian(law, 0, rest)
    projected = matrices(batch(law, rest)[2])[0]
    np.testing.assert_allclose(projected, exact, rtol=0, atol=1e-12 * np.abs(exact).max())


@every_law
@pytest.mark.parametrize("amount", [0.01, 0.3, 3.0])
def test_projected_hessian_is_positive_semi_definite(case, amount):
    random = np.random.default_rng(13)
    for size in SIZES:
        law, rest = case.one(size)
        for _ in range(30):
            hessian = matrices(batch(law, deformed(random, rest, size, amount))[2])[0]
            np.testing.assert_array_equal(hessian, hessian.T)
            eigenvalues = np.linalg.eigvalsh(hessian)
            assert eigenvalues[0] >= -1e-10 * eigenvalues[-1]


@every_law
def test_energy_ignores_rigid_motion_and_forces_turn_with_it(case):
    random = np.random.default_rng(14)
    law, rest = case.one()
    x = deformed(random, rest, 1.0, 0.2)
    turn = rotation(random)
    moved = x @ turn.T + [3.0, -2.0, 1.0]
    (energy,), (gradient,), _ = batch(law, x)
    (energy_moved,), (gradient_moved,), _ = batch(law, moved)
    assert energy_moved == pytest.approx(energy, rel=1e-12)
    np.testing.assert_allclose(gradient_moved, gradient @ turn.T, rtol=0, atol=1e-12 * np.abs(gradient).max())


@every_law
def test_forces_conserve_linear_and_angular_momentum(case):
    random = np.random.default_rng(15)
    for size in SIZES:
        law, rest = case.one(size)
        x = deformed(random, rest, size, 0.3)
        gradient = batch(law, x)[1][0]
        largest = np.abs(gradient).max()
        np.testing.assert_allclose(gradient.sum(axis=0), 0.0, atol=1e-13 * largest)
        np.testing.assert_allclose(np.cross(x, gradient).sum(axis=0), 0.0, atol=1e-12 * largest * np.abs(x).max())


def many(case, count=200):
    """A law of many elements on shared nodes, and deformed positions."""
    random = np.random.default_rng(16)
    copies = np.concatenate([case.rest + 0.1 * random.normal(size=case.rest.shape) for _ in range(count // 2)])
    own = np.arange(len(copies)).reshape(-1, len(case.rest))
    nodes = np.concatenate([own, np.roll(own, 1)])
    return case.make(nodes, copies, random.uniform(1e2, 1e4, count)), copies + 0.2 * random.normal(size=copies.shape)


@every_law
def test_all_elements_at_once_are_the_same_as_one_by_one(case):
    law, positions = many(case)
    energies, gradients, _ = batch(law, positions)
    assert law.nodes.shape == (200, len(case.rest))
    for element, nodes in enumerate(law.nodes):
        corners = positions[nodes]
        assert energies[element] == pytest.approx(case.energy(law, element, corners), rel=1e-12, abs=1e-12)
        gradient = case.gradient(law, element, corners)
        np.testing.assert_allclose(gradients[element], gradient, rtol=0, atol=1e-12 * np.abs(gradient).max())


@every_law
def test_any_number_of_threads_gives_the_same_bits(case):
    law, positions = many(case)
    before = numba.get_num_threads()
    try:
        results = []
        for threads in {1, numba.config.NUMBA_NUM_THREADS}:
            numba.set_num_threads(threads)
            results.append(batch(law, positions))
    finally:
        numba.set_num_threads(before)
    for first, second in zip(results[0], results[-1]):
        np.testing.assert_array_equal(first, second)


@every_law
def test_kernels_are_compiled_for_one_signature_only(case):
    """Read-only or strided constants would be another type, and seconds of compilation during a bake."""
    law, positions = many(case)
    batch(law, positions)
    one, rest = case.one()
    batch(one, rest)
    for kernel in (type(law).energies_kernel, type(law).derivatives_kernel):
        assert len(kernel.signatures) == 1


@every_law
def test_no_elements_are_no_trouble(case):
    law = case.make(np.empty((0, len(case.rest)), np.int32), np.zeros((0, 3)), 1.0)
    assert [len(result) for result in batch(law, np.zeros((0, 3)))] == [0, 0, 0]


COLLAPSED = {
    "point": lambda x: 0.0 * x,
    "point far away": lambda x: 0.0 * x + 100.0,
    "line": lambda x: x * [1.0, 0.0, 0.0],
    "nearly a line": lambda x: x * [1.0, 1e-9, 1e-12],
    "plane": lambda x: x * [1.0, 1.0, 0.0],
    "mirror image": lambda x: x * [1.0, 1.0, -1.0],
    "two corners in one": lambda x: np.concatenate([x[:-1], x[-2:-1]]),
    "ends in one": lambda x: np.concatenate([x[1:2], x[1:]]),
    "huge": lambda x: 1e6 * x,
}


@every_law
@pytest.mark.parametrize("collapse", COLLAPSED.values(), ids=COLLAPSED)
def test_collapsed_elements_have_finite_forces(case, collapse):
    law, rest = case.one()
    energies, gradients, hessians = batch(law, collapse(rest))
    assert all(np.isfinite(result).all() for result in (energies, gradients, hessians))
    eigenvalues = np.linalg.eigvalsh(matrices(hessians)[0])
    assert eigenvalues[0] >= -1e-10 * max(eigenvalues[-1], 1e-300)


@every_law
@pytest.mark.parametrize("collapse", COLLAPSED.values(), ids=COLLAPSED)
def test_elements_collapsed_at_rest_have_finite_forces(case, collapse):
    law = case.make(np.arange(len(case.rest))[None], collapse(case.rest), 1e3)
    assert all(np.isfinite(result).all() for result in batch(law, case.rest))


@every_solid
def test_solids_agree_with_linear_elasticity_near_rest(case):
    """Small strains of the stretches alone: E = V (μ ε:ε + λ/2 (tr ε)²)."""
    if case.name == "affine_rigidity":
        pytest.skip("a constraint, not a material")
    random = np.random.default_rng(17)
    law, rest = case.one(stiffness=1e4)
    displacement_gradient = 1e-6 * random.normal(size=(3, 3))
    strain = 0.5 * (displacement_gradient + displacement_gradient.T)
    mu, lam = 1e4 / 2.8, 1e4 * 0.4 / (1.4 * 0.2)
    wanted = law.elements.volumes[0] * (mu * (strain**2).sum() + 0.5 * lam * np.trace(strain) ** 2)
    energy = batch(law, rest + rest @ displacement_gradient.T)[0][0]
    assert energy == pytest.approx(wanted, rel=1e-4)


@every_solid
def test_orientation_of_the_tetrahedron_does_not_matter(case):
    random = np.random.default_rng(18)
    x = deformed(random, case.rest, 1.0, 0.2)
    swapped = [1, 0, 2, 3]
    forward, backward = (case.make(np.array([nodes]), case.rest, 1e3) for nodes in ([0, 1, 2, 3], swapped))
    np.testing.assert_allclose(batch(forward, x)[1][0], batch(backward, x)[1][0][swapped], rtol=0, atol=1e-9)
