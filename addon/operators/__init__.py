"""What the artist can do."""

from . import attachment, bake, check, export, free_bake, mark, preset, to_shape_keys

CLASSES = (
    *mark.CLASSES,
    *preset.CLASSES,
    *attachment.CLASSES,
    *check.CLASSES,
    *bake.CLASSES,
    *free_bake.CLASSES,
    *to_shape_keys.CLASSES,
    *export.CLASSES,
)

register, unregister = bake.register, bake.unregister
