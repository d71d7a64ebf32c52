"""The Newton system of bodies against sums of its laws."""

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Scene, Simulation
from stiction.solver.integrator.body_system import BodySystem

from .contact.colliding import sheet

STEP = 0.01


def system(dampings):
    points, triangles = sheet(4, 0.1, 0.0)
    scene = Scene()
    scene.add(Cloth("sheet", points, triangles, material=ClothMaterial(damping=1e-3)))
    laws = Simulation(scene).model.laws
    laws = [law._replace(damping=damping) for law, damping in zip(laws, dampings)]
    return BodySystem(laws, points, np.ones(len(points), bool)), points


def plain_matrix(bodies, at_start, positions, masses):
    """M + Δt² K + Δt Σ ξ K at the start."""
    expected = np.zeros_like(bodies.blocks)
    for storage, damping in zip(bodies.laws, bodies.dampings, strict=True):
        for place, factor in ((at_start, STEP * damping), (positions, STEP * STEP)):
            storage.law.derivatives(place, storage.gradients, storage.hessians)
            storage.add_hessian(factor, expected)
    expected[bodies.diagonal_places] += masses[:, None, None] * np.eye(3)
    return expected


@pytest.mark.parametrize("dampings", [(2e-3, 2e-3), (2e-3, 1e-3), (2e-3, 0.0), (0.0, 0.0)])
@pytest.mark.parametrize("way", [0.0, 0.01])
def test_stiffness_and_damping_where_the_step_begins_and_elsewhere(dampings, way):
    bodies, points = system(dampings)
    random = np.random.default_rng(4)
    start = points + random.normal(scale=0.003, size=points.shape)
    positions, masses = start + way * random.normal(size=points.shape), random.uniform(1.0, 2.0, len(points))
    gradient = np.zeros_like(points)
    bodies.start_step(start)
    bodies.linearize(positions, np.zeros_like(points), (masses, np.zeros_like(points)), STEP, gradient)
    expected = plain_matrix(bodies, start, positions, masses)
    assert np.allclose(bodies.blocks, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())


def test_what_a_law_draws_to_may_change_between_steps():
    bodies, points = system((2e-3, 2e-3))
    inertia, gradients = (np.ones(len(points)), np.zeros_like(points)), []
    membrane = next(storage.law for storage in bodies.laws if storage.law.nodes.shape[1] == 3)
    for factor in (1.0, 2.0):
        for field in membrane.elements:
            if field.dtype == float:
                field *= factor
        bodies.start_step(1.1 * points)
        gradient = np.zeros_like(points)
        bodies.linearize(1.1 * points, np.zeros_like(points), inertia, STEP, gradient)
        gradients.append(gradient)
    assert not np.allclose(gradients[0], gradients[1])
