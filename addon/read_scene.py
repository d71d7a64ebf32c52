"""A Blender scene as the solver's scene: the start frame, then the motion of all that is animated."""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import bpy
import numpy as np

from ..solver.errors import Problem, SceneRefused
from ..solver.scene import Attachment, Hair, Scene, SceneObject, SimulatedObject, SurfaceObject
from .in_background import result_of
from .input_stack import inputs_only, rope_stand_in
from .marked_object import MarkedObject, marked_objects
from .progress import READING, Progress
from .read_attachments import read_attachments
from .read_curves import read_hair
from .read_force_fields import field_recorders, read_force_fields
from .read_friction import FrictionRecorder
from .read_keys import object_recorders, scene_recorders
from .read_motion import MotionRecorder, Track, kept_playhead, out_of_edit_mode, sampled_frames
from .read_roots import bind_roots
from .read_settings import empty_scene, frame_range
from .read_surfaces import read_collider, read_simulated_mesh
from .read_weights import weights_shown
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
    tracks: list[Track]
    guard: Callable | None  # refuses another number of points, where no track does
    attachments: list[Attachment] = field(default_factory=list)


def read_start(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> Scene:
    """The solver's scene at its first frame, with everything animated at rest; for a check."""
    return result_of(read_start_in_steps(scene, view_layer))


def read_start_in_steps(scene: bpy.types.Scene, view_layer: bpy.types.ViewLayer) -> Generator[Progress, None, Scene]:
    """The same, an object a step, so that Blender can redraw in between. Closing it restores the file."""
    readings: list[_Reading] = []
    with _inputs_shown(scene, view_layer) as sources:
        for _ in _read_objects(scene, view_layer, sources, readings):
            yield Progress(READING, 0, 1)
        return _scene_of(scene, view_layer, readings)


class SceneReader:
    """Reads a scene in small steps, so that Blender can redraw in between.

    Motions go to files in `motion_folder`, one sample at a time.
    """

    def __init__(
        self,
        scene: bpy.types.Scene,
        view_layer: bpy.types.ViewLayer,
        motion_folder: Path,
        last_frame: int | None = None,
    ):
        """Up to the scene's last frame, or an earlier one that is asked for."""
        self.scene = scene
        self.last_frame = last_frame
        self.view_layer = view_layer
        self.motion_folder = Path(motion_folder)
        self.start: Scene | None = None  # set at the beginning of `read`
        self.inputs: BakeInputs | None = None  # set at the end of `read`

    def read(self) -> Iterator[tuple[int, int]]:
        """Yields how many of all samples are done: none, until the start is read. Closing it restores the file."""
        readings: list[_Reading] = []
        none_done = 0, len(self._samples())
        with _inputs_shown(self.scene, self.view_layer) as sources:
            for _ in _read_objects(self.scene, self.view_layer, sources, readings):
                yield none_done
            solver_scene = self.start = _scene_of(self.scene, self.view_layer, readings)
            yield none_done
            transforms = yield from self._follow(solver_scene, readings)
        self.inputs = BakeInputs(solver_scene, transforms, *self._range())

    def _range(self) -> tuple[int, int]:
        first, last = frame_range(self.scene)
        return first, last if self.last_frame is None else min(last, self.last_frame)

    def _samples(self):
        return sampled_frames(*self._range(), self.scene.stiction.motion_samples)

    def _follow(self, solver_scene, readings):
        recorders = self._recorders(readings)
        recorders += [FrictionRecorder(reading.marked, reading.item) for reading in readings]
        recorders += [keys for reading in readings for keys in object_recorders(reading.marked, reading.item)]
        recorders += scene_recorders(solver_scene)
        recorders += field_recorders(self.scene, solver_scene.force_fields, self.motion_folder)
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
        samples = self._samples()
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
        tracks = [(reading.marked, track) for reading in readings for track in reading.tracks]
        return [
            MotionRecorder(marked, track, self.motion_folder / f"{index:04}.motion")
            for index, (marked, track) in enumerate(tracks)
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


def _read_objects(scene, view_layer, sources, readings_out: list[_Reading]) -> Iterator[None]:
    """All objects at the first frame, one a step; refusals are collected, so that the artist sees them at once."""
    problems: list[Problem] = []
    with ExitStack() as restore:
        for marked, _ in sources:
            if not marked.is_linked:  # nothing can be added to it
                restore.enter_context(weights_shown(marked))
        scene.frame_set(frame_range(scene)[0])
        for marked, source in sources:
            with _collected(problems):
                readings_out.append(_Reading(marked, *_read_object(marked, source, view_layer.depsgraph)))
            yield
        if not problems:  # a refused object cannot be found by those that are tied to it
            problems = _tie(readings_out, view_layer.depsgraph)
    for reading in readings_out:
        with _collected(problems):
            if isinstance(reading.item, SimulatedObject) and reading.marked.obj.type != "CURVE":  # a rope is built anew
                refuse_render_difference(reading.marked, len(reading.item.positions), view_layer)
    if problems:
        raise SceneRefused(problems)


@contextmanager
def _collected(problems: list[Problem]) -> Iterator[None]:
    try:
        yield
    except SceneRefused as refused:
        problems += refused.problems


def _read_object(marked, source, depsgraph):
    if marked.settings.kind == "COLLIDER":
        return read_collider(marked, depsgraph)
    if marked.settings.kind == "HAIR":
        return read_hair(marked, source, depsgraph)
    return read_simulated_mesh(marked, depsgraph)


def _tie(readings, depsgraph) -> list[Problem]:
    """Read what ties objects to each other; all of them are there by now. Returns the refusals."""
    problems: list[Problem] = []
    surfaces = {reading.marked.obj: reading.item for reading in readings if isinstance(reading.item, SurfaceObject)}
    for reading in readings:
        with _collected(problems):
            if isinstance(reading.item, Hair):
                bind_roots(reading.marked, reading.item, surfaces)
            if reading.marked.is_simulated:
                reading.attachments += read_attachments(reading.marked, reading.item, surfaces, depsgraph)
    return problems


def _scene_of(scene, view_layer, readings):
    solver_scene = empty_scene(scene)
    solver_scene.force_fields += read_force_fields(scene, view_layer.depsgraph)
    for reading in readings:
        solver_scene.add(reading.item)
        solver_scene.attachments += reading.attachments
    return solver_scene
