"""Pressure inside closed cloth (docs/theory/attachments.md, 7 to 11).

Constant overpressure p: E = −p (V − V₀). A sealed gas at constant temperature in air of pressure a:
(a + p) V = (a + p₀) V₀, E = −(a + p₀) V₀ ln(V/V₀) + a (V − V₀). Both push each corner outwards with p n/6, where n is
twice the area vector of its triangle; around a closed surface these add up to p ∇V, whatever the origin.
"""

import math
from typing import NamedTuple

import numba
import numpy as np

from ..jit_cache import compiled, kernel
from ..linear_algebra.vector3 import cross3, dot3, scale3, sub3
from .law import INDEX_ROWS, MATRICES, NUMBERS, VECTORS, element_rows, put_vector
from .membrane import three_corners

SMALLEST = 0.01  # of the rest volume: a body that is crushed further, or turned inside out, is not pressed harder


class Gas(NamedTuple):
    pressure: float  # over that of the air around, at rest [Pa]
    rest_volume: float  # [m³]
    air_pressure: float = 0.0  # of the air around: resists any change of volume if great [Pa]
    is_sealed: bool = False  # False: the pressure is kept up


class Pressure:
    """Pressure in one closed surface, triangles (e, 3) with normals outwards.

    Hessians are zero. That of −p V is indefinite, and smaller than the stiffness of the tension that holds the
    pressure by the ratio of an edge to the radius. That of a sealed gas, −p′(V) ∇V ∇Vᵀ, joins all nodes:
    `volume_stiffness` is its factor, for solvers that can use it.
    """

    node_count = 3
    is_of_sheets = False  # what it does to one node depends on all

    def __init__(self, triangles, gas: Gas):
        self.nodes = element_rows(triangles, 3)
        self.gas = gas
        self._shares = np.empty(len(self.nodes))

    def moved(self, first):
        return Pressure(self.nodes + np.int32(first), self.gas)

    def energies(self, positions, energies_out):
        """The energy of the gas, in equal shares."""
        energies_out[:] = gas_energy(self.gas, self.volume(positions)) / max(len(self.nodes), 1)

    def derivatives(self, positions, gradients_out, hessians_out):
        pressure = gas_pressure(self.gas, self.volume(positions))
        pressure_gradients(self.nodes, pressure, positions, gradients_out)
        hessians_out[:] = 0.0

    def volume(self, positions) -> float:
        """Enclosed volume [m³]; the same bits on any number of threads."""
        if not len(self.nodes):
            return 0.0
        volume_shares(self.nodes, positions, self._shares)
        return float(self._shares.sum())

    def volume_gradient(self, positions) -> np.ndarray:
        """∇V (n, 3) [m²]."""
        shares = np.empty((len(self.nodes), 3, 3))
        pressure_gradients(self.nodes, -1.0, positions, shares)
        columns = [np.bincount(self.nodes.ravel(), shares[:, :, axis].ravel(), len(positions)) for axis in range(3)]
        return np.column_stack(columns)

    def volume_stiffness(self, positions) -> float:
        """−dp/dV [Pa/m³], the factor of ∇V ∇Vᵀ in the Hessian."""
        gas, volume = self.gas, self.volume(positions)
        if not gas.is_sealed or volume < SMALLEST * gas.rest_volume:
            return 0.0
        return (gas.air_pressure + gas.pressure) * gas.rest_volume / volume**2


def gas_pressure(gas: Gas, volume: float) -> float:
    """Overpressure [Pa] at a volume [m³]."""
    if not gas.is_sealed:
        return gas.pressure
    kept = max(volume, SMALLEST * gas.rest_volume)
    return (gas.air_pressure + gas.pressure) * gas.rest_volume / kept - gas.air_pressure


def gas_energy(gas: Gas, volume: float) -> float:
    """Minus the work [J] that the gas does from its rest volume to this one; its slope is minus the pressure."""
    if not gas.is_sealed:
        return -gas.pressure * (volume - gas.rest_volume)
    kept = max(volume, SMALLEST * gas.rest_volume)
    energy = -(gas.air_pressure + gas.pressure) * gas.rest_volume * math.log(kept / gas.rest_volume)
    energy += gas.air_pressure * (kept - gas.rest_volume)
    return energy - gas_pressure(gas, volume) * (volume - kept)


@compiled
def volume_share(corners, origin):
    """Volume [m³] of the tetrahedron from an origin to a triangle; a closed surface's add up to its volume."""
    first, second, third = sub3(corners[0], origin), sub3(corners[1], origin), sub3(corners[2], origin)
    return dot3(first, cross3(second, third)) / 6.0


@compiled
def pressure_gradient(corners, pressure):
    """−p n/6 [N], for each of the three corners."""
    normal = cross3(sub3(corners[1], corners[0]), sub3(corners[2], corners[0]))
    return scale3(-pressure / 6.0, normal)


@kernel((INDEX_ROWS, VECTORS, NUMBERS), parallel=True)
def volume_shares(nodes, positions, volumes_out):
    origin = three_corners(positions, nodes, 0)[0]  # on the surface, so that no digits are lost far from the world's
    for e in numba.prange(len(nodes)):
        volumes_out[e] = volume_share(three_corners(positions, nodes, e), origin)


@kernel((INDEX_ROWS, numba.types.float64, VECTORS, MATRICES), parallel=True)
def pressure_gradients(nodes, pressure, positions, gradients_out):
    for e in numba.prange(len(nodes)):
        push = pressure_gradient(three_corners(positions, nodes, e), pressure)
        for corner in range(3):
            put_vector(gradients_out[e], corner, push)
