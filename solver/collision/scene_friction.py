"""How contacts of a scene hold: coefficients of friction at a time, cohesion, compliance, restitution of the objects.

docs/theory/friction.md, 9 to 11. A surface has one coefficient a point; what keys, pairs and slipping change is here.
"""

from collections.abc import Callable

import numpy as np

from ..contact.contact_hold import ContactHold
from ..errors import Problem, SceneRefused
from ..over_time import OverTime, value_at
from ..scene import Scene
from .friction_ellipsoids import FrictionEllipsoids
from .proximity import SurfaceContacts
from .surface import CollisionSurface

Velocities = Callable[[], np.ndarray]
IMPACT_STEPS = 3.0  # of free fall: what meets with less speed lies on the other, and does not rebound
RESTING = 1e-5  # way in a step; what slides less is at rest, as far as the solver can tell [m]


class SceneFriction:
    """Follows the coefficients of a scene through time; the static ones are the surface's own."""

    def __init__(self, scene: Scene, surface: CollisionSurface):
        self.scene, self.surface = scene, surface
        self.items = list(scene.objects.values())
        kinetic = [item.kinetic_friction for item in (*self.items, *scene.pair_friction)]
        self.has_kinetic = any(friction is not None for friction in kinetic)
        self.kinetic = surface.points.friction.copy()  # of the points (p,)
        self.pairs, self.kinetic_pairs = pair_friction_at(scene, 0.0)
        self.cohesion = np.array([item.cohesion for item in self.items], np.float64)
        self.compliance = np.array([item.compliance for item in self.items], np.float64)
        self.restitution = np.array([item.restitution for item in self.items], np.float64)
        self.ellipsoids = FrictionEllipsoids(scene, surface)
        self.weight = self._weight_at(0.0)
        has_more = any(values.any() for values in (self.cohesion, self.compliance, self.restitution))
        self.is_special = self.has_kinetic or bool(scene.pair_friction) or has_more

    def start_step(self, time: float) -> None:
        """Take the coefficients at a time [s]: the end of the step, as all that is given."""
        for item, first, end in zip(self.items, self.surface.firsts[:-1], self.surface.firsts[1:]):
            static = _sound(item.name, item.friction, time)
            self.surface.points.friction[first:end] = static
            own = item.kinetic_friction
            self.kinetic[first:end] = static if own is None else np.minimum(_sound(item.name, own, time), static)
        self.pairs, self.kinetic_pairs = pair_friction_at(self.scene, time)
        self.weight = self._weight_at(time)

    def _weight_at(self, time):
        """Of a unit of mass [m/s²]."""
        return float(np.linalg.norm(value_at(self.scene.gravity, time)))

    def of_contacts(
        self, contacts: SurfaceContacts, near: np.ndarray, velocities_of_points: Velocities, time_step: float
    ) -> ContactHold:
        """For contacts that are near by a share (m,): one where they touch, zero where they are too far to hold.

        Velocities (p, 3) [m/s] are those of the points when the step begins: what slides then has the kinetic friction.
        """
        nothing = np.zeros(len(contacts.kinds))
        if not self.is_special or not len(nothing):
            return ContactHold(contacts.friction, nothing, nothing, nothing)
        first, second = self._objects(contacts)
        friction = _set_for_pair(self.pairs[first, second], contacts.friction)
        if self.has_kinetic:
            kinetic = _set_for_pair(self.kinetic_pairs[first, second], _geometric_mean(contacts, self.kinetic))
            slides = time_step * _sliding_speeds(contacts, velocities_of_points()) > RESTING
            friction = np.where(slides, kinetic, friction)
        return ContactHold(
            friction,
            cohesion=near * np.maximum(self.cohesion[first], self.cohesion[second]),
            compliance=self.compliance[first] + self.compliance[second],
            rebound=self._rebound(contacts, first, second, velocities_of_points, time_step),
        )

    def _rebound(self, contacts, first, second, velocities_of_points, time_step):
        """−ε times the speed of what would meet in the step faster than what rests and is let go for a few steps."""
        restitution = np.maximum(self.restitution[first], self.restitution[second])
        if not restitution.any():
            return np.zeros(len(first))
        approach = _along_normals(contacts, _relative(contacts, velocities_of_points()))
        meets = contacts.distances - contacts.separations < -time_step * approach
        is_impact = meets & (-approach > IMPACT_STEPS * self.weight * time_step)
        return np.where(is_impact, restitution * approach, 0.0)

    def _objects(self, contacts):
        """The numbers of the objects of both sides (m,)."""
        rows = np.arange(len(contacts.kinds))
        sides = (contacts.points[rows, side(contacts.weights, axis=1)] for side in (np.argmax, np.argmin))
        return tuple(self.surface.points.objects[side] for side in sides)


def pair_friction_at(scene: Scene, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Static and kinetic friction that is set for two objects (o, o); not a number where each has its own."""
    names = list(scene.objects)
    static = np.full((len(names), len(names)), np.nan)
    kinetic = static.copy()
    for pair in scene.pair_friction:
        first, second = names.index(pair.first), names.index(pair.second)
        title = f'{pair.first}" and "{pair.second}'
        value = _sound(title, pair.friction, time)
        own = value if pair.kinetic_friction is None else min(_sound(title, pair.kinetic_friction, time), value)
        static[first, second] = static[second, first] = value
        kinetic[first, second] = kinetic[second, first] = own
    return static, kinetic


def _sound(name: str, friction: OverTime, time: float):
    values = value_at(friction, time)
    if not (np.isfinite(values) & (values >= 0.0)).all():
        sentence = (
            f'"{name}": friction is negative or no number at {time:.3f} s. Look at its keys or its function there.'
        )
        raise SceneRefused([Problem(name, sentence)])
    return values


def _set_for_pair(of_pairs, of_objects):
    return np.where(np.isfinite(of_pairs), of_pairs, of_objects)


def _geometric_mean(contacts, values):
    """Of both sides' values at the contacts (m,), from values of the points (p,)."""
    parts = contacts.weights * values[contacts.points]
    return np.sqrt(np.maximum(parts, 0.0).sum(axis=1) * -np.minimum(parts, 0.0).sum(axis=1))


def _sliding_speeds(contacts, point_velocities):
    """Of one side along the other (m,) [m/s]."""
    relative = _relative(contacts, point_velocities)
    along = _along_normals(contacts, relative)
    return np.linalg.norm(relative - along[:, None] * contacts.normals, axis=1)


def _relative(contacts, point_velocities):
    """Velocities (m, 3) [m/s] of one side against the other."""
    return np.einsum("mp,mpi->mi", contacts.weights, point_velocities[contacts.points])


def _along_normals(contacts, velocities):
    return np.einsum("mi,mi->m", velocities, contacts.normals)
