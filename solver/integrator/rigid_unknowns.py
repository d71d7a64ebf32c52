"""Steps of true rigid bodies: their nodes follow six unknowns each (docs/theory/rigid.md).

The unknowns of a step are the velocities of all other nodes, then for each body the velocity of its center and the
turning ρ w̃ [m/s], with its radius of gyration ρ and Cayley's vector w̃ of the step's rotation.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse

from ..rigid.rigid_bodies import RigidBodies, around_centers, keep_shapes
from ..rigid.turning import inertias, solved, turned
from .newton_system import Inertia

MOST_TURN = 0.9 * np.pi  # that a body is expected to do in a step [rad]; half a turn could be either way round
PREDICTIONS = 3  # of the turning of what flies freely; each gains an order in the step
OF_BODY = 6  # unknowns


class Turning(NamedTuple):
    """How all bodies turn in a step from arms r₀ (b, 4, 3) [m] of their nodes."""

    cayley: np.ndarray  # w̃ = 2 tan(θ/2)/Δt along the axis              (b, 3) [rad/s]
    rates: np.ndarray  # w = θ/Δt along the axis                         (b, 3) [rad/s]
    means: np.ndarray  # of the arms at start and end (equation 2)       (b, 4, 3) [m]
    middles: np.ndarray  # arms when half of the turn is done            (b, 4, 3) [m]


class ReducedSystem(NamedTuple):
    A: Any  # (u, u) [kg]
    f: np.ndarray  # (u,) [kg m/s]
    unknowns: np.ndarray  # where it was linearized (u,) [m/s]
    basis: sparse.csr_array | None  # velocities of the nodes by the unknowns (3 n, u); None: they are the unknowns


class RigidUnknowns:
    """The unknowns of a step from where the nodes start."""

    def __init__(self, bodies: RigidBodies, node_count: int):
        self.bodies = bodies
        is_other = np.ones(node_count, bool)
        is_other[bodies.nodes] = False
        self.others = np.flatnonzero(is_other)
        self.first = 3 * len(self.others)  # of the bodies' unknowns
        self.node_count, self.unknown_count = node_count, self.first + OF_BODY * len(bodies.nodes)
        self.unit_masses = np.ones(bodies.nodes.shape)
        self.arms, self.time_step = bodies.offsets, 0.0

    @property
    def moves_all(self) -> bool:
        """Whether there are no other nodes."""
        return not self.first

    @cached_property
    def rates(self) -> sparse.csr_array:
        """Cayley's vector of the body that each node belongs to, by the unknowns (3 n, u) [1/m]; zero for others."""
        values = np.broadcast_to(1.0 / self.bodies.radii[:, None, None], (*self.bodies.nodes.shape, 3))
        rows = 3 * self.bodies.nodes[:, :, None] + np.arange(3)
        columns = self.first + OF_BODY * np.arange(len(self.bodies.nodes))[:, None, None] + 3 + np.arange(3)
        places = rows.ravel(), np.broadcast_to(columns, rows.shape).ravel()
        return sparse.csr_array((values.ravel(), places), shape=(3 * self.node_count, self.unknown_count))

    def start_step(self, start: np.ndarray, time_step: float, velocities: np.ndarray) -> None:
        """From positions (n, 3) [m]; velocities (n, 3) [m/s] of the bodies become those of the way if nothing met them.

        Angular momentum stays what it is (equation 4).
        """
        _, self.arms = around_centers(start[self.bodies.nodes])
        self.time_step = time_step
        center_velocities, own = around_centers(velocities[self.bodies.nodes])
        momentum = np.cross(self.arms, own).sum(axis=1)
        rates = solved(inertias(self.arms, self.unit_masses), momentum)
        for _ in range(PREDICTIONS):
            middles = turned(self.arms, 0.5 * time_step * _at_most(rates, MOST_TURN / time_step))
            rates = solved(inertias(middles, self.unit_masses), momentum)
        turns = time_step * _at_most(rates, MOST_TURN / time_step)
        way = (turned(self.arms, turns) - self.arms) / time_step
        velocities[self.bodies.nodes] = center_velocities[:, None] + way

    def end_step(
        self, start: np.ndarray, positions: np.ndarray, velocities: np.ndarray, unkept: np.ndarray | None = None
    ) -> None:
        """Velocities (n, 3) [m/s] of the bodies' nodes at the end of their way (equation 5); in place.

        What is unkept of the bodies' unknowns (b, 6) [m/s] displaced them, and is no velocity.
        """
        nodes = self.bodies.nodes
        center_velocities, _ = around_centers((positions[nodes] - start[nodes]) / self.time_step)
        turning = self._turning((positions - start) / self.time_step)
        rates = turning.rates
        if unkept is not None:
            center_velocities = center_velocities - unkept[:, :3]
            rates = rates - unkept[:, 3:] / self.bodies.radii[:, None]
        momentum = np.einsum("bij,bj->bi", inertias(turning.middles, self.unit_masses), rates)
        keep_shapes(self.bodies, positions)
        _, arms = around_centers(positions[nodes])
        rates = solved(inertias(arms, self.unit_masses), momentum)
        velocities[nodes] = center_velocities[:, None] + np.cross(rates[:, None], arms)

    def node_velocities(self, unknowns: np.ndarray) -> np.ndarray:
        """Of the way in the step (n, 3) [m/s]: equation 2."""
        velocities = np.empty((self.node_count, 3))
        velocities[self.others] = unknowns[: self.first].reshape(-1, 3)
        own = unknowns[self.first :].reshape(-1, OF_BODY)
        cayley = own[:, 3:] / self.bodies.radii[:, None]
        way = np.cross(cayley[:, None], self._means(cayley))
        velocities[self.bodies.nodes] = own[:, None, :3] + way
        return velocities

    def reduced(
        self, A: sparse.csr_array, gradient: np.ndarray, velocities: np.ndarray, inertia: Inertia
    ) -> ReducedSystem:
        """The system of the nodes, A (3 n, 3 n) and ∇𝒜 (n, 3) at velocities (n, 3), in the unknowns: equation 6."""
        turning, unknowns = self._turning(velocities), self._unknowns(velocities)
        basis = self._basis(turning.means)
        diagonal, momentum = inertia.diagonal[self.bodies.nodes], inertia.momentum[self.bodies.nodes]
        extra = self._extra_inertias(turning, diagonal)
        slope = basis.T @ gradient.ravel()
        own, turns = slope[self.first :].reshape(-1, OF_BODY), unknowns[self.first :].reshape(-1, OF_BODY)[:, 3:]
        shifted = np.cross(turning.means - self.arms, momentum).sum(axis=1)
        own[:, 3:] += np.einsum("bij,bj->bi", extra, turns) + shifted / self.bodies.radii[:, None]
        reduced = sparse.csr_array(basis.T @ A @ basis + self._placed(extra))
        return ReducedSystem(reduced, reduced @ unknowns - slope, unknowns, basis)

    def _unknowns(self, velocities):
        center_velocities = velocities[self.bodies.nodes].mean(axis=1)
        turns = self.bodies.radii[:, None] * self._turning(velocities).cayley
        own = np.concatenate([center_velocities, turns], axis=1)
        return np.concatenate([velocities[self.others].ravel(), own.ravel()])

    def _turning(self, velocities):
        """From velocities (n, 3) [m/s] of the way: w̃ solves w̃ × r̄ = V."""
        _, way = around_centers(velocities[self.bodies.nodes])
        means = self.arms + 0.5 * self.time_step * way
        cayley = solved(inertias(means, self.unit_masses), np.cross(means, way).sum(axis=1))
        half_tangents = 0.5 * self.time_step * np.linalg.norm(cayley, axis=1)
        rates = cayley * _arctan_ratio(half_tangents)[:, None]
        return Turning(cayley, rates, means, turned(self.arms, 0.5 * self.time_step * rates))

    def _means(self, cayley):
        """Arms (b, 4, 3) at start and end, halved: r̄ = r₀ + h × r̄ with h = Δt w̃/2."""
        h = 0.5 * self.time_step * cayley[:, None]
        across = np.cross(h, self.arms)
        return self.arms + (across + np.cross(h, across)) / (1.0 + (h**2).sum(axis=2, keepdims=True))

    def _extra_inertias(self, turning, diagonal):
        """What the inertia of equation 4 has beyond that of the mean arms (b, 3, 3) [kg], over ρ²."""
        half_tangents = 0.5 * self.time_step * np.linalg.norm(turning.cayley, axis=1)
        ratios = _arctan_ratio(half_tangents)[:, None, None]
        extra = ratios * inertias(turning.middles, diagonal) - inertias(turning.means, diagonal)
        return extra / self.bodies.radii[:, None, None] ** 2

    def _basis(self, means):
        """T (3 n, u): the identity for other nodes, 1 and −[r̄]×/ρ for those of bodies."""
        count = len(self.bodies.nodes)
        values = np.zeros((count, 4, 3, OF_BODY))
        values[..., :3] = np.eye(3)
        values[..., 3:] = (
            np.cross(np.eye(3), means[:, :, None, :]).swapaxes(2, 3) / self.bodies.radii[:, None, None, None]
        )
        rows = 3 * self.bodies.nodes[:, :, None, None] + np.arange(3)[:, None]
        columns = self.first + OF_BODY * np.arange(count)[:, None, None, None] + np.arange(OF_BODY)
        other_rows = (3 * self.others[:, None] + np.arange(3)).ravel()
        places = (
            np.concatenate([other_rows, np.broadcast_to(rows, values.shape).ravel()]),
            np.concatenate([np.arange(self.first), np.broadcast_to(columns, values.shape).ravel()]),
        )
        entries = np.concatenate([np.ones(self.first), values.ravel()])
        return sparse.csr_array((entries, places), shape=(3 * self.node_count, self.unknown_count))

    def _placed(self, extra):
        """Blocks (b, 3, 3) at the bodies' turning (u, u)."""
        first = self.first + OF_BODY * np.arange(len(extra))[:, None, None] + 3
        rows, columns = first + np.arange(3)[:, None], first + np.arange(3)
        places = (np.broadcast_to(place, extra.shape).ravel() for place in (rows, columns))
        return sparse.csr_array((extra.ravel(), tuple(places)), shape=(self.unknown_count,) * 2)


def _at_most(vectors, length):
    """Vectors (b, 3), shortened to a length."""
    lengths = np.linalg.norm(vectors, axis=1)[:, None]
    return vectors * np.minimum(1.0, length / np.maximum(lengths, length))


def _arctan_ratio(values):
    """arctan(h)/h (b,)."""
    safe = np.maximum(values, 1e-8)  # where the ratio is one, but for rounding
    return np.arctan(safe) / safe
