"""The Bake button in a window, as far as that can be tested without one."""

from types import SimpleNamespace

import bpy
import pytest

from .shots import event


@pytest.fixture
def operator(module):
    """A running bake whose next step is given by a generator, with a stand-in for the window."""
    bake, at_work = module("addon.operators.bake"), module("addon.operators.at_work")

    def start(steps):
        removed = []
        running = SimpleNamespace(
            _steps=steps,
            _stop_asked=False,
            _is_reading=True,
            _timer="timer",
            _window_manager=SimpleNamespace(event_timer_remove=removed.append),
            removed=removed,
        )
        for name in ("modal", "_step", "_finish", "end"):
            setattr(running, name, getattr(bake.STICTION_OT_bake, name).__get__(running))
        at_work.bakes.append(running)
        return running

    yield start
    at_work.bakes.clear()
    at_work._shown.clear()


def test_an_unforeseen_error_leaves_no_bake_running(module, operator, context):
    def fail():
        raise KeyError("unforeseen")
        yield

    running = operator(fail())
    with pytest.raises(KeyError):
        running.modal(context, event("TIMER"))
    assert module("addon.operators.at_work").bakes == [] and running.removed == ["timer"]


def test_quitting_says_nothing_when_blender_has_freed_the_bake_before(module, operator):
    def freed():
        try:
            yield
        finally:
            raise ReferenceError("StructRNA of type Scene has been removed")

    steps = freed()
    next(steps)
    operator(steps)
    at_work = module("addon.operators.at_work")
    at_work.stop_all()
    assert at_work.bakes == []


def test_the_file_cannot_be_changed_while_it_is_read(module, operator, context, monkeypatch):
    progress, reading = module("addon.progress").Progress, module("addon.progress").READING
    monkeypatch.setattr(module("addon.operators.bake"), "READING_SECONDS", 0.0)
    running = operator(iter([progress(reading, 1, 2), progress("Frame", 1, 2)]))
    assert running.modal(context, event("Z")) == {"RUNNING_MODAL"}
    running.modal(context, event("TIMER"))
    assert running.modal(context, event("Z")) == {"RUNNING_MODAL"}
    running.modal(context, event("TIMER"))
    assert running.modal(context, event("Z")) == {"PASS_THROUGH"}
    running._steps = (None for _ in ())  # iterators cannot be closed


@pytest.mark.parametrize("end", ["disabled", "loaded"])
def test_the_status_bar_is_cleared_when_the_bake_is_ended_from_outside(module, operator, context, end, monkeypatch):
    """The extension is disabled, or another file is opened."""
    at_work, progress = module("addon.operators.at_work"), module("addon.progress").Progress
    cleared = []
    monkeypatch.setattr(
        bpy.types.WorkSpace,
        "status_text_set",
        lambda workspace, text: cleared.append((workspace, bpy.context.workspace, text)),
    )
    running = operator(progress("Frame", number, 9) for number in range(9))
    running.modal(context, event("TIMER"))
    assert at_work.current_progress() == progress("Frame", 0, 9)
    at_work.stop_all() if end == "disabled" else at_work._stop_before_load()
    assert cleared == [(workspace, workspace, None) for workspace in bpy.data.workspaces] and len(cleared) > 1
    assert at_work.current_progress() is None
    assert running.modal(context, event("TIMER")) == {"CANCELLED"}


def test_no_button_inherits_what_another_one_asked_for():
    """Blender remembers the properties of the last call, unless they are marked: Resume, and then Bake Anew."""
    names = ("resume", "overwrite", "to_playhead", "from_playhead")
    properties = bpy.ops.stiction.bake.get_rna_type().properties
    assert all(properties[name].is_skip_save for name in names)


def test_animation_is_read_in_as_many_steps_as_fit_into_an_event(module, operator, context, monkeypatch):
    """A viewport that is drawn after each sample would take longer than all the reading."""
    progress, reading = module("addon.progress").Progress, module("addon.progress").READING
    monkeypatch.setattr(module("addon.operators.bake"), "READING_SECONDS", 60.0)
    running = operator(progress(stage, number, 9) for stage in (reading, "Frame") for number in range(9))
    running.modal(context, event("TIMER"))
    assert next(running._steps) == progress("Frame", 1, 9)


@pytest.mark.parametrize(("pause", "count"), [(0.0, 3), (60.0, 1)])
def test_the_window_is_redrawn_for_what_is_new_and_not_too_often(module, operator, context, monkeypatch, pause, count):
    progress, texts = module("addon.progress").Progress, []
    monkeypatch.setattr(module("addon.operators.at_work"), "REDRAW_SECONDS", pause)
    context.workspace.status_text_set = texts.append
    running = operator(progress("Frame", number // 5, 9) for number in range(15))
    for _ in range(12):
        running.modal(context, event("TIMER"))
    assert len(texts) == count


def test_a_new_stage_is_shown_at_once(module, operator, context, monkeypatch):
    progress, texts = module("addon.progress").Progress, []
    monkeypatch.setattr(module("addon.operators.at_work"), "REDRAW_SECONDS", 60.0)
    context.workspace.status_text_set = texts.append
    running = operator(progress(stage, 1, 9) for stage in ("Preparing", "Frame", "Frame"))
    for _ in range(3):
        running.modal(context, event("TIMER"))
    assert len(texts) == 2
