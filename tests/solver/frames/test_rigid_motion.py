"""An affine body falls, spins and tumbles as a rigid one."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from stiction.solver.frames.equimomental import affine_body, affine_laws
from stiction.solver.volume.embedding import embed
from tests.solver.energies.meshes import nodal_gradient, nodal_hessian
from tests.solver.volume.shapes import box

SIZE, DENSITY = np.array([0.3, 0.2, 0.1]), 500.0
SPIN = np.array([0.6, 3.0, 1.0])  # mostly about the unstable axis: the top tumbles           [rad/s]
DURATION = 0.4  # [s]


def implicit_euler(law, masses, positions, velocities, time_step, step_count, gravity=(0.0, 0.0, 0.0)):
    """Positions and velocities after some steps, each solved to the last digits by Newton's method."""
    mass_matrix = np.diag(np.repeat(masses, 3))
    for _ in range(step_count):
        pushed = velocities + time_step * np.asarray(gravity)
        start, velocities = positions, pushed.copy()
        for _ in range(30):
            positions = start + time_step * velocities
            residual = masses[:, None] * (velocities - pushed) + time_step * nodal_gradient(law, positions)
            system = mass_matrix + time_step**2 * nodal_hessian(law, positions)
            change = np.linalg.solve(system, residual.ravel()).reshape(-1, 3)
            velocities = velocities - change
            if np.abs(change).max() < 1e-11:
                break
        positions = start + time_step * velocities
    return positions, velocities


def spinning(time_step):
    """The body's deformation gradient and angular momentum after the duration, and the momentum before."""
    body = affine_body(*box(SIZE, (1, 1, 1)), DENSITY)
    (law,) = affine_laws(body, DENSITY)
    velocities = np.cross(SPIN, body.nodes)
    steps = round(DURATION / time_step)
    positions, after = implicit_euler(law, body.masses, body.nodes, velocities, time_step, steps)
    deformation = np.linalg.lstsq(body.nodes - body.nodes[0], positions - positions[0], rcond=None)[0].T
    momenta = [body.masses @ np.cross(x, v) for x, v in ((body.nodes, velocities), (positions, after))]
    return deformation, momenta[1], momenta[0]


def euler_top():
    """The rotation of a rigid box after the duration: its rate in the body's axes follows Euler's equations."""
    squares = SIZE**2
    inertia = (squares.sum() - squares) / 12.0

    def rate(_, state):
        turn, spin = state[:9].reshape(3, 3), state[9:]
        x, y, z = spin
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return np.concatenate([(turn @ cross).ravel(), np.cross(inertia * spin, spin) / inertia])

    start = np.concatenate([np.eye(3).ravel(), SPIN])
    return solve_ivp(rate, (0.0, DURATION), start, rtol=1e-11, atol=1e-12).y[:9, -1].reshape(3, 3)


def test_body_tumbles_as_a_rigid_top():
    """Orientation and angular momentum are right up to the first order of implicit Euler; the shape is kept."""
    wanted = euler_top()
    errors, losses = [], []
    for time_step in (4e-3, 2e-3):
        deformation, momentum, start_momentum = spinning(time_step)
        assert np.abs(np.linalg.svd(deformation)[1] - 1.0).max() < 1e-6  # spin² / rate² is 1e-7
        errors.append(np.linalg.norm(deformation - wanted))
        losses.append(np.linalg.norm(momentum - start_momentum) / np.linalg.norm(start_momentum))
    turned = np.arccos(0.5 * (np.trace(wanted) - 1.0))
    assert turned > 0.5 and errors[1] < 0.02 and losses[1] < 0.02
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)
    assert losses[0] / losses[1] == pytest.approx(2.0, rel=0.1)


def test_body_falls_and_does_not_turn():
    """Implicit Euler falls g Δt² n (n + 1)/2 in n steps."""
    positions, triangles = box(SIZE, (1, 1, 1))
    body = affine_body(positions, triangles, DENSITY)
    (law,) = affine_laws(body, DENSITY)
    moved, _ = implicit_euler(law, body.masses, body.nodes, np.zeros((4, 3)), 0.01, 20, (0.0, 0.0, -9.81))
    wanted = positions + [0.0, 0.0, -9.81 * 0.01**2 * 20 * 21 / 2.0]
    np.testing.assert_allclose(embed(body.embedding, moved), wanted, rtol=0, atol=1e-10)
