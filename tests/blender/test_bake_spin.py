"""A ball on a turntable, through a whole bake: only a patch of contact spins it."""

import bpy
import numpy as np
import pytest

from .reading_scenes import animate
from .shots import evaluated_world, select
from .test_bake_contact import THICKNESS, mark

LAST_FRAME, STEPS = 9, 4
FRICTION, RADIUS = 0.5, 0.1
TABLE_TURNS = 3.5  # [rad] up to the last frame: faster than the ball all the while


@pytest.fixture
def table(blend_path):
    """A table that turns about the pole of a ball on it."""
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, -0.5))
    table = mark(bpy.context.object, "COLLIDER")
    animate(table, "rotation_euler", {1: (0, 0, 0), LAST_FRAME: (0, 0, TABLE_TURNS)})
    bpy.ops.mesh.primitive_uv_sphere_add(radius=RADIUS, location=(0, 0, RADIUS + THICKNESS))
    ball = mark(bpy.context.object, "RIGID")
    ball.name = "Ball"
    ball.stiction.friction = table.stiction.friction = FRICTION
    scene.frame_end, scene.stiction.steps_per_frame, scene.stiction.motion_samples = LAST_FRAME, STEPS, STEPS
    scene.stiction.contact_method = "PROX"
    return table


def gyration_square(obj):
    """∫ x² + y² dV / V of a closed mesh around its middle [m²], by tetrahedra from there to its faces."""
    obj.data.calc_loop_triangles()
    corners = np.array([[obj.data.vertices[i].co[:] for i in item.vertices] for item in obj.data.loop_triangles])
    volumes = np.linalg.det(corners) / 6.0
    squares = ((corners**2).sum(axis=1) + corners.sum(axis=1) ** 2) / 20.0  # mean of each coordinate's square
    return (volumes[:, None] * squares[:, :2]).sum() / volumes.sum()


def turned(obj):
    """The angle about z [rad] by which a baked body has turned from the first frame to the last."""
    at = []
    for frame in (1, LAST_FRAME):
        bpy.context.scene.frame_set(frame)
        at.append(evaluated_world(obj)[:, :2])
    before, after = (points[:, 0] + 1j * points[:, 1] for points in at)
    return np.angle((after * before.conj()).sum())


@pytest.mark.parametrize("patch", [0.0, 0.01])
def test_a_patch_spins_a_ball_up_by_its_torque_and_a_point_does_not(table, patch):
    """ω̇ = μ ρ g/k²; by steps of implicit Euler the angle is that of n (n + 1)/2 of them."""
    table.stiction.spin_friction = patch
    bpy.ops.stiction.bake()
    ball = bpy.data.objects["Ball"]
    n, time_step = (LAST_FRAME - 1) * STEPS, 1.0 / (24.0 * STEPS)
    rate = FRICTION * patch * 9.81 / gyration_square(ball)
    assert turned(ball) == pytest.approx(rate * time_step**2 * n * (n + 1) / 2, rel=1e-3, abs=1e-4)
    assert turned(ball) < 0.5 * TABLE_TURNS


def test_keys_on_a_friction_that_is_not_followed_are_named(table, module):
    select(table)
    for name, path in (("Friction Ratio", "friction_ratio"), ("Spin Friction", "spin_friction")):
        table.keyframe_insert(f"stiction.{path}", frame=1)
        sentences = [item.sentence for item in module("addon.operators.check").find_problems(bpy.context)]
        assert any(f"{name} is animated, but is read at the first frame only" in sentence for sentence in sentences)
