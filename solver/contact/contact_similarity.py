"""How many contacts say the same as a contact, in effect [Verschoor and Jalba 2019, section 3.4.1].

Contacts that share nodes are alike by their barycentric weights; contacts that act on the same unknowns of rigid bodies
count fully. The preconditioner of the mixed system is scaled by this (docs/theory/conjugate_residual.md).
"""

import numpy as np
import scipy.sparse as sparse

from .problem import AXES, FrictionProblem

MOST_PAIRS = 64  # for each contact on average, beyond which only those with the same nodes are counted


class ContactSimilarity:
    """Z of the contacts that are active."""

    def __init__(self, problem: FrictionProblem):
        self._pairs = _pairs(problem)
        self._groups = _groups(problem)

    def among(self, is_active: np.ndarray) -> np.ndarray:
        """Z (m,), at least 1: the sum of similarities with active contacts (m,), itself included."""
        if self._pairs is not None:
            return np.maximum(self._pairs @ is_active.astype(np.float64), 1.0)
        counts = np.bincount(self._groups, is_active, minlength=1)
        return np.maximum(counts[self._groups], 1.0)


def _pairs(problem):
    """Similarities (m, m), the product of 1 − |w_a − w_b| over the nodes in common; none if they would be too many."""
    form = problem.nodal_form
    if form is None or not problem.contact_count:
        return None
    count = problem.contact_count
    contact_of = np.repeat(np.arange(count), np.diff(form.offsets))
    touches = sparse.csr_array((np.ones(len(form.nodes)), (contact_of, form.nodes)), shape=(count, _nodes(form)))
    if (touches.sum(axis=0) ** 2).sum() > MOST_PAIRS * len(form.nodes):
        return None
    order = np.argsort(form.nodes, kind="stable")
    first, second = _pairs_of_groups(form.nodes[order])
    first, second = order[first], order[second]
    keys = contact_of[first].astype(np.int64) * count + contact_of[second]
    unlike = np.abs(form.weights[first] - form.weights[second])
    factors = np.log(np.maximum(1.0 - unlike, 1e-300))  # weights that differ by one or more are not alike at all
    pairs, places = np.unique(keys, return_inverse=True)
    values = np.exp(np.bincount(places, factors))
    return sparse.csr_array((values, (pairs // count, pairs % count)), shape=(count, count))


def _nodes(form):
    return int(form.nodes.max(initial=-1)) + 1


def _pairs_of_groups(sorted_values):
    """All ordered pairs of places with equal values, also of a place with itself."""
    starts = np.flatnonzero(np.concatenate([[True], sorted_values[1:] != sorted_values[:-1]]))
    sizes = np.diff(np.concatenate([starts, [len(sorted_values)]]))
    own_start, own_size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    first = np.repeat(np.arange(len(sorted_values)), own_size)
    run = np.arange(len(first)) - np.repeat(np.cumsum(own_size) - own_size, own_size)
    return first, np.repeat(own_start, own_size) + run


def _groups(problem):
    """A number (m,) for each contact, the same for those on the same unknowns."""
    entries = problem.J.tocoo()
    shape = problem.contact_count, problem.J.shape[1]
    touched = sparse.csr_array((np.ones(entries.nnz), (entries.row // AXES, entries.col)), shape=shape)
    marks = np.random.default_rng(0).random(shape[1])  # whose sums are the same for the same unknowns only
    sums = np.round((touched > 0.0).astype(np.float64) @ marks, 9)
    return np.unique(sums, return_inverse=True)[1]
