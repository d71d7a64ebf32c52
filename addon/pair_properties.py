"""What the artist can set about the friction of two objects on each other."""

import bpy


def _takes_part(_, obj):
    return obj.stiction.kind != "NONE"


class StictionPair(bpy.types.PropertyGroup):
    """An item of `scene.stiction.pairs`"""

    first: bpy.props.PointerProperty(
        name="First", description="One of the two", type=bpy.types.Object, poll=_takes_part
    )
    second: bpy.props.PointerProperty(
        name="Second", description="The other, or the same for its own folds", type=bpy.types.Object, poll=_takes_part
    )
    friction: bpy.props.FloatProperty(
        name="Friction",
        description="Coefficient of Coulomb's law between these two, whatever each of them has",
        default=0.3,
        min=0.0,
        soft_max=2.0,
        precision=3,
    )


class PairProperties:
    """Part of `scene.stiction`"""

    pairs: bpy.props.CollectionProperty(
        name="Friction of Pairs",
        description="Two objects each, whose friction on each other is not the mean of theirs",
        type=StictionPair,
    )
    active_pair: bpy.props.IntProperty(
        name="Active Pair", description="Which of the pairs is shown", min=0, soft_max=100, options={"HIDDEN"}
    )
