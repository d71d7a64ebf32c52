"""Shapes that rods and sheets are compared with."""

import numpy as np
from scipy.integrate import cumulative_simpson, solve_bvp
from scipy.optimize import brentq

GRAVITY = 9.81  # [m/s²]


def heavy_elastica(weight, rigidity, length):
    """Points (401, 2) [m] of a clamped elastica under its weight [N/m], level at the origin, z upwards.

    B θ″ = −w (L − s) cos θ with θ(0) = 0 and θ′(L) = 0; θ is the slope downwards, B the rigidity [N m²]. A sheet has
    weight and rigidity a metre of width.
    """
    s = np.linspace(0.0, length, 401)
    guess = np.zeros((2, len(s)))
    for share in (0.03, 0.1, 0.3, 1.0):  # the solution of a lighter rod leads to that of a heavier one

        def slopes(s, y, share=share):
            return np.vstack([y[1], -share * weight * (length - s) * np.cos(y[0]) / rigidity])

        solution = solve_bvp(slopes, lambda a, b: np.array([a[0], b[1]]), s, guess, tol=1e-8, max_nodes=100_000)
        assert solution.success
        guess = solution.sol(s)
    angle = guess[0]
    return np.column_stack([cumulative_simpson(part, x=s, initial=0.0) for part in (np.cos(angle), -np.sin(angle))])


def catenary(length):
    """Parameter a [m] of the catenary of a length [m] over the unit span: 2 a sinh(1/2a) = L."""
    return brentq(lambda a: 2 * a * np.sinh(0.5 / a) - length, 0.05, 10.0)


def catenary_height(x, a):
    """y = a cosh((x − ½)/a) − a cosh(1/2a)."""
    return a * np.cosh((x - 0.5) / a) - a * np.cosh(0.5 / a)
