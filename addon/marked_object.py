"""An object that the artist marked for the simulation, and how to refuse it in the artist's words."""

from dataclasses import dataclass

import bpy
import numpy as np

from ..solver.errors import Problem, SceneRefused
from ..solver.scene import Cloth, Collider, Hair, RigidBody, SoftBody
from ..solver.validation import KIND_WORDS
from .units import world_matrix

KIND_CLASSES = {"HAIR": Hair, "CLOTH": Cloth, "SOFT": SoftBody, "RIGID": RigidBody, "COLLIDER": Collider}
FLATTEST_SCALE = 1e-6  # least over greatest stretch of a transform; below it, single precision sees a plane


@dataclass(frozen=True)
class MarkedObject:
    obj: bpy.types.Object
    name: str  # its key in the solver's scene
    scene: bpy.types.Scene

    @property
    def settings(self):
        return self.obj.stiction

    @property
    def is_simulated(self) -> bool:
        return self.settings.kind != "COLLIDER"

    @property
    def is_linked(self) -> bool:
        return self.obj.library is not None

    def refusal(self, sentence: str) -> SceneRefused:
        title = KIND_WORDS[KIND_CLASSES[self.settings.kind]]
        return SceneRefused([Problem(self.name, f'{title} "{self.name}": {sentence}')])

    def evaluated(self, depsgraph) -> bpy.types.Object:
        """The object as the animation and its modifiers make it, or a refusal if Blender skips it."""
        evaluated = self.obj.evaluated_get(depsgraph)
        if evaluated.is_evaluated and not evaluated.hide_viewport:  # keys may disable it later on
            return evaluated
        if self.obj.name not in depsgraph.view_layer.objects:
            raise self.refusal("it is not in the view layer; include its collection or remove it from the simulation.")
        raise self.refusal(
            f"it, or its collection, is disabled in viewports at frame {frame_of(depsgraph)}, so Blender does not "
            "animate it. "
            "Switch on the screen icon in the outliner, or remove it from the simulation."
        )

    def matrix(self, depsgraph) -> np.ndarray:
        """Local Blender units to world metres (4, 4); one that can be undone, or a refusal."""
        matrix = world_matrix(self.evaluated(depsgraph), self.scene)
        if not np.isfinite(matrix).all():
            raise self.refusal(f"its transform is not finite at frame {frame_of(depsgraph)}.")
        stretches = np.linalg.svd(matrix[:3, :3], compute_uv=False)
        if stretches[-1] <= FLATTEST_SCALE * stretches[0]:
            raise self.refusal(
                f"its scale is zero along an axis at frame {frame_of(depsgraph)}. "
                "Give it a scale other than zero, also to its parents."
            )
        return matrix


def marked_objects(scene: bpy.types.Scene) -> list[MarkedObject]:
    """All objects of a scene that take part; linked ones may share a name and then go by their full name."""
    objects = [obj for obj in scene.objects if obj.stiction.kind != "NONE"]
    names = [obj.name for obj in objects]
    return [MarkedObject(obj, obj.name if names.count(obj.name) == 1 else obj.name_full, scene) for obj in objects]


def frame_of(depsgraph) -> str:
    """The frame that a depsgraph shows, for a sentence."""
    scene = depsgraph.scene
    return f"{scene.frame_current + scene.frame_subframe:g}"
