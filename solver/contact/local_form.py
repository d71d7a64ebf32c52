"""A friction problem by its contacts alone: u = W r + q, with the Delassus operator W (docs/theory/proximal.md, 1)."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from .problem import FrictionProblem, Matrix

LARGEST_PART = 12  # unknowns that A joins: up to here A⁻¹ is small blocks, and W sparse
CHUNK = 3  # columns of W's root that are visited together
TINY = float(np.finfo(float).tiny)
MOST_GIGABYTES = 4.0  # of W where A joins everything, and W is dense
BYTES = 12  # of an entry with its place
COLUMNS = 256  # solved for at once: bounds the memory


class LocalForm(NamedTuple):
    W: Matrix  # with the contacts' compliance; none where the root is enough        (w m, w m) [1/kg]
    q: np.ndarray  # velocities without the law's impulses                            (m, w) [m/s]
    mu: np.ndarray  # (m,)
    softness: np.ndarray  # largest answer of a contact to its own impulse; one for those that nothing moves (m,) [1/kg]
    root: Matrix = None  # G with W = G Gᵀ + compliance, where A joins few
    compliance: np.ndarray = np.zeros(0)  # of the contacts, beside the root         (m,) [1/kg]


def local_form(problem: FrictionProblem, by_root: bool = False) -> LocalForm:
    """Cohesion and compliance go into q and W, and nothing else is left to honour.

    By its root alone W is not made, if there is one: where bodies have many contacts it would be large.
    """
    W, free, root = _delassus(problem)
    held = np.zeros_like(problem.k)
    held[:, 0] = problem.cohesion
    q = free - (W @ held.ravel() if root is None else root @ (root.T @ held.ravel()))
    form = LocalForm(W, q.reshape(problem.k.shape), problem.mu, np.zeros(0), root, problem.compliance)
    if W is not None:
        form = form._replace(W=with_compliance(W, problem.compliance, problem.width))
    elif not by_root:
        form = form._replace(W=with_compliance(root @ root.T, problem.compliance, problem.width))
    softness = _softness(own_blocks(form))
    is_moved = softness > 0.0
    form.q[~is_moved] = 0.0  # no impulse can help there: methods leave it alone, and the judge tells
    return form._replace(softness=np.where(is_moved, softness, 1.0))


def with_compliance(W: Matrix, compliance: np.ndarray, width: int) -> sparse.csr_array:
    """Of contacts (m,) with so many rows each [1/kg]."""
    W = sparse.csr_array(W + sparse.diags_array(np.repeat(compliance, width)))
    W.sum_duplicates()
    return W


def own_blocks(form: LocalForm) -> np.ndarray:
    """What an impulse does to its own contact (m, w, w) [1/kg]."""
    width = form.q.shape[1]
    if form.W is not None:
        return diagonal_blocks(form.W, width)
    rows = [form.root[axis::width] for axis in range(width)]
    blocks = np.empty((len(form.q), width, width))
    for i in range(width):
        for j in range(width):
            blocks[:, i, j] = rows[i].multiply(rows[j]).sum(axis=1)
    return blocks + form.compliance[:, None, None] * np.eye(width)


def answers(form: LocalForm, vector: np.ndarray) -> np.ndarray:
    """W times a vector (w m,)."""
    if form.W is not None:
        return form.W @ vector
    return form.root @ (form.root.T @ vector) + np.repeat(form.compliance, form.q.shape[1]) * vector


def velocities_under(problem: FrictionProblem, r: np.ndarray) -> np.ndarray:
    """v (n,) [m/s] with A v = f + Jᵀ r, without cohesion's part of r (m, w); none for a Delassus operator."""
    if problem.A is None:
        return np.zeros(0)
    net = r.copy()
    net[:, 0] -= problem.cohesion
    return _solver(problem.A)(problem.f + problem.J.T @ net.ravel())


def diagonal_blocks(W: sparse.csr_array, width: int) -> np.ndarray:
    """What an impulse does to its own contact (m, width, width) [1/kg]."""
    entries = W.tocoo()
    is_own = entries.row // width == entries.col // width
    row, column = entries.row[is_own], entries.col[is_own]
    blocks = np.zeros((W.shape[0] // width, width, width))
    np.add.at(blocks, (row // width, row % width, column % width), entries.data[is_own])
    return blocks


def _delassus(problem):
    """W, the velocities without impulses, and W's root instead of it where there is one."""
    if problem.A is None:
        return problem.delassus, problem.k.ravel(), None
    free = problem.J @ _solver(problem.A)(problem.f) + problem.k.ravel()
    if joins_few(problem.A):
        root = sparse.csr_array(problem.J @ _root_of_inverse(problem.A))
        return None, free, root
    _refuse_too_many(problem)
    return _anticipated(problem), free, None


def _refuse_too_many(problem):
    gigabytes = 1e-9 * BYTES * float(problem.J.shape[0]) ** 2
    if gigabytes > MOST_GIGABYTES:
        raise ValueError(
            f"What each of {problem.contact_count:,} contacts does to each other would take {gigabytes:.0f} GB; "
            "ADMM, CR and ICA do without it."
        )


def _anticipated(problem):
    """J A⁻¹ Jᵀ by solving for a few columns at a time."""
    solve, columns = _solver(problem.A), problem.J.T.tocsc()
    parts = []
    for first in range(0, columns.shape[1], COLUMNS):
        answers = solve(columns[:, first : first + COLUMNS].toarray())
        parts.append(sparse.csr_array(problem.J @ answers))
    return sparse.csr_array(sparse.hstack(parts)) if parts else sparse.csr_array((0, 0))


def _solver(A):
    try:
        return splu(sparse.csc_array(A)).solve
    except RuntimeError as error:
        raise ValueError("A of the friction problem is singular: something has neither mass nor hold.") from error


def joins_few(A: sparse.csr_array) -> bool:
    """Whether A joins few unknowns each, as those of rigid bodies and of single nodes: then W is sparse."""
    _, parts = connected_components(A, directed=False)
    return bool(np.bincount(parts).max(initial=0) <= LARGEST_PART)


def _root_of_inverse(A) -> sparse.csr_array:
    """R with R Rᵀ = A⁻¹ where A joins few unknowns: L⁻ᵀ of each part L Lᵀ; its columns fill up to a whole chunk."""
    count, parts = connected_components(A, directed=False)
    sizes = np.bincount(parts, minlength=count)
    order = np.argsort(parts, kind="stable")
    slots = np.empty(len(parts), np.int64)
    slots[order] = np.arange(len(parts)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    widest = int(sizes.max(initial=1))
    blocks = np.tile(np.eye(widest), (count, 1, 1))
    slots_used = np.arange(widest) < sizes[:, None]
    blocks[slots_used[:, :, None] & slots_used[:, None, :]] = 0.0
    entries = A.tocoo()
    np.add.at(blocks, (parts[entries.row], slots[entries.row], slots[entries.col]), entries.data)
    return _placed(_inverse_roots(blocks), slots_used, parts, slots)


def _inverse_roots(blocks):
    try:
        roots = np.linalg.cholesky(blocks)
    except np.linalg.LinAlgError as error:
        raise ValueError("The friction problem is not positive definite: a body moves against its impulse.") from error
    return np.linalg.inv(roots).swapaxes(1, 2)


def _placed(roots, slots_used, parts, slots):
    unknowns = np.zeros(slots_used.shape, np.int64)
    unknowns[parts, slots] = np.arange(len(parts))
    part, row, column = np.nonzero(slots_used[:, :, None] & slots_used[:, None, :])
    places = unknowns[part, row], unknowns[part, column]
    shape = len(parts), CHUNK * -(-len(parts) // CHUNK)
    root = sparse.csr_array((roots[part, row, column], places), shape=shape)
    root.eliminate_zeros()  # of the triangles
    return root


def _softness(blocks):
    against = np.flatnonzero((np.einsum("mii->mi", blocks) < 0.0).any(axis=1))
    if len(against):
        raise ValueError(
            f"The friction problem is not positive definite: contact {against[0]} moves against its impulse."
        )
    return np.linalg.norm(blocks, ord=2, axis=(1, 2)) if len(blocks) else np.zeros(0)
