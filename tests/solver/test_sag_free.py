"""Objects that start at rest in the artist's pose stay there."""

import numpy as np

from stiction.solver import Cloth, Hair, Scene, Simulation

from .conftest import grid, strands


def largest_motion(scene, frames=13):
    simulation = Simulation(scene)
    first, *_, last = simulation.frames(1, frames)
    return {name: np.abs(last.positions[name] - first.positions[name]).max() for name in first.positions}


def shot(is_sag_free):
    scene = Scene()
    positions, triangles = grid()
    positions = positions[:, [0, 2, 1]] * [1, 1, -1]  # hanging from its first row
    positions[:, 1] += 0.03 * np.sin(20 * positions[:, 0])  # in folds
    scene.add(Cloth("curtain", positions, triangles, pinned=np.arange(5), is_sag_free=is_sag_free))
    tufts, offsets = strands(points=8)
    tufts = tufts @ np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]])  # sticking out sideways
    pinned = (offsets[:-1, None] + [0, 1]).ravel()
    scene.add(Hair("groom", tufts, offsets, pinned=pinned, is_sag_free=is_sag_free))
    return scene


def test_grooms_and_garments_keep_their_pose_when_asked():
    kept, sagging = largest_motion(shot(True)), largest_motion(shot(False))
    assert kept["groom"] < 1e-6 < 1e-2 < sagging["groom"]
    assert kept["curtain"] < 1e-3 * sagging["curtain"]


def test_only_those_who_ask_are_changed():
    scene = Scene()
    tufts, offsets = strands(points=8)
    tufts = tufts @ np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0]])
    pinned = (offsets[:-1, None] + [0, 1]).ravel()
    scene.add(Hair("kept", tufts, offsets, pinned=pinned, is_sag_free=True))
    scene.add(Hair("sags", tufts + [0, 1, 0], offsets, pinned=pinned))
    motion = largest_motion(scene)
    assert motion["kept"] < 1e-6 < 1e-3 < motion["sags"]


def test_what_hangs_on_nothing_is_told():
    scene = Scene()
    scene.add(Cloth("sheet", *grid(), is_sag_free=True))
    assert any("hangs on nothing" in problem.sentence for problem in Simulation(scene).warnings)


def test_what_no_rest_shape_can_hold_is_told():
    """A level sheet on two corners would swing about them, whatever its rest shape."""
    scene = Scene()
    scene.add(Cloth("sheet", *grid(), pinned=[0, 4], is_sag_free=True))
    (warning,) = Simulation(scene).warnings
    assert "no rest shape holds it" in warning.sentence
