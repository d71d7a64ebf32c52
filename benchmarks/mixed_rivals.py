"""Linear problems of steps as conjugate residuals get them, and how long their rivals take from the same start."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse

from stiction.solver.contact.anticipated_contacts import AnticipatedContacts
from stiction.solver.contact.conjugate_residual import CrSettings, MixedSolver
from stiction.solver.contact.dynamics_product import BlockDynamics
from stiction.solver.contact.mixed_problem import nodal_mixed_problem
from stiction.solver.contact.nodal_contacts import NodalContacts
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.pyramid_law import aligned_frames, turned
from stiction.solver.contact.unknown_blocks import block_system, inverse_matrix, relax_at_once, relax_in_turn
from stiction.solver.integrator.contact_mixed import ContactMixed
from stiction.solver.linear_algebra.block_matrix import BlockPattern

SWEEPS = 5  # of ICA over the contacts in each iteration
CHECK_EVERY = 10  # iterations of ICA


class CapturedProblem(NamedTuple):
    """A v = f + Jᵀ r of one linearization, and where it starts."""

    pattern: BlockPattern
    blocks: np.ndarray  # of A                          (b, 3, 3) [kg]
    f: np.ndarray  # (3 n,) [kg m/s]
    contacts: NodalContacts
    frames: np.ndarray  # (m, 3, 3)
    velocities: np.ndarray  # (3 n,) [m/s]
    impulses: np.ndarray  # (m, 3) [N s]
    scales: tuple[float, float]  # of the residuals of dynamics [kg m/s] and rows [m/s]
    settings: CrSettings


@contextmanager
def watched() -> Iterator[list[CapturedProblem]]:
    """The first problem of each step that is solved meanwhile."""
    make, shown = ContactMixed._solver, []

    def make_and_show(mixed, linear, contacts, state, unknowns):
        solver = make(mixed, linear, contacts, state, unknowns)
        if mixed.is_rough:
            wanted, start = mixed.settings, (unknowns.copy(), solver.rows.impulses)
            most = np.sqrt(max(contacts.contact_count, 1)) * wanted.distance / linear.time_step
            scales, settings = (linear.scale, most / wanted.tolerance), CrSettings(wanted.tolerance, wanted.iterations)
            blocks = linear.A.pattern, linear.A.blocks.copy()
            shown.append(CapturedProblem(*blocks, linear.f, contacts, mixed.frames, *start, scales, settings))
        return solver

    ContactMixed._solver = make_and_show
    try:
        yield shown
    finally:
        ContactMixed._solver = make


def iterations_by_cr(problem: CapturedProblem, is_full: bool, is_incomplete: bool = False) -> int:
    return len(_solved(problem, is_full, is_incomplete).history)


def seconds_by_cr(problem: CapturedProblem) -> float:
    start = time.perf_counter()
    _solved(problem, is_full=True, is_incomplete=True)
    return time.perf_counter() - start


def _solved(problem, is_full, is_incomplete):
    dynamics = BlockDynamics(problem.pattern, problem.blocks)
    mixed = nodal_mixed_problem(dynamics, problem.f, problem.contacts, problem.frames)
    asked = problem.settings.tolerance, problem.settings.iterations
    solver = MixedSolver(mixed, CrSettings(*asked, is_full, is_incomplete))
    solver.begin(problem.velocities, problem.impulses, *problem.scales)
    solver.solve()
    return solver


def seconds_by_ica(problem: CapturedProblem, most: float) -> tuple[float, bool]:
    """Until the dynamics are solved as well as by CR, without what sets the problem up; and whether time was up."""
    framed, contacts = _anticipated(problem)
    system = block_system(framed.A, np.arange(0, len(framed.f), 3))
    v, anticipated = problem.velocities.copy(), np.empty_like(problem.velocities)
    _warm_up(system, framed, contacts, v)
    spent, wanted = 0.0, problem.settings.tolerance * problem.scales[0]
    while spent < most:
        start = time.perf_counter()
        for _ in range(CHECK_EVERY):
            relax_at_once(system, framed.f, v, anticipated)
            contacts.project(anticipated, SWEEPS)
            relax_in_turn(system, framed.f + framed.J.T @ contacts.acting, v)
        spent += time.perf_counter() - start
        if np.linalg.norm(framed.A @ v - framed.f - framed.J.T @ contacts.acting) < wanted:
            return spent, False
    return spent, True


def _warm_up(system, framed, contacts, v):
    """Load the kernels, and change nothing."""
    room = np.empty_like(v)
    relax_at_once(system, framed.f, v, room)
    contacts.project(room, 0)
    relax_in_turn(system, framed.f, room)


def _anticipated(problem):
    """The problem with tangents along the sliding, and its contacts with the impulses to start from."""
    offsets, columns = problem.pattern
    A = sparse.csr_array(sparse.bsr_array((problem.blocks, columns, offsets)))
    contacts, frames = problem.contacts, problem.frames
    plain = FrictionProblem.nodal(
        *(A, problem.f, contacts.offsets, contacts.nodes, contacts.weights, frames),
        *(np.einsum("mij,mj->mi", frames, contacts.velocities), contacts.friction),
    )
    turns = aligned_frames(plain.relative_velocities(problem.velocities))
    framed = turned(plain, turns)
    system = block_system(A, plain.nodal_form.node_rows)
    anticipated = AnticipatedContacts(framed, inverse_matrix(system), is_pyramid=True)
    impulses = (turns @ problem.impulses.ravel()).reshape(-1, 3)
    anticipated.ordered_impulses[:] = impulses[anticipated.order]
    return framed, anticipated
