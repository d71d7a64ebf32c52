"""The papers' scenes of the benchmarks, as small as they get: they are built, move, and cross nothing."""

import importlib

import numpy as np
import pytest

from benchmarks import prox_scenes
from benchmarks.scenes import (
    hairy_ball,
    letters,
    rigid_meshes,
    sledges_and_vanes,
    solid_bodies,
    solid_meshes,
    walking_table,
)
from benchmarks.scenes.running import run, summary
from benchmarks.scenes.shapes import rotation
from benchmarks.scenes.stored_run import StoredRun
from stiction.solver import Simulation
from stiction.solver.frames.moments import moments_of_surface
from stiction.solver.motion import positions_at
from stiction.solver.rigid.rigid_bodies import around_centers

SIZES = {
    "bearing": 1,
    "belt": 60,
    "box_and_cone": 100,
    "bucket": 4,
    "bunnies": 2,
    "cards": 3,
    "chalices": 2,
    "cohesive_patch": 12,
    "colosseum": 6,
    "cubes": 8,
    "dragging": 60,
    "folded_cloth": 100,
    "funnel": 9,
    "furry_bunny": 4,
    "glasses": 4,
    "groom_relaxation": 4,
    "hair_band": 6,
    "hairy_ball": 12,
    "jacks": 8,
    "letters": 4,
    "long_hair_on_shirt": 4,
    "mixed_stack": 1,
    "palm_tree": 2,
    "pinched_cloth": 60,
    "pulled_body": 400,
    "pyramid": 2,
    "rings": 4,
    "shirt_only": 800,
    "skittles": 2,
    "sledges_and_vanes": 2,
    "slippery_cards": 3,
    "slope": 16,
    "spheres": 8,
    "stacked_boxes": 3,
    "stacks": 2,
    "stiff_rings": 4,
    "strings": 3,
    "temple": 4,
    "tower": 2,
    "turning_skirt": 300,
    "walking_table": 8,
    "wall": 2,
    "wedge": 9,
}


@pytest.mark.parametrize("name", SIZES)
def test_a_frame_moves_and_crosses_nothing(name):
    shot = importlib.import_module(f"benchmarks.scenes.{name}").SHOT
    scene = shot.build(SIZES[name])
    measured = list(run(shot, scene, 2))
    assert [entry.intersections for entry in measured] == [0, 0]
    first, last = (entry.frame.positions for entry in measured)
    motion = max(np.abs(last[item] - first[item]).max() for item in first)
    assert 0.0 < motion < 0.2  # [m]; a frame at 24 frames a second
    assert all(np.isfinite(points).all() for points in last.values())
    row = summary("ours", scene, measured)
    assert row.intersections == "0"


# Sizes and frames, until contacts have come and gone.
PRESSED = {"bearing": (1, 12), "cubes": (10, 10), "strings": (4, 25), "wedge": (9, 25)}


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESSED)
def test_solids_press_on_each_other_and_cross_nothing(name):
    shot, (size, frame_count) = importlib.import_module(f"benchmarks.scenes.{name}").SHOT, PRESSED[name]
    scene = shot.build(size)
    scene.contact_method = "cr"
    measured = list(run(shot, scene, frame_count))
    assert max(entry.report.contacts for entry in measured) > 0
    assert [entry.intersections for entry in measured] == [0] * frame_count


@pytest.mark.slow
def test_a_soft_table_walks_down_a_slope_that_would_hold_it():
    """Front and back legs slide in turns; a rigid one would go as far as its push and the friction let it."""
    scene = walking_table.walking_table(8)
    simulation, step, seconds = Simulation(scene), scene.time_step, 0.4
    down = rotation(1, walking_table.ANGLE)[:, 0]
    start = simulation.current_frame(1).positions["table"]
    height = start @ rotation(1, walking_table.ANGLE)[:, 2]
    is_foot, is_front = height < height.min() + 1e-4, start @ down > (start @ down).mean()
    ways = [start @ down]
    for number in range(round(seconds / step)):
        if number % scene.steps_per_frame == 0:
            simulation.integrator.start_frame()
        simulation.advance()
        ways.append(simulation.current_frame(1).positions["table"] @ down)
    speeds = np.diff(ways, axis=0) / step
    front, back = (speeds[50:, is_foot & side].mean(axis=1) for side in (is_front, ~is_front))
    assert np.corrcoef(front, back)[0, 1] < -0.3
    slope, friction = walking_table.ANGLE, walking_table.FRICTION
    assert friction > np.tan(slope)
    rigid = walking_table.PUSH * seconds - 0.5 * 9.81 * (friction * np.cos(slope) - np.sin(slope)) * seconds**2
    assert (ways[-1] - ways[0]).mean() > 1.5 * rigid


def test_walls_push_letters_together_and_cross_none(monkeypatch):
    """Two of the four, by less than in the picture and sooner."""
    for name, value in (("PUSH", 0.3), ("PUSH_START", 0.0), ("PUSH_TIME", 0.6), ("LAYER_HEIGHT", 0.3)):
        monkeypatch.setattr(letters, name, value)
    scene = letters.letters(2, cells=3)
    measured = list(run(letters.SHOT, scene, 24))
    assert [entry.intersections for entry in measured] == [0] * 24
    walls = [scene.objects[f"wall {number}"].positions for number in range(4)]
    before, after = ([positions_at(wall, time) for wall in walls] for time in (0.0, scene.time_of(24)))
    inner = after[0][:, 0].min()
    assert inner == pytest.approx(before[0][:, 0].min() - 0.3) and -inner == pytest.approx(after[2][:, 0].max())
    assert np.array_equal(before[1], after[1]) and np.array_equal(before[3], after[3])
    start, end = (np.concatenate(list(measured[place].frame.positions.values())) for place in (0, -1))
    assert np.abs(end[:, 0]).max() < inner < np.abs(start[:, 0]).max()


def test_needles_turn_vanes_by_their_patches_and_sledges_go_where_they_point():
    """A vane's rate grows by μ ρ g Δt/k² in each step: steps of implicit Euler have turned it by the sum of these."""
    scene = sledges_and_vanes.sledges_and_vanes(3)
    simulation = Simulation(scene)
    start, _, end = (frame.positions for frame in simulation.frames(1, 3))
    count = simulation.state.step
    _, arms = around_centers(simulation.state.positions[simulation.model.rigid.nodes[1]][None])
    gain = sledges_and_vanes.HELD * 9.81 / (arms[0, :, :2] ** 2).sum(axis=1).mean() * scene.time_step**2
    for number, share in enumerate((0.0, 0.5, 1.0)):
        bar = end[f"vane {number}"][-4:].mean(axis=0) - end[f"vane {number}"][:4].mean(axis=0)
        turned = 0.5 * count * (count + 1) * gain * share * sledges_and_vanes.PATCH
        assert np.arctan2(-bar[0], bar[1]) == pytest.approx(turned, rel=1e-3, abs=1e-9)
    left, middle, right = ((end[name] - start[name]).mean(axis=0) for name in ("sledge 0", "sledge 1", "sledge 2"))
    assert right == pytest.approx(left * (-1.0, 1.0, 1.0), abs=1e-4 * abs(left[0]))
    assert abs(middle[0]) < 1e-4 * abs(middle[1]) and right[0] > 0.5 * abs(right[1])


# [Verschoor and Jalba 2019, table 1]
SOLIDS = {"ring": (108, 72, 144), "block": (432, 260, 528), "bunny": (1270, 410, 738)}
BEARING_SPHERE = (115_659 // 9, 46_080 // 9)  # elements and faces


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_have_as_many_elements_as_the_papers(name):
    mesh = getattr(solid_meshes, name)()
    assert (len(mesh.tetrahedra), len(mesh.nodes), len(mesh.triangles)) == SOLIDS[name]


def test_the_spheres_of_the_bearing_and_the_cubes_have_as_many_elements_as_the_paper_s():
    sphere, cube = solid_bodies.sphere(0.05), solid_bodies.cube()
    assert (len(sphere.tetrahedra), len(sphere.triangles)) == BEARING_SPHERE
    assert (len(cube.tetrahedra), len(cube.nodes), len(cube.triangles)) == (44, 27, 48)


def test_a_stored_run_goes_on_to_the_same_bits(tmp_path):
    whole, parts = (tmp_path / name for name in ("whole", "parts"))
    scene = hairy_ball.SHOT.build(3)
    at_once = StoredRun(whole, scene)
    assert [entry.report.frame_number for entry in at_once.frames(4)] == [1, 2, 3, 4]
    list(StoredRun(parts, scene).frames(2))
    resumed = StoredRun(parts, scene)
    assert [entry.report.frame_number for entry in resumed.frames(4)] == [3, 4]
    assert [entry.report.frame_number for entry in resumed.measured] == [1, 2, 3, 4]
    assert np.array_equal(resumed.simulation.state.positions, at_once.simulation.state.positions)
    assert list(StoredRun(parts, scene).frames(4)) == []


def test_a_run_that_starts_elsewhere_measures_the_frames_after_that_and_goes_on(tmp_path):
    scene = hairy_ball.SHOT.build(3)
    before = Simulation(scene)
    list(before.frames(1, 2))
    first = StoredRun(tmp_path, scene, start=before.state.copy)
    assert [entry.report.frame_number for entry in first.frames(3)] == [3]
    resumed = StoredRun(tmp_path, scene, start=before.state.copy)
    assert [entry.report.frame_number for entry in resumed.frames(4)] == [4]
    list(before.frames(3, 4))
    assert np.array_equal(resumed.simulation.state.positions, before.state.positions)


def test_smaller_faces_have_the_same_shape():
    """The funnel's props with many contacts weigh and turn as those that fell."""
    for mesh in (rigid_meshes.icosphere(0.03), rigid_meshes.brick((0.06, 0.04, 0.03)), rigid_meshes.jack(0.06)):
        points, triangles = rigid_meshes.divided(mesh, 0.005)
        edges = points[triangles] - points[np.roll(triangles, 1, axis=1)]
        assert np.linalg.norm(edges, axis=2).max() <= 0.005 and len(triangles) >= 16 * len(mesh[1])
        whole, cut = (moments_of_surface(*parts) for parts in (mesh, (points, triangles)))
        assert cut.volume == pytest.approx(whole.volume, rel=1e-12)
        assert np.ptp(points, axis=0) == pytest.approx(np.ptp(mesh[0], axis=0))


def test_problems_of_a_rigid_scene_are_those_of_its_steps():
    case = prox_scenes.Case("tower", 2, 3, problems=2)
    measured = prox_scenes._measured(case)
    assert measured.objects == 14 and measured.contacts > 100
    assert all(run.errors.shape == (2, prox_scenes.ITERATIONS) for run in measured.runs.values())
    assert measured.runs[False, prox_scenes.LOCAL].is_near.all()
