"""Friction problems as they come up in a simulation of strands: linearized steps with the contacts found in each."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse

from stiction.solver import Scene, Simulation
from stiction.solver.contact.nodal_contacts import NodalContacts, joined
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.integrator import contact_newton
from stiction.solver.linear_algebra.band_columns import COLUMN
from stiction.solver.linear_algebra.lanes import LANES


class CapturedStep(NamedTuple):
    """One Newton iteration of a step: A v = f + the contacts' impulses, and where it starts."""

    A: sparse.csr_array  # (n, n) [kg], with the twists of strands among the unknowns
    f: np.ndarray  # (n,) [kg m/s]
    node_rows: np.ndarray  # first of each node's three unknowns             (j,)
    contacts: NodalContacts
    weights: np.ndarray  # of ADMM, zero where a node is not touched         (j,) [kg]
    time_step: float  # [s]


def captured_steps(scene: Scene, least_contacts: int, count: int) -> list[CapturedStep]:
    """Of the first `count` steps that have so many contacts, the first linearization that has them."""
    captured: dict[int, CapturedStep] = {}

    def keep(problem):
        contact_count = sum(part.contact_count for part in problem.contacts)
        if contact_count >= least_contacts and problem.state.step not in captured:
            captured[problem.state.step] = _captured(problem)

    simulation = Simulation(scene)
    with _watched(keep):
        while len(captured) < count:
            simulation.advance()
    return list(captured.values())


@contextmanager
def _watched(keep) -> Iterator[None]:
    """Show each linearization that is solved meanwhile, with all contacts found until it was."""
    step_problem = contact_newton._StepProblem
    run = step_problem.run

    def run_and_show(problem, more_contacts):
        result = run(problem, more_contacts)
        keep(problem)
        return result

    step_problem.run = run_and_show
    try:
        yield
    finally:
        step_problem.run = run


def _captured(problem):
    newton, state = problem.newton, problem.state
    dynamics, model = newton.system.strands.dynamics, newton.model
    is_unknown = np.ones((len(model.masses), 4), bool)
    is_unknown[dynamics.rods.offsets[1:] - 1, 3] = False  # a strand has one edge less than points
    forces = np.where(model.is_free[:, None], newton.gradient.nodes, 0.0)
    gradient = np.column_stack([forces, newton.gradient.twists])[is_unknown]
    velocities = np.column_stack([state.velocities, state.twist_velocities])[is_unknown]
    node_rows = np.cumsum(is_unknown).reshape(-1, 4)[:, 0] - 1
    A = strand_matrix(dynamics)
    weights = problem.weights.copy()
    contacts = joined(problem.contacts)
    return CapturedStep(A, A @ velocities - gradient, node_rows, contacts, weights, problem.time_step)


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
    )


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
