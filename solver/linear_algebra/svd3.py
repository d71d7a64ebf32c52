"""Singular values of 3 × 3 matrices with rotations on both sides, and what follows from them."""

import math

from ..jit_cache import compiled
from .matrix3 import diagonal3, matrix_product3, matrix_scale3, transpose3
from .vector3 import add3, cross3, dot3, norm3, scale3, sub3

SWEEPS = 12  # convergence is quadratic: five are usual, the rest is for hostile matrices
ORTHOGONAL = 1e-15  # cosine between two columns that pass for orthogonal
VANISHING = 1e-300  # below it a direction is lost; any one will do


@compiled
def svd3(m):
    """Signed singular value decomposition m = U diag(σ) Vᵀ.

    U and V (tuples of rows) are rotations, σ₀ ≥ σ₁ ≥ |σ₂|, and σ₂ has the sign of det m: the convention of
    [Irving, Teran, Fedkiw 2004] for elements that may be inverted. One-sided Jacobi rotations [Hestenes 1958]
    keep small singular values accurate, which an eigenvalue solution of mᵀm would not.
    """
    largest = _largest_entry(m)
    if not largest > VANISHING:  # zero
        identity = diagonal3((1.0, 1.0, 1.0))
        return identity, (0.0, 0.0, 0.0), identity
    a, b, c = transpose3(matrix_scale3(1.0 / largest, m))
    a, b, c, v = _orthogonal_columns(a, b, c)
    a, b, c, v = _sorted_columns(a, b, c, v)
    # V is complete; U follows from the columns of m V, the longest first.
    u0 = _unit_or(a, (1.0, 0.0, 0.0))
    u1 = _unit_or(sub3(b, scale3(dot3(b, u0), u0)), _unit_orthogonal_to(u0))
    u1 = _unit_or(sub3(u1, scale3(dot3(u1, u0), u0)), u1)
    u2 = cross3(u0, u1)
    stretches = (largest * dot3(a, u0), largest * dot3(b, u1), largest * dot3(c, u2))
    return transpose3((u0, u1, u2)), stretches, transpose3(v)


@compiled
def polar3(m):
    """Polar decomposition m = R S, with R a rotation even where m is a reflection or flat, and S symmetric."""
    u, stretches, v = svd3(m)
    vt = transpose3(v)
    return matrix_product3(u, vt), matrix_product3(matrix_product3(v, diagonal3(stretches)), vt)


@compiled
def positive_part3(diagonal, off_diagonal):
    """The nearest positive semi-definite matrix to a symmetric one (negative eigenvalues become zero).

    Diagonal entries, then those off it: entry i is in the row and column that are not i.
    """
    (p, q, r), (f, g, h) = diagonal, off_diagonal
    determinant = p * (q * r - f * f) - h * (h * r - f * g) + g * (h * f - q * g)
    if min(p, q, r, q * r - f * f, p * r - g * g, p * q - h * h, determinant) >= 0.0:  # all principal minors
        return diagonal, off_diagonal
    # The shift makes all eigenvalues positive, so that they are the singular values.
    shift = math.sqrt(p * p + q * q + r * r + 2.0 * (f * f + g * g + h * h))
    _, shifted, v = svd3(((p + shift, h, g), (h, q + shift, f), (g, f, r + shift)))
    kept = (max(shifted[0] - shift, 0.0), max(shifted[1] - shift, 0.0), max(shifted[2] - shift, 0.0))
    part = matrix_product3(matrix_product3(v, diagonal3(kept)), transpose3(v))
    return (part[0][0], part[1][1], part[2][2]), (part[1][2], part[0][2], part[0][1])


@compiled
def _largest_entry(m):
    largest = 0.0
    for row in m:
        largest = max(largest, abs(row[0]), abs(row[1]), abs(row[2]))
    return largest


@compiled
def _orthogonal_columns(a, b, c):
    """Columns a, b, c turned among themselves until orthogonal; the turns, as columns, are V.

    After each turn the columns move up one place, in V too, so that one piece of code serves all three pairs.
    """
    va, vb, vc = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    quiet_pairs = 0
    for _ in range(3 * SWEEPS):
        a, b, va, vb, is_turned = _turn_pair(a, b, va, vb)
        quiet_pairs = 0 if is_turned else quiet_pairs + 1
        if quiet_pairs == 3:
            break
        a, b, c = b, c, a
        va, vb, vc = vb, vc, va
    return a, b, c, (va, vb, vc)


@compiled
def _turn_pair(a, b, va, vb):
    """One Jacobi rotation: after it a·b = 0."""
    aa, bb, ab = dot3(a, a), dot3(b, b), dot3(a, b)
    if not ab * ab > ORTHOGONAL * ORTHOGONAL * aa * bb:
        return a, b, va, vb, False
    half = 0.5 * (bb - aa)
    tangent = ab / (half + math.copysign(math.sqrt(half * half + ab * ab), half))
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    sine = tangent * cosine
    turned = sub3(scale3(cosine, a), scale3(sine, b)), add3(scale3(sine, a), scale3(cosine, b))
    turned_v = sub3(scale3(cosine, va), scale3(sine, vb)), add3(scale3(sine, va), scale3(cosine, vb))
    return turned[0], turned[1], turned_v[0], turned_v[1], True


@compiled
def _sorted_columns(a, b, c, v):
    va, vb, vc = v
    a, b, va, vb = _longer_first(a, b, va, vb)
    b, c, vb, vc = _longer_first(b, c, vb, vc)
    a, b, va, vb = _longer_first(a, b, va, vb)
    return a, b, c, (va, vb, vc)


@compiled
def _longer_first(a, b, va, vb):
    if dot3(a, a) >= dot3(b, b):
        return a, b, va, vb
    return b, scale3(-1.0, a), vb, scale3(-1.0, va)  # a quarter turn: V stays a rotation


@compiled
def _unit_or(a, fallback):
    length = norm3(a)
    return scale3(1.0 / length, a) if length > VANISHING else fallback


@compiled
def _unit_orthogonal_to(a):
    if abs(a[0]) < 0.6:
        side = (0.0, a[2], -a[1])
    else:
        side = (-a[2], 0.0, a[0])
    return scale3(1.0 / norm3(side), side)
