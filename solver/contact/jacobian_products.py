"""J v and Jᵀ r: from the nodes of contacts where they are known, which is a ninth of the numbers of J, or from J."""

from typing import Protocol

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import kernel
from ..linear_algebra.block_matrix import multiply_blocks
from .problem import AXES, FrictionProblem, NodalForm

SPARSE_BLOCKS = 1.5  # numbers of blocks for each that is not zero, beyond which blocks do not pay
INDICES, NUMBERS = int32[::1], float64[::1]


class JacobianProducts(Protocol):
    def velocities(self, v: np.ndarray) -> np.ndarray:
        """J v (m, 3)."""

    def push(self, impulses: np.ndarray) -> np.ndarray:
        """Jᵀ r (n,) of impulses (m, 3), the caller's own until the next call."""


def jacobian_products(problem: FrictionProblem) -> JacobianProducts:
    if problem.nodal_form is None:
        return MatrixProducts(problem.J)
    return NodalProducts(problem.nodal_form, len(problem.f))


class MatrixProducts:
    """The plain twin of what follows."""

    def __init__(self, J):
        self.J, self.transposed = J, J.T.tocsr()

    def velocities(self, v):
        return (self.J @ v).reshape(-1, AXES)

    def push(self, impulses):
        return self.transposed @ impulses.ravel()


class NodalProducts:
    """Contacts gather from their nodes, nodes from their contacts: the bits do not depend on the number of threads."""

    def __init__(self, form: NodalForm, unknown_count: int):
        self.form, self.pushes = form, np.zeros(unknown_count)  # zero for ever where nothing touches
        self.frames = np.ascontiguousarray(form.frames)
        self.unknowns = form.node_rows[form.nodes].astype(np.int32)
        order = np.argsort(form.nodes, kind="stable")
        contact_of = np.repeat(np.arange(len(form.frames), dtype=np.int32), np.diff(form.offsets))
        self.contacts, self.weights = contact_of[order], form.weights[order]
        nodes, starts = np.unique(form.nodes[order], return_index=True)
        self.starts = np.concatenate([starts, [len(order)]]).astype(np.int32)
        self.touched = form.node_rows[nodes].astype(np.int32)

    def velocities(self, v):
        velocities = np.empty((len(self.frames), AXES))
        put_velocities(self.form.offsets, self.unknowns, self.form.weights, self.frames, v, velocities)
        return velocities

    def push(self, impulses):
        put_pushes(self.starts, self.touched, self.contacts, self.weights, self.frames, impulses, self.pushes)
        return self.pushes


@kernel((INDICES, INDICES, NUMBERS, float64[:, :, ::1], NUMBERS, float64[:, ::1]), parallel=True)
def put_velocities(offsets, unknowns, weights, frames, v, velocities_out):
    for contact in prange(len(frames)):
        x, y, z = 0.0, 0.0, 0.0
        for place in range(offsets[contact], offsets[contact + 1]):
            first, weight = unknowns[place], weights[place]
            x += weight * v[first]
            y += weight * v[first + 1]
            z += weight * v[first + 2]
        for row in range(3):
            along = frames[contact, row, 0] * x + frames[contact, row, 1] * y + frames[contact, row, 2] * z
            velocities_out[contact, row] = along


@kernel((INDICES, INDICES, INDICES, NUMBERS, float64[:, :, ::1], float64[:, ::1], NUMBERS), parallel=True)
def put_pushes(starts, touched, contacts, weights, frames, impulses, pushes_out):
    for node in prange(len(touched)):
        for axis in range(3):
            total = 0.0
            for place in range(starts[node], starts[node + 1]):
                contact = contacts[place]
                along = (
                    frames[contact, 0, axis] * impulses[contact, 0] + frames[contact, 1, axis] * impulses[contact, 1]
                )
                total += weights[place] * (along + frames[contact, 2, axis] * impulses[contact, 2])
            pushes_out[touched[node] + axis] = total


class DynamicsProduct:
    """A v, by 3 × 3 blocks where all unknowns are those of nodes and blocks are not mostly zero."""

    def __init__(self, problem: FrictionProblem):
        self.A, form = problem.A, problem.nodal_form
        self.is_blocked = form is not None and np.array_equal(form.node_rows, np.arange(0, len(problem.f), AXES))
        if self.is_blocked:
            blocks = self.A.tobsr((AXES, AXES))
            self.is_blocked = blocks.data.size < SPARSE_BLOCKS * self.A.nnz
            self.pattern = blocks.indptr.astype(np.int32), blocks.indices.astype(np.int32)
            self.blocks = np.ascontiguousarray(blocks.data)

    def put(self, v: np.ndarray, product_out: np.ndarray) -> None:
        """Both (n,); [kg m/s]."""
        if self.is_blocked:
            multiply_blocks(*self.pattern, self.blocks, v.reshape(-1, AXES), product_out.reshape(-1, AXES))
        else:
            product_out[:] = self.A @ v
