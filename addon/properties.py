"""What the artist can set, on objects and on the scene; nothing here acts."""

from typing import Any, Literal

import bpy

KINDS: tuple[tuple[Any, ...], ...] = (
    ("NONE", "None", "Not part of the simulation", "X", 0),
    ("HAIR", "Hair", "Strands of hair or fur (hair curves), or ropes (curves)", "CURVES_DATA", 1),
    ("CLOTH", "Cloth", "A thin sheet: garments, flags, blankets", "MOD_CLOTH", 2),
    ("SOFT", "Soft Body", "A solid that deforms", "MOD_SOFT", 3),
    ("RIGID", "Rigid Body", "A solid that keeps its shape", "RIGID_BODY", 4),
    ("COLLIDER", "Collider", "Moves as animated; others collide with it", "MOD_PHYSICS", 5),
)
SIMULATED_KINDS = ("HAIR", "CLOTH", "SOFT", "RIGID")

PINNED_ENDS = (
    ("NONE", "None", "Both ends are free"),
    ("START", "Start", "The first segment follows the animation"),
    ("END", "End", "The last segment follows the animation"),
    ("BOTH", "Both", "The first and the last segment follow the animation"),
)


# Without it, what is set on a library override is lost when the file is opened again.
OVERRIDABLE: set[Literal["LIBRARY_OVERRIDABLE"]] = {"LIBRARY_OVERRIDABLE"}


class StictionObjectSettings(bpy.types.PropertyGroup):
    """`object.stiction`"""

    kind: bpy.props.EnumProperty(
        name="Kind", description="What this object is in the simulation", items=KINDS, override=OVERRIDABLE
    )
    pin_group: bpy.props.StringProperty(
        name="Pin Group",
        description="Vertices with a weight of one half or more in this vertex group follow the animation",
        override=OVERRIDABLE,
    )
    pinned_ends: bpy.props.EnumProperty(
        name="Pinned Ends",
        description="Which ends of the strands follow the animation, in position and direction",
        items=PINNED_ENDS,
        default="START",
        override=OVERRIDABLE,
    )
    density: bpy.props.FloatProperty(
        name="Density",
        description="Mass per volume in kg/m³",
        default=1000.0,
        min=0.0,
        soft_min=1.0,
        soft_max=20000.0,
        override=OVERRIDABLE,
    )
    area_density: bpy.props.FloatProperty(
        name="Area Density",
        description="Mass per area in kg/m² (silk 0.06, cotton 0.15, denim 0.4)",
        default=0.15,
        min=0.0,
        soft_min=0.01,
        soft_max=2.0,
        precision=3,
        override=OVERRIDABLE,
    )
    radius: bpy.props.FloatProperty(
        name="Radius",
        description="Radius of a strand",
        default=4e-5,
        min=0.0,
        soft_max=0.05,
        precision=6,
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    air_drag: bpy.props.FloatProperty(
        name="Air Drag",
        description="How fast the object takes on the air's velocity, per second; zero for none",
        default=0.5,
        min=0.0,
        soft_max=20.0,
        override=OVERRIDABLE,
    )
    start_velocity: bpy.props.FloatVectorProperty(
        name="Start Velocity",
        description="Velocity at the first frame",
        subtype="VELOCITY",
        unit="VELOCITY",
        override=OVERRIDABLE,
    )


class StictionSceneSettings(bpy.types.PropertyGroup):
    """`scene.stiction`"""

    cache_folder: bpy.props.StringProperty(
        name="Cache Folder",
        description="Where the bake is kept; empty for a folder beside the .blend file, chosen at the first bake",
        subtype="DIR_PATH",
        options={"ANIMATABLE", "PATH_SUPPORTS_BLEND_RELATIVE"},
    )
    steps_per_frame: bpy.props.IntProperty(
        name="Steps per Frame",
        description="Time steps of the simulation in each frame",
        default=4,
        min=1,
        soft_max=50,
    )
    motion_samples: bpy.props.IntProperty(
        name="Motion Samples",
        description="How often in each frame the animation of colliders and pins is read; in between it is linear",
        default=1,
        min=1,
        soft_max=8,
    )
    wind: bpy.props.FloatVectorProperty(
        name="Wind", description="Velocity of the air", subtype="VELOCITY", unit="VELOCITY"
    )
    use_custom_range: bpy.props.BoolProperty(
        name="Custom Range", description="Bake other frames than the scene's frame range"
    )
    first_frame: bpy.props.IntProperty(name="First Frame", description="First frame of the bake", default=1)
    last_frame: bpy.props.IntProperty(name="Last Frame", description="Last frame of the bake", default=250)


CLASSES = (StictionObjectSettings, StictionSceneSettings)


def register():
    bpy.types.Object.stiction = bpy.props.PointerProperty(type=StictionObjectSettings, override=OVERRIDABLE)
    bpy.types.Scene.stiction = bpy.props.PointerProperty(type=StictionSceneSettings)


def unregister():
    del bpy.types.Object.stiction
    del bpy.types.Scene.stiction
