"""Forces and stiffness of isotropic elements from the derivatives of their energy by the principal stretches.

docs/theory/solids.md, 9 to 11.

With F = U diag(σ) Vᵀ an isotropic energy density is ψ(σ), and all derivatives by F are simple in the frame of U and V
[Smith, de Goes, Kim 2019, "Analytic eigensystems for isotropic distortion energies"]: stress pᵢ = ∂ψ/∂σᵢ on the
diagonal, stiffness ∂²ψ/∂σᵢ∂σⱼ among the three scaling modes, and for each pair of axes the stiffness
(pᵢ − pⱼ)/(σᵢ − σⱼ) of the flip (symmetric shear) and (pᵢ + pⱼ)/(σᵢ + σⱼ) of the twist (rotation). Newton's method
takes them without the negative ones.

Axis pairs are named by the axis they leave out: entry 0 of a tuple of three belongs to axes 1 and 2.
"""

from ..jit_cache import compiled
from ..linear_algebra.matrix3 import matrix_product3, matrix_vector3, transpose3, vector_matrix3
from ..linear_algebra.svd3 import positive_part3, svd3
from ..linear_algebra.vector3 import scale3
from .law import put_block, put_vector
from .tetrahedron import deformation_gradient, weight_gradients

# Stretches closer than this: the mean derivative replaces the divided difference, which would lose its digits.
NEARLY_EQUAL = 1e-5
# Sum of two stretches, zero where an element is inverted as far as it is stretched: there the energy has a kink.
KINK = 1e-9


@compiled
def principal_stretches(corners, rest_inverse):
    """σ of the deformation gradient, largest first; the last is negative where the element is inverted."""
    return svd3(deformation_gradient(corners, rest_inverse))[1]


@compiled
def principal_frame(corners, rest_inverse):
    """U, σ, and the gradients of the four weights seen from V [1/m]."""
    u, stretches, v = svd3(deformation_gradient(corners, rest_inverse))
    b = weight_gradients(rest_inverse)
    seen = vector_matrix3(b[0], v), vector_matrix3(b[1], v), vector_matrix3(b[2], v), vector_matrix3(b[3], v)
    return u, stretches, seen


@compiled
def corner_gradients(volume, u, weights, stress):
    """V U diag(p) Vᵀ bᵢ for the four corners [N]; weights are Vᵀ bᵢ."""
    p = scale3(volume, stress)
    return (
        _stretched_and_turned(u, p, weights[0]),
        _stretched_and_turned(u, p, weights[1]),
        _stretched_and_turned(u, p, weights[2]),
        _stretched_and_turned(u, p, weights[3]),
    )


@compiled
def put_corner_gradients(volume, u, weights, stress, gradient_out):
    """V U diag(p) Vᵀ bᵢ for any number of nodes [N]; their weights Vᵀ bᵢ may lie where the gradients go."""
    p = scale3(volume, stress)
    for i in range(len(weights)):
        put_vector(gradient_out, i, _stretched_and_turned(u, p, weights[i]))


@compiled
def put_corner_hessian(volume, u, weights, modes, hessian_out):
    """V U Ĥᵢⱼ Uᵀ for all pairs of any number of nodes [N/m], from the stiffness of the modes."""
    ut = transpose3(u)
    for i in range(len(weights)):
        for j in range(i + 1):
            block = _principal_block(modes, scale3(volume, weights[i]), weights[j])
            put_block(hessian_out, i, j, matrix_product3(matrix_product3(u, block), ut))


@compiled
def mode_stiffness(stretches, stress, scaling):
    """Scaling, flip and twist stiffness [Pa] of an energy density, from its first and second derivatives."""
    (s0, s1, s2), (p0, p1, p2), ((d0, d1, d2), off_diagonal) = stretches, stress, scaling
    flips = (
        _flip(s1, s2, p1, p2, 0.5 * (d1 + d2) - off_diagonal[0]),
        _flip(s0, s2, p0, p2, 0.5 * (d0 + d2) - off_diagonal[1]),
        _flip(s0, s1, p0, p1, 0.5 * (d0 + d1) - off_diagonal[2]),
    )
    twists = _twist(s1, s2, p1, p2), _twist(s0, s2, p0, p2), _twist(s0, s1, p0, p1)
    return scaling, flips, twists


@compiled
def without_negative(modes):
    """The same modes with negative stiffness replaced by none."""
    (diagonal, off_diagonal), flips, twists = modes
    flips = max(flips[0], 0.0), max(flips[1], 0.0), max(flips[2], 0.0)
    twists = max(twists[0], 0.0), max(twists[1], 0.0), max(twists[2], 0.0)
    return positive_part3(diagonal, off_diagonal), flips, twists


@compiled
def _flip(stretch, other, stress, other_stress, mean_slope):
    if abs(stretch - other) > NEARLY_EQUAL * (1.0 + abs(stretch)):
        return (stress - other_stress) / (stretch - other)
    return mean_slope


@compiled
def _twist(stretch, other, stress, other_stress):
    return (stress + other_stress) / max(stretch + other, KINK)


@compiled
def _stretched_and_turned(u, stress, weight):
    return matrix_vector3(u, (stress[0] * weight[0], stress[1] * weight[1], stress[2] * weight[2]))


@compiled
def _principal_block(modes, a, b):
    """Ĥ of two corners in the frame of U, with their weight gradients a and b in the frame of V.

    A pair of axes answers to its strain entries (r, s) and (s, r) by (flip + twist)/2 and (flip − twist)/2.
    """
    (diagonal, off), flips, twists = modes
    same = 0.5 * (flips[0] + twists[0]), 0.5 * (flips[1] + twists[1]), 0.5 * (flips[2] + twists[2])
    swap = 0.5 * (flips[0] - twists[0]), 0.5 * (flips[1] - twists[1]), 0.5 * (flips[2] - twists[2])
    aa, bb, cc = a[0] * b[0], a[1] * b[1], a[2] * b[2]
    return (
        (
            diagonal[0] * aa + same[2] * bb + same[1] * cc,
            off[2] * a[0] * b[1] + swap[2] * a[1] * b[0],
            off[1] * a[0] * b[2] + swap[1] * a[2] * b[0],
        ),
        (
            off[2] * a[1] * b[0] + swap[2] * a[0] * b[1],
            diagonal[1] * bb + same[2] * aa + same[0] * cc,
            off[0] * a[1] * b[2] + swap[0] * a[2] * b[1],
        ),
        (
            off[1] * a[2] * b[0] + swap[1] * a[0] * b[2],
            off[0] * a[2] * b[1] + swap[0] * a[1] * b[2],
            diagonal[2] * cc + same[1] * aa + same[0] * bb,
        ),
    )
