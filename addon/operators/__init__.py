"""What the artist can do."""

from . import attachment, bake, check, export, free_bake, mark, preset, select_problem, to_shape_keys

CLASSES = (
    *mark.CLASSES,
    *preset.CLASSES,
    *attachment.CLASSES,
    *check.CLASSES,
    *select_problem.CLASSES,
    *bake.CLASSES,
    *free_bake.CLASSES,
    *to_shape_keys.CLASSES,
    *export.CLASSES,
)

register, unregister = bake.register, bake.unregister
