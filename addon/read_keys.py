"""Settings that are followed through the animation: gravity, wind, stiffness, and how firmly pins hold."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace

import bpy
import numpy as np

from ..solver.materials import STIFFNESSES
from ..solver.motion import SampledMotion, sample_motion
from ..solver.scene import Scene, SceneObject, SimulatedObject
from .marked_object import MarkedObject
from .read_settings import MATERIALS
from .units import gravity_of, in_metres

Reader = Callable[[bpy.types.Depsgraph], float | tuple[float, float, float]]


class KeyRecorder:
    """Follows one setting through the animation."""

    def __init__(self, read: Reader, give: Callable[[SampledMotion], None]):
        """`give` puts what changes into the solver's scene."""
        self.read, self.give = read, give
        self.times: list[float] = []
        self.values: list[np.ndarray] = []

    def record(self, time: float, depsgraph) -> None:
        """Add the frame that is shown, at a time [s]."""
        self.times.append(time)
        self.values.append(np.array(self.read(depsgraph), np.float64))

    def close(self) -> None:
        """Nothing is open."""

    def finish(self) -> None:
        """What stays the same stays one number."""
        if all(np.array_equal(value, self.values[0]) for value in self.values):
            return
        rows = dict(zip(self.times, self.values, strict=True))
        self.give(sample_motion(rows.__getitem__, self.times))


def followed_settings(kind: str) -> set[str]:
    """Names of the settings of an object of a kind whose keys have an effect."""
    common = {"friction", "kinetic_friction"}
    if kind not in MATERIALS:
        return common
    return common | {"pin_strength"} | (STIFFNESSES & {item.name for item in fields(MATERIALS[kind])})


def scene_recorders(scene: Scene) -> list[KeyRecorder]:
    """Of gravity and the wind."""
    return [
        KeyRecorder(lambda depsgraph: gravity_of(depsgraph.scene_eval), lambda keys: setattr(scene, "gravity", keys)),
        KeyRecorder(
            lambda depsgraph: in_metres(depsgraph.scene_eval.stiction.wind, depsgraph.scene_eval),
            lambda keys: setattr(scene, "wind", keys),
        ),
    ]


def object_recorders(marked: MarkedObject, item: SceneObject) -> Iterator[KeyRecorder]:
    """Of the stiffness of a simulated object, and of its pins if they can let go."""
    if not isinstance(item, SimulatedObject):
        return
    for name in STIFFNESSES & {field.name for field in fields(item.material)}:
        yield KeyRecorder(_setting(marked, name), _give_stiffness(item, name))
    pins = item.soft_pins
    if pins is not None:
        yield KeyRecorder(_setting(marked, "pin_strength"), lambda keys: setattr(pins, "strength", keys))


def _setting(marked, name) -> Reader:
    return lambda depsgraph: getattr(marked.obj.evaluated_get(depsgraph).stiction, name)


def _give_stiffness(item, name):
    def give(keys):
        item.material = replace(item.material, **{name: keys})

    return give
