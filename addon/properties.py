"""What the artist can set on objects; nothing here acts."""

from typing import Any

import bpy

from .attachment_properties import AttachmentProperties, StictionAttachment
from .collision_properties import CollisionProperties
from .material_properties import MaterialProperties
from .overridable import OVERRIDABLE
from .pair_properties import StictionPair
from .scene_properties import StictionSceneSettings
from .shape_properties import InsideProperties, PinProperties, RestShapeProperties

KINDS: tuple[tuple[Any, ...], ...] = (
    ("NONE", "None", "Not part of the simulation", "X", 0),
    ("HAIR", "Hair", "Strands of hair or fur (hair curves), or ropes (curves)", "CURVES_DATA", 1),
    ("CLOTH", "Cloth", "A thin sheet: garments, flags, blankets", "MOD_CLOTH", 2),
    ("SOFT", "Soft Body", "A solid that deforms", "MOD_SOFT", 3),
    ("RIGID", "Rigid Body", "A solid that keeps its shape", "RIGID_BODY", 4),
    ("COLLIDER", "Collider", "Moves as animated; others collide with it", "MOD_PHYSICS", 5),
)
SIMULATED_KINDS = ("HAIR", "CLOTH", "SOFT", "RIGID")


class StictionObjectSettings(
    PinProperties,
    MaterialProperties,
    RestShapeProperties,
    InsideProperties,
    CollisionProperties,
    AttachmentProperties,
    bpy.types.PropertyGroup,
):
    """`object.stiction`"""

    kind: bpy.props.EnumProperty(
        name="Kind", description="What this object is in the simulation", items=KINDS, override=OVERRIDABLE
    )
    start_velocity: bpy.props.FloatVectorProperty(
        name="Start Velocity",
        description="Velocity at the first frame",
        soft_min=-50.0,
        soft_max=50.0,
        subtype="VELOCITY",
        unit="VELOCITY",
        override=OVERRIDABLE,
    )


CLASSES = (StictionAttachment, StictionPair, StictionObjectSettings, StictionSceneSettings)


def register():
    bpy.types.Object.stiction = bpy.props.PointerProperty(type=StictionObjectSettings, override=OVERRIDABLE)
    bpy.types.Scene.stiction = bpy.props.PointerProperty(type=StictionSceneSettings)


def unregister():
    del bpy.types.Object.stiction
    del bpy.types.Scene.stiction
