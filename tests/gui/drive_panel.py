"""Run by a Blender with a window: marks, bakes, stops and resumes by the buttons of the panel, and writes what it saw.

The findings go to /shared/findings.json step by step; the test beside it judges them.
"""

import json
import sys
import time
import traceback
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
import window as w
from extension import LAST_FRAME, cache_bytes, frames_stored, is_baking, is_checking, is_prepared, module, problems
from gaps import GapWatch, measure_gaps

findings: dict = {"blender": bpy.app.version_string, "seconds": {}, "gaps": {}, "callbacks": {}}
gap_watch = GapWatch(findings["gaps"])


def select(name):
    for obj in bpy.context.scene.objects:
        obj.select_set(obj.name == name)
    bpy.context.view_layer.objects.active = bpy.context.scene.objects[name]


def mark_by_buttons():
    """The ball by its kind, the rest by Set Up Shot."""
    select("Ball")
    yield from w.wait(0.5)
    yield from w.press_button("bpy.ops.stiction.add(kind='COLLIDER')")
    yield from w.wait_until(lambda: bpy.data.objects["Ball"].stiction.kind != "NONE", "it is marked", 10)
    select("Scarf")
    yield from w.wait(0.5)
    yield from w.press_button("bpy.ops.stiction.set_up_shot()")
    yield from w.wait_until(lambda: bpy.data.objects["Scarf"].stiction.kind != "NONE", "it is guessed", 10)
    findings["kinds"] = {obj.name: obj.stiction.kind for obj in bpy.context.scene.objects}
    bpy.context.scene.stiction.keeps_measures = True
    findings["notes"] = bpy.context.scene.stiction.set_up_notes


def check_by_button():
    """The very first one, for which the search is compiled or loaded."""
    system = bpy.context.preferences.system
    anti_aliasing, system.viewport_aa = system.viewport_aa, "OFF"  # drawing would take longer than all else
    yield from w.press_button("bpy.ops.stiction.check()")
    yield from w.wait_until(is_checking, "the check has begun", 20)
    began = time.monotonic()
    yield from gap_watch.until(lambda: not is_checking(), "the check is done", "the first check, no anti-aliasing")
    system.viewport_aa = anti_aliasing
    findings["seconds"]["check"] = round(time.monotonic() - began, 3)
    findings["problems"] = problems()
    yield from w.picture("checked")


def watch_callbacks():
    """What our own code takes of the window's thread [s]: steps of the bake and the check, and what the panel draws."""
    watch_modal(module("addon.operators.bake").STICTION_OT_bake, "bake")
    watch_modal(module("addon.operators.check").STICTION_OT_check, "check")
    panel = module("addon.panels").STICTION_PT_bake
    draw = watched(panel.draw, "draw")
    panel.draw = lambda self, context: draw(self, context)  # Blender counts the arguments


def watch_modal(operator, name):
    step = watched(operator.modal, name)
    operator.modal = lambda self, context, event: step(self, context, event)


def watched(action, name):
    seconds = findings["callbacks"].setdefault(name, [])

    def watch(*arguments):
        start = time.thread_time()  # without the time in which other programs have the processor
        try:
            return action(*arguments)
        finally:
            seconds.append(time.thread_time() - start)

    return watch


def bake_and_stop():
    yield from w.press_button("bpy.ops.stiction.bake()")
    yield from w.wait_until(is_baking, "the bake has begun", 20)
    yield from w.wait(1.0)
    yield from w.picture("preparing")
    yield from w.wait_until(is_prepared, "the solver is compiled", 1800)  # the first time, on a busy machine
    yield from w.wait_until(lambda: frames_stored() >= 4, "four frames are there")
    yield from w.picture("baking")
    findings["was_baking"] = is_baking()
    asked = time.monotonic()
    w.press("ESC")
    yield from w.wait_until(lambda: not is_baking(), "the bake has stopped", 60)
    findings["seconds"]["esc"] = round(time.monotonic() - asked, 3)
    findings["frames_after_esc"] = frames_stored()
    yield from w.picture("stopped")


def resume():
    yield from w.press_button("bpy.ops.stiction.bake(resume=True)")
    yield from w.wait_until(is_baking, "the bake goes on", 20)
    yield from w.wait_until(lambda: not is_baking(), "the bake is done")
    findings["frames_after_resume"] = frames_stored()
    bpy.context.scene.frame_set(LAST_FRAME)
    yield from w.picture("baked")
    bpy.context.scene.stiction.shows_contacts, bpy.context.scene.stiction.force_line = True, 5.0
    w.redraw()
    yield from w.picture("contacts")
    bpy.context.scene.stiction.shows_contacts = False
    bpy.data.objects["Scarf"].stiction.friction = 0.8
    w.redraw()
    yield from w.picture("changed")
    bpy.data.objects["Scarf"].stiction.friction = 0.3


def open_advanced_parts():
    """The rarer settings of the bake, and those of a collider under the one method that knows them all."""
    settings = bpy.context.scene.stiction
    yield from w.toggle_part_below("stiction.relaxes_first")
    yield from w.picture("advanced")
    yield from w.toggle_part_below("stiction.relaxes_first")
    settings.contact_method = "PROX"
    select("Ball")
    yield from w.toggle_part_below("stiction.friction")
    yield from w.picture("friction")
    yield from w.toggle_part_below("stiction.friction")
    settings.contact_method = "ADMM"
    select("Scarf")


def bake_anew_while_working():
    """What an artist does meanwhile: other frames, a save, undo, another object made and deleted."""
    before = cache_bytes()
    yield from w.press_button("bpy.ops.stiction.bake(overwrite=True)")
    yield from w.wait_until(lambda: is_prepared() and 2 <= frames_stored() < LAST_FRAME, "it has two frames", 120)
    bpy.context.scene.frame_set(3)
    yield from w.wait(0.3)
    bpy.ops.wm.save_mainfile()
    yield from w.wait(0.3)
    bpy.ops.ed.undo_push(message="before")
    bpy.context.scene.gravity[2] = -1.0
    bpy.ops.ed.undo_push(message="other gravity")
    bpy.ops.ed.undo()
    yield from w.wait(0.3)
    findings["gravity_after_undo"] = bpy.context.scene.gravity[2]
    bpy.ops.mesh.primitive_cube_add(location=(2, 0, 0))
    bpy.ops.object.delete()
    findings["was_baking_meanwhile"] = is_baking()
    yield from w.wait_until(lambda: not is_baking(), "it is done")
    findings["same_bits"] = cache_bytes() == before


def stop_by_button():
    yield from w.press_button("bpy.ops.stiction.bake(overwrite=True)")
    yield from w.wait_until(lambda: is_prepared() and 2 <= frames_stored() < LAST_FRAME, "it has two frames", 120)
    place = yield from w.find_button("bpy.ops.stiction.stop_bake()")
    asked = time.monotonic()
    yield from w.click(place)
    yield from w.wait_until(lambda: not is_baking(), "it has stopped", 60)
    findings["seconds"]["stop_button"] = round(time.monotonic() - asked, 3)


def quit_while_baking():
    yield from w.press_button("bpy.ops.stiction.bake(overwrite=True)")
    yield from w.wait_until(lambda: is_prepared() and 3 <= frames_stored() < LAST_FRAME, "it has three frames", 120)
    findings["was_baking_at_quit"] = is_baking()
    write_findings()
    yield from w.quit_blender()


def everything():
    yield from w.show_sidebar()
    yield from w.picture("unmarked")
    yield from mark_by_buttons()
    w.show_physics_tab()
    yield from w.picture("marked")
    watch_callbacks()
    yield from check_by_button()
    yield from bake_and_stop()
    yield from resume()
    yield from open_advanced_parts()
    yield from bake_anew_while_working()
    yield from measure_gaps(gap_watch)
    yield from stop_by_button()
    yield from quit_while_baking()


def write_findings():
    (w.SHARED / "findings.json").write_text(json.dumps(findings, indent=1))


def guarded():
    try:
        yield from everything()
    except BaseException:
        findings["error"] = traceback.format_exc()
        yield from w.picture("failed")
        write_findings()
        yield from w.quit_blender()


w.run(guarded())
