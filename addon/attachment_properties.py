"""What the artist can set about springs between objects, and about seams."""

import bpy

from .overridable import OVERRIDABLE, OVERRIDABLE_LIST

ENDS = (
    ("START", "Start", "The first point of each strand"),
    ("END", "End", "The last point of each strand"),
    ("BOTH", "Both", "The first and the last point of each strand"),
)


class StictionAttachment(bpy.types.PropertyGroup):
    """An item of `object.stiction.attachments`"""

    target: bpy.props.PointerProperty(
        name="Target",
        description="The cloth, soft body or rigid body to attach to",
        type=bpy.types.Object,
        poll=lambda attachment, obj: obj != attachment.id_data and obj.stiction.kind in {"CLOTH", "SOFT", "RIGID"},
        override=OVERRIDABLE,
    )
    vertex_group: bpy.props.StringProperty(
        name="Vertex Group",
        description="Vertices with a weight of one half or more in it are attached, each to the nearest place on the "
        "target at the first frame",
        override=OVERRIDABLE,
    )
    ends: bpy.props.EnumProperty(
        name="Ends",
        description="The ends of the strands that are tied to the target, each to the nearest place at the first frame",
        items=ENDS,
        default="END",
        override=OVERRIDABLE,
    )
    stiffness: bpy.props.FloatProperty(
        name="Stiffness",
        description="Of the spring at each vertex in N/m",
        default=1000.0,
        min=0.0,
        soft_max=1e5,
        override=OVERRIDABLE,
    )
    keeps_distance: bpy.props.BoolProperty(
        name="Keep Distance",
        description="The springs are at rest as they start; otherwise they draw the two together",
        override=OVERRIDABLE,
    )


class AttachmentProperties:
    """Part of `object.stiction`"""

    attachments: bpy.props.CollectionProperty(
        name="Attachments",
        description="Springs to other simulated objects",
        type=StictionAttachment,
        override=OVERRIDABLE_LIST,
    )
    active_attachment: bpy.props.IntProperty(
        name="Active Attachment",
        description="Which of the attachments is shown",
        min=0,
        soft_max=100,
        options={"HIDDEN"},
    )
    use_seams: bpy.props.BoolProperty(
        name="Seams",
        description="Edges without faces draw their two vertices together, as a thread does",
        override=OVERRIDABLE,
    )
    seam_stiffness: bpy.props.FloatProperty(
        name="Seam Stiffness",
        description="Of the spring that each edge of a seam is, in N/m",
        default=100.0,
        min=0.0,
        soft_max=1e5,
        override=OVERRIDABLE,
    )
