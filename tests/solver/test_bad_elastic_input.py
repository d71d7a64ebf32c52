"""Bad shapes and absurd numbers give finite frames, or a sentence that names the object; never anything else."""

from dataclasses import fields, replace

import numpy as np
import pytest

from stiction.solver import (
    Cloth,
    Hair,
    Scene,
    SceneRefused,
    Simulation,
    SimulationDiverged,
    SoftBody,
)
from stiction.solver.material_validation import MAY_BE_ZERO

from .conftest import cube, grid, strands

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers overflow here on purpose
NAME = "Skirt"
LAWS = ("cloth_law", "solid_law")


def cloth(positions=None, triangles=None, **more):
    good_positions, good_triangles = grid()
    positions = good_positions if positions is None else positions
    return Cloth(NAME, positions, good_triangles if triangles is None else triangles, pinned=[0, 1], **more)


def hair(positions=None, **more):
    good_positions, offsets = strands()
    return Hair(NAME, good_positions if positions is None else positions, offsets, pinned=[0, 1, 5, 6], **more)


def soft(positions=None, triangles=None, **more):
    good_positions, good_triangles = cube(0.2)
    positions = good_positions if positions is None else positions
    return SoftBody(NAME, positions, good_triangles if triangles is None else triangles, resolution=2, **more)


def outcome(item, frames=4, **settings):
    """What a few frames came to: finite, diverged or refused; anything else is an error."""
    scene = Scene(**settings)
    scene.add(item)
    try:
        for frame in Simulation(scene).frames(1, frames):
            assert np.isfinite(frame.positions[NAME]).all()
    except SimulationDiverged as error:
        assert f'"{NAME}" flies apart' in str(error)
        return "diverged"
    except SceneRefused as error:
        assert all(f'"{NAME}":' in problem.sentence for problem in error.problems)
        return "refused"
    return "finite"


def with_vertex(vertex, place):
    positions, _ = grid()
    positions[vertex] = place
    return positions


BAD_SHEETS = {
    "a triangle without area": with_vertex(7, (0.15, 0.1, 1.0)),
    "a sliver": with_vertex(7, (0.1 + 1e-9, 0.1, 1.0)),
    "a vertex on another": with_vertex(7, (0.1, 0.1, 1.0)),
    "a triangle turned over": with_vertex(7, (0.35, 0.35, 1.0)),
    "all on a line": grid()[0] * [1.0, 0.0, 1.0],
    "all in a point": grid()[0] * 0.0,
    "smaller than an atom": grid()[0] * 1e-12,
    "larger than the Earth": grid()[0] * 1e9,
    "far from the origin": grid()[0] + 1e7,
}


FLATTENED = ("all on a line", "all in a point")


@pytest.mark.parametrize("name", BAD_SHEETS)
def test_sheets_of_bad_shape(name):
    assert outcome(cloth(BAD_SHEETS[name])) in (("refused",) if name in FLATTENED else ("finite", "diverged"))


def test_sheet_with_one_bad_triangle_still_falls():
    """The others hold together: the bad one has no stiffness, and no mass worth speaking of."""
    for name in ("a triangle without area", "a sliver", "a triangle turned over"):
        assert outcome(cloth(BAD_SHEETS[name])) == "finite", name


@pytest.mark.parametrize("name", BAD_SHEETS)
def test_sheets_of_bad_rest_shape(name):
    result = outcome(cloth(rest_positions=BAD_SHEETS[name]))
    assert result in (("refused",) if name in FLATTENED else ("finite", "diverged"))


def test_patterns_without_area_or_turned_over():
    positions, triangles = grid()
    corners = positions[triangles][:, :, :2]
    assert outcome(cloth(rest_corners=corners * [1.0, -1.0])) == "finite"
    for flat in (corners * [1.0, 0.0], corners * 0.0):
        assert outcome(cloth(rest_corners=flat)) == "refused"


def test_faces_that_name_a_vertex_twice_and_faces_that_are_there_twice():
    _, triangles = grid()
    assert outcome(cloth(triangles=np.concatenate([triangles, [[3, 3, 4]]]))) == "finite"
    assert outcome(cloth(triangles=np.concatenate([triangles, triangles[:4], triangles[:2, ::-1]]))) == "finite"


def bent_strands(points):
    positions, _ = strands()
    positions[5:10] = points
    return positions


LINE = np.arange(5.0)[:, None] * [0.0, 0.0, 0.02]
BAD_STRANDS = {
    "folded onto itself": bent_strands(LINE[[0, 1, 2, 1, 0]]),
    "a tiny segment": bent_strands(LINE[[0, 1, 1, 2, 3]] + [[0, 0, 0], [0, 0, 0], [0, 0, 1e-8], [0, 0, 0], [0, 0, 0]]),
    "larger than the Earth": strands()[0] * 1e9,
}


@pytest.mark.parametrize("positions", BAD_STRANDS.values(), ids=BAD_STRANDS)
def test_strands_of_bad_shape(positions):
    assert outcome(hair(positions)) in ("finite", "diverged")


def test_doubled_points_are_refused():
    positions = bent_strands(LINE[[0, 1, 1, 2, 3]])
    assert outcome(hair(positions)) == "refused"


BAD_SOLIDS = {
    "flat": cube(0.2)[0] * [1.0, 1.0, 0.0],
    "a needle": cube(0.2)[0] * [1e-9, 1e-9, 1.0],
    "inside out": cube(0.2)[0] * [1.0, 1.0, -1.0],
    "a point": cube(0.2)[0] * 0.0,
    "larger than the Earth": cube(0.2)[0] * 1e9,
}


@pytest.mark.parametrize("positions", BAD_SOLIDS.values(), ids=BAD_SOLIDS)
def test_solids_of_bad_shape(positions):
    assert outcome(soft(positions)) in ("finite", "diverged", "refused")


def numbers(material):
    return [item.name for item in fields(material) if item.name not in (*LAWS, "poisson_ratio")]


def settings_of_all_kinds():
    for make in (cloth, hair, soft):
        for name in numbers(make().material):
            yield pytest.param(make, name, id=f"{make.__name__}-{name}")


@pytest.mark.parametrize(("make", "name"), list(settings_of_all_kinds()))
def test_absurd_materials(make, name):
    """Nothing at all is refused where it makes no sense; what is next to nothing, or beyond all bounds, is tried."""

    def with_value(value):
        return outcome(make(material=replace(make().material, **{name: value})))

    assert with_value(0.0) == ("finite" if name in MAY_BE_ZERO else "refused")
    results = {value: with_value(value) for value in (1e-30, 1e30, 1e300)}
    assert set(results.values()) <= {"finite", "diverged"}
    if "density" not in name:  # no mass, no inertia: nothing can be told about the motion
        assert results[1e-30] == "finite"


@pytest.mark.parametrize("make", [cloth, hair, soft])
@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
def test_numbers_that_are_none_are_refused(make, value):
    for name in numbers(make().material):
        assert outcome(make(material=replace(make().material, **{name: value}))) == "refused", name


@pytest.mark.parametrize("make", [cloth, hair, soft])
@pytest.mark.parametrize("value", [0.5, 1.0, -1.0, np.nan])
def test_poisson_ratios_out_of_range_are_refused(make, value):
    assert outcome(make(material=replace(make().material, poisson_ratio=value))) == "refused"


@pytest.mark.parametrize("make", [cloth, hair, soft])
def test_a_step_of_a_second_is_survived(make):
    assert outcome(make(), frames_per_second=1.0, steps_per_frame=1) == "finite"


@pytest.mark.parametrize("make", [cloth, hair, soft])
@pytest.mark.parametrize("frames_per_second", [1e-9, 1e9])
def test_absurd_steps(make, frames_per_second):
    assert outcome(make(), frames_per_second=frames_per_second, steps_per_frame=1) != "refused"


@pytest.mark.parametrize("make", [cloth, hair, soft])
@pytest.mark.parametrize("speed", [1e3, 1e6, 1e30, 1e300])
def test_huge_velocities(make, speed):
    result = outcome(make(start_velocity=(speed, -speed, speed)))
    assert result == ("finite" if speed <= 1e6 else "refused")


@pytest.mark.parametrize("make", [cloth, hair, soft])
@pytest.mark.parametrize("gravity", [1e6, 1e30, 1e300])
def test_huge_gravity(make, gravity):
    assert outcome(make(), gravity=(0.0, 0.0, -gravity)) == ("finite" if gravity <= 1e6 else "diverged")


@pytest.mark.parametrize("make", [cloth, hair, soft])
def test_converged_steps_of_absurdly_stiff_objects_end(make):
    """A tolerance that rounding keeps out of reach must not turn into a hang."""
    stiff = {name: 1e30 for name in numbers(make().material) if name.endswith(("modulus", "stiffness", "bending"))}
    scene = Scene()
    scene.add(make(material=replace(make().material, **stiff)))
    simulation = Simulation(scene)
    simulation.integrator.settings.tolerance = 1e-12
    try:
        *_, frame = simulation.frames(1, 2)
        assert np.isfinite(frame.positions[NAME]).all()
    except SimulationDiverged as error:
        assert NAME in str(error)
