"""How many contacts say the same as a contact, in effect [Verschoor and Jalba 2019, section 3.4.1].

Contacts that share nodes are alike by their barycentric weights; contacts that act on the same unknowns of rigid bodies
count fully. The preconditioner of the mixed system is scaled by this (docs/theory/conjugate_residual.md).
"""

import numpy as np
import scipy.sparse as sparse

from .problem import AXES, FrictionProblem, NodalForm

MOST_PAIRS = 64  # for each contact on average, beyond which only those with the same nodes are counted


class ContactSimilarity:
    """Z of the contacts that are active."""

    def __init__(self, pairs: sparse.csr_array | None, groups: np.ndarray):
        """Similarities (m, m); or, where there are none, a number (m,) for each group of contacts that are alike."""
        self._pairs, self._groups = pairs, groups

    @classmethod
    def of(cls, problem: FrictionProblem) -> "ContactSimilarity":
        if problem.nodal_form is None:
            return cls(None, _groups(problem.J.tocoo(), problem.contact_count))
        return cls.of_nodes(problem.nodal_form)

    @classmethod
    def of_nodes(cls, form: NodalForm) -> "ContactSimilarity":
        pairs = _pairs(form)
        return cls(pairs, np.zeros(0, np.int64) if pairs is not None else _groups_of_nodes(form))

    @classmethod
    def of_same_nodes(cls, form: NodalForm) -> "ContactSimilarity":
        """Contacts that touch the same nodes are alike, whatever their weights: those of rigid bodies are."""
        return cls(None, _groups_of_nodes(form))

    def among(self, is_active: np.ndarray) -> np.ndarray:
        """Z (m,), at least 1: the sum of similarities with active contacts (m,), itself included."""
        if self._pairs is not None:
            return np.maximum(self._pairs @ is_active.astype(np.float64), 1.0)
        counts = np.bincount(self._groups, is_active, minlength=1)
        return np.maximum(counts[self._groups], 1.0)


def _pairs(form):
    """Similarities (m, m), the product of 1 − |w_a − w_b| over the nodes in common; none if they would be too many."""
    count = len(form.frames)
    contact_of = np.repeat(np.arange(count), np.diff(form.offsets))
    touches = np.bincount(form.nodes, minlength=1).astype(np.float64)
    if (touches**2).sum() > MOST_PAIRS * max(len(form.nodes), 1):
        return None
    order = np.argsort(form.nodes, kind="stable")
    first, second = _pairs_of_groups(form.nodes[order])
    first, second = order[first], order[second]
    keys = contact_of[first].astype(np.int64) * count + contact_of[second]
    unlike = np.abs(form.weights[first] - form.weights[second])
    factors = np.log(np.maximum(1.0 - unlike, 1e-300))  # weights that differ by one or more are not alike at all
    pairs, places = np.unique(keys, return_inverse=True)
    values = np.exp(np.bincount(places, factors, minlength=len(pairs)))
    return sparse.csr_array((values, (pairs // max(count, 1), pairs % max(count, 1))), shape=(count, count))


def _pairs_of_groups(sorted_values):
    """All ordered pairs of places with equal values, also of a place with itself."""
    starts = np.flatnonzero(np.concatenate([[True], sorted_values[1:] != sorted_values[:-1]]))
    sizes = np.diff(np.concatenate([starts, [len(sorted_values)]]))
    own_start, own_size = np.repeat(starts, sizes), np.repeat(sizes, sizes)
    first = np.repeat(np.arange(len(sorted_values)), own_size)
    run = np.arange(len(first)) - np.repeat(np.cumsum(own_size) - own_size, own_size)
    return first, np.repeat(own_start, own_size) + run


def _groups(entries, count):
    """A number (m,) for each contact, the same for those on the same unknowns, from J's entries."""
    touched = np.unique((entries.row // AXES).astype(np.int64) * entries.shape[1] + entries.col)
    return _by_what_they_touch(touched // entries.shape[1], touched % entries.shape[1], count)


def _groups_of_nodes(form):
    contact_of = np.repeat(np.arange(len(form.frames)), np.diff(form.offsets))
    return _by_what_they_touch(contact_of, form.nodes, len(form.frames))


def _by_what_they_touch(contact_of, touched, count):
    marks = np.random.default_rng(0).random(int(touched.max(initial=0)) + 1)  # whose sums tell what is touched
    sums = np.round(np.bincount(contact_of, marks[touched], minlength=count), 9)
    return np.unique(sums, return_inverse=True)[1]
