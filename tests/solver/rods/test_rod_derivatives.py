"""Energy, gradient and Hessian of rods against finite differences and the plain twin."""

import numpy as np
import pytest

from stiction.solver import Hair, HairMaterial
from stiction.solver.linear_algebra.band_columns import BAND, COLUMN
from stiction.solver.linear_algebra.lanes import LANES
from stiction.solver.masses import strand_masses
from stiction.solver.reference.rods import strand_energy
from stiction.solver.rods.assembly import RodInertia, RodTrial, assemble_rods
from stiction.solver.rods.build import build_rods
from stiction.solver.rods.condensation import new_coupling
from stiction.solver.rods.energy import rod_energies
from stiction.solver.rods.transport import transport_frames

POINTS = 6


def random_strand(seed, size=1.0, modulus=1e6, flatness=0.6):
    """A strand that is bent, twisted and stretched against its natural shape."""
    random = np.random.default_rng(seed)
    rest = np.cumsum(size * (random.normal(size=(POINTS, 3)) * 0.3 + [1.0, 0, 0]), axis=0)
    material = HairMaterial(
        radius=0.05 * size, flatness=flatness, bending_modulus=modulus, stretching_modulus=modulus, damping=0.0
    )
    hair = Hair("strand", rest, [0, POINTS], material=material)
    rods, frames = build_rods([hair], strand_masses(hair))
    positions = rest + 0.15 * size * random.normal(size=rest.shape)
    transport_frames(rods.offsets, positions, frames, frames)
    return rods, frames, positions, random.normal(size=POINTS)


def energy_at(rods, frames, positions, twists):
    """The energy as a function of all unknowns: frames follow from where they are by parallel transport."""
    moved = frames.copy()
    transport_frames(rods.offsets, positions, frames, moved)
    energies = np.zeros(1)
    rod_energies(rods, moved, positions, twists, energies)
    return energies[0]


def assembled(rods, frames, positions, twists, time_step=1.0):
    """Gradient (23,) and projected Hessian (23, 23) without inertia."""
    count = 4 * POINTS - 1
    matrix, vector = np.zeros(count * COLUMN * LANES), np.zeros(count * LANES)
    nothing = np.zeros(POINTS)
    trial = RodTrial(positions, np.zeros_like(positions), twists, nothing)
    inertia = RodInertia(nothing, np.zeros_like(positions), nothing)
    massless = rods._replace(inertias=nothing)
    starts = np.zeros(1, np.int64)
    assemble_rods(
        massless, frames, trial, inertia, time_step, starts, starts, new_coupling(rods, starts), matrix, vector
    )
    band = matrix.reshape(count, COLUMN, LANES)[:, :, 0]
    full = np.zeros((count, count))
    for column in range(count):
        for below in range(min(BAND + 1, count - column)):
            full[column + below, column] = full[column, column + below] = band[column, below]
    return vector.reshape(count, LANES)[:, 0], full


def unpacked(unknowns):
    rows = np.append(unknowns, 0.0).reshape(POINTS, 4)
    return np.ascontiguousarray(rows[:, :3]), np.ascontiguousarray(rows[:, 3])


def packed(positions, twists):
    return np.column_stack([positions, twists]).ravel()[:-1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("size", "modulus"), [(1.0, 1e6), (1e-3, 4e9), (100.0, 10.0)])
def test_gradient_is_the_derivative_of_the_energy(seed, size, modulus):
    rods, frames, positions, twists = random_strand(seed, size, modulus)
    gradient, _ = assembled(rods, frames, positions, twists)
    start = packed(positions, twists)
    steps = np.where(np.arange(len(start)) % 4 == 3, 1e-6, 1e-6 * size)
    numeric = np.zeros_like(start)
    for i, step in enumerate(steps):
        shift = np.zeros_like(start)
        shift[i] = step
        difference = energy_at(rods, frames, *unpacked(start + shift)) - energy_at(
            rods, frames, *unpacked(start - shift)
        )
        numeric[i] = difference / (2 * step)
    scale = np.abs(gradient * steps).max()
    assert np.allclose(gradient * steps, numeric * steps, atol=1e-7 * scale)


@pytest.mark.parametrize("seed", range(5))
def test_energy_equals_its_plain_twin(seed):
    rods, frames, positions, twists = random_strand(seed)
    assert energy_at(rods, frames, positions, twists) == pytest.approx(
        strand_energy(rods, frames, positions, twists, 0), rel=1e-12
    )


def test_groom_is_at_rest():
    rods, frames, _, _ = random_strand(3)
    hair = np.cumsum(np.random.default_rng(3).normal(size=(POINTS, 3)) * 0.3 + [1.0, 0, 0], axis=0)
    transport_frames(rods.offsets, hair, frames, frames)
    twists = np.zeros(POINTS)
    assert energy_at(rods, frames, hair, twists) < 1e-18 * rods.stretching.max()


@pytest.mark.parametrize("seed", range(5))
def test_projected_hessian_is_positive_and_exact_at_rest(seed):
    rods, frames, positions, twists = random_strand(seed)
    _, hessian = assembled(rods, frames, positions, twists)
    values = np.linalg.eigvalsh(hessian)
    assert values[0] > -1e-10 * values[-1]
    rest = np.cumsum(np.random.default_rng(seed).normal(size=(POINTS, 3)) * 0.3 + [1.0, 0, 0], axis=0)
    transport_frames(rods.offsets, rest, frames, frames)
    _, hessian = assembled(rods, frames, rest, np.zeros(POINTS))
    assert np.allclose(hessian, numeric_hessian(rods, frames, rest), atol=1e-5 * np.abs(hessian).max())


def numeric_hessian(rods, frames, rest, step=1e-4):
    start = packed(rest, np.zeros(POINTS))
    numeric = np.zeros((len(start), len(start)))
    unit = np.eye(len(start)) * step
    for i in range(len(start)):
        for j in range(i + 1):
            corners = [
                sign_i * sign_j * energy_at(rods, frames, *unpacked(start + sign_i * unit[i] + sign_j * unit[j]))
                for sign_i in (-1, 1)
                for sign_j in (-1, 1)
            ]
            numeric[i, j] = numeric[j, i] = sum(corners) / (4 * step**2)
    return numeric


@pytest.mark.parametrize("seed", range(3))
def test_rigid_motion_changes_nothing(seed):
    rods, frames, positions, twists = random_strand(seed)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    moved = positions @ turn.T + [3.0, -2.0, 1.0]
    turned = frames._replace(tangents=frames.tangents @ turn.T, directors=frames.directors @ turn.T)
    assert energy_at(rods, turned, moved, twists) == pytest.approx(energy_at(rods, frames, positions, twists))
    gradient, _ = assembled(rods, frames, positions, twists)
    turned_gradient, _ = assembled(rods, turned, moved, twists)
    forces, torques = unpacked(gradient)
    turned_forces, turned_torques = unpacked(turned_gradient)
    scale = np.abs(gradient).max()
    assert np.allclose(turned_forces, forces @ turn.T, atol=1e-9 * scale)
    assert np.allclose(turned_torques, torques, atol=1e-9 * scale)
    assert np.allclose(forces.sum(axis=0), 0.0, atol=1e-9 * scale)
