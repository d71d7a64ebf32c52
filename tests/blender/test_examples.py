"""The example shots: each is accepted as it stands, and bakes, here small and for two frames."""

import json
import re

import bpy
import numpy as np
import pytest

from examples.shot import NAMES, bake, load_shot, make_file
from tests.blender.shots import evaluated_world

DETAIL = 0.08  # share of the strands and vertices
SIMULATED = ("HAIR", "CLOTH", "SOFT", "RIGID")


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_accepted_and_its_first_frames_bake_without_intersections(name, tmp_path, module):
    make_file(name, tmp_path, DETAIL)
    scene = bpy.context.scene
    scene.frame_end = 2
    bpy.ops.stiction.check()
    found = module("addon.operators.check").found_problems(scene)
    assert [problem.sentence for problem in found if not problem.is_warning] == []
    bake()
    frames = (tmp_path / "stiction_cache" / name / "frames.jsonl").read_text().splitlines()
    reports = [json.loads(line.split(" ", 1)[1])["report"] for line in frames]
    assert [report["frame_number"] for report in reports] == [1, 2]
    assert [report["intersections"] for report in reports] == [0, 0]
    assert largest_way(scene) > 1e-6, "something moves"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_starts_inside_another_thing(name, tmp_path, module):
    """In its full size: what passes through another object, or lies inside it, is told by a check."""
    make_file(name, tmp_path)
    bpy.ops.stiction.check()
    found = module("addon.operators.check").found_problems(bpy.context.scene)
    assert [problem.sentence for problem in found if re.search(r"passes through| inside ", problem.sentence)] == []


def largest_way(scene):
    """The farthest that a simulated point goes from the first frame to the second [m]."""
    moving = [obj for obj in scene.objects if obj.stiction.kind in SIMULATED and obj.type != "CURVE"]
    for obj in moving:
        for modifier in obj.modifiers:
            modifier.show_viewport = modifier.name == "Stiction"  # the picture's own are not what is tested
    places = []
    for frame in (1, 2):
        scene.frame_set(frame)
        places.append(np.concatenate([evaluated_world(obj) for obj in moving]))
    return np.linalg.norm(places[1] - places[0], axis=1).max()


@pytest.mark.parametrize("name", NAMES)
def test_pictures_of_an_example_are_frames_of_it(name):
    shot = load_shot(name)
    assert shot.pictures and all(1 <= frame <= shot.last_frame for frame in shot.pictures)
