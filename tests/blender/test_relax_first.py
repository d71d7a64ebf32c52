"""Relax First in Blender: from the panel's setting to a bake that begins at rest."""

import json

import bpy
import numpy as np
import pytest

from .shots import LAST_FRAME, evaluated_world


def make_hanging_cloth():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=3, size=1, location=(0, 0, 2))
    cloth = bpy.context.object
    cloth.name = "Cloth"
    bpy.ops.stiction.add(kind="CLOTH")
    cloth.vertex_groups.new(name="Pins").add([0, 4, 15, 19], 1.0, "REPLACE")
    cloth.stiction.pin_group = "Pins"


@pytest.fixture
def shot(blend_path):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST_FRAME
    make_hanging_cloth()
    scene.stiction.relaxes_first = True
    bpy.ops.wm.save_mainfile()
    return scene


def shown_at(scene, frame):
    scene.frame_set(frame)
    return evaluated_world(bpy.data.objects["Cloth"])


def test_the_bake_begins_at_rest(shot):
    assert bpy.ops.stiction.bake() == {"FINISHED"}
    first, last = (shown_at(shot, frame) for frame in (1, LAST_FRAME))
    assert first[:, 2].min() < 1.99
    assert np.abs(last - first).max() < 1e-5


def test_progress_and_what_nothing_holds_are_told(shot, module):
    bpy.ops.mesh.primitive_cube_add(location=(5, 0, 0))
    bpy.ops.stiction.add(kind="RIGID")
    session = module("addon.bake_session").BakeSession(bpy.context)
    job = module("addon.bake_job")
    stages = set()
    note = job.BakeJob._note_relaxation

    def noted(self, done, most):
        note(self, done, most)
        stages.add(self.progress.text)

    job.BakeJob._note_relaxation = noted
    try:
        list(session.run())
    finally:
        job.BakeJob._note_relaxation = note
    assert "Coming to rest: step 0/200" in stages
    assert [sentence for sentence in session.warnings if "nothing holds it" in sentence] == [
        '"Cube": nothing holds it, so it cannot come to rest, and starts as it is. Pin it to have it relaxed.'
    ]


def test_resume_names_the_setting_that_changed(shot):
    bpy.ops.stiction.bake()
    shot.stiction.relaxes_first = False
    with pytest.raises(RuntimeError, match="relaxes first was True, is False"):
        bpy.ops.stiction.bake(resume=True)


def test_the_command_line_sets_it(shot, module, tmp_path):
    run = module("addon.command_line").run
    path, summary = bpy.data.filepath, tmp_path / "summary.json"
    assert run(["bake", path, "--set", "relaxes_first=false", "--json", str(summary)]) == 0
    assert np.allclose(shown_at(bpy.context.scene, 1)[:, 2], 2.0, atol=1e-6)
    assert run(["bake", path, "--set", "relaxes_first=true", "--overwrite", "--json", str(summary)]) == 0
    assert shown_at(bpy.context.scene, 1)[:, 2].min() < 1.99
    assert json.loads(summary.read_text())["warnings"] == []
