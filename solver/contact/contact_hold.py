"""What holds contacts of a surface together, how they give way and rebound (docs/theory/friction.md, 9 to 11)."""

from typing import NamedTuple

import numpy as np

from .contact_ellipsoids import NO_ELLIPSOIDS, ContactEllipsoids


class ContactHold(NamedTuple):
    friction: np.ndarray  # coefficient of Coulomb's law              (m,)
    cohesion: np.ndarray  # force that holds the two together         (m,) [N]
    compliance: np.ndarray  # way that a force presses them together  (m,) [m/N]
    rebound: np.ndarray  # −ε times the speed of an impact in the step; zero: there is none  (m,) [m/s]
    ellipsoids: ContactEllipsoids = NO_ELLIPSOIDS  # instead of cones of friction
