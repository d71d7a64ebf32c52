"""Bending of a rod at one vertex, between its edges e and f.

E = ½ Σ_a (B_a / L) (κ_a − κ̄_a)² with the curvatures κ₁, κ₂ in the material frame [Bergou 2010, section 3.2]:
κb = 2 t_e × t_f / (1 + t_e·t_f),  κ₁ = ½ κb·(m₂ᵉ + m₂ᶠ),  κ₂ = −½ κb·(m₁ᵉ + m₁ᶠ).

Derivatives are taken by e, f and the twist angles θᵉ, θᶠ; frames follow the edges by parallel transport.
"""

from ..jit_cache import compiled
from ..linear_algebra.vector3 import add3, cross3, dot3, scale3, sub3

FOLDED = 1e-9  # 1 + t_e·t_f below this is a rod folded onto itself, where curvature has no value


@compiled
def curvature_binormal(tangent_e, tangent_f):
    """κb; its length is 2 tan(φ/2) for a turn by φ."""
    return scale3(2.0 / max(1.0 + dot3(tangent_e, tangent_f), FOLDED), cross3(tangent_e, tangent_f))


@compiled
def rod_bend_curvatures(binormal, m1_e, m2_e, m1_f, m2_f):
    """κ₁, κ₂."""
    return 0.5 * dot3(binormal, add3(m2_e, m2_f)), -0.5 * dot3(binormal, add3(m1_e, m1_f))


@compiled
def rod_bend_energy(curvatures, rest_curvatures, stiffness):
    """Stiffness is B_a / L [N m]."""
    first, second = curvatures[0] - rest_curvatures[0], curvatures[1] - rest_curvatures[1]
    return 0.5 * (stiffness[0] * first * first + stiffness[1] * second * second)


@compiled
def curvature_gradient(curvature, side, tangents, lengths, directors, binormal):
    """Derivatives of one curvature by e, f, θᵉ, θᶠ.

    `side` and `directors` are +1 and (m₂ᵉ, m₂ᶠ, m₁ᵉ, m₁ᶠ) for κ₁, −1 and (m₁ᵉ, m₁ᶠ, m₂ᵉ, m₂ᶠ) for κ₂: the
    curvature is side/2 κb·(first two), and turning the frame turns the first two into −side (last two).
    """
    t_e, t_f = tangents
    chi = max(1.0 + dot3(t_e, t_f), FOLDED)
    t_mean = scale3(1.0 / chi, add3(t_e, t_f))
    d_mean = scale3(side / chi, add3(directors[0], directors[1]))
    by_e = scale3(1.0 / lengths[0], sub3(cross3(t_f, d_mean), scale3(curvature, t_mean)))
    by_f = scale3(-1.0 / lengths[1], add3(cross3(t_e, d_mean), scale3(curvature, t_mean)))
    return by_e, by_f, -0.5 * dot3(binormal, directors[2]), -0.5 * dot3(binormal, directors[3])
