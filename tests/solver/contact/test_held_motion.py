"""What would cross moves along with what it would cross, and disturbs nothing else."""

import numpy as np
import pytest

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.step_check import StepCheck
from stiction.solver.collision.surface_parts import join_parts
from stiction.solver.integrator.held_motion import HeldMotion, Moving

from ..collision.parts import part

SWING = np.array([0.5, 0.3, -0.2])  # of all that moves [m]
GAP = 0.01  # [m]


def crossing_strands(count=2, is_given=False):
    """Rods of one segment that lie across each other, a gap apart; the first is a collider if that is asked."""
    along, across = np.array([[-0.1, 0, 0], [0.1, 0, 0]]), np.array([[0, -0.1, 0], [0, 0.1, 0]])
    parts, nodes = [], 0
    for number in range(count):
        rest = (across if number % 2 else along) + [0.0, 0.0, GAP * number]
        fields = {"nodes": np.array([[nodes], [nodes + 1]], np.int32)}
        if is_given and not number:
            fields = {"nodes": None, "weights": None, "is_given": np.ones(2, bool)}
        else:
            nodes += 2
        parts.append(part(f"strand {number}", rest, segments=[[0, 1]], **fields))
    return join_parts(parts), np.concatenate([part.rest for part in parts])


def hits_of(surface, starts, ends_of):
    def hits(motion):
        ends, candidates = ends_of(motion), StepCandidates(surface)
        candidates.search(starts, ends, 1e-3)
        return StepCheck(surface, candidates, starts).first_contacts(ends, 0.1)

    return hits


def held(surface, starts, motion, given_motion=None):
    """The motion of all points after holding, the object that held it, and what still crosses."""
    collider_count = 0 if given_motion is None else 2
    given = np.zeros((collider_count, 3)) if given_motion is None else np.tile(given_motion, (2, 1))

    def ends_of(motion):
        return starts + np.concatenate([given, motion])

    masses, is_free = np.ones(len(motion)), np.ones(len(motion), bool)
    nodes, points = Moving(starts[collider_count:], motion), Moving(starts, ends_of(motion) - starts)
    holding = HeldMotion(surface, masses, is_free, nodes, points)
    hits = hits_of(surface, starts, ends_of)
    holding.hold(hits)
    return holding, len(hits(holding.motion).contact_times)


def test_two_that_would_cross_keep_the_motion_that_they_have_together():
    surface, starts = crossing_strands()
    motion = np.tile(SWING, (4, 1))
    motion[2:, 2] -= 3.0 * GAP
    holding, crossings = held(surface, starts, motion)
    assert crossings == 0 and holding.forced == 0 and holding.held_count == 4
    assert holding.motion.mean(axis=0) == pytest.approx(motion.mean(axis=0))
    apart = holding.motion[2:, 2] - holding.motion[:2, 2]
    assert (apart > -GAP).all() and (apart <= 0.0).all()


def test_what_does_not_cross_is_left_alone():
    surface, starts = crossing_strands()
    motion = np.tile(SWING, (4, 1))
    holding, _ = held(surface, starts, motion)
    assert holding.held_count == 0 and np.array_equal(holding.motion, motion)


def test_what_hits_a_collider_moves_along_with_it():
    surface, starts = crossing_strands(is_given=True)
    motion = np.tile(SWING, (2, 1))
    holding, crossings = held(surface, starts, motion, given_motion=SWING + [0.0, 0.0, 3.0 * GAP])
    assert crossings == 0 and holding.forced == 0
    against = holding.motion - (SWING + [0.0, 0.0, 3.0 * GAP])
    assert (against[:, 2] > -GAP).all() and np.abs(against[:, :2]).max() < 1e-12


def test_a_pile_that_is_struck_moves_on_together():
    """The uppermost of ten strands would pass through all others."""
    surface, starts = crossing_strands(10)
    motion = np.tile(SWING, (20, 1))
    motion[18:, 2] -= 12.0 * GAP
    holding, crossings = held(surface, starts, motion)
    assert crossings == 0 and holding.forced == 0
    assert holding.motion.mean(axis=0) == pytest.approx(motion.mean(axis=0))


def test_a_group_turns_as_its_nodes_do():
    """A quarter turn is no approach, however near the strands are; what is added to it is held."""
    surface, starts = crossing_strands()
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    motion = starts @ turn.T - starts
    motion[2:, 2] -= 1.5 * GAP
    holding, crossings = held(surface, starts, motion)
    assert crossings == 0
    ends = starts + holding.motion
    assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(0.2)
    assert ends[1, :2] - ends[0, :2] == pytest.approx([0.0, 0.2], abs=1e-9)


def test_what_nothing_can_free_is_told():
    """A collider runs over a strand that is pinned."""
    surface, starts = crossing_strands(is_given=True)
    motion = np.zeros((2, 3))
    masses, nothing_free = np.ones(2), np.zeros(2, bool)
    given = np.tile([0.0, 0.0, 3.0 * GAP], (2, 1))

    def ends_of(motion):
        return starts + np.concatenate([given, motion])

    nodes, points = Moving(starts[2:], motion), Moving(starts, ends_of(motion) - starts)
    holding = HeldMotion(surface, masses, nothing_free, nodes, points)
    holding.hold(hits_of(surface, starts, ends_of))
    assert holding.forced == 1 and holding.held_count == 0


def strands_crossed_at_their_roots(gap):
    """Two strands of three points, two of them held, that cross a twentieth of the way behind these."""
    direction, other = np.array([0.3, 0.1, 1.0]), np.array([-0.2, 0.4, 0.9])
    normal = np.cross(direction, other)
    along, across = np.outer([-1.0, 0.0, 1.0], direction) * 8e-3, np.outer([-1.0, 0.0, 1.0], other) * 8e-3
    rest = 0.09 + np.concatenate([along - 0.05 * along[2], across - 0.05 * across[2] + gap * normal])
    is_held = np.array([True, True, False])
    parts = [
        part(f"strand {number}", rest[rows], segments=[[0, 1], [1, 2]], radii=np.full(3, 4e-5), is_given=is_held,
             nodes=np.arange(6, dtype=np.int32)[rows][:, None])
        for number, rows in enumerate((slice(0, 3), slice(3, 6)))
    ]  # fmt: skip
    return join_parts(parts), rest, np.tile(~is_held, 2)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("gap", [1e-5, 1e-8, 1e-11])
def test_strands_that_cross_at_their_roots_turn_with_the_skin(gap, seed):
    """As near as that to each other only the motion of the roots, all of it, is one that keeps them apart."""
    random = np.random.default_rng(seed)
    surface, starts, is_free = strands_crossed_at_their_roots(gap)
    turn = np.linalg.qr(np.eye(3) + 0.06 * random.normal(size=(3, 3)))[0]
    turn *= np.sign(np.diag(turn))[None, :]
    motion = starts @ turn.T - starts
    motion[is_free] += 4e-3 * random.normal(size=(2, 3))

    def ends_of(motion):
        return starts + motion

    holding = HeldMotion(surface, np.ones(6), is_free, Moving(starts, motion), Moving(starts, motion))
    holding.hold(hits_of(surface, starts, ends_of))
    assert holding.forced == 0 and len(hits_of(surface, starts, ends_of)(holding.motion).contact_times) == 0
    assert np.array_equal(holding.motion[~is_free], motion[~is_free])


def test_what_a_group_runs_into_gives_way_and_does_not_join_it():
    """Two strands that move as one are run into by a third: only that is pushed."""
    surface, starts = crossing_strands(3)

    def hits(motion):
        return hits_of(surface, starts, lambda motion: starts + motion)(motion)

    motion = np.tile(SWING, (6, 1))
    motion[2:4, 2] -= 3.0 * GAP
    motion[4:, 2] += GAP  # out of the way at first
    holding = HeldMotion(surface, np.ones(6), np.ones(6, bool), Moving(starts, motion), Moving(starts, motion))
    crossing = hits(motion)
    assert holding._take_in(crossing.contacts, np.zeros(len(crossing.contact_times)))
    holding._move()
    grouped = holding.motion[:4].copy()
    holding.motion[4:, 2] -= 6.0 * GAP
    for _ in range(3):
        crossing = hits(holding.motion)
        holding._push(crossing.contacts, 0.8 * crossing.contact_times)
    assert np.array_equal(holding.motion[:4], grouped)
    assert (holding.groups[4:] == -1).all() and holding.is_pushed[4:].all()
    assert len(hits(holding.motion).contact_times) == 0
