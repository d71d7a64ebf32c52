"""Implicit Euler: first order in the step, momentum conserved, and energy that never grows."""

from itertools import pairwise

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Hair, HairMaterial, Scene, Simulation, SoftBody, SolidMaterial
from stiction.solver.rods.energy import rod_energies
from tests.solver.conftest import cube, grid
from tests.verification.closed_forms import GRAVITY

STILL_AIR = {"air_drag": 0.0}


def sheet(damping):
    material = ClothMaterial(
        warp_stiffness=50.0, weft_stiffness=50.0, shear_stiffness=5.0, damping=damping, **STILL_AIR, normal_drag=0.0
    )
    return Cloth("sheet", *grid(), material=material)


def strand(damping):
    angle = np.linspace(0.0, np.pi, 12)
    positions = np.column_stack([np.cos(angle), 0.2 * angle, np.sin(angle)]) * 0.1
    material = HairMaterial(radius=1e-3, bending_modulus=1e7, stretching_modulus=1e6, damping=damping, **STILL_AIR)
    return Hair("strand", positions, [0, 12], material=material)


def block(damping):
    material = SolidMaterial(youngs_modulus=2e4, damping=damping, **STILL_AIR)
    return SoftBody("block", *cube(0.2), material=material, resolution=2)


every_kind = pytest.mark.parametrize("make", [sheet, strand, block])


def simulated(item, gravity=GRAVITY, steps_per_frame=4, frames_per_second=24.0):
    scene = Scene(gravity=(0.0, 0.0, -gravity), frames_per_second=frames_per_second, steps_per_frame=steps_per_frame)
    scene.add(item)
    return Simulation(scene)


def shake(simulation, speed=0.5):
    """Random velocities of all free nodes, not so wild that anything folds over."""
    free = simulation.model.is_free
    simulation.state.velocities[free] = speed * np.random.default_rng(3).normal(size=(free.sum(), 3))


def momentum(simulation):
    return simulation.model.masses @ simulation.state.velocities


@every_kind
@pytest.mark.parametrize("damping", [0.0, 5e-3])
def test_momentum_is_conserved_without_external_force(make, damping):
    """To rounding, whether Newton's method has converged or not: inner forces add up to nothing."""
    simulation = simulated(make(damping), gravity=0.0)
    shake(simulation)
    before = momentum(simulation)
    size = simulation.model.masses @ np.linalg.norm(simulation.state.velocities, axis=1)
    for _ in range(30):
        simulation.advance()
    np.testing.assert_allclose(momentum(simulation), before, rtol=0.0, atol=1e-11 * size)


def energy(simulation):
    """Of motion, elasticity and weight [J]."""
    model, state = simulation.model, simulation.state
    total = 0.5 * model.masses @ (state.velocities**2).sum(axis=1) - (model.masses @ state.positions) @ model.gravity
    positions = np.ascontiguousarray(state.positions[model.body_nodes])
    for law, _ in model.laws:
        energies = np.zeros(len(law.nodes))
        law.energies(positions, energies)
        total += energies.sum()
    if len(model.rods.masses):
        energies = np.zeros(len(model.rods.offsets) - 1)
        rod_energies(model.rods, state.frames, state.positions[model.strand_nodes], state.twists, energies)
        total += energies.sum() + 0.5 * model.rods.inertias @ state.twist_velocities**2
    return total


@every_kind
def test_energy_never_grows(make):
    """With converged Newton iterations; two of them may overshoot."""
    item = make(0.0)
    item.pinned = np.array([0, 1], np.int32)
    simulation = simulated(item)
    simulation.integrator.settings.tolerance = 1e-9
    shake(simulation)
    energies = [energy(simulation)]
    for _ in range(40):
        simulation.advance()
        energies.append(energy(simulation))
    lost = energies[0] - energies[-1]
    assert lost > 0.0
    assert np.diff(energies).max() < 1e-8 * lost


@every_kind
def test_error_falls_with_the_step(make):
    """Halving the step halves the change of the result: first order."""
    ends = []
    for steps in (16, 32, 64, 128):
        item = make(1e-3)
        item.pinned = np.array([0, 1], np.int32)
        simulation = simulated(item, steps_per_frame=steps, frames_per_second=8.0)
        simulation.integrator.settings.tolerance = 1e-9
        simulation.advance_frame()
        ends.append(simulation.state.positions.copy())
    changes = [np.linalg.norm(second - first) for first, second in pairwise(ends)]
    assert 1.6 < changes[-2] / changes[-1] < 2.4
