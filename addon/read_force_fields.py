"""Blender's force fields as the solver's, and what follows them through the animation."""

import math
from pathlib import Path

import bpy
import numpy as np

from ..solver.errors import Problem, SceneRefused
from ..solver.force_fields import FIELD_KINDS, FIELD_SHAPES, Falloff, ForceField
from ..solver.motion_file import MotionWriter
from .marked_object import frame_of
from .read_motion import write_sample
from .units import metres_per_unit, world_matrix

# By which power of the length unit the strength grows: speeds and accelerations by the first.
LENGTHS_IN_STRENGTH = {"FORCE": 1, "WIND": 1, "TURBULENCE": 1, "DRAG": -1}
LENGTHS_IN_GRAVITATION = 3
SIDES = {"POSITIVE": 1, "NEGATIVE": -1, "BOTH": 0}


class FieldSampler:
    """Where a field is and how strong, at whatever frame the depsgraph shows."""

    def __init__(self, obj: bpy.types.Object, scene: bpy.types.Scene):
        self.obj = obj
        self.scene = scene

    def __call__(self, depsgraph) -> np.ndarray:
        """Rows location [m], axis and (strength, flow, size) in SI units (3, 3)."""
        evaluated = self.obj.evaluated_get(depsgraph)
        matrix = world_matrix(evaluated, self.scene)
        length = np.linalg.norm(matrix[:3, 2])
        axis = matrix[:3, 2] / length if length > 0.0 else np.zeros(3)
        strength, flow, size = _amounts(evaluated.field, metres_per_unit(self.scene))
        if not evaluated.is_evaluated or evaluated.hide_viewport:  # Blender leaves out what is disabled
            strength, flow = 0.0, 0.0
        return np.array([matrix[:3, 3], axis, (strength, flow, size)])


class FieldRecorder:
    """Writes what becomes of one field to disk, sample by sample."""

    def __init__(self, sampler: FieldSampler, field: ForceField, path: Path):
        self.sampler = sampler
        self.field = field
        self.writer = MotionWriter(path, 3)

    def record(self, time: float, depsgraph) -> None:
        """Add the frame that is shown, at a time [s]."""
        rows = self.sampler(depsgraph)
        if not np.isfinite(rows).all():
            sentence = (f'Force field "{self.field.name}": its animation is not finite at frame '
                        f"{frame_of(depsgraph)}. Look for a broken driver or constraint there.")  # fmt: skip
            raise SceneRefused([Problem(self.field.name, sentence)])
        write_sample(self.writer, time, rows, depsgraph)

    def close(self) -> None:
        self.writer.close()

    def finish(self) -> None:
        """Give the field its motion."""
        self.field.motion = self.writer.finish()


def read_force_fields(scene: bpy.types.Scene, depsgraph) -> list[ForceField]:
    """All fields of a scene as they are in the present frame, also those that will have no effect."""
    return [_read_field(obj, scene, depsgraph) for obj in _field_objects(scene)]


def unused_field_settings(scene: bpy.types.Scene) -> list[Problem]:
    """Warnings about what Blender offers on fields that have an effect, but has none here."""
    return [
        Problem(obj.name, f'Force field "{obj.name}": {sentence}', is_warning=True)
        for obj in _field_objects(scene)
        if obj.field.type.lower() in FIELD_KINDS and obj.field.shape.lower() in FIELD_SHAPES
        for sentence in _unused(obj.field)
    ]


def _unused(settings):
    if settings.noise:
        yield "its Noise has no effect here. Use a field of the type Turbulence."
    if settings.use_absorption:
        yield "its Absorption has no effect here: it acts through colliders. Use Max Distance to end it before them."
    if not settings.apply_to_location:
        yield "its Affect Location is off, but it moves objects all the same. Set its strength and flow to zero."


def field_recorders(scene: bpy.types.Scene, fields: list[ForceField], folder: Path) -> list[FieldRecorder]:
    """What follows the fields that `read_force_fields` gave."""
    return [
        FieldRecorder(FieldSampler(obj, scene), field, folder / f"field{index:04}.motion")
        for index, (obj, field) in enumerate(zip(_field_objects(scene), fields, strict=True))
        if field.is_known
    ]


def _field_objects(scene):
    if not scene.stiction.use_force_fields:
        return []
    return [obj for obj in scene.objects if obj.field and obj.field.type != "NONE"]


def _read_field(obj, scene, depsgraph):
    settings, unit = obj.field, metres_per_unit(scene)
    location, axis, (strength, flow, size) = FieldSampler(obj, scene)(depsgraph).tolist()
    radial_unit = 1.0 if settings.falloff_type == "CONE" else unit  # angles are in degrees
    return ForceField(
        obj.name,
        settings.type.lower(),
        settings.shape.lower(),
        location,
        axis,
        strength,
        flow,
        size,
        falloff_kind=settings.falloff_type.lower(),
        falloff=Falloff(
            settings.falloff_power,
            settings.distance_min * unit if settings.use_min_distance else 0.0,
            settings.distance_max * unit if settings.use_max_distance else None,
        ),
        radial_falloff=Falloff(
            settings.radial_falloff,
            settings.radial_min * radial_unit if settings.use_radial_min else 0.0,
            settings.radial_max * radial_unit if settings.use_radial_max else None,
        ),
        falloff_unit=unit,
        side=SIDES[settings.z_direction],
        gravitates=_gravitates(settings),
        is_global=settings.use_global_coords,
        seed=settings.seed,
    )


def _gravitates(settings):
    return settings.type == "FORCE" and settings.use_gravity_falloff


def _amounts(settings, unit):
    """Strength, flow and size in the solver's units."""
    lengths = LENGTHS_IN_GRAVITATION if _gravitates(settings) else LENGTHS_IN_STRENGTH.get(settings.type, 0)
    if settings.type == "DRAG":
        return settings.quadratic_drag * unit**lengths, settings.linear_drag, 0.0
    if settings.type == "HARMONIC":
        rate = 2.0 * settings.harmonic_damping * math.sqrt(abs(settings.strength))  # a damping of one is critical
        return settings.strength, rate, settings.rest_length * unit
    size = (settings.size or 1.0) * unit  # to Blender's noise, zero is as good as one
    return settings.strength * unit**lengths, settings.flow, size
