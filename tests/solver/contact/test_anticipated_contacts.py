"""Relaxation of unknowns and of contacts against plain twins."""

import numba
import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver.contact.anticipated_contacts import WORTHWHILE, AnticipatedContacts
from stiction.solver.contact.ica import IcaSettings, run_ica, unconstrained_velocities
from stiction.solver.contact.local_law import solve_local
from stiction.solver.contact.problem import FrictionProblem
from stiction.solver.contact.unknown_blocks import block_system, inverse_matrix, relax_at_once, relax_in_turn

from .problems import chain_matrix, frames_at
from .twisted_problems import twisted_problem


def test_relaxation_equals_dense_blocks():
    problem = twisted_problem(0)
    A, rows = problem.A.toarray(), problem.nodal_form.node_rows
    blocks = [np.r_[rows[j] : rows[j] + 3] for j in range(9)] + [np.array([row + 3]) for row in rows]
    blocks.sort(key=lambda block: block[0])
    system = block_system(problem.A, rows)
    v = np.random.default_rng(1).normal(size=len(A))
    at_once, in_turn, expected = np.empty_like(v), v.copy(), v.copy()
    relax_at_once(system, problem.f, v, at_once)
    relax_in_turn(system, problem.f, in_turn)
    for block in blocks:
        own = A[np.ix_(block, block)]
        assert at_once[block] == pytest.approx(v[block] + np.linalg.solve(own, (problem.f - A @ v)[block]))
        expected[block] += np.linalg.solve(own, (problem.f - A @ expected)[block])
    assert in_turn == pytest.approx(expected)
    D = np.zeros_like(A)
    for block in blocks:
        D[np.ix_(block, block)] = A[np.ix_(block, block)]
    assert inverse_matrix(system).toarray() @ D == pytest.approx(np.eye(len(A)), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_sweeps_equal_a_plain_twin(seed):
    problem = twisted_problem(seed, contacts=20)
    problem.compliance[:], problem.cohesion[:] = 0.1, 0.05
    inverse = inverse_matrix(block_system(problem.A, problem.nodal_form.node_rows))
    contacts = AnticipatedContacts(problem, inverse, is_pyramid=False)
    start = np.random.default_rng(seed).normal(size=len(problem.f))
    swept = start.copy()
    contacts.project(swept, 4)
    expected, impulses = _plain_sweeps(problem, inverse.toarray(), contacts.order, start, 4)
    assert contacts.impulses == pytest.approx(impulses, abs=1e-9)
    assert swept == pytest.approx(expected, abs=1e-9)


def _plain_sweeps(problem, inverse, order, start, sweeps):
    J, r = problem.J.toarray().reshape(-1, 3, len(start)), np.zeros_like(problem.k)
    held = np.column_stack([problem.cohesion, 0.0 * problem.k[:, :2]])
    velocities = start
    for _ in range(sweeps):
        for c in order:
            velocities = start + inverse @ np.einsum("mai,ma->i", J, r - held)
            W = J[c] @ inverse @ J[c].T + problem.compliance[c] * np.eye(3)
            free = J[c] @ velocities + problem.k[c] + problem.compliance[c] * r[c] - W @ r[c]
            r[c] = solve_local(tuple(W[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]), tuple(free), problem.mu[c])
    return start + inverse @ np.einsum("mai,ma->i", J, r - held), r


def many_strands(strands=1500, contacts=3000):
    """Short chains that touch each other: enough contacts for all threads."""
    rng = np.random.default_rng(5)
    A = sparse.block_diag([chain_matrix(4, 3.0)] * strands, format="csr")
    first, further = rng.integers(4 * strands, size=contacts), rng.integers(1, 4 * strands, size=contacts)
    nodes = np.column_stack([first, (first + further) % (4 * strands)])
    normals = rng.normal(size=(contacts, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return FrictionProblem.nodal(
        *(A, rng.normal(size=12 * strands), 2 * np.arange(contacts + 1), nodes.ravel()),
        *(np.tile([1.0, -1.0], contacts), frames_at(normals), 0.1 * np.ones((contacts, 3)), 0.3),
    )


@pytest.mark.parametrize("is_pyramid", [False, True])
def test_the_same_bits_on_any_number_of_threads(is_pyramid):
    problem = many_strands()
    start, settings = unconstrained_velocities(problem), IcaSettings(iterations=2, sweeps=2)
    results, before = [], numba.get_num_threads()
    for count in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(count)
        try:
            results.append(run_ica(problem, start, 0.01, settings, is_pyramid))
        finally:
            numba.set_num_threads(before)
    stage = AnticipatedContacts(problem, sparse.eye_array(len(start)).tocsr(), is_pyramid).linked.starts[1]
    assert stage > WORTHWHILE  # or one thread would have done it all
    assert np.array_equal(results[0].velocities, results[1].velocities)
    assert np.array_equal(results[0].impulses, results[1].impulses)
