"""Stretching of one edge of a rod.

E = ½ k l (|e|/l − 1)² with k = E_s A [N], edge e, rest length l   [Bergou 2010, section 3.1].
"""

from ..jit_cache import compiled
from ..linear_algebra.vector3 import norm3, scale3


@compiled
def rod_stretch_energy(edge, rest_length, stiffness):
    strain = norm3(edge) / rest_length - 1.0
    return 0.5 * stiffness * rest_length * strain * strain


@compiled
def rod_stretch_gradient(edge, rest_length, stiffness):
    """Derivative by the edge vector [N]."""
    length = norm3(edge)
    return scale3(stiffness * (1.0 / rest_length - 1.0 / length), edge)


@compiled
def rod_stretch_hessian(edge, rest_length, stiffness):
    """The two coefficients of the Hessian α t tᵀ + β (I − t tᵀ) [N/m]: along the edge, and across it."""
    along = stiffness / rest_length
    across = stiffness * (1.0 / rest_length - 1.0 / norm3(edge))
    return along, across


@compiled
def rod_stretch_projected_hessian(edge, rest_length, stiffness):
    """The same without the negative stiffness across a compressed edge."""
    along, across = rod_stretch_hessian(edge, rest_length, stiffness)
    return along, max(across, 0.0)
