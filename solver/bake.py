"""A bake: simulate, store, and go on where an earlier run stopped."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from .errors import CacheError, CacheOccupied, InputsChanged
from .fingerprint import changes
from .frame import Frame
from .frame_store import FrameStore
from .manifest import Manifest, refuse_changed_inputs
from .simulation import Simulation
from .validation import refuse_empty_range
from .vertex_measures import VertexMeasures

TIMING = ("start_frame", "frames_per_second", "steps_per_frame")  # of a scene: what a step is
TOPOLOGY = ("kind", "triangles", "strand_offsets", "pinned")  # of an object: how its nodes are numbered


def prepare_store(folder: Path, point_counts, frame_range: tuple[int, int], inputs: dict, resume: bool) -> FrameStore:
    """A new store, or (asked to resume) the one that is there, if it was made from the same inputs."""
    first_frame, last_frame = frame_range
    refuse_empty_range(first_frame, last_frame)
    if not (resume and (Path(folder) / Manifest.FILE_NAME).exists()):
        return FrameStore.create(folder, point_counts, first_frame, last_frame, inputs)
    store = FrameStore.open(folder)
    refuse_changed_inputs(store.manifest, inputs)
    if store.manifest.first_frame != first_frame:
        raise CacheOccupied(f'The bake in "{folder}" starts at frame {store.manifest.first_frame}, not '
                            f"{first_frame}. Free it and bake again.")  # fmt: skip
    _change_last_frame(store, last_frame, inputs)
    return store


def prepare_rebake(folder: Path, frame_number: int, frame_range: tuple[int, int], inputs: dict) -> FrameStore:
    """The store that is there, without this frame and all after it; they may be baked from a changed scene."""
    refuse_empty_range(*frame_range)
    store = FrameStore.open(folder)
    if not frame_range[0] < frame_number <= frame_range[1]:
        raise CacheError(f"Frame {frame_number} cannot be baked again alone: choose one after frame {frame_range[0]}, "
                         f"up to {frame_range[1]}, or bake anew.")  # fmt: skip
    _refuse_other_objects(store.manifest.inputs, inputs)
    store.rewind(frame_number, inputs, changes(store.manifest.inputs, inputs))
    store.change_range(max(frame_range[1], store.last_frame_done or 0), inputs)
    return store


def _refuse_other_objects(before, after):
    """A state goes on only in a scene with the same points, at the same times."""
    words = [name.replace("_", " ") for name in TIMING if before.get(name) != after.get(name)]
    points = {name: _points_of(item) for name, item in before["objects"].items()}
    if points != {name: _points_of(item) for name, item in after["objects"].items()}:
        words.append("the objects, or their vertices and faces")
    if words:
        raise InputsChanged(f"Frames can be baked again only where these are as before: {', '.join(words)}. "
                            "Undo that change, or bake anew.", words)  # fmt: skip


def _points_of(described):
    return {name: described.get(name) for name in TOPOLOGY}


def _change_last_frame(store, last_frame, inputs):
    """A longer bake has a longer description; a shorter one keeps that of all frames that are there."""
    known = store.manifest.last_frame
    if last_frame > known:
        store.change_range(last_frame, inputs)
    elif last_frame < known:
        done = store.manifest.first_frame + store.frames_done - 1
        store.change_range(max(last_frame, done), store.manifest.inputs)


def bake(
    simulation: Simulation,
    store: FrameStore,
    stored_positions: Callable[[Frame], dict[str, np.ndarray]] = lambda frame: frame.positions,
    on_frame: Callable[[Frame], None] = lambda frame: None,
    counts_intersections: bool = False,
) -> None:
    """Bake all frames that the store does not have yet; what is finished stays, whatever happens.

    Counting what intersects, for the reports, costs up to seconds a frame in large scenes.
    """
    find_intersections = _finder(simulation) if counts_intersections else None
    measures = VertexMeasures(simulation.scene, store.manifest.objects)
    store.start_writing()
    try:
        if store.frames_done:
            simulation.restore(store.checkpoint())
        next_frame = store.manifest.first_frame + store.frames_done
        if next_frame > store.manifest.last_frame:
            return
        for frame in simulation.frames(next_frame, store.manifest.last_frame):
            if find_intersections is not None:
                found = find_intersections(frame)
                frame.report.intersections, frame.report.intersecting = found.count, found.sentences
            rows = stored_positions(frame) | measures.rows(simulation, frame)
            store.append(frame.number, rows, frame.report, simulation.state)
            on_frame(frame)
    finally:
        store.close()


def _finder(simulation):
    """Imported when it is asked for, because of its kernels."""
    from .collision.frame_check import intersection_finder

    return intersection_finder(simulation.scene, simulation.surface)
