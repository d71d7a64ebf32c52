"""Factors with the weights of contacts: what is kept of them is what would be made anew."""

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Collider, Hair, Scene, Simulation
from stiction.solver.integrator import body_system
from stiction.solver.integrator.step_start import inertia_of
from stiction.solver.scene import Roots

from .colliding import box, sheet

POINTS = 6


def linearized(is_carried):
    """A Newton system of hair and cloth, kept for weights; the hair may grow on the cloth."""
    scene = Scene(contact_method="admm")
    points, triangles = sheet(4, 0.1, 0.0)
    scene.add(Cloth("sheet", points, triangles))
    feet = points[triangles[:3]].mean(axis=1)
    strands = feet[:, None] + 0.01 * np.arange(POINTS)[:, None] * [0.0, 0.0, 1.0]
    roots = Roots("sheet", triangles[:3], np.full((3, 3), 1 / 3)) if is_carried else None
    scene.add(Hair("hair", strands.reshape(-1, 3), POINTS * np.arange(4), roots=roots))
    simulation = Simulation(scene)
    state, step = simulation.state, scene.time_step
    simulation.integrator.solver.start_step(state, state.positions.copy(), step, step)
    linearize(simulation, 1.0)
    return simulation.integrator.solver.system, simulation


def linearize(simulation, share):
    """For a share of the time step."""
    solver, state, step = simulation.integrator.solver, simulation.state, share * simulation.scene.time_step
    solver.system.linearize(state, inertia_of(simulation.model, state, step, step), step, solver.gradient)
    solver.system.keep()


def solution(system):
    right, out = system.new_unknowns(), system.new_unknowns()
    right.nodes[:] = np.random.default_rng(2).normal(size=right.nodes.shape)
    system.solve(right, out)
    return np.concatenate([out.nodes.ravel(), out.twists])


@pytest.mark.parametrize("is_carried", [False, True])
@pytest.mark.parametrize("part", ["strand_nodes", "body_nodes", "none", "all"])
def test_changed_weights_give_what_new_factors_give(part, is_carried):
    system, simulation = linearized(is_carried)
    model = simulation.model
    weights = np.where(model.is_free, 1e-3 * model.masses.mean() * np.arange(len(model.masses)), 0.0)
    changed = weights.copy()
    rows = {"none": slice(0, 0), "all": slice(None)}.get(part) or getattr(model, part)
    changed[rows] *= 3.0
    system.factorize_with(weights)
    first = solution(system)
    system.factorize_with(changed)
    anew, _ = linearized(is_carried)
    anew.factorize_with(changed)
    assert np.array_equal(solution(system), solution(anew))
    assert np.array_equal(solution(system), first) == (part == "none")


def test_another_matrix_gets_new_factors_although_its_weights_are_the_same():
    system, simulation = linearized(is_carried=False)
    weights = np.where(simulation.model.is_free, simulation.model.masses, 0.0)
    system.factorize_with(weights)
    first = solution(system)
    linearize(simulation, 0.5)
    system.factorize_with(weights)
    anew, other = linearized(is_carried=False)
    linearize(other, 0.5)
    anew.factorize_with(weights)
    assert np.array_equal(solution(system), solution(anew))
    assert not np.array_equal(solution(system), first)


def free_sheet(warp_stiffness):
    scene = Scene(contact_method="admm")
    points, triangles = sheet(9, 0.4, 0.0)
    material = ClothMaterial(warp_stiffness=warp_stiffness, air_drag=0.0, normal_drag=0.0)
    scene.add(Cloth("sheet", points, triangles, material=material))
    return Simulation(scene)


@pytest.mark.parametrize("warp_stiffness, is_rounded", [(10.0, True), (1e7, False)])
def test_only_what_is_not_too_stiff_for_it_is_factorized_in_single_precision(warp_stiffness, is_rounded):
    simulation = free_sheet(warp_stiffness)
    simulation.advance()
    bodies = simulation.integrator.solver.system.bodies
    assert (bodies.corrected is not None) == is_rounded
    assert is_rounded == (bodies._stiffness() < body_system.MOST_STIFFNESS)


def test_single_precision_leaves_a_free_fall_as_it_is():
    simulation = free_sheet(5000.0)
    start, step = simulation.state.positions.copy(), simulation.scene.time_step
    for _ in range(5):
        simulation.advance()
    assert simulation.integrator.solver.system.bodies.corrected is not None
    fallen = simulation.state.positions - start
    fall = -9.81 * step**2 * (1 + 2 + 3 + 4 + 5)  # of implicit Euler
    assert np.abs(fallen - [0.0, 0.0, fall]).max() < 1e-6 * abs(fall)


def test_single_precision_changes_steps_with_contacts_by_less_than_the_tolerance(monkeypatch):
    """What a fold makes of rounding errors later is another matter."""
    ends = []
    for most in (body_system.MOST_STIFFNESS, 0.0):
        monkeypatch.setattr(body_system, "MOST_STIFFNESS", most)
        scene = Scene(contact_method="admm")
        points, triangles = sheet(12, 0.4, 0.052)
        scene.add(Cloth("sheet", points, triangles, friction=0.3))
        scene.add(Collider("box", *box(0.1, (0.01, 0.02, 0.0)), friction=0.3))
        simulation = Simulation(scene)
        for _ in range(4):
            simulation.advance()
        assert simulation.integrator.report.contact_count > 0
        ends.append(simulation.state.positions.copy())
    assert 0.0 < np.abs(ends[0] - ends[1]).max() < simulation.integrator.solver.settings.admm.tolerance
