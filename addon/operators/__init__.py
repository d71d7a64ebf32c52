"""What the artist can do."""

from . import bake, check, export, free_bake, mark, to_shape_keys

CLASSES = (
    *mark.CLASSES,
    *check.CLASSES,
    *bake.CLASSES,
    *free_bake.CLASSES,
    *to_shape_keys.CLASSES,
    *export.CLASSES,
)

register, unregister = bake.register, bake.unregister
