"""What the artist can set about pins, rest shapes and what is inside an object."""

import bpy

from .overridable import OVERRIDABLE

PINNED_ENDS = (
    ("NONE", "None", "Both ends are free"),
    ("START", "Start", "The first segment follows the animation"),
    ("END", "End", "The last segment follows the animation"),
    ("BOTH", "Both", "The first and the last segment follow the animation"),
)


class PinProperties:
    """Part of `object.stiction`"""

    pin_group: bpy.props.StringProperty(
        name="Pin Group",
        description="Vertices with a weight of one in this vertex group follow the animation. Less weight is a spring "
        "to where the animation has the vertex; zero is free",
        override=OVERRIDABLE,
    )
    pin_stiffness: bpy.props.FloatProperty(
        name="Pin Stiffness",
        description="Of the spring at a vertex with a weight of one half, in N/m. At another weight w it is "
        "w / (1 - w) times this: a ninth at 0.1, nine times at 0.9",
        default=10.0,
        min=0.0,
        soft_max=1e4,
        override=OVERRIDABLE,
    )
    pin_strength: bpy.props.FloatProperty(
        name="Pin Strength",
        description="How firmly all pins hold, as if their weights were multiplied by this: 1 as painted, 0 lets go. "
        "May be keyed",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=OVERRIDABLE,
    )
    pinned_ends: bpy.props.EnumProperty(
        name="Pinned Ends",
        description="Which ends of the strands follow the surface that they grow on, or the animation, in position "
        "and direction",
        items=PINNED_ENDS,
        default="START",
        override=OVERRIDABLE,
    )


class RestShapeProperties:
    """Part of `object.stiction`"""

    rest_shape_key: bpy.props.StringProperty(
        name="Shape Key",
        description="The shape key in which the object is free of stress; empty for the shape that it starts in",
        override=OVERRIDABLE,
    )
    rest_uv_map: bpy.props.StringProperty(
        name="UV Map",
        description="The sewing pattern that the garment was cut from, laid flat; empty for none",
        override=OVERRIDABLE,
    )
    uv_scale: bpy.props.FloatProperty(
        name="UV Scale",
        description="Length of the UV map's side; zero to give the pattern as much area as the mesh has",
        default=0.0,
        min=0.0,
        soft_max=10.0,
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    is_sag_free: bpy.props.BoolProperty(
        name="Sag-Free",
        description="Bear the weight in the shape that it starts in, instead of sagging at the first frames",
        override=OVERRIDABLE,
    )


class InsideProperties:
    """Part of `object.stiction`"""

    resolution: bpy.props.IntProperty(
        name="Resolution",
        description="Cells along the longest side of the body; zero to take it from its faces",
        default=0,
        min=0,
        soft_max=64,
        override=OVERRIDABLE,
    )
    frame_count: bpy.props.IntProperty(
        name="Body Frames",
        description="Parts that bend into each other and move the whole body, faster the fewer; zero for a body "
        "that deforms everywhere",
        default=0,
        min=0,
        soft_max=100,
        override=OVERRIDABLE,
    )
    pressure: bpy.props.FloatProperty(
        name="Pressure",
        description="Of the air inside a closed surface over that outside, in Pa",
        default=0.0,
        soft_min=-1e4,
        soft_max=1e4,
        override=OVERRIDABLE,
    )
    is_sealed: bpy.props.BoolProperty(
        name="Sealed",
        description="No air gets in or out: what presses the surface together raises the pressure",
        override=OVERRIDABLE,
    )
