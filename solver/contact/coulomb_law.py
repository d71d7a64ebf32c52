"""Coulomb's law at one contact whose answer to an impulse is the same in all directions (docs/theory/friction.md, 3).

Given the relative velocity u* that there would be without the impulse, the law has one solution, found without
iterations [Daviet 2020, section 5.2.2].
"""

import math

from ..jit_cache import inlined
from ..linear_algebra.vector3 import dot3, scale3, sub3

OPEN, STICK, SLIP = 0, 1, 2


@inlined
def isotropic_velocity(free, normal, friction):
    """u with (u, u − u*) in Coulomb's law, for the free velocity u*, and which case it is."""
    along = dot3(free, normal)
    if not along < 0.0:
        return free, OPEN
    across = sub3(free, scale3(along, normal))
    speed, most = math.sqrt(dot3(across, across)), -friction * along
    if speed <= most:
        return (0.0, 0.0, 0.0), STICK
    return scale3(1.0 - most / speed, across), SLIP
