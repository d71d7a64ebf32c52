"""Steps with contacts: nothing crosses, nothing explodes, and what is given stays given."""

from dataclasses import replace

import numpy as np
import pytest

from stiction.solver import Cloth, Collider, Hair, HairMaterial, PairFriction, RigidBody, Scene, Simulation, SoftBody
from stiction.solver.contact.from_surface import OPENING_TIME
from stiction.solver.errors import SceneRefused

from .colliding import Colliding, box, sheet

THICKNESS = 2e-3


def floor(friction=0.3):
    return Collider("floor", *box((4.0, 4.0, 1.0), (0, 0, -0.5)), friction=friction, thickness=THICKNESS)


def test_a_sheet_falls_on_a_box_and_on_itself():
    scene = Scene()
    scene.add(Collider("table", *box(0.2, (0, 0, 0)), thickness=THICKNESS))
    scene.add(floor())
    scene.add(Cloth("sheet", *sheet(11, 0.5, 0.12), thickness=THICKNESS))
    colliding = Colliding(scene)
    for _ in range(10):
        reports = colliding.advance(0.05)
        assert colliding.crossings() == 0
    assert reports[-1].contact_count > 50 and reports[-1].forced == 0
    assert np.linalg.norm(colliding.state.velocities, axis=1).max() < 10.0
    assert colliding.state.positions[:, 2].max() < 0.13


def test_hair_and_cloth_and_bodies_meet():
    scene = Scene()
    scene.add(floor())
    strands = np.concatenate([np.linspace([x, 0, 0.3], [x, 0.2, 0.3], 12) for x in np.linspace(-0.05, 0.05, 6)])
    thick = HairMaterial(radius=THICKNESS / 2)
    scene.add(
        Hair("hair", strands, np.arange(7) * 12, pinned=(np.arange(6)[:, None] * 12 + [0, 1]).ravel(), material=thick)
    )
    scene.add(Cloth("sheet", *sheet(7, 0.2, 0.2), thickness=THICKNESS))
    scene.add(SoftBody("jelly", *box(0.1, (0, 0, 0.06)), resolution=2, thickness=THICKNESS))
    scene.add(RigidBody("prop", *box(0.08, (0.02, 0.0, 0.4)), thickness=THICKNESS))
    colliding = Colliding(scene)
    for _ in range(8):
        colliding.advance(0.0625)
        assert colliding.crossings() == 0
    assert np.isfinite(colliding.state.positions).all()
    assert colliding.state.positions[:, 2].min() > -0.01


def test_strands_that_cross_fast_do_not_pass_through_each_other():
    """A strand shot at another one, clamped at both ends, is stopped by it."""
    scene = Scene(gravity=(0, 0, 0))
    material = HairMaterial(radius=1e-3)
    line = np.linspace([-0.1, 0, 0], [0.1, 0, 0], 21)
    scene.add(Hair("string", line, [0, 21], pinned=[0, 1, 19, 20], material=material))
    arrow = np.linspace([0.003, -0.1, 0.05], [0.003, 0.1, 0.05], 21)
    scene.add(Hair("arrow", arrow, [0, 21], start_velocity=(0, 0, -6.0), material=material))
    colliding = Colliding(scene)
    for _ in range(6):
        colliding.advance(0.0417)
        middles = colliding.state.positions[[10, 31], 2]
        assert middles[1] > middles[0]  # the arrow stays on its side


def test_a_pair_has_its_own_friction():
    """One coefficient for the pair instead of both objects' mean."""

    def way(pairs):
        scene = Scene(gravity=(2.0, 0.0, -9.81), pair_friction=pairs)
        scene.add(floor(friction=1.0))
        scene.add(Cloth("sheet", *sheet(4, 0.1, THICKNESS), friction=1.0, thickness=THICKNESS))
        colliding = Colliding(scene)
        colliding.advance(0.25)
        return colliding.state.positions[:, 0].mean()

    assert abs(way([])) < 1e-4
    assert way([PairFriction("floor", "sheet", 0.0)]) > 0.03


def test_what_is_pinched_by_the_animation_survives_and_recovers():
    """Two boxes close on a sheet by more than its thickness, and open again."""
    scene = Scene(gravity=(0, 0, 0))
    lower, triangles = box((0.3, 0.3, 0.1), (0, 0, -0.06))
    upper, _ = box((0.3, 0.3, 0.1), (0, 0, 0.06))
    depth = lambda time: 0.021 * np.sin(np.pi * min(time / 0.4, 1.0))  # noqa: E731
    scene.add(Collider("anvil", lower, triangles, thickness=THICKNESS))
    scene.add(Collider("hammer", lambda time: upper - [0, 0, depth(time)], triangles, thickness=THICKNESS))
    scene.add(Cloth("sheet", *sheet(6, 0.2, 0.0), thickness=THICKNESS))
    colliding = Colliding(scene)
    reports = colliding.advance(0.5)
    assert np.isfinite(colliding.state.positions).all()
    assert any(report.forced for report in reports)
    colliding.advance(0.1)
    assert np.linalg.norm(colliding.state.velocities, axis=1).max() < 2.0
    assert np.abs(colliding.state.positions).max() < 0.5


def test_an_overlapping_start_opens_gradually():
    """Two sheets nearer than their thickness part without a jump."""
    scene = Scene(gravity=(0, 0, 0))
    for name, height in (("one", 0.0), ("two", 0.2 * THICKNESS)):
        scene.add(Cloth(name, *sheet(5, 0.1, height), thickness=THICKNESS))
    colliding = Colliding(scene)
    reports = colliding.advance(0.25)
    assert reports[0].contact_count > 0
    assert np.linalg.norm(colliding.state.velocities, axis=1).max() < 1.1 * THICKNESS / OPENING_TIME
    gaps = colliding.state.positions[25:, 2] - colliding.state.positions[:25, 2]
    assert gaps.min() > 0.99 * THICKNESS


def test_no_contact_is_exactly_no_contact():
    """What touches nothing moves as it does without collisions."""
    scene = Scene()
    scene.add(Cloth("sheet", *sheet(6, 0.3, 1.0), pinned=[0, 5]))
    plain = Simulation(scene)
    colliding = Colliding(scene)
    for _ in range(8):
        plain.advance()
        colliding.simulation.advance()
    assert colliding.state.positions == pytest.approx(plain.state.positions, abs=1e-12)


def draped():
    scene = Scene(contact_method="admm")
    scene.add(Collider("table", *box(0.2, (0, 0, 0)), thickness=THICKNESS))
    scene.add(Cloth("sheet", *sheet(9, 0.4, 0.104), thickness=THICKNESS))
    return scene


def test_a_resumed_simulation_gives_the_same_bits():
    """What goes from step to step is in the state; the rest is begun anew with every frame."""
    whole = Simulation(draped())
    frames = list(whole.frames(1, 6))
    first = Simulation(draped())
    list(first.frames(1, 3))
    second = Simulation(draped())
    second.restore(first.state)
    resumed = list(second.frames(4, 6))
    assert frames[3].report.contacts > 0
    assert np.array_equal(frames[-1].positions["sheet"], resumed[-1].positions["sheet"])


def test_frames_report_their_contacts():
    frames = list(Simulation(draped()).frames(1, 6))
    report = frames[-1].report
    assert report.contacts > 10 and report.refinement_passes >= 4
    assert 0.0 < report.contact_residual < 1e-3
    assert 0 < report.sticking + report.slipping <= report.contacts
    assert report.contact_iterations >= report.refinement_passes
    assert report.forced == 0


def test_relaxing_without_collisions_is_told():
    scene = draped()
    scene.relaxes_first = True
    assert any("does not know of collisions" in problem.sentence for problem in Simulation(scene).warnings)


def test_a_scene_asks_for_iterations_and_sweeps():
    """What it does not ask for stays the integrator's own."""
    own = Simulation(draped()).integrator.solver.settings.admm
    scene = draped()
    scene.contact_method, scene.contact_sweeps = "admm", 3 * own.sweeps
    asked = Simulation(scene).integrator.solver.settings.admm
    assert asked == replace(own, sweeps=3 * own.sweeps)
    scene.contact_iterations = 1
    *_, frame = Simulation(scene).frames(1, 4)
    assert frame.report.contacts > 0
    assert frame.report.contact_iterations == frame.report.refinement_passes
    scene.linearizations = 2
    *_, frame = Simulation(scene).frames(1, 4)
    assert frame.report.contact_iterations == frame.report.refinement_passes + frame.report.steps  # two in the first


def test_unknown_contact_methods_are_refused():
    with pytest.raises(SceneRefused, match='no contact method "magic"'):
        Simulation(draped(), contact_method="magic")


def test_a_collider_that_jumps_through_the_scene():
    """Ten metres in one step, through everything: counted, reported and survived."""
    scene = Scene(gravity=(0, 0, 0), contact_method="admm")
    wall, triangles = box((0.1, 2.0, 2.0), (-1.0, 0.0, 0.0))
    scene.add(Collider("wall", lambda time: wall + [10.0 * (time > 0.02), 0, 0], triangles, thickness=THICKNESS))
    scene.add(Cloth("sheet", *sheet(5, 0.2, 0.0), thickness=THICKNESS))
    frames = list(Simulation(scene).frames(1, 3))
    assert all(np.isfinite(frame.positions["sheet"]).all() for frame in frames)
    assert np.abs(frames[-1].positions["sheet"]).max() < 100.0


def test_a_tangled_start_is_let_go_and_comes_apart():
    """A curtain that starts halfway through a board is let go; once apart it lies on the board as any other."""
    scene = Scene(contact_method="admm")
    scene.add(floor())
    board, triangles = sheet(5, 0.3, 0.1)
    scene.add(Cloth("board", board, triangles, pinned=np.arange(25), thickness=THICKNESS))
    upright = sheet(5, 0.2, 0.0)[0][:, [0, 2, 1]] + [0.013, 0.021, 0.15]
    scene.add(Cloth("curtain", upright, triangles, thickness=THICKNESS, start_velocity=(0, 0, 1.5)))
    simulation = Simulation(scene)
    reports = [frame.report for frame in simulation.frames(1, 25)]
    assert reports[1].tangles > 0
    assert reports[-1].tangles == 0
    assert max(report.largest_speed for report in reports) < 4.0
    assert simulation.state.positions[25:, 2].min() > 0.1  # above the board, or beside it on its way down


def test_a_contact_beside_held_points_does_not_throw_the_next_one():
    """Two strands overlap just after a held point of one. All of the other is held: a hundredth is free to give way."""
    along = 0.01 * np.arange(5)[:, None] * [1.0, 0.0, 0.0]
    across = 0.01 * (np.arange(5) - 2)[:, None] * [0.0, 1.0, 0.0] + [0.0101, 0.0, 1e-5]
    points, held = np.concatenate([along, across]), [0, 1, 5, 6, 7, 8, 9]
    scene = Scene(gravity=(0.0, 0.0, 0.0), contact_method="admm")
    scene.add(Hair("hair", points, [0, 5, 10], pinned=held, material=HairMaterial(radius=1e-4)))
    colliding = Colliding(scene)
    colliding.simulation.advance()
    assert colliding.integrator.report.contact_count > 0
    fastest = np.linalg.norm(colliding.state.velocities, axis=1).max()
    opening = 2e-4 / OPENING_TIME  # at a hundredth of the lever this would be asked of the free point a hundred times
    assert 0.0 < fastest < 30 * opening
