"""Elements whose rest shape can be found from a stress: what the search for balance knows of them.

At a given pose the force on the corners is −Gᵀ σ with the derivatives G of an element's strains, and a small
displacement λ of the corners changes the stress by k G λ (docs/theory/sag_free.md, equations 1 and 3).
"""

from typing import NamedTuple, Protocol

import numpy as np

from ..energies.law import Law


class ElementStatics(NamedTuple):
    """All elements of a law at one pose."""

    gradients: np.ndarray  # G: strains by corners                     (e, s, k, 3)
    stiffness: np.ndarray  # k, such that ½ strains k strains is an energy (e, s, s)
    stresses: np.ndarray  # σ of the present rest shape, such that σ · strain is an energy (e, s)


class Recovery(NamedTuple):
    """A law with the stresses that were asked for, where a sensible rest shape gives them."""

    law: Law
    stresses: np.ndarray  # that it has, as seen from the rest shape before (e, s)
    limited: np.ndarray  # elements where that is not what was asked for     int


class RestShapes(Protocol):
    """Statics of a law, and the way back from stresses to rest shapes."""

    can_stiffen: bool  # whether `stiffened` may help a pose that does not hold

    def statics(self, law, positions: np.ndarray) -> ElementStatics: ...

    def stiffened(self, law, factor: float) -> Law: ...

    def with_stresses(self, law, positions: np.ndarray, stresses: np.ndarray) -> Recovery: ...

    def stress_stiffness(self, law, positions: np.ndarray, stresses: np.ndarray) -> np.ndarray:
        """σ ∇²ε of the elements (e, k, k, 3, 3) [N/m]: negative where stress is ready to yield by turning aside."""
        ...
