"""Convert the particle hair of a mesh, which cannot be simulated, to a hair Curves object."""

from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np

from ..solver.errors import StictionError

SAMPLES_PER_SEGMENT = 16  # of the drawn strand, from which the points are interpolated
FINEST_DISPLAY_STEP = 10  # Blender's limit: 1025 points a strand


def convert_particle_hair(obj: bpy.types.Object, context: bpy.types.Context) -> bpy.types.Object:
    """A hair Curves object, attached to the mesh, in place of its active particle hair.

    It has the strands that the viewport shows (children, if they are shown), each with as many
    points as the hair has keys. The particle system stays, switched off.
    """
    system = _hair_system(obj)
    keys = _key_count(obj, context)
    with _many_points(system.settings, keys, context):
        hair = _run_conversion(obj, context)
    _keep_points(hair.data, keys)
    _attach(hair, obj)
    modifier = next(modifier for modifier in obj.modifiers if getattr(modifier, "particle_system", None) == system)
    modifier.show_viewport = modifier.show_render = False
    return hair


def _hair_system(obj):
    system = obj.particle_systems.active
    if system is None:
        raise StictionError(f'"{obj.name}" has no particle system to convert.')
    if system.settings.type != "HAIR":
        raise StictionError(f'"{system.name}" of "{obj.name}" emits particles; only hair can be converted.')
    return system


def _key_count(obj, context):
    system = obj.evaluated_get(context.evaluated_depsgraph_get()).particle_systems.active
    count = max((len(particle.hair_keys) for particle in system.particles), default=0)
    if count < 2:
        raise StictionError(f'The particle hair "{system.name}" of "{obj.name}" has no strands, '
                            "or is switched off in the viewport.")  # fmt: skip
    return count


@contextmanager
def _many_points(settings, keys, context) -> Iterator[None]:
    """Blender converts strands as the viewport draws them, so let it draw them finely."""
    before = settings.display_step
    wanted = int(np.ceil(np.log2(SAMPLES_PER_SEGMENT * (keys - 1))))
    settings.display_step = min(max(before, wanted), FINEST_DISPLAY_STEP)
    context.view_layer.update()
    try:
        yield
    finally:
        settings.display_step = before


def _run_conversion(obj, context):
    """The operator makes its result the only selected object; the mesh must be active for it."""
    context.view_layer.objects.active = obj
    bpy.ops.curves.convert_from_particle_system()
    return context.view_layer.objects.active


def _keep_points(curves, count):
    """Leave `count` points of each strand, evenly spread over its drawn points as the keys are."""
    drawn = np.empty((len(curves.points), 3), np.float32)
    curves.position_data.foreach_get("vector", drawn.ravel())
    offsets = np.empty(len(curves.curves) + 1, np.int32)
    curves.curve_offset_data.foreach_get("value", offsets)
    points = _spread(drawn, offsets, count)
    curves.resize_curves([count] * len(points))
    curves.position_data.foreach_set("vector", points.ravel())


def _spread(drawn, offsets, count):
    """Points (strands, count, 3) on polylines of any number of points each."""
    first, last = offsets[:-1, None], offsets[1:, None] - 1
    place = first + (last - first) * np.linspace(0, 1, count)
    left = place.astype(int)
    right = np.minimum(left + 1, last)
    weight = (place - left).astype(np.float32)[..., None]
    return (1 - weight) * drawn[left] + weight * drawn[right]


def _attach(hair, surface):
    """Local coordinates are the mesh's own, so the child has no transform of its own."""
    hair.parent = surface
    hair.matrix_parent_inverse.identity()
    hair.matrix_basis.identity()
    hair.data.surface = surface
    if surface.data.uv_layers.active:
        hair.data.surface_uv_map = surface.data.uv_layers.active.name
