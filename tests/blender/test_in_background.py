"""What a thread works out while the window waits."""

import threading
import time

import bpy
import pytest

from .shots import make_shot


def drained(steps):
    """All that a generator yields, and what it returns."""
    yielded = []
    while True:
        try:
            yielded.append(next(steps))
        except StopIteration as end:
            return yielded, end.value


def test_progress_is_told_until_the_result_is_there(module):
    background, progress = module("addon.in_background"), module("addon.progress").Progress("Reading", 0, 9)
    yielded, (result, thread) = drained(
        background.in_background(progress, lambda: (time.sleep(0.05), (42, threading.current_thread()))[1])
    )
    assert result == 42 and thread is not threading.main_thread()
    assert len(yielded) > 1 and set(yielded) == {progress}


def test_errors_come_back_and_closing_waits(module):
    background, ended = module("addon.in_background"), []

    def fail():
        raise KeyError("unforeseen")

    with pytest.raises(KeyError, match="unforeseen"):
        drained(background.in_background(None, fail))
    steps = background.in_background(None, lambda: (time.sleep(0.05), ended.append(True)))
    next(steps)
    steps.close()
    assert ended == [True]


def test_a_scene_that_is_refused_leaves_no_folder_and_the_file_as_it_was(module, blend_path):
    scene = make_shot()
    scene.objects["Sheet"].data.vertices[0].co.x, scene.frame_current = float("nan"), 3
    with pytest.raises(RuntimeError, match="not finite"):
        bpy.ops.stiction.bake()
    assert scene.frame_current == 3 and not (blend_path.parent / "stiction_cache").exists()
