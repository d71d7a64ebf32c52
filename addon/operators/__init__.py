"""What the artist can do."""

from . import (
    at_work,
    attachment,
    bake,
    bind,
    check,
    export,
    free_bake,
    mark,
    pair,
    preset,
    report,
    select_problem,
    set_up_shot,
    to_shape_keys,
    wedge,
)

CLASSES = (
    *mark.CLASSES,
    *set_up_shot.CLASSES,
    *preset.CLASSES,
    *attachment.CLASSES,
    *pair.CLASSES,
    *check.CLASSES,
    *select_problem.CLASSES,
    *bake.CLASSES,
    *free_bake.CLASSES,
    *bind.CLASSES,
    *to_shape_keys.CLASSES,
    *export.CLASSES,
    *report.CLASSES,
    *wedge.CLASSES,
)


def register():
    at_work.register()
    wedge.register()


def unregister():
    wedge.unregister()
    at_work.unregister()
