"""Contacts whose impulses are refined on what block relaxation anticipates of the dynamics (docs/theory/ica.md, 2).

Gauss-Seidel without a matrix. The answer of the unknowns to an impulse is D⁻¹ Jᵀ r with the blocks D on A's diagonal,
and that of a contact to its own impulse a 3 × 3 matrix.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from numba import boolean, float64, int32, int64, prange

from ..jit_cache import compiled, kernel, tuple_of
from .colouring import STAGES, stages_of
from .local_law import solve_local
from .problem import AXES, FrictionProblem
from .pyramid_law import pyramid_impulse

WORTHWHILE = 500  # contacts of a stage: waking threads for fewer takes longer than the contacts
LEAST_SHARE = (
    1e-12  # of its trace, on a contact's own matrix: tangents in which nothing can move must not divide by zero
)


class LinkedContacts(NamedTuple):
    """In the order of stages. The three rows of a contact in J and in J D⁻¹ share their columns."""

    starts: np.ndarray  # first contact of each stage, of the rest, and the end          (STAGES + 2,) int64
    offsets: np.ndarray  # first place of each contact in the next two, and the end      (m + 1,) int32
    columns: np.ndarray  # unknowns                                                      (q,) int32
    links: np.ndarray  # three entries of J, then of J D⁻¹                                (q, 6)
    local: np.ndarray  # W = J_c D⁻¹ J_cᵀ + compliance: nn, n1, n2, 11, 12, 22            (m, 6) [1/kg]
    rows: np.ndarray  # given velocity k, friction, compliance                            (m, 5)


LINKED_TYPES = tuple_of(
    LinkedContacts, int64[::1], int32[::1], int32[::1], float64[:, ::1], float64[:, ::1], float64[:, ::1]
)
FRICTION, COMPLIANCE = 3, 4  # columns of `rows`


class AnticipatedContacts:
    """Contacts of a problem, with the impulses found so far."""

    def __init__(self, problem: FrictionProblem, inverse: sparse.csr_array, is_pyramid: bool):
        """D⁻¹ (n, n) [1/kg]; friction by a pyramid over the frames' tangents, or Coulomb's."""
        self.problem, self.is_pyramid = problem, is_pyramid
        self.softness = inverse @ problem.J.T.tocsr()  # D⁻¹ Jᵀ
        self.order, self.linked = _linked(problem, self.softness)
        self.ordered_impulses = np.zeros((problem.contact_count, AXES))

    def start_from(self, impulses: np.ndarray) -> None:
        """Impulses (m, 3) [N s]."""
        self.ordered_impulses = impulses[self.order]

    @property
    def impulses(self) -> np.ndarray:
        """r (m, 3) [N s], that of cohesion not included."""
        impulses = np.empty_like(self.ordered_impulses)
        impulses[self.order] = self.ordered_impulses
        return impulses

    @property
    def acting(self) -> np.ndarray:
        """What acts on the bodies (3 m,) [N s]: the law's impulses less those of cohesion."""
        acting = self.impulses
        acting[:, 0] -= self.problem.cohesion
        return acting.ravel()

    @property
    def softness_of_normals(self) -> np.ndarray:
        """What a contact's normal impulse does to its own normal velocity (m,) [1/kg]."""
        softness = np.empty(len(self.order))
        softness[self.order] = self.linked.local[:, 0]
        return softness

    def project(self, velocities: np.ndarray, sweeps: int) -> None:
        """Velocities (n,) of the unknowns without impulses, in place."""
        velocities += self.softness @ self.acting
        self.sweep(velocities, sweeps)

    def sweep(self, velocities: np.ndarray, sweeps: int) -> None:
        """Velocities (n,) of the unknowns with the impulses so far, in place."""
        sweep_linked(self.linked, self.is_pyramid, sweeps, self.ordered_impulses, velocities)


def _linked(problem, softness):
    count, unknowns = problem.contact_count, len(problem.f)
    entries, answers = problem.J.tocoo(), softness.T.tocoo()
    keys = [(part.row // AXES).astype(np.int64) * unknowns + part.col for part in (entries, answers)]
    pairs, places = np.unique(np.concatenate(keys), return_inverse=True)
    links = np.zeros((len(pairs), 2 * AXES))
    np.add.at(links, (places[: len(keys[0])], entries.row % AXES), entries.data)
    np.add.at(links, (places[len(keys[0]) :], AXES + answers.row % AXES), answers.data)
    contact_of, columns = pairs // unknowns, (pairs % unknowns).astype(np.int32)
    offsets = np.searchsorted(contact_of, np.arange(count + 1)).astype(np.int32)
    stages = stages_of(offsets, columns, unknowns)
    order = np.argsort(stages, kind="stable")
    moved = np.argsort(stages[contact_of], kind="stable")  # places in the order of their contacts'
    linked = LinkedContacts(
        np.searchsorted(stages[order], np.arange(STAGES + 2)).astype(np.int64),
        np.concatenate([[0], np.cumsum(np.diff(offsets)[order])]).astype(np.int32),
        *(columns[moved], np.ascontiguousarray(links[moved])),
        _local_matrices(contact_of, links, problem.compliance)[order],
        np.column_stack([problem.k, problem.mu, problem.compliance])[order],
    )
    return order, linked


def _local_matrices(contact_of, links, compliance):
    pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    products = [links[:, i] * links[:, AXES + j] for i, j in pairs]
    local = np.stack([np.bincount(contact_of, product, len(compliance)) for product in products], axis=1)
    diagonal = [0, 3, 5]
    local[:, diagonal] += LEAST_SHARE * local[:, diagonal].sum(axis=1)[:, None] + compliance[:, None]
    return local


@kernel((LINKED_TYPES, boolean, int64, float64[:, ::1], float64[::1]), parallel=True)
def sweep_linked(linked, is_pyramid, sweeps, impulses_out, velocities_out):
    for _ in range(sweeps):
        for stage in range(STAGES + 1):
            first, end = linked.starts[stage], linked.starts[stage + 1]
            if stage < STAGES and end - first >= WORTHWHILE:
                for contact in prange(first, end):
                    _visit(linked, contact, is_pyramid, impulses_out, velocities_out)
            else:
                for contact in range(first, end):
                    _visit(linked, contact, is_pyramid, impulses_out, velocities_out)


@compiled
def _visit(linked, contact, is_pyramid, impulses_out, velocities_out):
    w, friction = _entries(linked.local, contact), linked.rows[contact, FRICTION]
    if not w[0] > 0.0:  # nothing here can move, whatever the impulse
        return
    old = impulses_out[contact, 0], impulses_out[contact, 1], impulses_out[contact, 2]
    free = _free_velocity(linked, contact, w, old, velocities_out)
    new = pyramid_impulse(w, free, friction, old) if is_pyramid else solve_local(w, free, friction)
    change = new[0] - old[0], new[1] - old[1], new[2] - old[2]
    for axis in range(3):
        impulses_out[contact, axis] = new[axis]
    for place in range(linked.offsets[contact], linked.offsets[contact + 1]):
        n, s, t = linked.links[place, 3], linked.links[place, 4], linked.links[place, 5]
        velocities_out[linked.columns[place]] += n * change[0] + s * change[1] + t * change[2]


@compiled
def _free_velocity(linked, contact, w, old, velocities):
    """J_c v + k_c without what the contact's own impulse does; compliance, which W includes, gives way with it."""
    n, s, t = linked.rows[contact, 0], linked.rows[contact, 1], linked.rows[contact, 2]
    for place in range(linked.offsets[contact], linked.offsets[contact + 1]):
        speed = velocities[linked.columns[place]]
        n += linked.links[place, 0] * speed
        s += linked.links[place, 1] * speed
        t += linked.links[place, 2] * speed
    give = linked.rows[contact, COMPLIANCE]
    return (
        n + give * old[0] - (w[0] * old[0] + w[1] * old[1] + w[2] * old[2]),
        s + give * old[1] - (w[1] * old[0] + w[3] * old[1] + w[4] * old[2]),
        t + give * old[2] - (w[2] * old[0] + w[4] * old[1] + w[5] * old[2]),
    )


@compiled
def _entries(local, contact):
    a, b, c = local[contact, 0], local[contact, 1], local[contact, 2]
    return a, b, c, local[contact, 3], local[contact, 4], local[contact, 5]
