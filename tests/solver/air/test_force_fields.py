"""Force fields do what Blender's documentation and particles of one kilogram say; see docs/theory/air.md."""

import itertools

import numba
import numpy as np
import pytest

from stiction.solver import Falloff, ForceField, Scene
from stiction.solver.air.air import Air, inertia_in
from stiction.solver.force_fields import FALLOFF_KINDS, FIELD_KINDS, FIELD_SHAPES

X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def air_of(*fields, **settings):
    return Air(Scene(force_fields=list(fields), **settings))


def at(field, points, velocities=None, time=0.0, **settings):
    points = np.atleast_2d(np.asarray(points, float))
    velocities = np.zeros_like(points) if velocities is None else np.atleast_2d(np.asarray(velocities, float))
    return air_of(field, **settings).at(points, velocities, time)


@pytest.fixture(autouse=True)
def one_thread():
    """For single points, starting threads takes longer than all else."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)


def move(air, position, velocity, seconds, steps):
    """A point of one kilogram without contact or elasticity: rows of positions and velocities."""
    x, v, step = np.array([position], float), np.array([velocity], float), seconds / steps
    path = [(x[0], v[0])]
    for number in range(steps):
        sample = air.at(x, v, (number + 1) * step)
        diagonal, momentum = inertia_in(sample, np.ones(1), 0.0, v, step)
        v = momentum / diagonal[:, None]
        x = x + step * v
        path.append((x[0], v[0]))
    return np.array(path)


# A plain twin, one point at a time.


def share_left(falloff, unit, distance):
    if falloff.greatest is not None and distance > falloff.greatest:
        return 0.0
    if distance < falloff.least:
        return 1.0
    return (1.0 + (distance - falloff.least) / unit) ** -falloff.power


def twin(field, point, velocity):
    axis, offset = np.asarray(field.axis) / np.linalg.norm(field.axis), point - field.location
    along = offset @ axis
    beside = offset - along * axis
    away = {"point": offset, "line": beside, "plane": along * axis}[field.shape]
    if field.kind == "vortex" and field.shape == "plane":
        away = beside
    distance = np.linalg.norm(away)
    share = 0.0
    if along * field.side >= 0.0:
        if field.falloff_kind == "sphere":
            share = share_left(field.falloff, field.falloff_unit, distance)
        else:
            share = share_left(field.falloff, field.falloff_unit, abs(along))
            angle = np.degrees(np.arccos(along / np.linalg.norm(offset)))
            radius, unit = (np.linalg.norm(beside), field.falloff_unit) if field.falloff_kind == "tube" else (angle, 1)
            share *= share_left(field.radial_falloff, unit, radius)
    strength, rate = share * field.strength, share * field.flow
    air, acceleration = np.zeros(3), np.zeros(3)
    if field.kind == "force":
        acceleration = strength * away / distance / (distance**2 if field.gravitates else 1.0)
    elif field.kind == "wind":
        air = strength * axis
    elif field.kind == "vortex" and field.shape == "point":
        around = np.cross(axis, away)
        acceleration = strength * distance * around / np.linalg.norm(around)
    elif field.kind == "vortex":
        turning = strength * np.cross(axis, away)
        rate += share
        acceleration = share * turning + strength * np.cross(axis, turning)
    elif field.kind == "harmonic":
        acceleration = -strength * (distance - field.size) * away / distance
    elif field.kind == "drag":
        rate += strength * np.linalg.norm(air - velocity)
    return air, acceleration, rate


CASES = list(itertools.product([kind for kind in FIELD_KINDS if kind != "turbulence"], FIELD_SHAPES, FALLOFF_KINDS))


@pytest.mark.parametrize(("kind", "shape", "falloff_kind"), CASES)
@pytest.mark.parametrize("side", [0, 1, -1])
def test_kernel_is_its_plain_twin(kind, shape, falloff_kind, side):
    random = np.random.default_rng(4)
    points, velocities = random.normal(size=(2, 40, 3))
    field = ForceField("field", kind, shape, (0.1, 0.2, -0.3), (1.0, 2.0, 3.0), strength=2.0, flow=0.5, size=0.4,
                       falloff_kind=falloff_kind, falloff=Falloff(1.5, 0.3, 1.8), side=side, falloff_unit=0.7,
                       radial_falloff=Falloff(0.8, 0.2, 1.2 if falloff_kind == "tube" else 110.0),
                       gravitates=falloff_kind == "cone")  # fmt: skip
    found = at(field, points, velocities)
    for node, (point, velocity) in enumerate(zip(points, velocities)):
        air, acceleration, rate = twin(field, point, velocity)
        assert np.allclose(found.velocities[node], air, atol=1e-12)
        assert np.allclose(found.accelerations[node], acceleration, atol=1e-11)
        assert found.rates[node] == pytest.approx(rate, abs=1e-12)


def test_fields_add_up_and_the_wind_with_them():
    fields = [ForceField(kind, kind, strength=1.5, size=0.3, flow=0.2) for kind in FIELD_KINDS if kind != "drag"]
    points = np.random.default_rng(2).normal(size=(10, 3))
    velocities = np.zeros((10, 3))
    together = air_of(*fields, wind=(1.0, 2.0, 3.0)).at(points, velocities, 0.5)
    alone = [air_of(field, wind=(1.0, 2.0, 3.0)).at(points, velocities, 0.5) for field in fields]
    winds = together.velocities - [1.0, 2.0, 3.0], sum(sample.velocities - [1.0, 2.0, 3.0] for sample in alone)
    assert np.allclose(*winds, atol=1e-12)
    assert np.allclose(together.accelerations, sum(sample.accelerations for sample in alone), atol=1e-12)
    assert np.allclose(together.rates, sum(sample.rates for sample in alone))


def test_any_number_of_threads_gives_the_same_bits():
    air = air_of(*(ForceField(kind, kind, size=0.3, flow=0.2) for kind in FIELD_KINDS), turbulence=1.0)
    points, velocities = np.random.default_rng(2).normal(size=(2, 1001, 3))
    results = []
    for threads in (1, numba.config.NUMBA_NUM_THREADS):
        numba.set_num_threads(threads)
        results.append(air.at(points, velocities, 0.5))
    for first, second in zip(*results):
        assert np.array_equal(first, second)


@pytest.mark.parametrize("kind", FIELD_KINDS)
@pytest.mark.parametrize("shape", FIELD_SHAPES)
@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (0.0, 0.0, 0.0)])
def test_at_its_own_place_a_field_is_finite(kind, shape, axis):
    for falloff_kind, gravitates in itertools.product(FALLOFF_KINDS, (False, True)):
        field = ForceField("field", kind, shape, axis=axis, size=0.5, flow=1.0, falloff_kind=falloff_kind,
                           falloff=Falloff(2.0), gravitates=gravitates)  # fmt: skip
        assert all(np.isfinite(values).all() for values in at(field, np.zeros(3)))


def test_flow_turns_a_force_into_a_speed():
    """With strength s and flow f, the speed tends to s/f, as Blender's particles do."""
    path = move(air_of(ForceField("", "force", "plane", strength=3.0, flow=2.0)), 0.1 * Z, 0 * Z, 10.0, 1000)
    assert path[-1, 1] == pytest.approx([0.0, 0.0, 1.5], abs=1e-7)


def test_things_take_on_the_wind_at_the_rate_of_its_flow():
    """v = w (1 − (1 + f Δt)^−n), which tends to w (1 − exp(−f t))."""
    path = move(air_of(ForceField("", "wind", strength=4.0, flow=1.0, axis=X)), 0 * Z, 0 * Z, 1.0, 100)
    assert path[-1, 1] == pytest.approx(4.0 * (1.0 - 1.01**-100.0) * X, rel=1e-12)


def test_gravitation_keeps_a_circular_orbit():
    """At radius r with the speed √(s/r): one turn in 2π √(r³/s); the semi-implicit step errs by its own length."""
    radius, strength, steps = 2.0, 8.0, 1000
    air = air_of(ForceField("sun", "force", strength=-strength, gravitates=True))
    period = 2.0 * np.pi * np.sqrt(radius**3 / strength)
    path = move(air, radius * X, [0.0, np.sqrt(strength / radius), 0.0], period, steps)
    assert np.linalg.norm(path[:, 0], axis=1) == pytest.approx(radius, rel=2 * np.pi / steps)
    assert np.linalg.norm(path[-1, 0] - radius * X) < radius * 4 * np.pi / steps


def test_harmonic_field_swings_with_its_frequency():
    """About the rest length L with √s; the semi-implicit step errs by its own length."""
    strength, rest, steps = 25.0, 0.5, 1000
    air = air_of(ForceField("", "harmonic", strength=strength, size=rest))
    path = move(air, [0.0, 0.0, rest + 0.1], 0 * Z, 2.0 * np.pi / np.sqrt(strength), steps)
    times = np.linspace(0.0, 2.0 * np.pi, steps + 1)
    assert np.abs(path[:, 0, 2] - rest - 0.1 * np.cos(times)).max() < 0.1 * 2 * np.pi / steps


@pytest.mark.parametrize("shape", FIELD_SHAPES)
def test_harmonic_field_of_any_strength_is_stable(shape):
    air = air_of(ForceField("", "harmonic", shape, strength=1e12))
    path = move(air, [0.3, 0.4, 0.5], 0 * Z, 10.0, 1000)
    assert np.abs(path[:, 0]).max() < 1.5


@pytest.mark.parametrize("shape", ["line", "plane"])
def test_vortex_along_a_line_makes_things_turn_with_it(shape):
    """On a circle with the angular velocity s from the start, they stay there: the step drifts by ω Δt a turn."""
    omega, radius, steps = 2.0, 1.5, 2000
    air = air_of(ForceField("", "vortex", shape, strength=omega))
    path = move(air, [radius, 0.0, 0.7], [0.0, omega * radius, 0.0], 2.0 * np.pi / omega, steps)
    assert np.linalg.norm(path[:, 0, :2], axis=1) == pytest.approx(radius, rel=4 * np.pi**2 / steps)
    assert np.allclose(path[-1, 0], [radius, 0.0, 0.7], atol=radius * 8 * np.pi**2 / steps)


def test_quadratic_drag_has_its_closed_form():
    """v = v₀/(1 + q v₀ t), exactly: with the rate q |v| of the step's start, 1/v grows by q Δt."""
    path = move(air_of(ForceField("", "drag", strength=0.5)), 0 * Z, 4.0 * X, 2.0, 10)
    assert path[-1, 1, 0] == pytest.approx(4.0 / (1.0 + 0.5 * 4.0 * 2.0), rel=1e-12)


def test_drag_is_against_the_moving_air():
    path = move(air_of(ForceField("", "drag", flow=50.0), wind=(3.0, 0.0, 0.0)), 0 * Z, 0 * Z, 2.0, 100)
    assert path[-1, 1] == pytest.approx([3.0, 0.0, 0.0])


def test_a_field_moves_and_changes_over_time():
    def motion(time):
        return np.array([[time, 0.0, 0.0], [0.0, np.sin(time), np.cos(time)], [10.0 * time, 2.0 * time, 0.0]])

    field = ForceField("", "wind", motion=motion, falloff=Falloff(power=1.0))
    sample = at(field, X, time=0.5)
    assert sample.velocities[0] == pytest.approx(5.0 / 1.5 * np.array([0.0, np.sin(0.5), np.cos(0.5)]))
    assert sample.rates[0] == pytest.approx(1.0 / 1.5)


def test_keyed_strength_does_not_make_gusts_race():
    """What changes from one moment to the next is the strength, not the place of the gusts."""

    def motion(time):
        return np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0 + time, 0.0, 0.5]])

    keyed, even = (ForceField("", "turbulence", size=0.5, motion=how) for how in (motion, None))
    points = np.random.default_rng(3).normal(size=(20, 3))
    assert np.allclose(at(keyed, points, time=100.0).velocities, 101.0 * at(even, points, time=100.0).velocities)


def test_turbulence_of_the_scene_is_one_more_field():
    points = np.random.default_rng(3).normal(size=(20, 3))
    field = ForceField("", "turbulence", strength=2.0, size=0.4, seed=9, is_global=True)
    of_scene = air_of(turbulence=2.0, turbulence_size=0.4, turbulence_seed=9).at(points, 0 * points, 3.0)
    assert np.array_equal(of_scene.velocities, at(field, points, time=3.0).velocities)


def test_still_air_needs_no_kernel():
    air = air_of(wind=(1.0, 2.0, 3.0))
    assert air.fields is None
    assert np.array_equal(air.at(np.zeros((2, 3)), np.zeros((2, 3)), 0.0).velocities, [[1.0, 2.0, 3.0]] * 2)


def test_fields_of_unknown_kinds_are_left_out():
    fields = ForceField("", "magnet"), ForceField("", "force", shape="surface"), ForceField("", "wind")
    assert [field.kind for field in air_of(*fields).fields.fields] == ["wind"]
