"""What surrounds the nodes: moving air and force fields; and the inertia that they give to a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..force_fields import ForceField
from ..scene import Scene
from .wind import Wind

if TYPE_CHECKING:  # what is not imported is not compiled
    from .field_table import MovingFields


class AirSample(NamedTuple):
    """What nodes meet at one moment."""

    velocities: np.ndarray  # of the air                                       (n, 3) [m/s]
    accelerations: np.ndarray  # by fields                                     (n, 3) [m/s²]
    rates: np.ndarray  # at which fields make them take on the air's velocity  (n,) [1/s]
    stiffness: np.ndarray  # of fields that hold them, by mass                 (n,) [1/s²]


class Air:
    """The wind, its gusts and all fields of a scene; a function of place and time alone, so that a bake can resume."""

    def __init__(self, scene: Scene):
        self.wind = Wind(scene.wind, scene.time_step)
        self.fields = _fields(scene, self.wind)

    def at(self, positions: np.ndarray, velocities: np.ndarray, time: float) -> AirSample:
        """What nodes at positions (n, 3) [m] with velocities (n, 3) [m/s] meet at a time [s]."""
        count = len(positions)
        sample = AirSample(
            np.tile(self.wind.at(time), (count, 1)), np.zeros((count, 3)), np.zeros(count), np.zeros(count)
        )
        if self.fields:
            from .field_sampling import sample_fields

            sample_fields(self.fields.table, self.fields.at(positions, time), positions, velocities, *sample)
        return sample


def has_fields(scene: Scene) -> bool:
    """Whether the air of a scene is more than an even wind."""
    return scene.turbulence > 0.0 or any(field.is_known for field in scene.force_fields)


def inertia_in(sample: AirSample, masses, air_drag, momentum, time_step: float) -> tuple[np.ndarray, np.ndarray]:
    """Diagonal (n,) [kg] and momentum (n, 3) [kg m/s] of a step that would start with a momentum in empty space.

    Drag is implicit: it adds to the mass, and the air to the momentum (equation 10). Fields act as they are where the
    step starts; those too stiff for that become heavier, and stay stable (equation 11).
    """
    drag = time_step * (air_drag + sample.rates)
    excess = np.maximum(0.5 * time_step**2 * sample.stiffness - 1.0, 0.0)
    gained = time_step * sample.accelerations + drag[:, None] * sample.velocities
    return masses * (1.0 + drag + excess), momentum + masses[:, None] * gained


def _fields(scene, wind: Wind) -> MovingFields | None:
    if not has_fields(scene):
        return None
    from .field_table import MovingFields

    fields = [field for field in scene.force_fields if field.is_known]
    if scene.turbulence > 0.0:
        gusts = ForceField("", "turbulence", strength=scene.turbulence, size=scene.turbulence_size,
                           seed=scene.turbulence_seed, is_global=True)  # fmt: skip
        fields.append(gusts)
    return MovingFields(fields, wind)
