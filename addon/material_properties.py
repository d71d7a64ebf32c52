"""What the artist can set about the material of an object, by the names of the solver's materials."""

import bpy

from .overridable import OVERRIDABLE

CLOTH_LAWS = (
    ("membrane", "Membrane", "Triangles with warp and weft"),
    ("springs", "Springs", "A spring along each edge"),
)
SOLID_LAWS = (
    ("neo_hookean", "Neo-Hookean", "Rubber and flesh: ever stiffer as it is pressed, recovers when inverted"),
    ("fixed_corotated", "Fixed Co-rotated", "Linear stress, and firm against loss of volume"),
    ("corotated", "Co-rotated", "Linear stress in the turned frame: fastest"),
)


class MaterialProperties:
    """Part of `object.stiction`"""

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
        default=100.0,
        min=0.0,
        soft_max=1e5,
        override=OVERRIDABLE,
    )
    warp_bending: bpy.props.FloatProperty(
        name="Warp Bending",
        description="Flexural rigidity of the warp in N m (silk 1e-6, cotton 5e-6, denim 8e-5)",
        default=5e-6,
        min=0.0,
        soft_max=0.01,
        precision=6,
        override=OVERRIDABLE,
    )
    weft_bending: bpy.props.FloatProperty(
        name="Weft Bending",
        description="Flexural rigidity of the weft in N m",
        default=5e-6,
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
    normal_drag: bpy.props.FloatProperty(
        name="Normal Drag",
        description="Drag coefficient against air that blows across the sheet: a flat plate has 1.28; zero for none",
        default=1.28,
        min=0.0,
        soft_max=2.0,
        override=OVERRIDABLE,
    )
