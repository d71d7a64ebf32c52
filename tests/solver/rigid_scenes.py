"""Scenes of true rigid bodies for tests."""

import numpy as np

from stiction.solver import Collider, RigidBody, RigidMaterial, Scene, Simulation
from stiction.solver.collision.intersections import find_crossings
from stiction.solver.collision.surface_parts import point_positions
from stiction.solver.rigid.rigid_bodies import around_centers

from .contact.colliding import box

GRAVITY, THICKNESS = 9.81, 1e-3
AIRLESS = RigidMaterial(air_drag=0.0)


def on_floor(*items, steps_per_frame=4, degrees=0.0, friction=0.5, **floor):
    """A scene with a floor at height zero, and gravity that leans."""
    angle = np.radians(degrees)
    gravity = (GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle))
    scene = Scene(gravity=gravity, steps_per_frame=steps_per_frame)
    level = box((40.0, 40.0, 1.0), (0, 0, -0.5))
    scene.add(Collider("floor", *level, friction=friction, thickness=THICKNESS, **floor))
    for item in items:
        scene.add(item)
    return scene


def prop(name, mesh, **settings):
    return RigidBody(name, *mesh, **{"material": AIRLESS, "thickness": THICKNESS, "friction": 0.5} | settings)


def cylinder(radius, length, count, center):
    """Positions and triangles of a closed cylinder along y."""
    angle = 2.0 * np.pi * np.arange(count) / count
    ring = radius * np.column_stack([np.cos(angle), 0.0 * angle, np.sin(angle)])
    ends = np.array([[0.0, -0.5 * length, 0.0], [0.0, 0.5 * length, 0.0]])
    positions = np.concatenate([ring + ends[0], ring + ends[1], ends]) + center
    j, after = np.arange(count), (np.arange(count) + 1) % count
    sides = [np.column_stack([j, after, count + j]), np.column_stack([after, count + after, count + j])]
    caps = [
        np.column_stack([after, j, 0 * j + 2 * count]),
        np.column_stack([j + count, after + count, 0 * j + 2 * count + 1]),
    ]
    return positions, np.concatenate(sides + caps).astype(np.int32)


def run(scene, seconds, method="prox", simulation=None):
    simulation = simulation or Simulation(scene, contact_method=method)
    for _ in range(round(seconds / scene.time_step)):
        simulation.advance()
    return simulation


def crossings(simulation) -> int:
    """Edges that cross triangles, as the independent checker finds them."""
    integrator, time = simulation.integrator, simulation.state.step * simulation.scene.time_step
    points = np.empty((len(integrator.surface.points.radii), 3))
    point_positions(integrator.surface, simulation.state.positions, integrator.given_positions(time), points)
    return int(find_crossings(integrator.surface, points).collides.sum())


def spin(simulation, rates, body=0):
    """Let a body turn by angular velocities (3,) [rad/s] on top of what it does."""
    state, nodes = simulation.state, simulation.model.rigid.nodes[body]
    _, arms = around_centers(state.positions[nodes][None])
    state.velocities[nodes] += np.cross(rates, arms[0])


def motion(simulation, body=0):
    """Center [m], its velocity [m/s], angular momentum over the mass [m²/s] and energy over the mass [J/kg]."""
    state, nodes = simulation.state, simulation.model.rigid.nodes[body]
    center, arms = around_centers(state.positions[nodes][None])
    velocity, own = around_centers(state.velocities[nodes][None])
    momentum = np.cross(arms, own).mean(axis=1)
    return center[0], velocity[0], momentum[0], 0.5 * float((state.velocities[nodes] ** 2).sum(axis=1).mean())
