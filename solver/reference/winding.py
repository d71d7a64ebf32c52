"""The plain twin of volume/winding.py: every triangle for every point."""

import numpy as np


def winding_numbers(positions, triangles, points):
    a, b, c = (positions[triangles[:, corner]][None] - points[:, None] for corner in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=2) for side in (a, b, c))
    ab, bc, ca = (np.einsum("pti,pti->pt", *pair) for pair in ((a, b), (b, c), (c, a)))
    numerator = np.einsum("pti,pti->pt", a, np.cross(b, c))
    return 2.0 * np.arctan2(numerator, la * lb * lc + ab * lc + bc * la + ca * lb).sum(axis=1) / (4.0 * np.pi)
