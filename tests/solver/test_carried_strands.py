"""Strands that grow on simulated bodies are solved together with them."""

import numpy as np
import pytest

from stiction.solver import Attachment, Cloth, ClothMaterial, Hair, HairMaterial, Roots, Scene, Simulation, SoftBody
from stiction.solver.integrator.step_start import inertia_of
from stiction.solver.linear_algebra.band_columns import COLUMN
from stiction.solver.linear_algebra.lanes import LANES
from stiction.solver.rods.bound_points import bound_positions
from stiction.solver.rods.dynamics import RodDynamics

from .conftest import cube, grid

STIFF = HairMaterial(radius=1e-3, bending_modulus=1e7, stretching_modulus=1e6, air_drag=0.0)
SHEET = ClothMaterial(air_drag=0.0, normal_drag=0.0)


def fur(positions, triangles, faces, points=5, spacing=0.02, lean=0.3):
    """A slanting strand on each of some faces: positions, offsets and roots."""
    corners = positions[triangles[faces]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    steps = spacing * np.arange(points)[:, None] * (normals + [lean, 0.0, 0.0])[:, None, :]
    strands = corners.mean(axis=1)[:, None] + steps
    weights = np.full((len(faces), 3), 1 / 3)
    return strands.reshape(-1, 3), points * np.arange(len(faces) + 1), (triangles[faces], weights)


def furry_sheet(**settings):
    scene = Scene(**settings)
    positions, triangles = grid()
    scene.add(Cloth("skin", positions, triangles, material=SHEET))
    strands, offsets, roots = fur(positions, triangles, [0, 3, 8, 9, 20])
    scene.add(Hair("fur", strands, offsets, roots=Roots("skin", *roots), material=STIFF))
    return scene


def furry_cube(resolution=2, **settings):
    scene = Scene(**settings)
    positions, triangles = cube(0.2)
    scene.add(SoftBody("body", positions, triangles[:-1], resolution=resolution))  # open: it gets a cage
    strands, offsets, roots = fur(positions, triangles, [0, 5, 7])
    scene.add(Hair("fur", strands, offsets, roots=Roots("body", *roots), material=STIFF))
    return scene


def linearized(simulation, time_step=0.01):
    """The integrator's system at the end of a guessed step, with its gradient."""
    integrator, state = simulation.integrator, simulation.state
    random = np.random.default_rng(3)
    start = state.positions.copy()
    state.velocities[integrator.model.is_free] += 0.1 * random.normal(size=(integrator.model.is_free.sum(), 3))
    inertia = inertia_of(integrator.model, state, time_step, time_step)
    state.positions += time_step * state.velocities
    integrator.system.start_step(state, start, time_step, time_step)
    integrator.system.linearize(state, inertia, time_step, integrator.gradient)
    return integrator.system, inertia


def dense_strands(model, system, state, inertia, time_step):
    """The matrix of all strands with no point held (4 n, 4 n): x, y, z, θ of each point."""
    free = np.ones(len(model.rods.masses), bool)
    dynamics = RodDynamics(model.rods._replace(is_free=free, is_free_edge=free))
    dynamics.damped = system.strands.dynamics.damped._replace(is_free=free, is_free_edge=free)
    rows = model.strand_nodes
    trial, rod_inertia = system.strands._trial(state), system.strands._inertia(inertia)
    out = np.zeros_like(state.positions[rows]), np.zeros(len(free))
    dynamics.linearize(state.frames, trial, rod_inertia, time_step, *out)
    matrix = np.zeros((4 * len(free), 4 * len(free)))
    for strand, first in enumerate(model.rods.offsets[:-1]):
        count, start = 4 * (model.rods.offsets[strand + 1] - first) - 1, dynamics.matrix_starts[strand]
        for column in range(count):
            for row in range(column, min(column + COLUMN, count)):
                value = dynamics.matrix[start + (column * COLUMN + row - column) * LANES]
                matrix[4 * first + row, 4 * first + column] = matrix[4 * first + column, 4 * first + row] = value
    return matrix


def dense_bodies(system, count):
    matrix = np.zeros((3 * count, 3 * count))
    offsets, columns = system.bodies.pattern
    for row in range(count):
        for place in range(offsets[row], offsets[row + 1]):
            column = columns[place]
            matrix[3 * row : 3 * row + 3, 3 * column : 3 * column + 3] = system.bodies.blocks[place]
    return matrix


def ways_to_move(model, positions):
    """At positions of the nodes: all unknowns [strands 4 n | bodies 3 m] as a matrix times the independent ones."""
    strand_count, body_count = len(model.rods.masses), len(model.masses) - len(model.rods.masses)
    bound = model.bound_points
    columns = []
    for row in range(4 * strand_count):
        point, axis = divmod(row, 4)
        is_free = model.rods.is_free_edge[point] if axis == 3 else model.rods.is_free[point]
        if is_free and not (axis == 3 and point + 1 in model.rods.offsets):
            columns.append(np.eye(4 * strand_count + 3 * body_count)[row])
    for node in range(body_count):
        for axis in range(3):
            column = np.zeros(4 * strand_count + 3 * body_count)
            column[4 * strand_count + 3 * node + axis] = 1.0
            change = np.zeros((body_count, 3))
            change[node, axis] = 1e-6
            after, before = (bound_positions(bound, positions[model.body_nodes] + way) for way in (change, -change))
            column[4 * bound.points[:, None] + np.arange(3)] = (after - before) / 2e-6
            columns.append(column)
    return np.array(columns).T


@pytest.mark.parametrize("make", [furry_sheet, furry_cube])
def test_solution_is_that_of_the_whole_system(make):
    simulation, time_step = Simulation(make()), 0.01
    system, inertia = linearized(simulation, time_step)
    model, state = simulation.model, simulation.state
    strand_count, body_count = len(model.rods.masses), len(model.masses) - len(model.rods.masses)
    whole = np.zeros((4 * strand_count + 3 * body_count,) * 2)
    whole[: 4 * strand_count, : 4 * strand_count] = dense_strands(model, system, state, inertia, time_step)
    whole[4 * strand_count :, 4 * strand_count :] = dense_bodies(system, body_count)
    gradient = simulation.integrator.gradient
    right = np.concatenate(
        [
            np.column_stack([gradient.nodes[:strand_count], gradient.twists]).ravel(),
            gradient.nodes[strand_count:].ravel(),
        ]
    )
    ways = ways_to_move(model, state.positions)
    expected = ways @ np.linalg.solve(ways.T @ whole @ ways, ways.T @ right)
    system.factorize()
    found = simulation.integrator.change
    system.solve(gradient, found)
    flat = np.concatenate(
        [np.column_stack([found.nodes[:strand_count], found.twists]).ravel(), found.nodes[strand_count:].ravel()]
    )
    assert np.abs(found.nodes).max() > 1e-3
    np.testing.assert_allclose(flat, expected, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("make", [furry_sheet, furry_cube])
def test_bodies_and_their_hair_fall_as_one(make):
    """Nothing but gravity acts: the centre of mass falls as a point does."""
    simulation = Simulation(make())
    masses, start = simulation.model.masses, simulation.state.positions.copy()
    list(simulation.frames(1, 7))
    state = simulation.state
    steps, time_step = 24, 1 / 96
    moved = (masses[:, None] * (state.positions - start)).sum(axis=0) / masses.sum()
    fallen = 9.81 * time_step**2 * steps * (steps + 1) / 2
    # The normal of a root's triangle turns along an arc, which each iteration takes for a line.
    assert moved == pytest.approx([0.0, 0.0, -fallen], abs=1e-4 * fallen)


def test_roots_stay_where_they_grow():
    simulation = Simulation(furry_sheet())
    list(simulation.frames(1, 13))
    model, state = simulation.model, simulation.state
    expected = bound_positions(model.bound_points, state.positions[model.body_nodes])
    np.testing.assert_allclose(state.positions[model.bound_points.points], expected, atol=1e-12)


def test_heavy_hair_pulls_its_sheet_down():
    """Hair on a pinned sheet loads it with its weight."""

    def lowest(radius):
        scene = furry_sheet()
        scene.objects["skin"].pinned = np.array([0, 4, 15, 19], np.int32)
        scene.objects["fur"].material = HairMaterial(radius=radius, bending_modulus=1e7, stretching_modulus=1e6)
        *_, frame = Simulation(scene).frames(1, 25)
        return frame.positions["skin"][:, 2].min()

    assert lowest(4e-3) < lowest(4e-5) - 0.005


def test_rope_tied_to_a_body_carries_it():
    """A rope with its start pinned and its end tied to a cube holds the cube's weight."""
    scene = Scene()
    positions, triangles = cube(0.2, (0, 0, -0.6))
    scene.add(SoftBody("load", positions, triangles))
    top = positions[:, 2].max()
    points = np.column_stack([np.zeros(11), np.zeros(11), np.linspace(0.0, top, 11)])
    rope = HairMaterial(radius=5e-3, bending_modulus=1e6, stretching_modulus=1e8, air_drag=2.0)
    scene.add(Hair("rope", points, [0, 11], pinned=[0], material=rope))
    lid = np.flatnonzero(positions[:, 2] == top)[[0, 3]]  # opposite corners: the rope ends between them
    scene.attachments.append(Attachment("rope", [10], "load", [lid], [[0.5, 0.5]]))
    simulation = Simulation(scene)
    simulation.integrator.settings.tolerance = 1e-9
    *_, frame = simulation.frames(1, 73)
    weight = 9.81 * (1000 * 0.2**3)
    stretch = weight * 0.5 / (1e8 * np.pi * 5e-3**2)
    length = -frame.positions["rope"][-1, 2] - 0.5
    assert length == pytest.approx(stretch, rel=0.1)


def test_rope_that_keeps_its_distance_starts_without_a_jerk():
    scene = Scene(gravity=(0, 0, 0))
    positions, triangles = cube(0.2, (0, 0, -0.6))
    scene.add(SoftBody("load", positions, triangles))
    points = np.column_stack([np.zeros(5), np.zeros(5), np.linspace(0.0, positions[:, 2].max() + 0.05, 5)])
    scene.add(Hair("rope", points, [0, 5], pinned=[0], material=STIFF))
    top = next(face for face in triangles if (positions[face, 2] > -0.55).all())
    tied = Attachment("rope", [4], "load", [top], [[1 / 3, 1 / 3, 1 / 3]], keeps_distance=True)
    scene.attachments.append(tied)
    simulation = Simulation(scene)
    *_, frame = simulation.frames(1, 3)
    assert np.abs(simulation.state.velocities).max() < 1e-6
    assert frame.positions["rope"] == pytest.approx(points, abs=1e-9)
