"""The Bake button in a window, as far as that can be tested without one."""

from types import SimpleNamespace

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


def test_the_file_cannot_be_changed_while_it_is_read(module, operator, context):
    progress, reading = module("addon.progress").Progress, module("addon.bake_session").READING
    running = operator(iter([progress(reading, 1, 2), progress("Frame", 1, 2)]))
    assert running.modal(context, event("Z")) == {"RUNNING_MODAL"}
    running.modal(context, event("TIMER"))
    assert running.modal(context, event("Z")) == {"RUNNING_MODAL"}
    running.modal(context, event("TIMER"))
    assert running.modal(context, event("Z")) == {"PASS_THROUGH"}
    running._steps = (None for _ in ())  # iterators cannot be closed
