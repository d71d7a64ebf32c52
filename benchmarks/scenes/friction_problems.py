"""Friction problems as they come up in a simulation: linearized steps with the contacts found in each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse

from stiction.solver import Simulation
from stiction.solver.contact.ica import unconstrained_velocities
from stiction.solver.contact.nodal_contacts import NodalContacts, joined
from stiction.solver.contact.problem import AXES, FrictionProblem
from stiction.solver.integrator import contact_newton
from stiction.solver.linear_algebra.band_columns import COLUMN
from stiction.solver.linear_algebra.block_matrix import hold_rows
from stiction.solver.linear_algebra.lanes import LANES

from .hairy_ball import hairy_ball

THICK_AIR = 15.0  # [1/s]
FALLING, TURNING = (18, 21), (24, 30, 36)  # frames; at the 24th the ball begins to turn


class CapturedStep(NamedTuple):
    """One Newton iteration of a step: A v = f + the contacts' impulses, and where it starts."""

    A: sparse.csr_array  # (n, n) [kg], with the twists of strands among the unknowns
    f: np.ndarray  # (n,) [kg m/s]
    node_rows: np.ndarray  # first of each node's three unknowns             (j,)
    contacts: NodalContacts
    weights: np.ndarray  # of ADMM, zero where a node is not touched         (j,) [kg]
    masses: np.ndarray  # of the nodes                                       (j,) [kg]
    impulses: np.ndarray  # of the last step's contacts on the nodes         (j, 3) [N s]
    time_step: float  # [s]


def ball_steps(strands: int) -> list[CapturedStep]:
    """Of the hairy ball: hair that falls in thick air, lies, and is turned with the ball."""
    falling = Simulation(hairy_ball(strands, air_drag=THICK_AIR))
    first = captured_steps(falling, FALLING)
    turning = Simulation(hairy_ball(strands))
    turning.restore(falling.state)
    return first + captured_steps(turning, TURNING)


def settled_step(strands: int) -> CapturedStep:
    """Of hair that lies on the ball."""
    return captured_steps(Simulation(hairy_ball(strands, air_drag=THICK_AIR)), TURNING[:1])[0]


def captured_steps(simulation: Simulation, frames: tuple[int, ...]) -> list[CapturedStep]:
    """The first linearization of the step after each frame.

    Strands and bodies may be simulated together, but not strands that grow on bodies.
    """
    captured = []
    for frame in frames:
        while simulation.frame_number < frame:
            simulation.advance()
        with _watched() as shown:
            simulation.advance()
        captured.append(shown[0])
    return captured


def all_steps(simulation: Simulation, last_frame: int) -> Iterator[CapturedStep]:
    """Every linearization that is solved up to a frame, if it has contacts."""
    while simulation.frame_number < last_frame:
        simulation.integrator.start_frame()
        for _ in range(simulation.scene.steps_per_frame):
            with _watched() as shown:
                simulation.advance()
            yield from (step for step in shown if step.contacts.contact_count)


@contextmanager
def _watched() -> Iterator[list[CapturedStep]]:
    """All linearizations that are solved meanwhile, with the contacts found until they were."""
    step_problem = contact_newton._StepProblem
    run, shown = step_problem.run, []

    def run_and_show(problem, more_contacts):
        impulses = problem.state.impulses.copy()
        result = run(problem, more_contacts)
        shown.append(captured_step(problem, impulses))
        return result

    step_problem.run = run_and_show
    try:
        yield shown
    finally:
        step_problem.run = run


def problem_by_method(simulation: Simulation, frame: int) -> FrictionProblem:
    """The first that is solved in the step after a frame, where the contact method is chosen by its name."""
    while simulation.frame_number < frame:
        simulation.advance()
    return _shown_problems(simulation)[0]


def problems_by_method(simulation: Simulation, steps: int) -> Iterator[FrictionProblem]:
    """The first that is solved in each of the next steps, if it has contacts."""
    for _ in range(steps):
        shown = [problem for problem in _shown_problems(simulation) if problem.contact_count]
        yield from shown[:1]


def _shown_problems(simulation):
    """All that are solved in the next step."""
    solver = simulation.integrator.solver
    solve, shown = solver._solve, []

    def solve_and_show(problem, tolerance):
        shown.append(problem)
        return solve(problem, tolerance)

    solver._solve = solve_and_show
    try:
        simulation.advance()
    finally:
        solver._solve = solve
    return shown


def captured_step(problem, impulses) -> CapturedStep:
    """Of a `_StepProblem` that was run and has not moved its state yet."""
    newton, state = problem.newton, problem.state
    model, is_unknown = newton.model, _are_unknowns(newton.model)
    gradient, velocities = np.zeros(is_unknown.shape), np.zeros(is_unknown.shape)
    gradient[:, :AXES] = np.where(model.is_free[:, None], newton.gradient.nodes, 0.0)
    gradient[model.strand_nodes, AXES] = newton.gradient.twists
    velocities[:, :AXES] = state.velocities
    velocities[model.strand_nodes, AXES] = state.twist_velocities
    A, velocities = _matrix(newton.system), velocities[is_unknown]
    node_rows = np.cumsum(is_unknown).reshape(is_unknown.shape)[:, 0] - 1
    return CapturedStep(
        *(A, A @ velocities - gradient[is_unknown], node_rows, joined(problem.contacts)),
        *(problem.weights.copy(), model.masses, impulses, problem.time_step),
    )


def _are_unknowns(model):
    """Three of each node, and the twist of the edge after each point of a strand but the last (n, 4) bool."""
    is_unknown = np.zeros((len(model.masses), AXES + 1), bool)
    is_unknown[:, :AXES] = True
    is_unknown[model.strand_nodes, AXES] = True
    is_unknown[model.rods.offsets[1:] - 1, AXES] = False
    return is_unknown


def _matrix(system):
    parts = [strand_matrix(system.strands.dynamics)] if system.strands else []
    parts += [body_matrix(system.bodies)] if system.bodies else []
    return sparse.csr_array(sparse.block_diag(parts))


def friction_problem(step: CapturedStep) -> FrictionProblem:
    """The same by matrices, with the first tangent of a contact in any direction."""
    contacts = step.contacts
    aside = np.eye(3)[np.abs(contacts.normals).argmin(axis=1)]
    first = np.cross(contacts.normals, aside)
    first /= np.linalg.norm(first, axis=1)[:, None]
    frames = np.stack([contacts.normals, first, np.cross(contacts.normals, first)], axis=1)
    return FrictionProblem.nodal(
        *(step.A, step.f, contacts.offsets, contacts.nodes, contacts.weights, frames),
        *(np.einsum("mij,mj->mi", frames, contacts.velocities), contacts.friction, step.node_rows),
        cohesion=contacts.cohesion,
        compliance=contacts.compliance,
        masses=step.masses,
    )


def lumped_problem(step: CapturedStep) -> FrictionProblem:
    """The contacts between masses alone, with the velocities that the bodies would have without contacts.

    So [contact regions, section 3] has it: within a step nothing is handed on through a body.
    """
    problem = friction_problem(step)
    masses = np.zeros(len(step.f))
    masses[step.node_rows[:, None] + np.arange(AXES)] = step.masses[:, None]
    f = masses * unconstrained_velocities(problem)
    return replace(problem, A=sparse.diags_array(masses), f=f)


def strand_matrix(dynamics) -> sparse.csr_array:
    """The bands of all strands (n, n) [kg], strand after strand, as kept by `RodDynamics`."""
    layout = dynamics.layout
    counts = np.diff(layout.unknown_offsets)
    rows = np.repeat(layout.strand_rows - layout.unknown_offsets[:-1], counts) + np.arange(layout.unknown_count)
    bands = dynamics.kept_matrix().reshape(-1, COLUMN, LANES)[rows, :, np.repeat(layout.strand_lanes, counts)]
    steps = np.arange(1, COLUMN)
    below = sparse.diags_array([bands[: len(bands) - step, step] for step in steps], offsets=-steps)
    matrix = sparse.csr_array(below + below.T + sparse.diags_array(bands[:, 0]))
    matrix.eliminate_zeros()
    return matrix


def body_matrix(bodies) -> sparse.csr_array:
    """The blocks of all bodies (n, n) [kg], as kept by `BodySystem`; nodes that are given have the identity's rows."""
    blocks = bodies.blocks.copy()
    blocks[bodies.kept_places] = bodies.kept  # without weights
    hold_rows(*bodies.pattern, bodies.is_free, blocks)
    matrix = sparse.bsr_array((blocks, bodies.pattern.columns, bodies.pattern.offsets)).tocsr()
    matrix.eliminate_zeros()
    return matrix
