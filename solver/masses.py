"""The mass of each node, lumped from density and rest geometry."""

from functools import singledispatch

import numpy as np

from .scene import Cloth, Hair, RigidBody, SimulatedObject, SoftBody

THINNEST_SHELL = 1e-3  # [m]; a surface that encloses nothing has the mass of a shell


@singledispatch
def node_masses(item: SimulatedObject) -> np.ndarray:
    """Masses (n,) [kg] of the nodes of one object."""
    raise TypeError(f"No masses are defined for {type(item).__name__}.")


@node_masses.register
def _(item: Hair):
    """Each point takes half of the segments on either side."""
    lengths = np.linalg.norm(np.diff(item.positions, axis=0), axis=1)
    lengths[item.strand_offsets[1:-1] - 1] = 0.0  # from one strand's tip to the next one's root
    halves = 0.5 * (np.concatenate([lengths, [0.0]]) + np.concatenate([[0.0], lengths]))
    return item.material.density * np.pi * item.material.radius**2 * halves


@node_masses.register
def _(item: Cloth):
    """Each vertex takes a third of the triangles around it."""
    return item.material.area_density * _vertex_areas(item)


@node_masses.register(SoftBody)
@node_masses.register(RigidBody)
def _(item):
    """The mass of the enclosed volume, spread over the surface by area."""
    areas = _vertex_areas(item)
    corners = item.positions[item.triangles] - item.positions.mean(axis=0)
    volume = abs(np.linalg.det(corners).sum()) / 6.0
    volume = max(volume, THINNEST_SHELL * areas.sum())
    return item.material.density * volume * areas / areas.sum()


def _vertex_areas(item):
    a, b, c = (item.positions[item.triangles[:, corner]] for corner in range(3))
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.bincount(item.triangles.ravel(), np.repeat(areas / 3.0, 3), minlength=len(item.positions))
