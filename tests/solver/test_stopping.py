"""A bake that is stopped in the midst of a step ends at once, and leaves what was before its frame."""

import numpy as np
import pytest

from stiction.solver import Cloth, Collider, Interrupted, Scene, Simulation
from stiction.solver.stage_timer import StageTimer

from .conftest import grid

LAST_FRAME = 4


class Asked:
    """Says stop when it is asked for the last of so many times."""

    def __init__(self, times):
        self.left = times

    def __call__(self):
        self.left -= 1
        return self.left <= 0


def landing_sheet():
    """A sheet that comes to lie on a smaller one."""
    scene = Scene(contact_method="admm")
    positions, triangles = grid()
    scene.add(Collider("table", 0.5 * positions, triangles))
    scene.add(Cloth("sheet", 0.3 * positions + [0.1, 0.1, 0.21], triangles))
    return scene


def asked_in_whole_run():
    simulation, asked = Simulation(landing_sheet()), Asked(10**9)
    simulation.should_stop = asked
    frames = list(simulation.frames(1, LAST_FRAME))
    assert frames[-1].report.contacts > 0
    return frames, 10**9 - asked.left


def test_steps_ask_many_times_whether_to_stop():
    frames, count = asked_in_whole_run()
    iterations = sum(frame.report.contact_iterations for frame in frames)
    assert count > 2 * iterations  # before each solution and each projection of ADMM


@pytest.mark.parametrize("part", [0.3, 0.62, 0.85])
def test_stopped_in_a_step_it_goes_on_to_the_same_bits(part):
    frames, count = asked_in_whole_run()
    simulation = Simulation(landing_sheet())
    simulation.should_stop = Asked(int(part * count))
    with pytest.raises(Interrupted, match=r"Stopped in frame \d"):
        list(simulation.frames(1, LAST_FRAME))
    assert simulation.state.step % simulation.scene.steps_per_frame == 0
    simulation.should_stop = lambda: False
    *_, last = simulation.frames(simulation.frame_number, LAST_FRAME)
    assert np.array_equal(last.positions["sheet"], frames[-1].positions["sheet"])
    assert last.report.contact_iterations == frames[-1].report.contact_iterations


def test_a_timer_that_is_ended_in_a_stage_can_be_used_again():
    timer = StageTimer()
    with pytest.raises(Interrupted), timer.stage("step"):
        timer.before_stage = lambda: (_ for _ in ()).throw(Interrupted("enough"))
        with timer.stage("dynamics"):
            pytest.fail("it was to end before")
    timer.before_stage = lambda: None
    with timer.stage("other"):
        pass
    assert list(timer.take()) == ["step", "other"]
