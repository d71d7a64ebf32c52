"""All strands of a scene: their rods, and what holds their roots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..model import RootDirectors
from ..over_time import value_at
from ..rods.rods import NO_FRAMES, NO_RODS, RodFrames, Rods
from ..scene import Hair, Scene
from .placement import Placed

if TYPE_CHECKING:  # what is not imported is not compiled
    from ..rods.bound_points import BoundPoints


def strands_of(scene: Scene, placed: Sequence[Placed]) -> tuple[Rods, RodFrames, BoundPoints | None]:
    """Rods, their frames at the start, and the points that bodies carry, which are no unknowns of the strands."""
    entries = [entry for entry in placed if entry.is_hair]
    hairs = [entry.item for entry in entries if isinstance(entry.item, Hair)]
    if not hairs:
        return NO_RODS, NO_FRAMES, None
    from ..rods.build import build_rods, with_held
    from .bindings import bind_strands

    rods, frames = build_rods(hairs, np.concatenate([entry.body.masses for entry in entries]))
    bound = bind_strands(scene, placed, rods, frames)
    if bound is not None:
        rods = with_held(rods, bound.points)
    if any(hair.is_sag_free for hair in hairs):
        from ..rest_shapes.sag_free_objects import rods_in_pose

        rods, warnings = rods_in_pose(hairs, rods, frames, value_at(scene.gravity, 0.0))
        for entry in entries:
            entry.body.warnings += warnings.get(entry.item.name, [])
    return rods, frames, bound


def root_directors_of(placed: Sequence[Placed]) -> Iterator[RootDirectors]:
    """Strands whose roots turn with an animated surface."""
    first = 0
    for entry in placed:
        if isinstance(entry.item, Hair):
            count = len(entry.item.strand_offsets) - 1
            if entry.item.root_directors is not None:
                yield RootDirectors(np.arange(first, first + count, dtype=np.int32), entry.item.root_directors)
            first += count
