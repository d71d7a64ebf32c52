"""The mass of each point of strands, lumped from density and rest shape."""

import numpy as np

from .scene import Hair


def strand_sections(hair: Hair) -> tuple[np.ndarray, np.ndarray]:
    """Half axes (n,), (n,) [m] of the elliptical section at each point."""
    major = np.full(len(hair.positions), hair.material.radius) if hair.radii is None else hair.radii
    return major, major * hair.material.flatness


def strand_masses(hair: Hair) -> np.ndarray:
    """Masses (n,) [kg]: each point takes half of the segments on either side."""
    major, minor = strand_sections(hair)
    lengths = np.linalg.norm(np.diff(hair.rest_shape, axis=0), axis=1)
    lengths[hair.strand_offsets[1:-1] - 1] = 0.0  # from one strand's tip to the next one's root
    areas = np.pi * 0.25 * (major[1:] + major[:-1]) * (minor[1:] + minor[:-1])
    segments = hair.material.density * areas * lengths
    return 0.5 * (np.concatenate([segments, [0.0]]) + np.concatenate([[0.0], segments]))
