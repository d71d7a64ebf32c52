"""The Check button in a window, as far as that can be tested without one."""

import threading
from types import SimpleNamespace

import bpy
import pytest

from .shots import event, make_shot


@pytest.fixture
def checking(module):
    """Begins a check as the window would, with a stand-in for it."""
    check, at_work = module("addon.operators.check"), module("addon.operators.at_work")

    def start():
        removed, told = [], []
        running = SimpleNamespace(
            _steps=check.find_in_steps(bpy.context.scene, bpy.context.view_layer),
            _scene=bpy.context.scene.session_uid,
            _is_reading=True,
            _timer="timer",
            _window_manager=SimpleNamespace(event_timer_remove=removed.append),
            report=lambda kind, sentence: told.append(sentence),
            removed=removed,
            told=told,
        )
        for name in ("modal", "end", "_tell"):
            setattr(running, name, getattr(check.STICTION_OT_check, name).__get__(running))
        at_work.checks.append(running)
        return running

    yield start
    at_work.checks.clear()


def run_to_the_end(running, context):
    while (answer := running.modal(context, event("TIMER"))) == {"RUNNING_MODAL"}:
        pass
    assert answer == {"FINISHED"}


def test_a_thread_looks_while_the_window_goes_on(module, checking, context, blend_path, monkeypatch):
    threads, check = [], module("addon.operators.check")
    monkeypatch.setattr(check, "check_scene", lambda scene: threads.append(threading.current_thread()) or [])
    make_shot()
    running = checking()
    assert running.modal(context, event("Z")) == {"RUNNING_MODAL"}  # what is read must stay as it is
    assert not bpy.ops.stiction.bake.poll() and not bpy.ops.stiction.check.poll()
    while running._is_reading:
        assert running.modal(context, event("TIMER")) == {"RUNNING_MODAL"}
    assert running.modal(context, event("Z")) == {"PASS_THROUGH"}
    run_to_the_end(running, context)
    assert threads != [threading.main_thread()] and running.removed == ["timer"]
    assert bpy.ops.stiction.bake.poll() and bpy.ops.stiction.check.poll()


def test_it_finds_what_a_check_without_a_window_finds(module, checking, context, blend_path):
    make_shot()
    bpy.context.scene.objects["Groom"].stiction.density = 0.0
    check = module("addon.operators.check")
    expected = check.find_problems(bpy.context)
    running = checking()
    run_to_the_end(running, context)
    assert expected and check.found_problems(bpy.context.scene) == expected
    assert running.told == [problem.sentence for problem in expected]


def test_a_check_is_ended_with_its_file(module, checking, context, blend_path):
    make_shot()
    running, at_work = checking(), module("addon.operators.at_work")
    frame = bpy.context.scene.frame_current
    running.modal(context, event("TIMER"))
    at_work._stop_before_load()
    assert at_work.checks == [] and running.modal(context, event("TIMER")) == {"CANCELLED"}
    assert bpy.context.scene.frame_current == frame
