"""Scenes whose objects collide, step by step."""

import numpy as np

from stiction.solver import Scene, Simulation
from stiction.solver.collision.intersections import find_crossings
from stiction.solver.collision.surface_parts import point_positions


class Colliding:
    """A simulation with contacts."""

    def __init__(self, scene: Scene, tolerance: float = 1e-5, iterations: int = 25):
        self.simulation = Simulation(scene, contact_method="admm")
        self.integrator = self.simulation.integrator
        admm = self.integrator.solver.settings.admm
        admm.tolerance, admm.iterations = tolerance, iterations

    @property
    def state(self):
        return self.simulation.state

    def advance(self, seconds):
        """Returns the reports of all steps; no step may leave a crossing."""
        reports = []
        for _ in range(round(seconds / self.simulation.scene.time_step)):
            self.simulation.advance()
            reports.append(self.integrator.report)
        return reports

    def crossings(self) -> int:
        """Edges that cross triangles, as the independent checker finds them."""
        surface, time = self.integrator.surface, self.state.step * self.simulation.scene.time_step
        points = np.empty((len(surface.points.radii), 3))
        point_positions(surface, self.state.positions, self.integrator.given_positions(time), points)
        return int(find_crossings(surface, points).collides.sum())


def box(size, center):
    """Positions and triangles of a closed box."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) - 0.5
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [(a, b, c) for a, b, c, _ in faces] + [(a, c, d) for a, _, c, d in faces]
    return corners * size + center, np.array(triangles, np.int32)


def sheet(count, size, height):
    """Positions and triangles of a flat square sheet."""
    x, y = np.meshgrid(*[np.linspace(-size / 2, size / 2, count)] * 2)
    positions = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, height)])
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    lower = np.column_stack([corner, corner + 1, corner + count])
    upper = np.column_stack([corner + 1, corner + count + 1, corner + count])
    return positions, np.concatenate([lower, upper]).astype(np.int32)
