"""Friction that changes: with the time, and with whether things slide; and what sticks or gives way."""

import numpy as np
import pytest

from stiction.solver import Cloth, ClothMaterial, Collider, PairFriction, Scene
from stiction.solver.collision.scene_friction import SceneFriction
from stiction.solver.collision.scene_surface import start_surface
from stiction.solver.errors import SceneRefused
from stiction.solver.fingerprint import changes, describe
from stiction.solver.motion import SampledMotion
from stiction.solver.over_time import value_at
from stiction.solver.validation import check_scene

from .contact.colliding import Colliding, box, sheet

GRAVITY, THICKNESS = 9.81, 1e-3
SAMPLED = SampledMotion(np.array([0.0, 1.0]), np.array([0, 1], np.int32), np.array([0.2, 0.8]))


def scene_of(friction=0.3, gravity=(0.0, 0.0, -GRAVITY), pairs=(), speed=0.0, **settings):
    """A sheet on a floor; both have the same friction."""
    scene = Scene(gravity=gravity, pair_friction=[*pairs])
    contact = {"friction": friction, "thickness": THICKNESS, **settings}
    scene.add(Collider("floor", *box((40.0, 40.0, 1.0), (0, 0, -0.5)), **contact))
    still = ClothMaterial(air_drag=0.0, normal_drag=0.0)
    item = Cloth("sheet", *sheet(4, 0.1, THICKNESS), material=still, start_velocity=(speed, 0.0, 0.0), **contact)
    scene.add(item)
    return scene


def slope(degrees):
    return GRAVITY * np.sin(np.radians(degrees)), 0.0, -GRAVITY * np.cos(np.radians(degrees))


def slid(scene, seconds):
    colliding = Colliding(scene, tolerance=1e-9, iterations=400)
    colliding.advance(seconds)
    nodes = colliding.state.velocities[:, 0]
    return colliding.state.positions[:, 0].mean(), nodes.mean(), scene.time_step


@pytest.mark.parametrize("by_pair", [False, True])
def test_keyed_friction_lets_go_when_it_falls_below_the_slope(by_pair):
    """tan θ = 0.5; friction falls from 1 to 0 at 0.25 s: the sheet rests before, and slides with g sin θ after."""
    angle = np.degrees(np.arctan(0.5))
    keyed = lambda time: 1.0 if time < 0.25 else 0.0  # noqa: E731
    settings = {"pairs": [PairFriction("sheet", "floor", keyed)]} if by_pair else {"friction": keyed}
    way, _, _ = slid(scene_of(gravity=slope(angle), **settings), 0.24)
    assert abs(way) < 1e-7
    _, speed, step = slid(scene_of(gravity=slope(angle), **settings), 0.5)
    assert speed == pytest.approx(slope(angle)[0] * 0.25, abs=1.01 * slope(angle)[0] * step)


def test_sampled_friction_is_linear_between_samples():
    scene = scene_of(SAMPLED)
    surface, _ = start_surface(scene)
    friction = SceneFriction(scene, surface)
    friction.start_step(0.25)
    assert surface.points.friction == pytest.approx(np.full(24, 0.35))
    friction.start_step(3.0)
    assert surface.points.friction == pytest.approx(np.full(24, 0.8))


def test_painted_friction_holds_only_where_it_is():
    """Half of the sheet is smooth: the rest has half of the weight to hold it by."""
    painted = np.where(np.arange(16) % 4 < 2, 1.0, 0.0)

    def rests(degrees):
        scene = scene_of(gravity=slope(degrees))
        scene.objects["sheet"].friction, scene.objects["floor"].friction = painted, 1.0
        return abs(slid(scene, 0.25)[0]) < 1e-4

    assert rests(np.degrees(np.arctan(0.35)))
    assert not rests(np.degrees(np.arctan(0.65)))


@pytest.mark.parametrize("by_pair", [False, True])
def test_between_the_two_angles_rest_stays_rest_and_sliding_goes_on(by_pair):
    """μ_s = 0.6, μ_k = 0.3, tan θ = 0.45: pushed, it slides with g (sin θ − μ_k cos θ)."""
    angle = np.degrees(np.arctan(0.45))
    settings = {"friction": 0.6, "kinetic_friction": 0.3}
    if by_pair:
        settings = {"pairs": [PairFriction("floor", "sheet", 0.6, 0.3)]}
    way, _, _ = slid(scene_of(gravity=slope(angle), **settings), 0.5)
    assert abs(way) < 1e-7
    _, speed, step = slid(scene_of(gravity=slope(angle), speed=0.2, **settings), 0.5)
    acceleration = GRAVITY * (np.sin(np.radians(angle)) - 0.3 * np.cos(np.radians(angle)))
    assert speed == pytest.approx(0.2 + acceleration * 0.5, abs=2.0 * acceleration * step)


def test_above_the_static_angle_it_begins_to_slide_and_then_has_the_kinetic_friction():
    angle = np.degrees(np.arctan(0.65))
    _, speed, step = slid(scene_of(0.6, slope(angle), kinetic_friction=0.2), 0.5)
    acceleration = GRAVITY * (np.sin(np.radians(angle)) - 0.2 * np.cos(np.radians(angle)))
    assert speed == pytest.approx(acceleration * 0.5, abs=3.0 * acceleration * step)


def test_what_slides_to_a_stop_rests_there():
    """d = v²/(2 μ_k g) on the level, as if there were no other friction."""
    way, speed, step = slid(scene_of(0.8, speed=1.0, kinetic_friction=0.4), 1.0 / (0.4 * GRAVITY) + 0.1)
    assert abs(speed) < 1e-6
    assert way == pytest.approx(1.0 / (2.0 * 0.4 * GRAVITY), abs=step)


def under_ceiling(down, **settings):
    """A triangle of cloth that touches a ceiling with its three corners, away from the edges of the ceiling's faces."""
    scene = Scene(gravity=(0.0, 0.0, -down * GRAVITY))
    scene.add(Collider("ceiling", *box((1.0, 1.0, 0.2), (0, 0, 0.1)), thickness=THICKNESS))
    corners = np.array([[0.3, -0.3, -THICKNESS], [0.35, -0.3, -THICKNESS], [0.3, -0.25, -THICKNESS]])
    still = ClothMaterial(air_drag=0.0, normal_drag=0.0)
    scene.add(Cloth("flag", corners, [[0, 1, 2]], material=still, thickness=THICKNESS, **settings))
    return Colliding(scene, tolerance=1e-9, iterations=400)


LOAD = ClothMaterial().area_density * 0.05**2 / 2.0 * GRAVITY / 3.0  # on each corner [N]


@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_weight_hangs_from_cohesive_contacts_if_it_is_less_than_they_hold(share):
    """What they do not hold falls, and nothing holds it once it is away."""
    colliding = under_ceiling(1.0, cohesion=share * LOAD)
    reports = colliding.advance(0.25)
    fallen = -THICKNESS - colliding.state.positions[:, 2].max()
    if share > 1.0:
        assert reports[-1].contact_count == 3
        assert abs(fallen) < 1e-7
    else:
        assert fallen > 0.1


def test_compliant_contacts_are_pressed_together_by_their_load():
    """By c F, each under its part of the weight."""
    depth = 0.3 * THICKNESS
    colliding = under_ceiling(-1.0, compliance=depth / LOAD)
    colliding.advance(0.5)
    assert colliding.state.positions[:, 2] + THICKNESS == pytest.approx(np.full(3, depth), rel=1e-3)


def sentences_of(scene):
    return [problem.sentence for problem in check_scene(scene)]


def test_good_settings_are_accepted():
    assert sentences_of(scene_of(SAMPLED, kinetic_friction=0.1, cohesion=0.2, compliance=1e-5)) == []
    assert sentences_of(scene_of(lambda time: 0.1 + time)) == []
    assert sentences_of(scene_of(pairs=[PairFriction("sheet", "floor", SAMPLED, 0.2)])) == []


@pytest.mark.parametrize("name", ["cohesion", "compliance"])
@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_cohesion_and_compliance_that_are_negative_or_no_number(name, value):
    scene = scene_of()
    setattr(scene.objects["sheet"], name, value)
    (sentence,) = sentences_of(scene)
    assert sentence.startswith(f'Cloth "sheet": its {name} must not be negative (it is {value:g}')


def test_frictions_that_are_no_numbers_at_a_time_or_in_the_wrong_order():
    scene = scene_of()
    item = scene.objects["sheet"]
    item.friction = SampledMotion(SAMPLED.times, SAMPLED.rows, np.array([0.2, -0.8]))
    assert sentences_of(scene) == [
        'Cloth "sheet": its friction must not be negative (it is -0.8 at 1.000 s). Set it to zero or more.'
    ]
    item.friction, item.kinetic_friction = 0.3, 0.4
    (sentence,) = sentences_of(scene)
    assert "its kinetic friction (0.4) is above its friction (0.3). Lower it" in sentence
    item.kinetic_friction = np.ones(3)
    (sentence,) = sentences_of(scene)
    assert "its kinetic friction is given for 3 vertices, but it has 16." in sentence
    (sentence,) = sentences_of(scene_of(pairs=[PairFriction("sheet", "floor", 0.1, 0.2)]))
    assert 'The friction between "sheet" and "floor": kinetic friction (0.2) is above' in sentence


def test_a_function_that_goes_wrong_on_the_way_is_refused_with_the_time():
    scene = scene_of(lambda time: np.nan if time > 0.05 else 0.5)
    with pytest.raises(SceneRefused, match=r"friction is negative or no number at 0\.052 s"):
        Colliding(scene).advance(0.1)


def test_a_file_keeps_what_changes(tmp_path):
    scene = scene_of(lambda time: 0.5 + time, kinetic_friction=SAMPLED, cohesion=0.5, compliance=1e-4)
    scene.pair_friction.append(PairFriction("sheet", "floor", lambda time: 1.0 - time, 0.1))
    scene.save(tmp_path / "s", last_frame=13)
    loaded = Scene.load(tmp_path / "s")
    item, pair = loaded.objects["sheet"], loaded.pair_friction[0]
    assert (item.cohesion, item.compliance, pair.kinetic_friction) == (0.5, 1e-4, 0.1)
    assert value_at(item.friction, 0.25) == pytest.approx(0.75)
    assert value_at(item.kinetic_friction, 0.5) == pytest.approx(0.5)
    assert value_at(pair.friction, 0.25) == pytest.approx(0.75)


def test_a_changed_key_is_named():
    before, after = scene_of(SAMPLED), scene_of(SampledMotion(SAMPLED.times, SAMPLED.rows, np.array([0.2, 0.7])))
    assert '"sheet": friction changed at 1.000 s' in changes(describe(before), describe(after))
