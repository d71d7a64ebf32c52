"""Stepping through the animation: what follows it, and the file as it was afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np

from ..solver.errors import CacheError
from ..solver.motion import positions_at
from ..solver.motion_file import MotionWriter
from .marked_object import MarkedObject, frame_of


class Track(NamedTuple):
    """Something in the solver's scene that follows the animation."""

    owner: Any  # an object of the scene, or a part of it
    attribute: str  # its field for the motion; until that is read, it holds the start      (p, 3)
    sampler: Callable[..., np.ndarray]  # of a depsgraph: the same at the frame that it shows  (p, 3)


class MotionRecorder:
    """Writes what becomes of one track to disk, sample by sample."""

    def __init__(self, marked: MarkedObject, track: Track, path: Path):
        self.marked = marked
        self.track = track
        self.writer = MotionWriter(path, len(positions_at(getattr(track.owner, track.attribute), 0.0)))

    def record(self, time: float, depsgraph) -> None:
        """Add the frame that is shown, at a time [s]."""
        self.marked.evaluated(depsgraph)
        positions = self.track.sampler(depsgraph)
        if not np.isfinite(positions).all():
            raise self.marked.refusal(
                f"its animation is not finite at frame {frame_of(depsgraph)}. "
                "Look for a broken driver, constraint or modifier there."
            )
        write_sample(self.writer, time, positions, depsgraph)

    def close(self) -> None:
        """Also after a refusal: the file is to be deleted, and not every system deletes open files."""
        self.writer.close()

    def finish(self) -> None:
        """Give the scene its motion."""
        setattr(self.track.owner, self.track.attribute, self.writer.finish())


def write_sample(writer: MotionWriter, time: float, positions: np.ndarray, depsgraph) -> None:
    """Append positions at a time [s]; a disk that is full is told in words."""
    try:
        writer.append(time, positions)
    except OSError as error:
        folder = writer.path.parent.parent
        raise CacheError(f'The animation up to frame {frame_of(depsgraph)} does not fit into "{folder}" '
                         f"({error.strerror}). Make room, or choose another cache folder.") from error  # fmt: skip


@contextmanager
def kept_playhead(scene: bpy.types.Scene) -> Iterator[None]:
    """Go back to the present frame and subframe in the end."""
    frame, subframe = scene.frame_current, scene.frame_subframe
    try:
        yield
    finally:
        scene.frame_set(frame, subframe=subframe)


@contextmanager
def out_of_edit_mode(view_layer: bpy.types.ViewLayer) -> Iterator[None]:
    """Leave Edit Mode for a while: in it, meshes lack modifiers, and armatures are at rest."""
    active = view_layer.objects.active
    if active is None or active.mode != "EDIT":
        yield
        return
    with bpy.context.temp_override(view_layer=view_layer, active_object=active, object=active):
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        with bpy.context.temp_override(view_layer=view_layer, active_object=active, object=active):
            bpy.ops.object.mode_set(mode="EDIT")


def sampled_frames(first: int, last: int, samples_per_frame: int) -> list[tuple[int, float]]:
    """Frame and subframe of each sample, from the first frame to the last, both included."""
    count = (last - first) * samples_per_frame + 1
    places = (divmod(index, samples_per_frame) for index in range(count))
    return [(first + whole, part / samples_per_frame) for whole, part in places]
