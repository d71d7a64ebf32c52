"""The Blender side: everything that touches bpy. Registration is one loop, undone in reverse."""

import bpy

from . import command_line, contact_overlay, operators, panels, physics_panels, properties

MODULES = (properties, operators, panels, physics_panels, contact_overlay, command_line)


def register():
    for module in MODULES:
        for cls in module.CLASSES:
            bpy.utils.register_class(cls)
        if hasattr(module, "register"):
            module.register()


def unregister():
    for module in reversed(MODULES):
        if hasattr(module, "unregister"):
            module.unregister()
        for cls in reversed(module.CLASSES):
            bpy.utils.unregister_class(cls)
