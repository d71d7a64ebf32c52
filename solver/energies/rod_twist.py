"""Twisting of a rod at one vertex, between its edges e and f.

E = ½ (C / L) (m − m̄)² with m = θᶠ − θᵉ + m_ref [Bergou 2010, section 3.3]; m_ref is the turn of the
reference frame from e to f.
"""

from ..jit_cache import compiled
from ..linear_algebra.vector3 import scale3


@compiled
def rod_twist_energy(twist, rest_twist, stiffness):
    """Stiffness is C / L [N m]."""
    return 0.5 * stiffness * (twist - rest_twist) * (twist - rest_twist)


@compiled
def twist_gradient(lengths, binormal):
    """Derivatives of the twist m by e, f, θᵉ, θᶠ: κb / 2|e|, κb / 2|f|, −1, 1."""
    return scale3(0.5 / lengths[0], binormal), scale3(0.5 / lengths[1], binormal), -1.0, 1.0
