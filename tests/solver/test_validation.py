"""Bad scenes get a sentence that names object, element and remedy, before any work."""

import numpy as np
import pytest

from stiction.solver import (
    Cloth,
    ClothMaterial,
    Collider,
    Hair,
    HairMaterial,
    Scene,
    SceneRefused,
    Simulation,
    degenerate_elements,
)
from stiction.solver.energies import membrane
from stiction.solver.validation import check_scene

from .conftest import cube, grid, strands


def refusal(*objects, **settings):
    scene = Scene(**settings)
    for item in objects:
        scene.add(item)
    with pytest.raises(SceneRefused) as caught:
        Simulation(scene)
    return str(caught.value), caught.value.problems


def sheet(positions=None, triangles=None, **more):
    good_positions, good_triangles = grid()
    positions = good_positions if positions is None else positions
    return Cloth("Skirt", positions, good_triangles if triangles is None else triangles, **more)


def test_nothing_to_simulate():
    sentence, _ = refusal(Collider("floor", *cube()))
    assert sentence.startswith("Nothing to simulate: mark an object")


def test_empty_mesh():
    sentence, _ = refusal(sheet(np.zeros((0, 3)), np.zeros((0, 3), int)))
    assert sentence == 'Cloth "Skirt": it is empty. Add geometry to its mesh, or remove the object from the simulation.'


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_positions_that_are_not_finite(value):
    positions, _ = grid()
    positions[7, 1] = value
    sentence, problems = refusal(sheet(positions))
    assert sentence.startswith('Cloth "Skirt": 1 vertex is not finite (first: 7). Delete it')
    assert problems[0].elements == (7,)


def test_zero_length_segment():
    positions, offsets = strands()
    positions[7] = positions[6]
    sentence, problems = refusal(Hair("Groom", positions, offsets))
    assert sentence.startswith('Hair "Groom": 1 segment is without length (first: at point 6 of strand 1)')
    assert problems[0].elements == (6,)


def test_tip_on_next_root_is_no_segment():
    positions, offsets = strands()
    positions[5:] += positions[4] - positions[5]
    scene = Scene()
    scene.add(Hair("Groom", positions, offsets))
    assert check_scene(scene) == []


def test_strand_of_one_point():
    positions, _ = strands()
    sentence, problems = refusal(Hair("Groom", positions, [0, 5, 6, 15]))
    assert 'Hair "Groom": 1 strand is of fewer than two points (first: 1). Delete it' in sentence
    assert problems[0].elements == (5,)


def test_loose_vertices():
    positions, triangles = grid()
    positions = np.concatenate([positions, [[9, 9, 9], [8, 8, 8]]])
    sentence, problems = refusal(sheet(positions, triangles))
    assert sentence == (
        'Cloth "Skirt": 2 vertices are in no face (first: 20). Delete loose vertices, or remove the object.'
    )
    assert problems[0].elements == (20, 21)


@pytest.mark.parametrize("density", [-1.0, 0.0, np.nan])
def test_density_that_is_not_positive(density):
    sentence, _ = refusal(sheet(material=ClothMaterial(area_density=density)))
    assert sentence.startswith(f'Cloth "Skirt": its area density must be above zero (it is {density:g})')
    sentence, _ = refusal(Hair("Groom", *strands(), material=HairMaterial(density=density)))
    assert sentence.startswith(f'Hair "Groom": its density must be above zero (it is {density:g})')


def test_negative_drag():
    sentence, _ = refusal(sheet(material=ClothMaterial(air_drag=-1.0)))
    assert "its air drag must not be negative (it is -1)" in sentence


def test_no_faces():
    sentence, _ = refusal(sheet(triangles=np.zeros((0, 3), int)))
    assert sentence == 'Cloth "Skirt": it has no faces. Add faces, or remove the object from the simulation.'


def test_faces_beyond_the_vertices():
    sentence, _ = refusal(sheet(triangles=[[0, 1, 99]]))
    assert "a face names vertex 99, but there are only 20 vertices" in sentence


def test_pin_that_does_not_exist():
    sentence, _ = refusal(sheet(pinned=[3, 20]))
    assert "pinned vertex 20 does not exist; the object has 20 vertices" in sentence


def test_pin_motion_of_wrong_size():
    sentence, _ = refusal(sheet(pinned=[3], pin_motion=np.zeros((2, 3))))
    assert "the motion of the pins has shape (2, 3), but 1 vertices are pinned" in sentence


@pytest.mark.parametrize("speed", [3e8, 1e300])
def test_start_velocities_beyond_light_are_refused(speed):
    sentence, _ = refusal(sheet(start_velocity=(0.0, -speed, 0.0)))
    assert sentence == f'Cloth "Skirt": its start velocity of {speed:.3g} m/s is faster than light. Lower it.'


@pytest.mark.parametrize("scale", [(1.0, 0.0, 0.0), (0.0, 0.0, 0.0)], ids=["line", "point"])
def test_cloth_without_area(scale):
    sentence, _ = refusal(sheet(grid()[0] * scale))
    assert "it has no area: all its faces lie on a point or a line. Give it a shape" in sentence


@pytest.mark.parametrize("size", [1e-12, 1e9, 1e200])
def test_cloth_of_any_size_has_an_area(size):
    scene = Scene()
    scene.add(sheet(grid()[0] * size))
    assert check_scene(scene) == []


def test_zero_length_segment_of_a_rest_shape():
    positions, offsets = strands()
    shape = positions.copy()
    shape[7] = shape[6]
    sentence, problems = refusal(Hair("Groom", positions, offsets, rest_positions=shape))
    assert sentence.startswith(
        'Hair "Groom": its rest shape has 1 segment without length (first: at point 6 of strand 1)'
    )
    assert problems[0].elements == (6,)


def rest_shapes(positions):
    """The same faces at rest, given by a shape key and by a sewing pattern."""
    return {"rest_positions": positions}, {"rest_corners": positions[grid()[1]][:, :, :2]}


@pytest.mark.parametrize("way", [0, 1], ids=["rest shape", "sewing pattern"])
def test_rest_shape_without_area(way):
    words = ("rest shape", "sewing pattern")[way]
    sentence, _ = refusal(sheet(**rest_shapes(grid()[0] * [1.0, 0.0, 1.0])[way]))
    assert sentence.startswith(f'Cloth "Skirt": its {words} has no area: all its faces lie on a point or a line there.')


def with_collapsed_face():
    """Vertex 6, inside the sheet, lies on the edge between 1 and 2."""
    positions, _ = grid()
    positions[6] = 0.75 * positions[1] + 0.25 * positions[2]
    return positions


@pytest.mark.parametrize("way", [0, 1], ids=["rest shape", "sewing pattern"])
def test_collapsed_faces_of_a_rest_shape_are_a_warning(way):
    scene = Scene()
    scene.add(sheet(**rest_shapes(with_collapsed_face())[way]))
    (warning,) = check_scene(scene)
    assert warning.is_warning and warning.elements == (1, 2, 6)
    assert "has 1 triangle without area (first: of the vertices 1 2 6), which will not keep" in warning.sentence
    *_, frame = Simulation(scene).frames(1, 3)
    assert np.isfinite(frame.positions["Skirt"]).all()


def test_vertices_without_mass():
    """The only face of a corner is collapsed; pinned, it need not move by its mass."""
    positions, _ = grid()
    positions[0] = 0.5 * (positions[1] + positions[5])
    words = "1 vertex in faces without area only (first: 0), and so without mass."
    for settings in ({"positions": positions}, *rest_shapes(positions)):
        sentence, problems = refusal(sheet(**settings))
        assert words in sentence and problems[0].elements == (0,)
        scene = Scene()
        scene.add(sheet(**settings, pinned=[0]))
        assert all(problem.is_warning for problem in check_scene(scene))


def test_the_membrane_has_the_same_measure_of_flatness():
    assert membrane.FLAT == degenerate_elements.FLAT


def test_settings():
    sentence, _ = refusal(sheet(), frames_per_second=0, steps_per_frame=0, gravity=(0, 0, np.nan))
    assert "frame rate must be above zero" in sentence
    assert "at least one step a frame" in sentence
    assert "Gravity must be three finite numbers" in sentence
    sentence, problems = refusal(sheet(), contact_iterations=0, contact_sweeps=-1)
    assert "at least one of their iterations (there are 0)" in sentence
    assert "at least one of their sweeps (there are -1)" in sentence
    assert len(problems) == 2
    assert "linearized at least once (not 0 times)" in refusal(sheet(), linearizations=0)[0]
    for tolerance in (0.0, -1e-3, np.nan, np.inf):
        assert "tolerance of contacts must be above zero" in refusal(sheet(), contact_tolerance=tolerance)[0]


def test_every_problem_is_listed_at_once():
    _, problems = refusal(sheet(material=ClothMaterial(area_density=-1)), Hair("Groom", *strands(), pinned=[99]))
    assert [problem.object_name for problem in problems] == ["Skirt", "Groom"]


def test_doubled_vertices_are_a_warning():
    positions, triangles = grid()
    positions[13] = positions[12]
    scene = Scene()
    scene.add(sheet(positions, triangles))
    (warning,) = Simulation(scene).warnings
    assert warning.is_warning
    assert "1 vertex is exactly on top of another (first: 13)" in warning.sentence


def test_names_are_unique():
    scene = Scene()
    scene.add(sheet())
    with pytest.raises(SceneRefused, match='"Skirt" is in the scene twice'):
        scene.add(sheet())
