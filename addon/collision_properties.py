"""What the artist can set about how objects touch."""

import bpy

from .overridable import OVERRIDABLE

GROUP_COUNT = 20  # as many as Blender's rigid bodies have


def _friction_maps(settings, context, edit_text):
    """Names that the search field of the friction map offers."""
    obj = settings.id_data
    attributes = getattr(obj.data, "attributes", ())  # a legacy curve has none
    numbers = [item.name for item in attributes if item.data_type == "FLOAT" and item.domain in ("POINT", "CURVE")]
    return [group.name for group in obj.vertex_groups] + numbers


class CollisionProperties:
    """Part of `object.stiction`"""

    friction: bpy.props.FloatProperty(
        name="Friction",
        description="Coefficient of Coulomb's law: on a slope, what rests on its like begins to slide where the slope "
        "rises by more than this times its run (ice 0.05, skin 0.5, rubber 1). Between two objects, the geometric "
        "mean counts",
        default=0.3,
        min=0.0,
        soft_max=2.0,
        precision=3,
        override=OVERRIDABLE,
    )
    friction_map: bpy.props.StringProperty(
        name="Friction Map",
        description="A vertex group, or an attribute of numbers, that the friction is multiplied by at each vertex; "
        "empty for none",
        search=_friction_maps,
        search_options={"SUGGESTION"},  # modifiers may make attributes that the object itself does not have
        override=OVERRIDABLE,
    )
    use_kinetic_friction: bpy.props.BoolProperty(
        name="Slides More Easily",
        description="What slides already has a lower friction than what rests",
        override=OVERRIDABLE,
    )
    kinetic_friction: bpy.props.FloatProperty(
        name="Kinetic Friction",
        description="The friction while it slides; not above Friction, which then is that of rest",
        default=0.2,
        min=0.0,
        soft_max=2.0,
        precision=3,
        override=OVERRIDABLE,
    )
    cohesion: bpy.props.FloatProperty(
        name="Cohesion",
        description="Force in N that holds each contact together, as if it were wet or sticky. Of two objects the "
        "larger counts; a wet hair needs about 0.0001",
        default=0.0,
        min=0.0,
        soft_max=1.0,
        precision=5,
        override=OVERRIDABLE,
    )
    compliance: bpy.props.FloatProperty(
        name="Compliance",
        description="Way in m that each contact is pressed together by a force of 1 N, for what the animation pinches; "
        "zero for none. It also gives way sideways, so that loads creep. Those of two objects add up",
        default=0.0,
        min=0.0,
        soft_max=0.01,
        precision=6,
        override=OVERRIDABLE,
    )
    restitution: bpy.props.FloatProperty(
        name="Restitution",
        description="Share of the speed of an impact with which it rebounds: 0 thuds, 1 bounces for ever (rubber "
        "0.8, wood 0.4). Of two objects the larger counts",
        default=0.0,
        min=0.0,
        max=1.0,
        precision=3,
        override=OVERRIDABLE,
    )
    spin_friction: bpy.props.FloatProperty(
        name="Spin Friction",
        description="Radius of the patch by which each contact resists spinning on the spot; zero is a point, on which "
        "a ball spins for ever. Of two objects the larger counts. For rigid bodies and colliders, under PROX",
        default=0.0,
        min=0.0,
        soft_max=0.5,
        precision=5,
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    friction_ratio: bpy.props.FloatProperty(
        name="Friction Ratio",
        description="Friction across the Friction Direction, over that along it, which is Friction: 1 is alike in all "
        "directions, 4 slides along as on skis, 0 holds along only. For rigid bodies and colliders, under PROX",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        precision=3,
        override=OVERRIDABLE,
    )
    friction_direction: bpy.props.FloatVectorProperty(
        name="Friction Direction",
        description="Along which the friction is Friction, in the object's own axes; it turns with the surface, and "
        "its length does not matter",
        size=3,
        subtype="XYZ",
        default=(1.0, 0.0, 0.0),
        soft_min=-1.0,
        soft_max=1.0,
        override=OVERRIDABLE,
    )
    thickness: bpy.props.FloatProperty(
        name="Thickness",
        description="Of the surface where it touches, both sides together. Zero is automatic: strands are as thick as "
        "they are, meshes a millimetre, or a tenth of their edges if that is less",
        default=0.0,
        min=0.0,
        soft_max=0.05,
        precision=5,
        unit="LENGTH",
        override=OVERRIDABLE,
    )
    collision_groups: bpy.props.BoolVectorProperty(
        name="Collision Groups",
        description="Two objects collide if they have a group in common",
        size=GROUP_COUNT,
        subtype="LAYER",
        default=(True, *(False,) * (GROUP_COUNT - 1)),
        override=OVERRIDABLE,
    )
    self_collision: bpy.props.BoolProperty(
        name="Self-Collision",
        description="The object collides with itself, strands with other strands",
        default=True,
        override=OVERRIDABLE,
    )
