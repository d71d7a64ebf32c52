"""Rest lengths of springs from the tensions that they must have."""

import numpy as np

from ..energies.spring import Spring
from .element_stresses import ElementStatics, Recovery

LONGEST = 4.0  # a rest length over the present one


class SpringRest:
    can_stiffen = False

    def stiffened(self, law: Spring, factor) -> Spring:
        return law

    def statics(self, law: Spring, positions) -> ElementStatics:
        directions, lengths = _directions(law, positions)
        gradients = np.stack([-directions, directions], axis=1)[:, None]
        stiffness = law.elements.stiffness
        stresses = stiffness * (lengths - law.elements.rest_lengths)
        return ElementStatics(gradients, stiffness[:, None, None], stresses[:, None])

    def with_stresses(self, law: Spring, positions, stresses) -> Recovery:
        _, lengths = _directions(law, positions)
        wanted = lengths - stresses[:, 0] / law.elements.stiffness
        rest_lengths = np.clip(wanted, 0.0, LONGEST * lengths)
        found = Spring(law.elements._replace(rest_lengths=rest_lengths))
        achieved = law.elements.stiffness * (lengths - rest_lengths)
        return Recovery(found, achieved[:, None], np.flatnonzero(rest_lengths != wanted))

    def stress_stiffness(self, law: Spring, positions, stresses) -> np.ndarray:
        directions, lengths = _directions(law, positions)
        pulls = np.divide(stresses[:, 0], lengths, out=np.zeros_like(lengths), where=lengths > 0.0)
        blocks = pulls[:, None, None] * (np.eye(3) - directions[:, :, None] * directions[:, None])
        return np.einsum("ij,exy->eijxy", [[1.0, -1.0], [-1.0, 1.0]], blocks)


def _directions(law, positions):
    """Unit vectors (e, 3) and lengths (e,) [m]; no direction where the ends coincide."""
    ends = positions[law.nodes]
    edges = ends[:, 1] - ends[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    return np.divide(edges, lengths[:, None], out=np.zeros_like(edges), where=lengths[:, None] > 0.0), lengths
