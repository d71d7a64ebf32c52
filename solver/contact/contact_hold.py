"""What holds contacts of a surface together, and how they give way (docs/theory/friction.md, 9 and 10)."""

from typing import NamedTuple

import numpy as np


class ContactHold(NamedTuple):
    friction: np.ndarray  # coefficient of Coulomb's law              (m,)
    cohesion: np.ndarray  # force that holds the two together         (m,) [N]
    compliance: np.ndarray  # way that a force presses them together  (m,) [m/N]
