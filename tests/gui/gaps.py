"""How long Blender's window does not answer: the time between ticks of its own timer, with and without a bake."""

import time

import bpy
import extension
import window as w

TICK_SECONDS = 0.02  # between ticks of a window that has nothing else to do
DRAWING_SECONDS = 8.0
LONG_SHOT = 600  # frames: a bake of seconds would tell of its beginning only


class GapWatch:
    """Keeps the gaps [s] between ticks by the name of what goes on, while `what` has one."""

    def __init__(self, gaps: dict[str, list[float]]):
        self.gaps, self.what = gaps, ""
        self._last, self._was = time.monotonic(), ""
        bpy.app.timers.register(self._tick, persistent=True)

    def _tick(self):
        now = time.monotonic()
        if self.what and self.what == self._was:
            self.gaps.setdefault(self.what, []).append(round(now - self._last, 4))
        self._last, self._was = now, self.what
        return TICK_SECONDS

    def until(self, is_true, what, title, seconds=420):
        """Wait, and watch meanwhile."""
        self.what = title
        yield from w.wait_until(is_true, what, seconds)
        self.what = ""


def measure_gaps(watch):
    """With the viewport's anti-aliasing, which draws it again and again until it is smooth, and without."""
    system, scene = bpy.context.preferences.system, bpy.context.scene
    scene.frame_end = LONG_SHOT
    for anti_aliasing, words in ((system.viewport_aa, ""), ("OFF", ", no anti-aliasing")):
        system.viewport_aa = anti_aliasing
        yield from draw_without_bake(watch, "no bake" + words)
        yield from bake_undisturbed(watch, "bake" + words)
    scene.frame_end = extension.LAST_FRAME


def bake_undisturbed(watch, title):
    """From the first frame to the last, and nothing else is asked of the window."""
    yield from w.press_button("bpy.ops.stiction.bake(overwrite=True)")
    yield from w.wait_until(extension.is_baking, "the bake has begun", 20)
    yield from w.wait_until(extension.is_prepared, "the animation is read", 120)
    yield from watch.until(lambda: not extension.is_baking(), "it is done", title)


def draw_without_bake(watch, title):
    """What a bake has the window draw, without a bake: the animation goes by, and then progress is shown."""
    for frame in (*range(1, extension.LAST_FRAME, 8), 1):
        bpy.context.scene.frame_set(frame)
        yield
    end, progress = time.monotonic() + DRAWING_SECONDS, ever_new_progress()

    def is_over():
        with bpy.context.temp_override(window=w.window()):
            extension.at_work().show_progress(bpy.context, next(progress))
        return time.monotonic() > end

    yield from watch.until(is_over, "progress was shown", title)
    extension.at_work().hide_progress()
    yield from w.wait(1.0)


def ever_new_progress():
    """Something new to be shown at every tick."""
    new = extension.module("addon.progress").Progress
    return (new("Frame", number, 10_000) for number in range(10_000))
