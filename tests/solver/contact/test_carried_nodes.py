"""Contacts of strands that bodies carry push the bodies."""

import numpy as np
import pytest

from stiction.solver import Collider, Hair, HairMaterial, RigidBody, RigidMaterial, Roots, Scene
from stiction.solver.integrator.carried_nodes import contact_nodes
from stiction.solver.rods.bound_points import bound_jacobians, bound_positions
from tests.solver.contact.colliding import Colliding, box, sheet

POINTS = 6
DENSITY = 300.0  # of the box: half of what would buckle the bristles [kg/m³]


def bristled_box(height, density=DENSITY):
    """A light box with stiff bristles below it, above a floor."""
    corners, triangles = box((0.1, 0.1, 0.1), (0.0, 0.0, height))
    bottom = [row for row in triangles.tolist() if (corners[row, 2] < height).all()]
    places = np.array([corners[row].mean(axis=0) for row in bottom for _ in range(4)])
    weights = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6], [0.4, 0.3, 0.3]] * len(bottom))
    places = np.einsum("sk,skx->sx", weights, corners[np.repeat(bottom, 4, axis=0)])
    points = (places[:, None] - 0.004 * np.arange(POINTS)[:, None] * [0.0, 0.0, 1.0]).reshape(-1, 3)
    roots = Roots("box", np.repeat(bottom, 4, axis=0), weights)
    material = HairMaterial(radius=6e-4, bending_modulus=1e9, stretching_modulus=1e8, air_drag=0.0)
    scene = Scene(contact_method="admm")
    scene.add(RigidBody("box", corners, triangles, material=RigidMaterial(density=density), friction=0.5))
    offsets = POINTS * np.arange(len(places) + 1)
    scene.add(Hair("bristles", points, offsets, roots=roots, material=material, friction=0.5))
    floor, faces = sheet(3, 1.0, 0.0)
    scene.add(Collider("floor", floor, faces, friction=0.5, thickness=1e-3))
    return scene


def test_a_bound_point_is_moved_by_the_nodes_that_carry_it():
    integrator = Colliding(bristled_box(0.1)).integrator
    model, bound = integrator.model, integrator.model.bound_points
    nodes = contact_nodes(integrator.surface.nodes, model)
    speeds = np.random.default_rng(0).normal(size=(len(model.masses), 3))
    (entry,) = np.flatnonzero(integrator.surface.nodes.nodes == bound.points[3])
    point = np.searchsorted(integrator.surface.nodes.offsets, entry, "right") - 1
    own = slice(*nodes.offsets[point : point + 2])
    of_bodies = speeds[model.body_nodes]
    assert nodes.weights[own] @ speeds[nodes.nodes[own]] == pytest.approx(
        bound.weights[3] @ of_bodies[bound.nodes[3]], abs=1e-12
    )
    assert nodes.offsets[-1] == len(nodes.nodes) == len(nodes.weights)


def test_jacobians_are_those_of_the_positions():
    model = Colliding(bristled_box(0.1)).integrator.model
    bound, random = model.bound_points, np.random.default_rng(1)
    positions = random.normal(size=(model.body_nodes.stop - model.body_nodes.start, 3))
    change = 1e-6 * random.normal(size=positions.shape)
    moved = bound_positions(bound, positions + change) - bound_positions(bound, positions - change)
    by_jacobians = 2.0 * np.einsum("pwax,pwx->pa", bound_jacobians(bound, positions), change[bound.nodes])
    assert moved == pytest.approx(by_jacobians, abs=1e-10 * np.abs(positions).max())
    assert np.abs(bound.heights).max() > 1e-3


@pytest.mark.parametrize("density", [5.0, DENSITY])
def test_a_box_with_bristles_falls_freely(density):
    """Bristles that pull at its nodes as if they had no lever would throw it into the air."""
    colliding = Colliding(bristled_box(1.0, density))
    rows, step = colliding.integrator.model.body_nodes, colliding.simulation.scene.time_step
    colliding.advance(0.2)
    count = round(0.2 / step)
    assert colliding.state.velocities[rows, 2].mean() == pytest.approx(-9.81 * step * count, rel=1e-3)


def test_a_box_lands_on_its_bristles():
    colliding = Colliding(bristled_box(0.08))
    rows = colliding.integrator.model.body_nodes
    heights = []
    for _ in range(20):
        colliding.advance(1 / 48)
        heights.append(colliding.state.positions[rows, 2].mean())
        assert colliding.crossings() == 0
    assert min(heights) > 0.055 and max(heights[4:]) < 0.1  # they bend, and throw it up again a little


def test_roots_that_a_body_carries_do_not_pass_through_the_floor():
    """Short strands, whose second points the body carries, too: nothing of them but the tip is free."""
    scene = bristled_box(0.08)
    long = scene.objects["bristles"]
    rows = (POINTS * np.arange(len(long.strand_offsets) - 1)[:, None] + [0, 3, 5]).ravel()
    scene.objects["bristles"] = Hair(
        "bristles", long.positions[rows], 3 * np.arange(len(rows) // 3 + 1), roots=long.roots, friction=0.5
    )
    colliding = Colliding(scene)
    for _ in range(12):
        colliding.advance(1 / 48)
        assert colliding.crossings() == 0
