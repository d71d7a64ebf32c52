"""A step's friction problem with ellipsoids of friction: a fourth row a contact, the turning about its normal.

docs/theory/proximal.md, 13.
"""

import numpy as np
import scipy.sparse as sparse

from ..contact.nodal_contacts import NodalContacts
from ..contact.problem import AXES, FrictionProblem


def with_ellipsoids(
    problem: FrictionProblem, contacts: NodalContacts, rates: sparse.csr_array | None, spin_impulses: np.ndarray
) -> FrictionProblem:
    """The problem of the same contacts, which has three rows each; their tangents are those of the ellipsoids.

    Rates (3 n, u) [1/m] give each node the angular velocity of its body; none where no body is rigid. The impulses of
    spinning (k,) [N m s] are those of the first contacts, as far as they are known.
    """
    count = contacts.contact_count
    spin = sparse.csr_array((count, problem.J.shape[1])) if rates is None else _along_normals(contacts, rates)
    rows = np.column_stack([np.arange(AXES * count).reshape(-1, AXES), AXES * count + np.arange(count)])
    known = np.zeros(count)
    known[: len(spin_impulses)] = spin_impulses
    return FrictionProblem(
        *(problem.A, problem.f, sparse.csr_array(sparse.vstack([problem.J, spin]))[rows.ravel()]),
        *(np.column_stack([problem.k, contacts.turning]), contacts.axes),
        cohesion=problem.cohesion,
        compliance=problem.compliance,
        spin=True,
        start=None if problem.start is None else np.column_stack([problem.start, known]),
    )


def _along_normals(contacts, rates):
    """Rows (m, u): all weights of a body's nodes in a contact sum to 1 on side A, to −1 on side B."""
    contact_of = np.repeat(np.arange(contacts.contact_count), np.diff(contacts.offsets))
    values = contacts.weights[:, None] * contacts.normals[contact_of]
    columns = AXES * contacts.nodes[:, None] + np.arange(AXES)
    shape = contacts.contact_count, rates.shape[0]
    normals = sparse.csr_array((values.ravel(), columns.ravel(), AXES * contacts.offsets), shape=shape)
    return normals @ rates
