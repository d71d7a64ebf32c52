"""The artist's settings as the solver's plain numbers, in SI units."""

from dataclasses import fields

import bpy

from ..solver.contact_settings import PairFriction
from ..solver.errors import Problem, SceneRefused
from ..solver.materials import ClothMaterial, HairMaterial, RigidMaterial, SolidMaterial
from ..solver.scene import Scene
from ..solver.validation import refuse_empty_range
from .marked_object import MarkedObject, marked_objects
from .units import frames_per_second, gravity_of, in_metres, metres_per_unit

MATERIALS = {"HAIR": HairMaterial, "CLOTH": ClothMaterial, "SOFT": SolidMaterial, "RIGID": RigidMaterial}

SOLID_KINDS = ("RIGID", "COLLIDER")  # whose friction may resist spinning, and differ between directions


def empty_scene(scene: bpy.types.Scene) -> Scene:
    """The solver's scene with all settings and no objects."""
    return Scene(
        gravity=gravity_of(scene),
        wind=in_metres(scene.stiction.wind, scene),
        turbulence=scene.stiction.turbulence * metres_per_unit(scene),
        turbulence_size=scene.stiction.turbulence_size * metres_per_unit(scene),
        turbulence_seed=scene.stiction.turbulence_seed,
        frames_per_second=frames_per_second(scene),
        steps_per_frame=scene.stiction.steps_per_frame,
        linearizations=scene.stiction.linearizations or None,
        start_frame=frame_range(scene)[0],
        relaxes_first=scene.stiction.relaxes_first,
        contact_method=scene.stiction.contact_method.lower(),
        contact_iterations=scene.stiction.contact_iterations or None,
        contact_tolerance=scene.stiction.contact_tolerance * metres_per_unit(scene) or None,
        pair_friction=_pairs_of(scene),
    )


def _pairs_of(scene) -> list[PairFriction]:
    """Pairs of which one is not chosen yet, or was deleted, have no effect."""
    names = {marked.obj: marked.name for marked in marked_objects(scene)}
    chosen = [pair for pair in scene.stiction.pairs if pair.first and pair.second]
    return [
        PairFriction(names.get(pair.first, pair.first.name), names.get(pair.second, pair.second.name), pair.friction)
        for pair in chosen
    ]


def frame_range(scene: bpy.types.Scene) -> tuple[int, int]:
    """First and last frame of the bake."""
    settings = scene.stiction
    first, last = scene.frame_start, scene.frame_end
    if settings.use_custom_range:
        first, last = settings.first_frame, settings.last_frame
    refuse_empty_range(first, last)
    _refuse_stretched_time(scene)
    return first, last


def _refuse_stretched_time(scene):
    """Blender would play a bake stretched once more: its samples are frames, but modifiers get stretched time."""
    old, new = scene.render.frame_map_old, scene.render.frame_map_new
    if old != new:
        sentence = f"Time Stretching is on ({old} to {new}). Set Old and New to the same in the output properties."
        raise SceneRefused([Problem("", sentence)])


def simulation_settings(marked: MarkedObject) -> dict:
    """What the settings alone tell of a simulated object, by the names of the solver's fields."""
    settings = marked.settings
    common = contact_settings(marked) | {
        "material": _material_of(marked),
        "start_velocity": in_metres(settings.start_velocity, marked.scene),
    }
    if settings.kind == "HAIR":
        return common | {"is_sag_free": settings.is_sag_free}
    if settings.kind == "CLOTH":
        return common | {name: getattr(settings, name) for name in ("is_sag_free", "pressure", "is_sealed")}
    if settings.kind == "SOFT":
        return common | {"resolution": settings.resolution or None, "frame_count": settings.frame_count}
    return common


def contact_settings(marked: MarkedObject) -> dict:
    """What the settings alone tell of how an object touches others, by the names of the solver's fields."""
    settings = marked.settings
    common = {
        "friction": settings.friction,
        "kinetic_friction": settings.kinetic_friction if settings.use_kinetic_friction else None,
        "cohesion": settings.cohesion,
        "compliance": settings.compliance,
        "restitution": settings.restitution,
        "thickness": settings.thickness * metres_per_unit(marked.scene) or None,
        "collision_groups": sum(1 << group for group, is_in in enumerate(settings.collision_groups) if is_in),
        "self_collision": settings.self_collision,
    }
    return common | _ellipsoid_settings(marked) if settings.kind in SOLID_KINDS else common


def _ellipsoid_settings(marked):
    return {
        "spin_friction": marked.settings.spin_friction * metres_per_unit(marked.scene),
        "friction_ratio": marked.settings.friction_ratio,
        "friction_direction": tuple(marked.settings.friction_direction),
    }


def _material_of(marked):
    """The settings have the names that the solver's materials have."""
    material = MATERIALS[marked.settings.kind]
    values = {item.name: getattr(marked.settings, item.name) for item in fields(material)}
    if "radius" in values:
        values["radius"] *= metres_per_unit(marked.scene)
    return material(**values)
