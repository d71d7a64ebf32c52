"""J v and Jᵀ r: from the nodes of contacts where they are known, which is a ninth of the numbers of J, or from J.

Rows of the mixed system are turned ones of J, L = T J with 3 × 3 matrices T of the contacts, whose rows are zero where
a row is not active (docs/theory/conjugate_residual.md).
"""

from abc import ABC, abstractmethod
from typing import Protocol

import numpy as np
from numba import float64, int32, prange

from ..jit_cache import compiled, kernel
from .mixed_vector import Mixed
from .problem import AXES, FrictionProblem, NodalForm

INDICES, NUMBERS, ROWS, FRAMES = int32[::1], float64[::1], float64[:, ::1], float64[:, :, ::1]


class JacobianProducts(Protocol):
    def velocities(self, v: np.ndarray) -> np.ndarray:
        """J v (m, 3)."""

    def push(self, impulses: np.ndarray) -> np.ndarray:
        """Jᵀ r (n,) of impulses (m, 3), the caller's own until the next call."""

    def add_push(self, impulses: np.ndarray, forces_out: np.ndarray) -> None:
        """The same, added to (n,)."""

    def own_softness(self, mobilities: np.ndarray) -> np.ndarray:
        """J_c D⁻¹ J_cᵀ (m, 3, 3) [1/kg] of each contact, with D⁻¹ (n,)."""

    def take_rows(self, turns: np.ndarray, mobilities: np.ndarray) -> None:
        """Rows L = T J from now on, T (m, 3, 3); D⁻¹ (n,) is what `correct` scales with."""

    def add_image(self, vector: Mixed, give: np.ndarray, image_out: Mixed) -> None:
        """To A times a vector: Lᵀ of its rows; and its rows' image L v − give y."""

    def correct(self, vector: Mixed, inverses: np.ndarray, out: Mixed) -> None:
        """Of D⁻¹ a, which is in `out`, and a vector's rows b: y = S⁻¹ (L D⁻¹ a − b), and D⁻¹ (a − Lᵀ y)."""

    def answer(self, vector: Mixed, inverses: np.ndarray, out: Mixed) -> np.ndarray:
        """Of velocities v in `out` and a vector's rows b: y = S⁻¹ (L v − b) there, and Lᵀ y (n,) for now."""


def jacobian_products(problem: FrictionProblem) -> JacobianProducts:
    if problem.nodal_form is None:
        return MatrixProducts(problem.J)
    return NodalProducts(problem.nodal_form, len(problem.f))


class TurnedProducts(ABC):
    """What follows from J v and Jᵀ r alone."""

    turns: np.ndarray
    mobilities: np.ndarray

    @abstractmethod
    def velocities(self, v: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def push(self, impulses: np.ndarray) -> np.ndarray: ...

    def add_push(self, impulses, forces_out):
        forces_out += self.push(impulses)

    def take_rows(self, turns, mobilities):
        self.turns, self.mobilities = turns, mobilities

    def add_image(self, vector, give, image_out):
        image_out.top[:] += self._pull(vector.low)
        image_out.low[:] = self._along_rows(vector.top) - give * vector.low

    def correct(self, vector, inverses, out):
        out.top[:] -= self.mobilities * self.answer(vector, inverses, out)

    def answer(self, vector, inverses, out):
        out.low[:] = inverses * (self._along_rows(out.top) - vector.low)
        return self._pull(out.low)

    def _along_rows(self, v):
        return np.einsum("mij,mj->mi", self.turns, self.velocities(v))

    def _pull(self, rows):
        return self.push(np.einsum("mij,mi->mj", self.turns, rows))


class MatrixProducts(TurnedProducts):
    """The plain twin of what follows."""

    def __init__(self, J):
        self.J, self.transposed = J, J.T.tocsr()

    def velocities(self, v):
        return (self.J @ v).reshape(-1, AXES)

    def push(self, impulses):
        return self.transposed @ impulses.ravel()

    def own_softness(self, mobilities):
        scaled = self.J.multiply(np.sqrt(mobilities)[None]).tocsr()
        parts = [scaled[axis::AXES] for axis in range(AXES)]
        blocks = [[np.asarray(a.multiply(b).sum(axis=1)).ravel() for b in parts] for a in parts]
        return np.ascontiguousarray(np.array(blocks).transpose(2, 0, 1))


class JoinedProducts(TurnedProducts):
    """Of unknowns in two groups, one behind the other, each with products of its own for all contacts."""

    def __init__(self, first: JacobianProducts, second: JacobianProducts, first_count: int):
        self.first, self.second, self.first_count = first, second, first_count

    def velocities(self, v):
        return self.first.velocities(v[: self.first_count]) + self.second.velocities(v[self.first_count :])

    def push(self, impulses):
        return np.concatenate([self.first.push(impulses), self.second.push(impulses)])

    def own_softness(self, mobilities):
        first, second = mobilities[: self.first_count], mobilities[self.first_count :]
        return self.first.own_softness(first) + self.second.own_softness(second)


class NodalProducts:
    """Contacts gather from their nodes, nodes from their contacts: the bits do not depend on the number of threads."""

    def __init__(self, form: NodalForm, unknown_count: int):
        self.form, self.pushes = form, np.zeros(unknown_count)  # zero for ever where nothing touches
        self.frames = np.ascontiguousarray(form.frames)
        self.row_vectors = np.empty_like(self.frames)
        self.forces = np.empty((len(self.frames), AXES))  # of contacts, in world axes
        self.unknowns = form.node_rows[form.nodes].astype(np.int32)
        order = np.argsort(form.nodes, kind="stable")
        contact_of = np.repeat(np.arange(len(form.frames), dtype=np.int32), np.diff(form.offsets))
        self.contacts, self.weights = contact_of[order], form.weights[order]
        nodes, starts = np.unique(form.nodes[order], return_index=True)
        self.starts = np.concatenate([starts, [len(order)]]).astype(np.int32)
        self.touched = form.node_rows[nodes].astype(np.int32)
        self.ones = np.ones((len(nodes), AXES))
        self.scales = np.ones((len(nodes), AXES))  # −D⁻¹ of touched nodes

    def velocities(self, v):
        velocities = np.empty((len(self.frames), AXES))
        put_velocities(self.form.offsets, self.unknowns, self.form.weights, self.frames, v, velocities)
        return velocities

    def push(self, impulses):
        put_forces(self.frames, impulses, self.forces)
        return self._pushes()

    def add_push(self, impulses, forces_out):
        put_forces(self.frames, impulses, self.forces)
        self._add_forces(self.ones, forces_out)

    def own_softness(self, mobilities):
        contact_of = np.repeat(np.arange(len(self.frames)), np.diff(self.form.offsets))
        squares = self.form.weights**2
        axes = [
            np.bincount(contact_of, squares * mobilities[self.unknowns + axis], minlength=len(self.frames))
            for axis in range(AXES)
        ]
        return np.einsum("mia,am,mja->mij", self.frames, np.array(axes), self.frames)

    def take_rows(self, turns, mobilities):
        np.matmul(turns, self.frames, out=self.row_vectors)
        np.negative(mobilities[self.touched[:, None] + np.arange(AXES)], out=self.scales)

    def add_image(self, vector, give, image_out):
        at = self.form.offsets, self.unknowns, self.form.weights, self.row_vectors
        put_row_images(*at, vector.top, vector.low, give, image_out.low, self.forces)
        self._add_forces(self.ones, image_out.top)

    def correct(self, vector, inverses, out):
        self._answer(vector, inverses, out)
        self._add_forces(self.scales, out.top)

    def answer(self, vector, inverses, out):
        self._answer(vector, inverses, out)
        return self._pushes()

    def _answer(self, vector, inverses, out):
        at = self.form.offsets, self.unknowns, self.form.weights, self.row_vectors
        put_row_answers(*at, out.top, vector.low, inverses, out.low, self.forces)

    def _pushes(self):
        """Of contacts' forces (n,)."""
        self.pushes[self.touched[:, None] + np.arange(AXES)] = 0.0
        self._add_forces(self.ones, self.pushes)
        return self.pushes

    def _add_forces(self, scales, forces_out):
        add_forces(self.starts, self.touched, self.contacts, self.weights, self.forces, scales, forces_out)


@kernel((INDICES, INDICES, NUMBERS, FRAMES, NUMBERS, ROWS), parallel=True)
def put_velocities(offsets, unknowns, weights, frames, v, velocities_out):
    for contact in prange(len(frames)):
        x, y, z = _velocity_at(offsets, unknowns, weights, contact, v)
        for row in range(3):
            along = frames[contact, row, 0] * x + frames[contact, row, 1] * y + frames[contact, row, 2] * z
            velocities_out[contact, row] = along


@kernel((INDICES, INDICES, NUMBERS, FRAMES, NUMBERS, ROWS, ROWS, ROWS, ROWS), parallel=True)
def put_row_images(offsets, unknowns, weights, rows, v, y, give, images_out, forces_out):
    """L v − give y (m, 3), and Lᵀ y of each contact in world axes (m, 3)."""
    for contact in prange(len(rows)):
        a, b, c = _velocity_at(offsets, unknowns, weights, contact, v)
        for row in range(3):
            along = rows[contact, row, 0] * a + rows[contact, row, 1] * b + rows[contact, row, 2] * c
            images_out[contact, row] = along - give[contact, row] * y[contact, row]
        _put_force(rows, y, contact, forces_out)


@kernel((INDICES, INDICES, NUMBERS, FRAMES, NUMBERS, ROWS, ROWS, ROWS, ROWS), parallel=True)
def put_row_answers(offsets, unknowns, weights, rows, v, b, inverses, answers_out, forces_out):
    """y = S⁻¹ (L v − b) (m, 3), and Lᵀ y of each contact in world axes (m, 3)."""
    for contact in prange(len(rows)):
        x, y, z = _velocity_at(offsets, unknowns, weights, contact, v)
        for row in range(3):
            along = rows[contact, row, 0] * x + rows[contact, row, 1] * y + rows[contact, row, 2] * z
            answers_out[contact, row] = inverses[contact, row] * (along - b[contact, row])
        _put_force(rows, answers_out, contact, forces_out)


@kernel((FRAMES, ROWS, ROWS), parallel=True)
def put_forces(frames, impulses, forces_out):
    """Impulses along the frames' rows, in world axes (m, 3)."""
    for contact in prange(len(frames)):
        _put_force(frames, impulses, contact, forces_out)


@kernel((INDICES, INDICES, INDICES, NUMBERS, ROWS, ROWS, NUMBERS), parallel=True)
def add_forces(starts, touched, contacts, weights, forces, scales, total_out):
    """Forces (m, 3) of contacts on their nodes, scaled (t, 3)."""
    for node in prange(len(touched)):
        x, y, z = 0.0, 0.0, 0.0
        for place in range(starts[node], starts[node + 1]):
            contact, weight = contacts[place], weights[place]
            x += weight * forces[contact, 0]
            y += weight * forces[contact, 1]
            z += weight * forces[contact, 2]
        first = touched[node]
        total_out[first] += scales[node, 0] * x
        total_out[first + 1] += scales[node, 1] * y
        total_out[first + 2] += scales[node, 2] * z


@compiled
def _velocity_at(offsets, unknowns, weights, contact, v):
    """Weighted sum over the contact's nodes."""
    x, y, z = 0.0, 0.0, 0.0
    for place in range(offsets[contact], offsets[contact + 1]):
        first, weight = unknowns[place], weights[place]
        x += weight * v[first]
        y += weight * v[first + 1]
        z += weight * v[first + 2]
    return x, y, z


@compiled
def _put_force(rows, impulses, contact, forces_out):
    a, b, c = impulses[contact, 0], impulses[contact, 1], impulses[contact, 2]
    for axis in range(3):
        along = rows[contact, 0, axis] * a + rows[contact, 1, axis] * b
        forces_out[contact, axis] = along + rows[contact, 2, axis] * c
