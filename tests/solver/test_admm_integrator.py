"""Strands by the ADMM integrator against Projected Newton, both to convergence."""

import numba
import numpy as np
import pytest

from stiction.solver import Cloth, Hair, HairMaterial, Roots, Scene, Simulation
from stiction.solver.integrator.admm_integrator import AdmmIntegrator
from stiction.solver.integrator.projected_newton import ProjectedNewton
from stiction.solver.integrator.relaxation import relax

from .conftest import grid

TOLERANCE = 1e-11  # [m]
LIGHT = 1e-6  # of the inertia of twist: quasi-static but for this


def curly(count=20, length=0.15, radius=0.01, pitch=0.03):
    s = np.linspace(0.0, length, count)
    turn = 2.0 * np.pi * s / np.hypot(2.0 * np.pi * radius, pitch)
    return np.column_stack([radius * (np.cos(turn) - 1.0), radius * np.sin(turn), -pitch * turn / (2.0 * np.pi)])


def straight(count=20, length=0.15):
    return np.linspace(0.0, length, count)[:, None] * [1.0, 0.0, 0.0]


def groom(shape, **settings):
    """Two strands with clamped roots."""
    points = shape()
    count = len(points)
    scene = Scene()
    positions = np.concatenate([points, points + [0.0, 0.05, 0.0]])
    pinned = [0, 1, count, count + 1]
    scene.add(Hair("groom", positions, [0, count, 2 * count], pinned=pinned, material=HairMaterial(**settings)))
    return scene


def light_twists(scene):
    simulation = Simulation(scene)
    rods = simulation.model.rods
    return simulation.model._replace(rods=rods._replace(inertias=LIGHT * rods.inertias)), simulation.state


def advanced(make, model, state, steps, time_step, tolerance=TOLERANCE):
    integrator = make(model, state.positions)
    integrator.settings.tolerance = tolerance
    state = state.copy()
    for _ in range(steps):
        integrator.advance(state, time_step)
    return state


@pytest.mark.parametrize("damping", [0.0, 0.005])
@pytest.mark.parametrize("flatness", [1.0, 0.5])
@pytest.mark.parametrize("shape", [straight, curly])
def test_it_ends_where_newtons_method_does(shape, flatness, damping):
    scene = groom(shape, flatness=flatness, damping=damping)
    model, state = light_twists(scene)
    newton = advanced(ProjectedNewton, model, state, 12, scene.time_step)
    admm = advanced(AdmmIntegrator, model, state, 12, scene.time_step)
    motion = np.abs(newton.positions - state.positions).max()
    assert motion > 0.01
    # Each step ends within about ten tolerances; twist is light, not weightless.
    assert admm.positions == pytest.approx(newton.positions, abs=12 * 10 * TOLERANCE + LIGHT * motion)
    assert admm.velocities == pytest.approx(newton.velocities, abs=1e-5)


def test_more_iterations_are_nearer():
    scene = groom(curly)
    model, state = light_twists(scene)
    exact = advanced(ProjectedNewton, model, state, 1, scene.time_step).positions
    errors = []
    for iterations in (4, 16, 64):
        integrator, moved = AdmmIntegrator(model, state.positions), state.copy()
        integrator.settings.iterations = iterations
        integrator.advance(moved, scene.time_step)
        errors.append(np.abs(moved.positions - exact).max())
    assert errors[2] < 0.2 * errors[1] < 0.2 * errors[0]


@pytest.mark.parametrize("shape", [straight, curly])
def test_relaxation_ends_in_the_same_equilibrium(shape):
    rest = []
    for make in (ProjectedNewton, AdmmIntegrator):
        simulation = Simulation(groom(shape))
        report = relax(simulation.model, simulation.state, make_integrator=make)
        assert report.is_at_rest and report.motion > 5e-3
        rest.append(simulation.state.positions)
    assert rest[1] == pytest.approx(rest[0], abs=1e-6)


def test_a_jerk_at_the_roots_does_no_harm():
    """Roots that jump a metre in a step and turn over: strands come along and keep their length."""
    scene = groom(curly)
    strand = scene.objects["groom"]
    roots = strand.positions[strand.pinned]
    strand.pin_motion = lambda time: roots if time < 1e-9 else roots * [1.0, -1.0, -1.0] + [1.0, 0.0, 0.0]
    simulation = Simulation(scene)
    integrator = AdmmIntegrator(simulation.model, simulation.state.positions)
    lengths = np.linalg.norm(np.diff(simulation.state.positions[:20], axis=0), axis=1)
    for _ in range(20):
        integrator.advance(simulation.state, scene.time_step)
    now = np.linalg.norm(np.diff(simulation.state.positions[:20], axis=0), axis=1)
    assert now == pytest.approx(lengths, rel=0.05)
    assert simulation.state.positions[strand.pinned] == pytest.approx(roots * [1, -1, -1] + [1, 0, 0])


def test_hair_follows_the_cloth_it_grows_on():
    scene = Scene()
    positions, triangles = grid()
    scene.add(Cloth("sheet", positions, triangles, pinned=[0, 4]))
    corners = triangles[[3, 10]]
    feet = positions[corners].mean(axis=1)
    strands = (feet[:, None] + np.arange(6)[:, None] * [0.0, 0.0, 0.01]).reshape(-1, 3)
    roots = Roots("sheet", corners, np.full((2, 3), 1 / 3))
    scene.add(Hair("fur", strands, [0, 6, 12], roots=roots))
    simulation = Simulation(scene)
    integrator = AdmmIntegrator(simulation.model, simulation.state.positions)
    for _ in range(8):
        integrator.advance(simulation.state, scene.time_step)
    sheet = simulation.state.positions[simulation.model.body_nodes]
    assert np.abs(sheet - positions).max() > 0.01
    assert simulation.state.positions[[0, 6]] == pytest.approx(sheet[corners].mean(axis=1), abs=1e-9)
    assert simulation.state.step == 8


def test_a_scene_without_strands():
    scene = Scene()
    scene.add(Cloth("sheet", *grid(), pinned=[0, 4]))
    model, state = Simulation(scene).model, Simulation(scene).state
    newton = advanced(ProjectedNewton, model, state, 3, scene.time_step, None)
    admm = advanced(AdmmIntegrator, model, state, 3, scene.time_step, None)
    assert np.array_equal(newton.positions, admm.positions)


def test_the_same_bits_on_any_number_of_threads():
    scene = groom(curly)
    model, state = light_twists(scene)
    results, before = [], numba.get_num_threads()
    for count in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(count)
        try:
            results.append(advanced(AdmmIntegrator, model, state, 3, scene.time_step, None).positions)
        finally:
            numba.set_num_threads(before)
    assert np.array_equal(*results)


@pytest.mark.parametrize("modulus", [1e-3, 1e14])
def test_absurd_stiffness_gives_numbers(modulus):
    scene = groom(curly, bending_modulus=modulus, stretching_modulus=modulus)
    simulation = Simulation(scene)
    moved = advanced(AdmmIntegrator, simulation.model, simulation.state, 10, scene.time_step, None)
    assert np.isfinite(moved.positions).all()
    assert np.abs(moved.positions).max() < 10.0
