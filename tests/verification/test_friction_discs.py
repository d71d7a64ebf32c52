"""Discs and rings that slide and spin on many point contacts: both motions end together, in a known ratio.

A disc with even pressure ends at v/(Rω) = 0.653, whatever it starts with, and a ring at 1 [Farkas et al. 2003].
"""

import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver.contact.methods import solve
from stiction.solver.contact.problem import FrictionProblem

FRICTION, WEIGHT = 0.3, 9.81
SHARE = 0.05  # of the time to the end, that a step takes: slower motion, shorter steps
STEPS = 160


def ring_points(count=48):
    angles = 2.0 * np.pi * np.arange(count) / count
    return np.column_stack([np.cos(angles), np.sin(angles)])


def disc_points(rings=6):
    """Points that each stand for the same area, six in the innermost ring, eighteen in the next."""
    points = []
    for ring in range(rings):
        count = 6 * (2 * ring + 1)
        angles = 2.0 * np.pi * (np.arange(count) + 0.5 * (ring % 2)) / count
        inner, outer = ring / rings, (ring + 1) / rings
        radius = np.sqrt(0.5 * (inner**2 + outer**2))
        points.append(radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.concatenate(points)


def rows_at(points):
    """Normal z, tangents x and y of points in the plane of the center, over six unknowns."""
    J = np.zeros((len(points), 3, 6))
    x, y = points.T
    J[:, 0, 2], J[:, 0, 3], J[:, 0, 4] = 1.0, y, -x
    J[:, 1, 0], J[:, 1, 5] = 1.0, -y
    J[:, 2, 1], J[:, 2, 5] = 1.0, x
    return J.reshape(-1, 6)


def final_ratio(points, turning_inertia, speed, turning):
    """v/(Rω) of a body of unit mass and radius, when almost all of its motion is gone."""
    masses = np.array([1.0, 1.0, 1.0, 0.5 * turning_inertia, 0.5 * turning_inertia, turning_inertia])
    A, J, velocities = sparse.diags_array(masses), rows_at(points), np.array([speed, 0.0, 0.0, 0.0, 0.0, turning])
    start = np.zeros((len(points), 3))
    for _ in range(STEPS):
        step = SHARE * (abs(velocities[0]) + abs(velocities[5])) / (FRICTION * WEIGHT)
        f = masses * (velocities - [0.0, 0.0, WEIGHT * step, 0.0, 0.0, 0.0])
        start[:, 0] = WEIGHT * step / len(points)  # even, as the pressure below a disc
        problem = FrictionProblem(A, f, J, np.zeros((len(points), 3)), FRICTION)
        problem.start = start
        solution = solve(problem, "prox", tolerance=1e-9, iterations=5000)
        assert solution.converged
        velocities, start = solution.v, solution.r.copy()
        assert np.abs(velocities[[1, 2, 3, 4]]).max() < 1e-6 * (abs(velocities[0]) + abs(velocities[5]))
    assert abs(velocities[0]) < 1e-3 * speed
    return velocities[0] / velocities[5]


@pytest.mark.parametrize(("speed", "turning"), [(1.0, 0.5), (1.0, 4.0)])
def test_a_disc_ends_at_the_known_ratio(speed, turning):
    assert final_ratio(disc_points(), 0.5, speed, turning) == pytest.approx(0.653, abs=0.006)


@pytest.mark.parametrize(("speed", "turning"), [(1.0, 0.5), (1.0, 3.0)])
def test_a_ring_ends_as_fast_as_its_rim(speed, turning):
    assert final_ratio(ring_points(), 1.0, speed, turning) == pytest.approx(1.0, abs=1e-4)
