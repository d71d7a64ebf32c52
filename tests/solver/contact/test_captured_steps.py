"""Steps captured from a simulation are its own friction problems."""

import numpy as np
import pytest

from benchmarks.scenes.friction_problems import captured_steps, friction_problem
from benchmarks.scenes.rings import rings
from benchmarks.scenes.solids import solid_simulation
from stiction.solver import Simulation
from stiction.solver.contact.methods import solve

CONTACTS = 8


@pytest.mark.slow
def test_a_captured_step_of_rings_has_the_solution_of_the_simulation():
    scene = rings(2)
    simulation = solid_simulation(scene)
    while simulation.integrator.report.contact_count < CONTACTS:
        before = simulation.state.copy()
        simulation.advance()
    again = Simulation(scene)
    again.restore(before)
    (step,) = captured_steps(again, (again.frame_number,))
    problem = friction_problem(step)
    assert (problem.A != problem.A.T).nnz == 0 or abs(problem.A - problem.A.T).max() < 1e-9
    solution = solve(problem, tolerance=1e-9, iterations=3000)
    assert solution.converged
    way = scene.time_step * np.abs(solution.v.reshape(-1, 3) - simulation.state.velocities).max()
    assert way < 1e-5  # [m]; what the step was solved to
