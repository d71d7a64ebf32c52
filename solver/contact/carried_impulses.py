"""Impulses of the last step's contacts, for those of the next that are the same (docs/theory/conjugate_residual.md).

A contact is the same if it touches the same nodes and points nearly alike.
"""

from typing import NamedTuple

import numpy as np

from .nodal_contacts import NodalContacts

ALIKE = 0.9  # cosine between normals
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, with bits all over: 2⁶⁴ over the golden ratio


class KnownImpulses(NamedTuple):
    """In the order of what contacts touch."""

    keys: np.ndarray  # (m,) uint64
    normals: np.ndarray  # (m, 3)
    forces: np.ndarray  # in world axes (m, 3) [N]

    @classmethod
    def unpacked(cls, memory: np.ndarray) -> "KnownImpulses":
        """From what a state remembers (m, 7); keys are numbers of 64 bits in the place of others."""
        return cls(np.ascontiguousarray(memory[:, 0]).view(np.uint64), memory[:, 1:4], memory[:, 4:])

    def packed(self) -> np.ndarray:
        """The same as one array (m, 7)."""
        return np.column_stack([self.keys.view(np.float64), self.normals, self.forces])

    def of(self, contacts: NodalContacts, time_step: float) -> np.ndarray:
        """Impulses (k, 3) [N s] in a step of this length, zero for contacts that are new."""
        keys = _keys(contacts)
        first, end = np.searchsorted(self.keys, keys, "left"), np.searchsorted(self.keys, keys, "right")
        nearest, cosines = np.full(len(keys), -1), np.full(len(keys), ALIKE)
        for offset in range(int((end - first).max(initial=0))):
            (rows,) = np.nonzero(first + offset < end)
            other = first[rows] + offset
            along = (self.normals[other] * contacts.normals[rows]).sum(axis=1)
            is_nearer = along > cosines[rows]
            nearest[rows[is_nearer]], cosines[rows[is_nearer]] = other[is_nearer], along[is_nearer]
        (found,) = np.nonzero(nearest >= 0)
        shares = np.bincount(nearest[found], minlength=len(self.keys))[nearest[found]]  # of an impulse
        impulses = np.zeros((len(keys), 3))
        impulses[found] = time_step * self.forces[nearest[found]] / shares[:, None]
        return impulses


def known_impulses(contacts: NodalContacts, impulses: np.ndarray, time_step: float) -> KnownImpulses:
    """Of a step's contacts, with impulses in world axes (m, 3) [N s]."""
    keys = _keys(contacts)
    order = np.argsort(keys, kind="stable")
    return KnownImpulses(keys[order], contacts.normals[order], impulses[order] / time_step)


def _keys(contacts):
    """A number for each set of nodes (m,) uint64; their order does not matter."""
    marks = (contacts.nodes.astype(np.uint64) + np.uint64(1)) * SPREAD
    marks ^= marks >> np.uint64(29)
    marks *= SPREAD
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(marks)])
    return sums[contacts.offsets[1:]] - sums[contacts.offsets[:-1]]
