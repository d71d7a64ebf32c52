"""Which contacts a step has already.

Contacts of the same features are the same if they point alike, at the same place: what slides past each other needs
one where it is met first and one where it arrives.
"""

import numpy as np

from ..collision.proximity import SurfaceContacts

SAME_DIRECTION = 0.999  # cosine
SAME_PLACE = 0.03  # difference of the weights
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, with bits all over: 2⁶⁴ over the golden ratio


class KnownContacts:
    """Some contacts, in the order of their features."""

    def __init__(self, contacts: SurfaceContacts):
        keys = feature_keys(contacts)
        order = np.argsort(keys, kind="stable")
        self.keys, self.normals, self.weights = keys[order], contacts.normals[order], contacts.weights[order]

    def has(self, contacts: SurfaceContacts, keys: np.ndarray) -> np.ndarray:
        """Which of some contacts, with these keys (m,), are among them (m,) bool."""
        first, end = np.searchsorted(self.keys, keys, "left"), np.searchsorted(self.keys, keys, "right")
        has = np.zeros(len(keys), bool)
        for offset in range(int((end - first).max(initial=0))):
            (rows,) = np.nonzero(first + offset < end)
            other = first[rows] + offset
            alike = (self.normals[other] * contacts.normals[rows]).sum(axis=1) > SAME_DIRECTION
            near = np.abs(self.weights[other] - contacts.weights[rows]).max(axis=1) < SAME_PLACE
            has[rows] |= alike & near
        return has


def feature_keys(contacts: SurfaceContacts) -> np.ndarray:
    """A number for each pair of features (m,) uint64."""
    key = contacts.kinds.astype(np.uint64)
    for point in np.sort(contacts.points, axis=1).T:
        key = (key ^ point.astype(np.uint64)) * SPREAD
        key ^= key >> np.uint64(29)
    return key
