"""A Blender scene as the solver's scene: the start frame, then the motion of all that is animated."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ..solver.errors import SceneRefused
from ..solver.scene import Scene, SceneObject, SimulatedObject
from .input_stack import inputs_only, rope_stand_in, weights_as_attribute
from .marked_object import MarkedObject, marked_objects
from .read_curves import read_hair
from .read_mesh import has_pin_group, read_collider, read_simulated_mesh
from .read_motion import MotionRecorder, kept_playhead, out_of_edit_mode, sampled_frames
from .read_settings import empty_scene, frame_range
from .render_difference import refuse_render_difference


@dataclass
class BakeInputs:
    """All that a bake needs to know of the file."""

    scene: Scene
    transforms: dict[str, np.ndarray]  # of simulated objects, local units to world metres   (frames, 4, 4)
    first_frame: int
    last_frame: int


@dataclass
class _Reading:
    """An object of the file, what it is in the solver's scene, and what follows it through the animation."""

    marked: MarkedObject
    item: SceneObject
    sampler: Callable | None  # its motion, if it has any
    guard: Callable | None = None  # refuses another number of points, where the sampler does not


def read_start(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> Scene:
    """The solver's scene at its first frame, with everything animated at rest; for a check."""
    with _inputs_shown(scene, view_layer) as sources:
        return _scene_of(scene, _read_objects(scene, view_layer, sources))


class SceneReader:
    """Reads a scene in small steps, so that Blender can redraw in between.

    Motions go to files in `motion_folder`, one sample at a time.
    """

    def __init__(self, scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer, motion_folder: Path):
        self.scene = scene
        self.view_layer = view_layer
        self.motion_folder = Path(motion_folder)
        self.inputs: BakeInputs | None = None  # set at the end of `read`

    def read(self) -> Iterator[tuple[int, int]]:
        """Yields how many of all samples are done. Closing the generator restores the file too."""
        with _inputs_shown(self.scene, self.view_layer) as sources:
            readings = _read_objects(self.scene, self.view_layer, sources)
            solver_scene = _scene_of(self.scene, readings)
            transforms = yield from self._follow(solver_scene, readings)
        self.inputs = BakeInputs(solver_scene, transforms, *frame_range(self.scene))

    def _follow(self, solver_scene, readings):
        recorders = self._recorders(readings)
        try:
            transforms = yield from self._record(solver_scene, readings, recorders)
        finally:
            for recorder in recorders:
                recorder.close()
        for recorder in recorders:
            recorder.finish()
        return transforms

    def _record(self, solver_scene, readings, recorders):
        guards = [reading.guard for reading in readings if reading.guard]
        simulated = [reading.marked for reading in readings if reading.marked.is_simulated]
        matrices: dict[str, list[np.ndarray]] = {marked.name: [] for marked in simulated}
        samples = sampled_frames(*frame_range(self.scene), self.scene.stiction.motion_samples)
        for done, (frame, subframe) in enumerate(samples, start=1):
            self.scene.frame_set(frame, subframe=subframe)
            for recorder in recorders:
                recorder.record(solver_scene.time_of(frame + subframe), self.view_layer.depsgraph)
            for guard in guards:
                guard(self.view_layer.depsgraph)
            for marked in simulated if subframe == 0 else ():
                matrices[marked.name].append(marked.matrix(self.view_layer.depsgraph))
            yield done, len(samples)
        return {name: np.stack(of_frames) for name, of_frames in matrices.items()}

    def _recorders(self, readings):
        self.motion_folder.mkdir(parents=True, exist_ok=True)
        moving = [reading for reading in readings if reading.sampler]
        return [
            MotionRecorder(reading.marked, reading.item, reading.sampler, self.motion_folder / f"{index:04}.motion")
            for index, reading in enumerate(moving)
        ]


@contextmanager
def _inputs_shown(scene, view_layer):
    """Show what stands above the simulation; yields the marked objects, each with the object to read from."""
    objects = marked_objects(scene)
    _refuse_linked(objects)
    with ExitStack() as restore:
        restore.enter_context(out_of_edit_mode(view_layer))
        restore.enter_context(kept_playhead(scene))
        restore.enter_context(inputs_only(marked.obj for marked in objects if marked.is_simulated))
        yield [(marked, _source_of(marked, restore)) for marked in objects]


def _refuse_linked(objects):
    """Nothing can be added to an object of another file, so a bake could not be played on it."""
    for marked in objects:
        if marked.is_simulated and marked.is_linked:
            raise marked.refusal("it is linked from another file. Make a library override of it.")


def _source_of(marked, restore):
    if marked.settings.kind == "HAIR" and marked.obj.type == "CURVE":
        return restore.enter_context(rope_stand_in(marked.obj, marked.scene))
    return marked.obj


def _read_objects(scene, view_layer, sources) -> list[_Reading]:
    """All objects at the first frame; refusals are collected, so that the artist sees them at once."""
    readings, problems = [], []
    with ExitStack() as restore:
        for marked, _ in sources:
            if marked.is_simulated and has_pin_group(marked):
                restore.enter_context(weights_as_attribute(marked.obj, marked.settings.pin_group))
        scene.frame_set(frame_range(scene)[0])
        for marked, source in sources:
            try:
                readings.append(_Reading(marked, *_read_object(marked, source, view_layer.depsgraph)))
            except SceneRefused as refused:
                problems += refused.problems
    for reading in readings:
        try:
            if isinstance(reading.item, SimulatedObject) and reading.marked.obj.type != "CURVE":  # a rope is built anew
                refuse_render_difference(reading.marked, len(reading.item.positions), view_layer)
        except SceneRefused as refused:
            problems += refused.problems
    if problems:
        raise SceneRefused(problems)
    return readings


def _read_object(marked, source, depsgraph):
    if marked.settings.kind == "COLLIDER":
        return read_collider(marked, depsgraph)
    if marked.settings.kind == "HAIR":
        return read_hair(marked, source, depsgraph)
    return read_simulated_mesh(marked, depsgraph)


def _scene_of(scene, readings):
    solver_scene = empty_scene(scene)
    for reading in readings:
        solver_scene.add(reading.item)
    return solver_scene
