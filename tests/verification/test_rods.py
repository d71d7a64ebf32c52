"""Strands against closed forms: heavy elastica, catenary, uniform twist, Michell's ring, link = twist + writhe."""

import numpy as np
import pytest

from stiction.solver import Hair, HairMaterial, Scene, Simulation
from tests.verification.closed_forms import GRAVITY, catenary, catenary_height, heavy_elastica
from tests.verification.pictures import EXACT, OURS, only_for_pictures, picture
from tests.verification.settling import settle

MICHELL = 2 * np.pi * np.sqrt(3.0)  # times B/C: the twist that a ring bears [Michell 1889]


def cantilever(count, length, material):
    positions = np.column_stack([np.linspace(0, length, count), np.zeros(count), np.zeros(count)])
    return Hair("rod", positions, [0, count], material=material, pinned=[0, 1])


def bent_cantilever(load, count, length=0.2):
    """Ours and the exact shape, from where the clamped edge begins to bend: its middle."""
    radius, density = 1e-3, 1000.0
    weight = density * np.pi * radius**2 * GRAVITY
    rigidity = weight * length**3 / load
    material = HairMaterial(
        *(density, radius, 1.0, rigidity / (np.pi * radius**4 / 4), 1e10), air_drag=5.0, damping=0.0
    )
    positions, _ = settle(cantilever(count, length, material), frames=30)
    free = length - 0.5 * length / (count - 1)
    return positions[:, [0, 2]] - [length - free, 0.0], heavy_elastica(weight, rigidity, free)


@pytest.mark.parametrize("load", [0.3, 3.0, 30.0])
def test_cantilever_bends_like_the_heavy_elastica(load):
    """The tip converges at second order in the segment length."""
    errors = []
    for count in (20, 40):
        ours, exact = bent_cantilever(load, count)
        errors.append(np.linalg.norm(ours[-1] - exact[-1]) / 0.2)
    assert errors[1] < 0.004
    assert errors[1] < 0.6 * errors[0]


def test_limp_rod_hangs_as_a_catenary():
    count = 61
    start = _equal_segments(lambda x: -0.4 * np.sin(np.pi * x), count)
    length = np.linalg.norm(np.diff(start, axis=0), axis=1).sum()
    a = catenary(length)
    material = HairMaterial(radius=1e-3, bending_modulus=1.0, stretching_modulus=1e9, air_drag=4.0, damping=0.0)
    positions, _ = settle(Hair("rope", start, [0, count], material=material, pinned=[0, count - 1]), frames=60)
    x, z = positions[:, 0], positions[:, 2]
    segment = length / (count - 1)
    assert np.abs(z - catenary_height(x, a)).max() < segment**2 / a  # chords cut the arc by h²/8a each
    picture("catenary", lambda axes: _draw_catenary(axes, x, z, a))


def _draw_catenary(axes, x, z, a):
    line = np.linspace(0, 1, 200)
    axes.plot(line, catenary_height(line, a), **EXACT, label="catenary")
    axes.plot(x, z, **OURS, label="rope of 60 segments")
    axes.set(xlabel="x [m]", ylabel="z [m]", aspect="equal")
    axes.legend()


def _equal_segments(height, count):
    """Points on a curve z(x) over the unit interval, equally far apart."""
    x = np.linspace(0, 1, 2000)
    arc = np.concatenate([[0], np.cumsum(np.hypot(np.diff(x), np.diff(height(x))))])
    wanted = np.interp(np.linspace(0, arc[-1], count), arc, x)
    return np.column_stack([wanted, np.zeros(count), height(wanted)])


def test_twist_spreads_evenly_along_a_straight_rod():
    """Both end frames held, one turned by a quarter: twist angles become linear."""
    count = 12
    positions = np.column_stack([np.linspace(0, 0.1, count), np.zeros(count), np.zeros(count)])
    hair = Hair(
        *("rod", positions, [0, count]),
        material=HairMaterial(radius=1e-3, bending_modulus=1e7, stretching_modulus=1e8, air_drag=5.0),
        pinned=[0, 1, count - 2, count - 1],
    )
    simulation = weightless(hair)
    simulation.state.twists[count - 2] = np.pi / 2
    list(simulation.frames(1, 24))
    turned = simulation.state.twists[: count - 1] + simulation.state.turns[: count - 1]
    assert np.allclose(turned, np.linspace(0, np.pi / 2, count - 1), atol=1e-3)


def weightless(hair):
    scene = Scene(gravity=(0, 0, 0), frames_per_second=24, steps_per_frame=4)
    scene.add(hair)
    return Simulation(scene)


def ring_height(factor, count=48, radius_of_ring=0.05, poisson=0.3):
    """How far a ring leaves its plane, over its radius, with a multiple of the twist that it bears."""
    total = factor * MICHELL * (1.0 + poisson)  # B/C of a round section is E I / G J = 1 + ν
    angles = np.linspace(0, 2 * np.pi, count + 1)
    turns = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count + 1)]) * radius_of_ring
    overlap = turns[:3]  # the ends overlap by two segments, and are tied by being given the same motion
    positions = np.concatenate([turns[:-1], overlap])
    material = HairMaterial(
        radius=5e-4, bending_modulus=1e8, stretching_modulus=1e9, poisson_ratio=poisson, air_drag=2.0, density=1000.0
    )
    hair = Hair("ring", positions, [0, len(positions)], material=material, pinned=[0, 1, count, count + 1])
    simulation = weightless(hair)
    model, state = simulation.model, simulation.state
    model.rods.rest_curvatures[:] = 0.0  # naturally straight, bent to a ring
    state.twists[:] = np.linspace(0, total, len(state.twists))
    last_edge = count
    state.twists[: last_edge + 1] = np.linspace(0, total, last_edge + 1)
    state.positions[5:-5, 2] += 1e-4 * radius_of_ring * np.sin(2 * np.arange(len(positions) - 10))
    *_, frame = simulation.frames(1, 72)
    return np.abs(frame.positions["ring"][:, 2]).max() / radius_of_ring


@pytest.mark.parametrize(("factor", "stays_flat"), [(0.8, True), (1.25, False)])
def test_twisted_ring_buckles_above_michells_limit(factor, stays_flat):
    """A closed ring with total twist Θ is flat below 2 π √3 B/C [Michell 1889], and writhes above it."""
    assert (ring_height(factor) < 0.05) == stays_flat


@only_for_pictures
def test_picture_of_michells_ring():
    factors = np.linspace(0.6, 1.2, 13)  # further on the ring would meet itself
    picture("michell_ring", lambda axes: _draw_ring(axes, factors))


def _draw_ring(axes, factors):
    axes.axvline(1.0, **EXACT, label="2 π √3 B/C")
    axes.plot(factors, [ring_height(factor) for factor in factors], **OURS, label="ring of 48 segments")
    axes.set(xlabel="twist over Michell's limit", ylabel="greatest height over radius")
    axes.legend()


@only_for_pictures
def test_picture_of_cantilevers():
    picture("cantilever", _draw_cantilevers)


def _draw_cantilevers(axes):
    for load, label in ((1.0, "heavy elastica"), (3.0, None), (10.0, None), (30.0, None), (100.0, None)):
        ours, exact = bent_cantilever(load, 40, 1.0)
        axes.plot(*exact.T, **EXACT, label=label)
        axes.plot(*ours.T, **OURS, label=label and "rod of 39 segments")
        axes.annotate(f" w L³/B = {load:g}", exact[-1], fontsize=8)
    axes.set(xlabel="x / L", ylabel="z / L", aspect="equal", xlim=(-0.05, 1.45), ylim=(-1.05, 0.05))
    axes.legend(loc="lower right")


def test_link_is_twist_plus_writhe_and_stays():
    """A rod between clamps that do not turn: its twist goes over into writhe, and their sum is conserved.

    For polygons with parallel transport this holds without error [Bergou 2008, section 4.2.2; Fuller 1978].
    """
    count, turns = 40, 2.5  # with more turns it would cross itself, for want of contact
    positions = np.column_stack([np.linspace(0, 0.2, count), np.zeros(count), np.zeros(count)])
    material = HairMaterial(
        radius=1e-3, bending_modulus=1e7, stretching_modulus=1e8, air_drag=3.0, damping=0.0, density=1000.0
    )
    motion = _nearing_ends(positions[[0, 1, count - 2, count - 1]])
    hair = Hair(
        *("rod", positions, [0, count]), material=material, pinned=[0, 1, count - 2, count - 1], pin_motion=motion
    )
    simulation = weightless(hair)
    state = simulation.state
    state.twists[: count - 1] = np.linspace(0, 2 * np.pi * turns, count - 1)
    state.positions[2:-2, 1:] += 1e-4 * np.random.default_rng(5).normal(size=(count - 4, 2))
    simulation.advance()  # brings the frames to the displaced positions
    links, twists = [], []
    for _ in simulation.frames(2, 30):
        twist = (state.twists[1 : count - 1] - state.twists[: count - 2] + state.turns[1 : count - 1]).sum()
        twists.append(twist / (2 * np.pi))
        links.append(twists[-1] + writhe(_closed(simulation.state.positions)))
    assert twists[0] - twists[-1] > 0.1  # the rod does writhe
    np.testing.assert_allclose(links, links[0], atol=1e-9)


def _nearing_ends(ends):
    """The last two points move towards the first two."""
    return lambda time: ends - np.array([0, 0, 1, 1])[:, None] * [min(0.03 * time, 0.03), 0.0, 0.0]


def _closed(rod):
    """The rod's points and a wide way back, the same for all shapes but for where it begins."""
    away = np.array([[0.3, 0.0, 0.0], [0.3, 2.0, 0.0], [-0.1, 2.0, 0.0], [-0.1, 0.0, 0.0]])
    return np.concatenate([rod, away])


def writhe(points):
    """Of a closed polygon: signed solid angles of all pairs of edges over 2 π [Klenin & Langowski 2000, method 1a]."""
    first, second = np.tril_indices(len(points), -1)
    starts, ends = points, np.roll(points, -1, axis=0)
    a, b, c, d = starts[first], ends[first], starts[second], ends[second]
    corners = np.stack([c - a, d - a, d - b, c - b])
    normals = np.cross(corners, np.roll(corners, -1, axis=0))
    lengths = np.linalg.norm(normals, axis=2)
    is_skew = lengths.min(axis=0) > 1e-14  # others meet, or lie in one plane
    normals = normals[:, is_skew] / lengths[:, is_skew, None]
    angles = np.arcsin(np.clip((normals * np.roll(normals, -1, axis=0)).sum(axis=2), -1.0, 1.0)).sum(axis=0)
    signs = np.sign((np.cross(d - c, b - a) * (c - a)).sum(axis=1))[is_skew]
    return (angles * signs).sum() / (2 * np.pi)
