"""What an object probably is in a shot, told by its type, its shape, and Blender's own physics on it."""

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np

from .mesh_arrays import read_vertices

DEFORMING_TYPES = {
    *("ARMATURE", "LATTICE", "MESH_DEFORM", "SURFACE_DEFORM", "HOOK", "CURVE", "WAVE", "CAST", "SIMPLE_DEFORM"),
    *("MESH_CACHE", "MESH_SEQUENCE_CACHE"),
}
KIND_OF_PHYSICS = {"CLOTH": "CLOTH", "SOFT_BODY": "SOFT", "COLLISION": "COLLIDER"}  # by type of modifier
KIND_OF_RIGID = {"ACTIVE": "RIGID", "PASSIVE": "COLLIDER"}
COARSEST_CLOTH = 16  # faces; a sheet of fewer cannot fold, and is meant as a floor or a wall
# A hem is about as long as the square root of all edges, or longer; the eye holes of a closed body are not.
SHORTEST_HEM = 0.7
NARROWEST_BACKDROP = 4.0  # over the area on which all the others stand; a gown that reaches the floor has less


class Guess(NamedTuple):
    obj: bpy.types.Object
    kind: str
    reason: str  # follows the kind in a sentence


class Shape(NamedTuple):
    """What the guess looks at in a mesh."""

    face_count: int
    is_open: bool
    box: np.ndarray  # lowest and highest corner (2, 3) in the world

    @property
    def footprint(self) -> float:
        """Area of its box, seen from above."""
        return _footprint(self.box)


def guess_kinds(objects: Sequence[bpy.types.Object], depsgraph: bpy.types.Depsgraph) -> list[Guess]:
    """A guess for each object that can take part; those that can be nothing (lights, cameras) are left out."""
    guesses = [guess for obj in objects if (guess := _guess_by_type(obj) or _guess_by_shape(obj, depsgraph))]
    grown_on = [surface for guess in guesses if (surface := _scalp(guess.obj)) and surface not in objects]
    guesses += [Guess(obj, "COLLIDER", "hair grows on it") for obj in dict.fromkeys(grown_on)]
    return _with_props(_with_backdrop(guesses, depsgraph), depsgraph)


def pin_group_of(obj: bpy.types.Object) -> str:
    """The vertex group that pins are painted in: that of Blender's cloth, or one that is named so; empty for none."""
    for modifier in obj.modifiers:
        if modifier.type in ("CLOTH", "SOFT_BODY"):
            settings = modifier.settings
            name = settings.vertex_group_mass if modifier.type == "CLOTH" else settings.vertex_group_goal
            if name in obj.vertex_groups:
                return name
    return next((group.name for group in obj.vertex_groups if "pin" in group.name.lower()), "")


def is_animated(obj: bpy.types.Object) -> bool:
    """Whether something moves or deforms it: keys, drivers, constraints, rigs, or the same on its parents."""
    if _has_animation(obj) or _has_animation(obj.data) or _has_animation(getattr(obj.data, "shape_keys", None)):
        return True
    if len(obj.constraints) or any(modifier.type in DEFORMING_TYPES for modifier in _active_modifiers(obj)):
        return True
    return obj.parent is not None and (obj.parent.type == "ARMATURE" or is_animated(obj.parent))


def _has_animation(owner):
    animation = getattr(owner, "animation_data", None)
    return animation is not None and bool(animation.action or animation.nla_tracks or animation.drivers)


def _active_modifiers(obj):
    return [modifier for modifier in obj.modifiers if modifier.show_viewport]


def _guess_by_type(obj) -> Guess | None:
    """What needs no look at the shape."""
    if obj.type == "CURVES":
        return Guess(obj, "HAIR", "hair curves")
    if obj.type == "CURVE":
        return Guess(obj, "HAIR", "a curve, as a rope")
    if obj.type in ("SURFACE", "FONT", "META"):
        return Guess(obj, "COLLIDER", "no mesh, so it cannot deform")
    if obj.rigid_body:
        type_ = obj.rigid_body.type
        return Guess(obj, KIND_OF_RIGID[type_], f"a rigid body of Blender, {type_.lower()}")
    for modifier in _active_modifiers(obj):
        if modifier.type in KIND_OF_PHYSICS:
            return Guess(obj, KIND_OF_PHYSICS[modifier.type], f"it has Blender's modifier {modifier.name}")
    return None


def _guess_by_shape(obj, depsgraph) -> Guess | None:
    if obj.type != "MESH":
        return None
    shape = _shape_of(obj, depsgraph)
    if shape.face_count == 0:
        return None
    if shape.is_open and shape.face_count >= COARSEST_CLOTH:
        return Guess(obj, "CLOTH", "an open mesh")
    if shape.is_open:
        return Guess(obj, "COLLIDER", "a coarse open mesh, as a floor or wall")
    return Guess(obj, "COLLIDER", "a closed mesh that is animated" if is_animated(obj) else "a closed mesh")


def _shape_of(obj, depsgraph) -> Shape:
    """Of the mesh with its modifiers: a mirrored half is no open mesh."""
    evaluated = obj.evaluated_get(depsgraph)
    geometry = evaluated.evaluated_geometry()  # owns the mesh
    mesh = geometry.mesh
    if mesh is None or not len(mesh.polygons):
        return Shape(0, False, np.zeros((2, 3)))
    edges = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("edge_index", edges)
    hem = int((np.bincount(edges, minlength=len(mesh.edges)) == 1).sum())
    matrix = np.array(evaluated.matrix_world)
    vertices = read_vertices(mesh) @ matrix[:3, :3].T + matrix[:3, 3]
    box = np.array([vertices.min(axis=0), vertices.max(axis=0)])
    return Shape(len(mesh.polygons), hem > SHORTEST_HEM * np.sqrt(len(mesh.edges)), box)


def _footprint(box):
    return float(np.prod((box[1] - box[0])[:2]))


def _with_backdrop(guesses, depsgraph):
    """An open mesh at rest that is wide around all the others, and not above any, is no cloth: they stand on it."""
    boxes = [_shape_of(guess.obj, depsgraph).box if guess.obj.type == "MESH" else None for guess in guesses]
    for number, guess in enumerate(guesses):
        others = [box for place, box in enumerate(boxes) if place != number and box is not None]
        if guess.reason == "an open mesh" and others and not is_animated(guess.obj) and not pin_group_of(guess.obj):
            around = np.array([np.min(others, axis=0)[0], np.max(others, axis=0)[1]])
            if _is_backdrop(boxes[number], around):
                guesses[number] = Guess(guess.obj, "COLLIDER", "an open mesh below all the others, as a backdrop")
    return guesses


def _is_backdrop(box, others):
    is_around = (box[0, :2] <= others[0, :2]).all() and (box[1, :2] >= others[1, :2]).all()
    is_below = box[0, 2] <= others[0, 2] + 1e-3 * np.ptp(others[:, 2])
    return is_around and is_below and _footprint(box) >= NARROWEST_BACKDROP * _footprint(others)


def _with_props(guesses, depsgraph):
    """Where nothing else would be simulated, closed meshes at rest are props, on the widest of them as the ground.

    If there is a collider already, that is the ground.
    """
    if any(guess.kind != "COLLIDER" for guess in guesses):
        return guesses
    props = [guess for guess in guesses if guess.reason == "a closed mesh"]
    has_ground = any(obj.stiction.kind == "COLLIDER" for obj in depsgraph.scene.objects)
    if len(props) == len(guesses) and props and not has_ground:
        props.remove(max(props, key=lambda guess: _shape_of(guess.obj, depsgraph).footprint))
    return [guess._replace(kind="RIGID", reason="a closed mesh at rest, as a prop") if guess in props else guess
            for guess in guesses]  # fmt: skip


def _scalp(obj):
    """The mesh that hair curves grow on, if it takes no part yet."""
    surface = obj.data.surface if obj.type == "CURVES" else None
    return surface if surface and surface.stiction.kind == "NONE" and not surface.library else None
