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

CLOTH_LAWS = (
    ("membrane", "Membrane", "Triangles with warp and weft"),
    ("springs", "Springs", "A spring along each edge"),
)
SOLID_LAWS = (
    ("neo_hookean", "Neo-Hookean", "Rubber and flesh: ever stiffer as it is pressed, recovers when inverted"),
    ("fixed_corotated", "Fixed Co-rotated", "Linear stress, and firm against loss of volume"),
    ("corotated", "Co-rotated", "Linear stress in the turned frame: fastest"),
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
    flatness: bpy.props.FloatProperty(
        name="Flatness",
        description="Thickness of a strand's section over its width; 1 is round",
        default=1.0,
        min=0.0,
        soft_min=0.1,
        soft_max=1.0,
        override=OVERRIDABLE,
    )
    bending_modulus: bpy.props.FloatProperty(
        name="Bending Modulus",
        description="Young's modulus against bending and twisting in Pa (hair 4e9, rubber 1e7)",
        default=4e9,
        min=0.0,
        soft_max=1e11,
        override=OVERRIDABLE,
    )
    stretching_modulus: bpy.props.FloatProperty(
        name="Stretching Modulus",
        description="Young's modulus against stretching in Pa; less than that of bending is easier to simulate",
        default=1e8,
        min=0.0,
        soft_max=1e11,
        override=OVERRIDABLE,
    )
    poisson_ratio: bpy.props.FloatProperty(
        name="Poisson Ratio",
        description="How much a pull along one direction narrows the others",
        default=0.48,
        min=-1.0,
        max=0.5,
        precision=3,
        override=OVERRIDABLE,
    )
    cloth_law: bpy.props.EnumProperty(
        name="Law", description="How the sheet resists stretching", items=CLOTH_LAWS, override=OVERRIDABLE
    )
    solid_law: bpy.props.EnumProperty(
        name="Law", description="How the solid resists deformation", items=SOLID_LAWS, override=OVERRIDABLE
    )
    youngs_modulus: bpy.props.FloatProperty(
        name="Young's Modulus",
        description="Force per area over relative stretch in Pa (flesh 1e4, rubber 1e6)",
        default=1e5,
        min=0.0,
        soft_max=1e9,
        override=OVERRIDABLE,
    )
    warp_stiffness: bpy.props.FloatProperty(
        name="Warp Stiffness",
        description="Against stretching along the warp in N/m",
        default=5000.0,
        min=0.0,
        soft_max=1e5,
        override=OVERRIDABLE,
    )
    weft_stiffness: bpy.props.FloatProperty(
        name="Weft Stiffness",
        description="Against stretching along the weft in N/m",
        default=5000.0,
        min=0.0,
        soft_max=1e5,
        override=OVERRIDABLE,
    )
    shear_stiffness: bpy.props.FloatProperty(
        name="Shear Stiffness",
        description="Against changing the angle between warp and weft in N/m",
        default=500.0,
        min=0.0,
        soft_max=1e5,
        override=OVERRIDABLE,
    )
    warp_bending: bpy.props.FloatProperty(
        name="Warp Bending",
        description="Flexural rigidity of the warp in N m (silk 5e-6, cotton 1e-5, denim 1e-4)",
        default=1e-5,
        min=0.0,
        soft_max=0.01,
        precision=6,
        override=OVERRIDABLE,
    )
    weft_bending: bpy.props.FloatProperty(
        name="Weft Bending",
        description="Flexural rigidity of the weft in N m",
        default=1e-5,
        min=0.0,
        soft_max=0.01,
        precision=6,
        override=OVERRIDABLE,
    )
    damping: bpy.props.FloatProperty(
        name="Damping",
        description="Time in seconds by which the stress runs ahead of the strain; more calms vibration",
        default=1e-3,
        min=0.0,
        soft_max=0.1,
        precision=4,
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
