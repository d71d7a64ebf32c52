"""Relax First: a scene begins at rest, and the bake of it can be stopped and resumed as any other."""

import numpy as np
import pytest

from stiction.solver import (
    Attachment,
    Cloth,
    Hair,
    HairMaterial,
    Interrupted,
    RigidBody,
    Roots,
    Scene,
    Simulation,
    SimulationDiverged,
    SoftBody,
    first_relaxation,
)
from stiction.solver.bake import bake, prepare_store
from stiction.solver.fingerprint import changes, describe
from stiction.solver.first_relaxation import held_nodes
from stiction.solver.frame_store import FrameStore
from stiction.solver.integrator.relaxation import RelaxationSettings
from stiction.solver.model_builder import build

from .conftest import cube, grid, strands

AT_REST = RelaxationSettings().acceleration  # [m/s²]


def scene_of(*objects, relaxes_first=True, **settings):
    scene = Scene(relaxes_first=relaxes_first, **settings)
    for item in objects:
        scene.add(item)
    return scene


def sheet(**settings):
    return Cloth("sheet", *grid(), pinned=[0, 4, 15, 19], **settings)


def groom():
    """Three strands that stand out sideways, from clamped roots."""
    positions, offsets = strands(points=9)
    soft = HairMaterial(bending_modulus=1e8)
    return Hair("groom", positions[:, [2, 0, 1]], offsets, pinned=[0, 1, 9, 10, 18, 19], material=soft)


def carried_groom():
    """Strands that grow on the sheet."""
    positions, triangles = grid()
    roots = triangles[[4, 9]]
    starts = positions[roots].mean(axis=1)
    points = starts[:, None] + np.arange(5)[:, None] * [0.0, 0.0, 0.02]
    return Hair("fur", points.reshape(-1, 3), [0, 5, 10], roots=Roots("sheet", roots, np.full((2, 3), 1 / 3)))


def free_box(**settings):
    return RigidBody("box", *cube(0.1, (0, 0, 3)), **settings)


@pytest.mark.parametrize(
    "objects",
    [[sheet], [groom], [sheet, groom], [sheet, carried_groom]],
    ids=["cloth", "hair", "both", "hair on cloth"],
)
def test_what_is_held_begins_at_rest_and_stays(objects):
    """A node at rest goes less than a t²/2 with the acceleration a that counts as rest."""
    frames = list(Simulation(scene_of(*(make() for make in objects))).frames(1, 13))
    for name, start in frames[0].positions.items():
        asked = next(item for make in objects if (item := make()).name == name).positions
        assert np.abs(start - asked).max() > 1e-3, "it sagged"
        assert np.abs(frames[-1].positions[name] - start).max() < 0.5 * AT_REST * 0.5**2 + 1e-6


def test_without_it_the_start_is_as_the_artist_left_it():
    item = sheet()
    first = next(Simulation(scene_of(item, relaxes_first=False)).frames(1, 1))
    assert np.array_equal(first.positions["sheet"], item.positions)


def test_animation_does_not_move_while_it_relaxes():
    start = grid()[0][[0, 4, 15, 19]]
    moving = sheet(pin_motion=lambda time: start + [time, 0.0, 0.0])
    still, moved = (next(Simulation(scene_of(item)).frames(1, 1)).positions["sheet"] for item in (sheet(), moving))
    assert np.array_equal(still, moved)


def test_start_velocities_stay():
    simulation = Simulation(scene_of(sheet(start_velocity=(0.0, 2.0, 0.0))))
    next(simulation.frames(1, 1))
    assert np.array_equal(simulation.state.velocities, np.tile([0.0, 2.0, 0.0], (20, 1)))


def test_what_nothing_holds_starts_as_it_is_and_then_falls():
    simulation = Simulation(scene_of(sheet(), free_box(), Hair("loose", *strands(2))))
    frames = list(simulation.frames(1, 3))
    for name, item in (("box", free_box()), ("loose", Hair("loose", *strands(2)))):
        assert np.abs(frames[0].positions[name] - item.positions).max() < 1e-12
        assert frames[-1].positions[name][0, 2] < item.positions[0, 2] - 1e-3
    sentences = {problem.object_name: problem.sentence for problem in simulation.warnings}
    assert set(sentences) == {"box", "loose"}
    assert sentences["box"] == (
        '"box": nothing holds it, so it cannot come to rest, and starts as it is. Pin it to have it relaxed.'
    )


def test_loose_strands_of_a_groom_stay_put():
    item = groom()
    item.pinned = item.pinned[:4]
    simulation = Simulation(scene_of(item))
    start = next(simulation.frames(1, 1)).positions["groom"]
    assert np.array_equal(start[18:], item.positions[18:]) and not np.allclose(start[:18], item.positions[:18])
    (warning,) = simulation.warnings
    assert "nothing holds a part of it" in warning.sentence


def test_ties_hold():
    """What is tied, sewn or rooted to something that is pinned is held, by whatever way."""
    box = SoftBody("box", *cube(0.1, (0.2, 0.15, 0.9)), resolution=1)
    tie = Attachment("box", [0], "sheet", [[7]], [[1.0]])
    scene = scene_of(sheet(), carried_groom(), box)
    model, _, _ = build(scene)
    *_, span = model.spans
    held = held_nodes(model)
    assert held[: span.first].all() and not held[span.first :].any()
    scene.attachments.append(tie)
    assert held_nodes(build(scene)[0]).all()
    scene.objects["sheet"].pinned = np.zeros(0, np.int32)
    assert not held_nodes(build(scene)[0]).any()


def test_what_does_not_come_to_rest_is_told_and_goes_on(monkeypatch):
    monkeypatch.setattr(first_relaxation, "RelaxationSettings", lambda: RelaxationSettings(most_steps=2))
    simulation = Simulation(scene_of(sheet(), groom()))
    frames = list(simulation.frames(1, 2))
    assert not np.array_equal(frames[0].positions["sheet"], sheet().positions)
    assert [problem.object_name for problem in simulation.warnings] == ["groom", "sheet"]
    assert "did not come to rest before the first frame" in simulation.warnings[0].sentence
    assert all(problem.is_warning for problem in simulation.warnings)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers overflow here on purpose
@pytest.mark.parametrize("make", [sheet, groom])
def test_what_flies_apart_is_named(make):
    simulation = Simulation(scene_of(make(), gravity=(0.0, 0.0, -1e300)))
    with pytest.raises(SimulationDiverged, match=f'"{make().name}" flies apart'):
        list(simulation.frames(1, 2))
    assert not any("inf" in problem.sentence or "nan" in problem.sentence for problem in simulation.warnings)


def test_it_can_be_stopped_and_begun_anew():
    whole = next(Simulation(scene_of(sheet())).frames(1, 1))
    simulation = Simulation(scene_of(sheet()))
    told = []
    simulation.on_relaxation = lambda done, most: told.append((done, most))
    simulation.should_stop = lambda: len(told) == 3
    with pytest.raises(Interrupted, match="before the first frame"):
        next(simulation.frames(1, 1))
    assert told == [(0, 200), (1, 200), (2, 200)]
    assert np.array_equal(simulation.state.positions, sheet().positions)
    simulation.should_stop = lambda: False
    assert np.array_equal(next(simulation.frames(1, 1)).positions["sheet"], whole.positions["sheet"])


def test_frames_asked_in_two_parts_relax_once():
    scene = scene_of(sheet(start_velocity=(1.0, 0.0, 0.0)))
    *_, whole = Simulation(scene).frames(1, 3)
    simulation = Simulation(scene)
    next(simulation.frames(1, 1))
    *_, parts = simulation.frames(1, 3)
    assert np.array_equal(whole.positions["sheet"], parts.positions["sheet"])


def run(scene, folder, resume=False, stop_at=None):
    counts = {item.name: len(item.positions) for item in scene.simulated}
    store = prepare_store(folder, counts, (1, 5), describe(scene), resume)

    def stop(frame):
        if frame.number == stop_at:
            raise Interrupted("enough")

    bake(Simulation(scene), store, on_frame=stop)


def all_bytes(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.pc2")}


@pytest.mark.parametrize("stop_at", [1, 3])
@pytest.mark.parametrize("make", [sheet, groom])
def test_resumed_and_repeated_bakes_have_the_same_bits(tmp_path, make, stop_at):
    scene = scene_of(make())
    run(scene, tmp_path / "whole")
    run(scene, tmp_path / "again")
    with pytest.raises(Interrupted):
        run(scene, tmp_path / "stopped", stop_at=stop_at)
    assert FrameStore.open(tmp_path / "stopped").last_frame_done == stop_at
    run(scene, tmp_path / "stopped", resume=True)
    assert all_bytes(tmp_path / "whole") == all_bytes(tmp_path / "stopped") == all_bytes(tmp_path / "again")


def test_the_setting_survives_a_file_and_counts_as_a_change(tmp_path):
    scene = scene_of(sheet())
    scene.save(tmp_path / "s")
    assert Scene.load(tmp_path / "s").relaxes_first
    assert changes(describe(scene_of(sheet(), relaxes_first=False)), describe(scene)) == [
        "relaxes first was False, is True"
    ]
