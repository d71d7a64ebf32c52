"""States from which frames are measured: hair and cloth come to lie in few, coarse steps, stored in out/bench."""

import sys
from dataclasses import replace

from stiction.solver import Scene
from stiction.solver.state import State

from .scenes.running import frame_line
from .scenes.stored_run import FOLDER, StoredRun

COARSE = {"steps_per_frame": 2, "contact_iterations": 10, "contact_sweeps": 5}


def settled_state(name: str, scene: Scene, seconds: float) -> State:
    """The state of a scene after some seconds, in terms of its own, shorter steps."""
    stored = StoredRun(FOLDER / f"settled-{name}", replace(scene, **COARSE))
    for entry in stored.frames(scene.start_frame + round(seconds * scene.frames_per_second)):
        print(f"settling: {frame_line(entry)}", file=sys.stderr, flush=True)
    state, ratio = stored.simulation.state, scene.steps_per_frame // COARSE["steps_per_frame"]
    state.step *= ratio
    state.impulses /= ratio
    return state
