"""Which settings of an object or a scene have keyframes or drivers."""

from collections.abc import Iterable, Iterator

import bpy

PREFIX = "stiction."


def animated_settings(owner) -> set[str]:
    """Their names in `owner.stiction`."""
    animation = owner.animation_data
    if animation is None:
        return set()
    paths = [curve.data_path for curve in (*animation.drivers, *_curves(animation))]
    names = {path.removeprefix(PREFIX).partition("[")[0].partition(".")[0] for path in paths if path.startswith(PREFIX)}
    return names & set(owner.stiction.bl_rna.properties.keys())


def _curves(animation: bpy.types.AnimData) -> Iterator[bpy.types.FCurve]:
    yield from _curves_of_slot(animation.action, animation.action_slot_handle)
    for track in animation.nla_tracks:
        for strip in track.strips:
            yield from _curves_of_slot(strip.action, strip.action_slot_handle)


def _curves_of_slot(action, slot_handle) -> Iterable[bpy.types.FCurve]:
    if action is None:
        return
    for layer in action.layers:
        for strip in layer.strips:
            for bag in strip.channelbags:
                if bag.slot_handle == slot_handle:
                    yield from bag.fcurves
