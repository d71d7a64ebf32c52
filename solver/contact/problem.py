"""One step's problem of frictional contact, and its solution (docs/theory/friction.md, 1)."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse

from .nodal_contacts import NodalContacts

AXES = 3  # normal, tangent, tangent
WITH_SPIN = 4  # and the turning about the normal
Matrix = Any  # sparse, of scipy; None where a form of the problem has no use for it
Numbers = Any  # one for all, or one for each contact


PER_CONTACT = ("cohesion", "compliance", "restitution", "approach")


class NodalForm(NamedTuple):
    """Relative velocities as weighted sums of nodes' velocities, turned into the contacts' frames."""

    offsets: np.ndarray  # first place of each contact in the next two, and the end  (m + 1,) int32
    nodes: np.ndarray  # (q,) int32
    weights: np.ndarray  # (q,)
    frames: np.ndarray  # rows: normal, tangent, tangent                             (m, 3, 3)
    node_rows: np.ndarray  # first of each node's three unknowns                     (j,)


@dataclass
class FrictionProblem:
    """A v = f + Jᵀ r,  u = J v + k,  (u, r) in Coulomb's law with coefficient μ.

    A (n, n) [kg] is symmetric positive definite, f (n,) [kg m/s], J (3 m, n); k, u and r are (m, 3), normal first, in
    m/s and N s. With spin a contact has a fourth row, the turning about its normal [rad/s, N m s], and three
    coefficients of friction: along both tangents, and of spinning [m].
    """

    A: Matrix
    f: np.ndarray
    J: Matrix
    k: np.ndarray
    mu: Numbers
    cohesion: Numbers = 0.0  # impulse that holds the two together              (m,) [N s]
    compliance: Numbers = 0.0  # of the contacts themselves                     (m,) [1/kg]
    nodal_form: NodalForm | None = None
    delassus: Matrix = None  # W of u = W r + k, where there is no A
    masses: np.ndarray | None = None  # of the nodes of a nodal problem, if known  (j,) [kg]
    restitution: Numbers = 0.0  # part of the speed of approach with which they part  (m,)
    approach: Numbers = 0.0  # normal velocities before the step, negative if approaching  (m,) [m/s]
    spin: bool = False
    start: np.ndarray | None = None  # impulses from which methods that can will start   (m, w) [N s]
    kept: Any = None  # `KeptRegions` of the last step, for the method that has regions

    def __post_init__(self):
        self.k = np.ascontiguousarray(self.k, dtype=np.float64).reshape(-1, self.width)
        shape = (len(self.k), AXES) if self.spin else len(self.k)
        self.mu = np.ascontiguousarray(np.broadcast_to(self.mu, shape), dtype=np.float64)
        self.f = np.ascontiguousarray(self.f, dtype=np.float64)
        self.A, self.J, self.delassus = (_as_csr(matrix) for matrix in (self.A, self.J, self.delassus))
        for name in PER_CONTACT:
            setattr(self, name, _per_contact(self, getattr(self, name)))
        _refuse_bad_numbers(self)

    @classmethod
    def nodal(cls, A, f, offsets, nodes, weights, frames, k, mu, node_rows=None, **optional) -> "FrictionProblem":
        """J from weighted nodes; without `node_rows`, node j has the unknowns 3 j to 3 j + 2."""
        offsets, nodes = np.asarray(offsets, np.int32), np.asarray(nodes, np.int32)
        if node_rows is None:
            node_rows = AXES * np.arange(len(f) // AXES)
        form = NodalForm(
            *(offsets, nodes, np.asarray(weights, np.float64)),
            *(np.asarray(frames, np.float64).reshape(-1, AXES, AXES), np.asarray(node_rows)),
        )
        return cls(A, f, jacobian_of(form, len(f)), k, mu, nodal_form=form, **optional)

    @classmethod
    def local(cls, W, q, mu, **optional) -> "FrictionProblem":
        """u = W r + q with a Delassus operator W (3 m, 3 m) [1/kg] instead of A and J."""
        return cls(None, np.zeros(0), None, q, mu, delassus=W, **optional)

    @property
    def contact_count(self) -> int:
        return len(self.mu)

    @property
    def width(self) -> int:
        """Rows a contact."""
        return WITH_SPIN if self.spin else AXES

    def relative_velocities(self, v: np.ndarray) -> np.ndarray:
        """u = J v + k (m, 3), without compliance."""
        return (self.J @ v).reshape(-1, self.width) + self.k

    def rebounding(self) -> "FrictionProblem":
        """The problem without restitution that has the same impulses [Erleben 2017, equation 14a].

        A contact that was not approaching has nothing to give back.
        """
        if not (self.restitution * self.approach).any():
            return self
        k = self.k.copy()
        k[:, 0] += self.restitution * np.minimum(self.approach, 0.0)
        return replace(self, k=k, restitution=0.0)


@dataclass
class ContactSolution:
    v: np.ndarray  # velocities of the unknowns                     (n,)
    r: np.ndarray  # impulses of body B on A, normal first          (m, 3) [N s]
    u: np.ndarray  # relative velocities, normal first              (m, 3) [m/s]
    iterations: int
    history: list[float] = field(default_factory=list)  # the method's own measure in each iteration
    residual: float = np.nan  # the judge's natural map
    converged: bool = False
    dynamics: float = np.nan  # the judge's ‖A v − f − Jᵀ r‖ / ‖f‖
    method: str = ""  # by which it was found


def jacobian_of(form: NodalForm, unknown_count: int) -> sparse.csr_array:
    """J (3 m, n): the weights times the rows of the frames."""
    contact_of = np.repeat(np.arange(len(form.frames)), np.diff(form.offsets))
    values = form.weights[:, None, None] * form.frames[contact_of]  # (q, 3, 3)
    rows = AXES * contact_of[:, None, None] + np.arange(AXES)[:, None]
    columns = form.node_rows[form.nodes][:, None, None] + np.arange(AXES)
    shape = AXES * len(form.frames), unknown_count
    entries = np.broadcast_to(rows, values.shape).ravel(), np.broadcast_to(columns, values.shape).ravel()
    return sparse.coo_array((values.ravel(), entries), shape=shape).tocsr()


def contacts_of(problem: FrictionProblem) -> NodalContacts:
    """The contacts of a nodal problem in world axes."""
    form = problem.nodal_form
    if form is None:
        raise ValueError("The friction problem was not given by nodes.")
    return NodalContacts(
        *(form.offsets, form.nodes, form.weights, np.ascontiguousarray(form.frames[:, 0])),
        velocities=np.einsum("mi,mij->mj", problem.k, form.frames),
        friction=problem.mu,
        cohesion=problem.cohesion,
        compliance=problem.compliance,
    )


def _as_csr(matrix):
    return None if matrix is None else sparse.csr_array(matrix, dtype=np.float64)


def _per_contact(problem, values):
    return np.ascontiguousarray(np.broadcast_to(values, problem.contact_count), dtype=np.float64)


def _refuse_bad_numbers(problem):
    """A contact method would go on for ever, or fill all results with what is not a number."""
    for name in ("f", "k", "mu", *PER_CONTACT):
        values = getattr(problem, name)
        if not np.isfinite(values).all():
            raise ValueError(f"{name} of the friction problem has infinite or undefined numbers.")
        if name in ("mu", "cohesion", "compliance", "restitution") and (values < 0.0).any():
            raise ValueError(f"{name} of the friction problem has negative numbers.")
    if (problem.restitution > 1.0).any():
        raise ValueError("restitution of the friction problem must not be above one: contacts would make energy.")
    if problem.masses is not None and not (np.isfinite(problem.masses) & (problem.masses > 0.0)).all():
        raise ValueError("masses of the friction problem must be above zero.")
    for name in ("A", "J", "delassus"):
        matrix = getattr(problem, name)
        if matrix is not None and not np.isfinite(matrix.data).all():
            raise ValueError(f"{name} of the friction problem has infinite or undefined numbers.")
