"""Steps a frame that suit the speed of the animation."""

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np

from .guess_kinds import is_animated
from .mesh_arrays import read_vertices
from .read_motion import kept_playhead
from .units import frames_per_second, transformed, world_matrix

FEWEST_STEPS, MOST_STEPS = 4, 16
STEPS_PER_SAMPLE = 4  # quick motion is also curved: as often is it read
PLACES = 12  # pairs of frames that are looked at, evenly over the shot
WAY_PER_STEP = 0.02  # [m]; so far a collider may move in a step, and friction still follows it well


class StepGuess(NamedTuple):
    steps_per_frame: int
    motion_samples: int
    speed: float  # of the fastest animated vertex [m/s]


def set_guessed_steps(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> str:
    """Set the steps that suit all marked objects; says which, and why."""
    marked = [obj for obj in scene.objects if obj.stiction.kind != "NONE" and obj.visible_get(view_layer=view_layer)]
    guess, settings = guess_steps(scene, view_layer, marked), scene.stiction
    settings.steps_per_frame, settings.motion_samples = guess.steps_per_frame, guess.motion_samples
    settings.guessed_steps = guess.steps_per_frame
    why = f"the animation moves at up to {guess.speed:.2g} m/s" if guess.speed else "no mesh is animated"
    return f"{guess.steps_per_frame} steps a frame: {why}"


def steps_are_chosen(scene: bpy.types.Scene) -> bool:
    """Whether the artist has set steps or samples; what was guessed may be guessed anew."""
    settings = scene.stiction
    if settings.guessed_steps:
        return settings.steps_per_frame != settings.guessed_steps
    return settings.is_property_set("steps_per_frame") or settings.is_property_set("motion_samples")


def guess_steps(scene: bpy.types.Scene, view_layer, objects: Sequence[bpy.types.Object]) -> StepGuess:
    """Enough steps that no animated vertex goes farther than WAY_PER_STEP in one, within bounds."""
    moving = [obj for obj in objects if obj.type == "MESH" and is_animated(obj)]
    places = _places(scene) if moving else []
    way = max((_way_in_a_frame(moving, scene, view_layer, frame) for frame in places), default=0.0)
    steps = int(np.clip(np.ceil(way / WAY_PER_STEP), FEWEST_STEPS, MOST_STEPS))
    return StepGuess(steps, -(-steps // STEPS_PER_SAMPLE), way * frames_per_second(scene))


def _places(scene):
    """Frames at which the way to the next one is measured."""
    first, last = scene.frame_start, scene.frame_end - 1
    return sorted({round(frame) for frame in np.linspace(first, last, PLACES)}) if last >= first else []


def _way_in_a_frame(objects, scene, view_layer, frame):
    """The farthest that a vertex goes until the next frame [m]."""
    with kept_playhead(scene):
        starts, ends = (_positions(objects, scene, view_layer, number) for number in (frame, frame + 1))
    ways = [
        np.linalg.norm(end - start, axis=1).max()
        for start, end in zip(starts, ends)
        if len(start) and start.shape == end.shape
    ]
    return float(max((way for way in ways if np.isfinite(way)), default=0.0))


def _positions(objects, scene, view_layer, frame):
    scene.frame_set(frame)
    return [_vertices(obj.evaluated_get(view_layer.depsgraph), scene) for obj in objects]


def _vertices(evaluated, scene):
    geometry = evaluated.evaluated_geometry()  # owns the mesh
    return transformed(read_vertices(geometry.mesh), world_matrix(evaluated, scene))
