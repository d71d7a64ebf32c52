"""The object's panels once more, in the Physics tab of the Properties editor."""

import bpy

from . import object_panels

TAIL = "_in_physics"


def _twin(panel: type) -> type:
    """The same panel in the other place; its parts hang below the twin of their parent."""
    parent = getattr(panel, "bl_parent_id", None)
    place = {"bl_space_type": "PROPERTIES", "bl_region_type": "WINDOW", "bl_context": "physics", "bl_category": ""}
    place |= {"bl_parent_id": parent + TAIL} if parent else {"bl_label": "Stiction"}
    return type(panel.__name__ + TAIL, panel.__bases__, {**_own_attributes(panel), **place})


def _own_attributes(panel):
    hidden = {"__dict__", "__weakref__", "bl_rna"}
    return {name: value for name, value in vars(panel).items() if name not in hidden}


ONCE = {object_panels.STICTION_PT_notes}  # told in the sidebar, where Set Up Shot was pressed
CLASSES = tuple(_twin(item) for item in object_panels.CLASSES if issubclass(item, bpy.types.Panel) and item not in ONCE)
