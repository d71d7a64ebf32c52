"""Modifiers above the simulation that do more or less in a render than in the viewport.

A bake has the points of the viewport; where a render has others, Blender would not play it there.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import bpy

from .input_stack import input_modifiers
from .marked_object import MarkedObject


def refuse_render_difference(marked: MarkedObject, point_count: int, view_layer: bpy.types.ViewLayer) -> None:
    """Evaluate once as a render would, if any setting differs, and compare the number of points."""
    different = [modifier for modifier in input_modifiers(marked.obj) if _differs(modifier)]
    if not different:
        return
    with _as_rendered(different):
        view_layer.update()
        rendered = _point_count(marked.obj.evaluated_get(view_layer.depsgraph))
    view_layer.update()
    if rendered != point_count:
        names = ", ".join(f'"{modifier.name}"' for modifier in different)
        raise marked.refusal(
            f"it has {point_count} points in the viewport but {rendered} in a render, by its modifier {names}. "
            "Give it the same levels and visibility in both, or move it below Stiction."
        )


def _differs(modifier):
    levels = getattr(modifier, "levels", None)
    return modifier.show_viewport != modifier.show_render or levels != getattr(modifier, "render_levels", levels)


@contextmanager
def _as_rendered(modifiers: Iterable[bpy.types.Modifier]) -> Iterator[None]:
    before = [(modifier, modifier.show_viewport, getattr(modifier, "levels", None)) for modifier in modifiers]
    try:
        for modifier, _, levels in before:
            modifier.show_viewport = modifier.show_render
            if levels is not None and hasattr(modifier, "render_levels"):
                modifier.levels = modifier.render_levels
        yield
    finally:
        for modifier, show_viewport, levels in before:
            modifier.show_viewport = show_viewport
            if levels is not None and hasattr(modifier, "render_levels"):
                modifier.levels = levels


def _point_count(evaluated):
    geometry = evaluated.evaluated_geometry()  # owns what it counts
    if geometry.curves:
        return len(geometry.curves.points)
    return len(geometry.mesh.vertices) if geometry.mesh else 0
