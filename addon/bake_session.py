"""One bake from start to end on Blender's side, as a generator.

Each `next` does a little and says how far it is, so the same code serves the modal operator (one
`next` a timer event) and the command line (a plain loop). Closing it stops the bake and keeps all
frames that are done.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import bpy

from ..solver.errors import CacheError, CacheOccupied, StictionError
from ..solver.frame_store import FrameStore
from ..solver.manifest import Manifest
from ..solver.validation import refuse_bad_scene
from .bake_job import BakeJob
from .bake_wish import PLAIN_BAKE, BakeWish
from .cache_folder import kernel_folder, settle_cache_folder
from .ignored_settings import ignored_settings
from .in_background import in_background
from .marked_object import marked_objects
from .motion_folder import motion_folder
from .progress import READING, Progress
from .read_scene import BakeInputs, SceneReader
from .read_settings import frame_range
from .write_measures import connect_measures
from .write_playback import connect_playback, missing_of_rope, to_local


class BakeSession:
    """The bake of one scene; `run` does the work, `store` and `warnings` tell the result."""

    def __init__(self, context: bpy.types.Context, wish: BakeWish = PLAIN_BAKE):
        wish.refuse_contradictions()
        self.scene = context.scene
        self.view_layer = context.view_layer
        self.wish = replace(wish, keeps_measures=self.scene.stiction.keeps_measures)
        self.folder = settle_cache_folder(self.scene)
        self.warnings: list[str] = []
        self.store: FrameStore | None = None

    def run(self) -> Iterator[Progress]:
        """Bake; yields progress, raises a StictionError if something is refused or fails."""
        self._refuse_bad_wish()
        with motion_folder(self.folder) as folder:
            reader = SceneReader(self.scene, self.view_layer, folder, self.wish.to_frame)
            yield from self._read(reader)
            assert reader.inputs is not None
            yield from self._run_job(reader.inputs)

    def _read(self, reader):
        """The start first: what is wrong with it is told before the animation is read, which may take minutes."""
        unused = [problem.sentence for problem in ignored_settings(self.scene)] + _missing_of_ropes(self.scene)
        with closing(reader.read()) as samples:
            while reader.start is None:
                start = Progress(READING, *next(samples))
                yield start
            problems = yield from in_background(start, refuse_bad_scene, reader.start)
            self.warnings = [problem.sentence for problem in problems] + unused
            for done, total in samples:
                yield Progress(READING, done, total)

    def _run_job(self, inputs: BakeInputs):
        identities = {marked.name: marked.obj.session_uid for marked in marked_objects(self.scene)}
        job = BakeJob(inputs, self.folder, self.wish, kernel_folder())
        job.start()
        try:
            while job.is_running:
                yield job.progress
        finally:
            job.stop()
            job.join()
            self.warnings += [sentence for sentence in job.warnings if sentence not in self.warnings]
            if job.store:  # a refused resume leaves the earlier bake playing as it did
                self._connect(inputs, identities)
        if job.error:
            raise job.error
        yield job.progress

    def _connect(self, inputs, identities):
        """Let Blender play all frames that are there."""
        self.store = FrameStore.open(self.folder)
        if not self.store.frames_done:
            return
        by_identity = {obj.session_uid: obj for obj in bpy.data.objects}
        for name in inputs.transforms:
            obj = by_identity.get(identities[name])
            if obj is None:
                self.warnings.append(f'"{name}" was deleted during the bake; its cache is kept.')
                continue
            start = to_local(inputs.scene.objects[name].positions, inputs.transforms[name][0])
            try:
                connect_playback(obj, self.store.path_of(name), inputs.first_frame, start)
                connect_measures(obj, self.store, name)
            except StictionError as error:  # the artist went on working; the other objects play all the same
                self.warnings.append(str(error))

    def _refuse_bad_wish(self):
        """Before the animation is read: that may take minutes."""
        self.wish.refuse_frames_outside(*frame_range(self.scene))
        is_there = (self.folder / Manifest.FILE_NAME).exists()
        if is_there and not self.wish.minds_earlier_bake:
            raise CacheOccupied(f'"{self.folder}" holds a bake already. Resume it, free it, or bake anew on purpose.')
        if self.wish.from_frame is not None and not is_there:
            raise CacheError("There is no bake yet, so nothing can be baked again. Press Bake.")


def _missing_of_ropes(scene):
    ropes = [marked for marked in marked_objects(scene) if marked.is_simulated and marked.obj.type == "CURVE"]
    missing = {marked.name: ", ".join(missing_of_rope(marked.obj.data)) for marked in ropes}
    return [f'Hair "{name}": its baked rope is shown without {what}. Convert it to a mesh to keep that.'
            for name, what in missing.items() if what]  # fmt: skip
