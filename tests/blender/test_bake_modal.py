"""The Bake button in a window, as far as that can be tested without one."""

from types import SimpleNamespace

import bpy
import pytest


@pytest.fixture
def operator(module):
    """A running bake whose next step is given by a generator, with a stand-in for the window."""
    bake = module("addon.operators.bake")

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
        bake._running.append(running)
        return running

    yield start
    bake._running.clear()


@pytest.fixture
def context():
    window = SimpleNamespace(screen=SimpleNamespace(areas=[]))
    return SimpleNamespace(window=window, workspace=SimpleNamespace(status_text_set=lambda text: None))


def event(kind):
    return SimpleNamespace(type=kind, value="PRESS")


def test_an_unforeseen_error_leaves_no_bake_running(module, operator, context):
    def fail():
        raise KeyError("unforeseen")
        yield

    running = operator(fail())
    with pytest.raises(KeyError):
        running.modal(context, event("TIMER"))
    assert module("addon.operators.bake")._running == [] and running.removed == ["timer"]


def test_quitting_says_nothing_when_blender_has_freed_the_bake_before(module, operator):
    def freed():
        try:
            yield
        finally:
            raise ReferenceError("StructRNA of type Scene has been removed")

    steps = freed()
    next(steps)
    operator(steps)
    bake = module("addon.operators.bake")
    bake.stop_running_bake()
    assert bake._running == []


def test_the_file_cannot_be_changed_while_it_is_read(module, operator, context):
    progress, reading = module("addon.progress").Progress, module("addon.bake_session").READING
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
    bake, progress = module("addon.operators.bake"), module("addon.progress").Progress
    cleared = []
    monkeypatch.setattr(
        bpy.types.WorkSpace,
        "status_text_set",
        lambda workspace, text: cleared.append((workspace, bpy.context.workspace, text)),
    )
    running = operator(progress("Frame", number, 9) for number in range(9))
    running.modal(context, event("TIMER"))
    assert bake.current_progress() == progress("Frame", 0, 9)
    bake.stop_running_bake() if end == "disabled" else bake._stop_before_load()
    assert cleared == [(workspace, workspace, None) for workspace in bpy.data.workspaces] and len(cleared) > 1
    assert bake.current_progress() is None and bake._shown == []
    assert running.modal(context, event("TIMER")) == {"CANCELLED"}


def test_no_button_inherits_what_another_one_asked_for():
    """Blender remembers the properties of the last call, unless they are marked: Resume, and then Bake Anew."""
    names = ("resume", "overwrite", "to_playhead", "from_playhead")
    properties = bpy.ops.stiction.bake.get_rna_type().properties
    assert all(properties[name].is_skip_save for name in names)


def test_the_window_is_redrawn_only_when_there_is_something_new(module, operator, context):
    progress, texts = module("addon.progress").Progress, []
    context.workspace.status_text_set = texts.append
    running = operator(progress("Frame", number // 5, 9) for number in range(15))
    for _ in range(12):
        running.modal(context, event("TIMER"))
    assert len(texts) == 3
