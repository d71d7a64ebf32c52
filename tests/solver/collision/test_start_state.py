"""A start that intersects is told in words, with the vertices to select."""

import re

import numpy as np
import pytest

from stiction.solver import Attachment, Cloth, Collider, Hair, HairMaterial, RigidBody, Scene, check_scene
from stiction.solver.collision.start_state import start_problems
from tests.solver.conftest import cube, grid
from tests.solver.volume.shapes import icosphere


def problems_of(*objects):
    scene = Scene()
    for item in objects:
        scene.add(item)
    assert check_scene(scene) == []
    problems = start_problems(scene)
    assert all(problem.is_warning for problem in problems)
    return problems


def sheet(height=0.05, **settings):
    """Of 20 vertices, 0.4 by 0.3 m, around the origin."""
    positions, triangles = grid()
    return Cloth("shirt", positions - [0.2, 0.15, 1.0 - height], triangles, **settings)


def strands(*offsets, **settings):
    """Upright ones, of 5 points, from the height −0.1 to 0.3, at places (x, y)."""
    points = [[(x, y, z) for z in np.linspace(-0.1, 0.3, 5)] for x, y in offsets]
    return Hair("groom", np.concatenate(points), np.arange(len(offsets) + 1) * 5, **settings)


def test_a_sound_start_has_no_problems():
    assert problems_of(sheet(0.5), Collider("body", *cube(0.4)), strands((3, 0), (4, 0))) == []


def test_a_sheet_around_a_post():
    through, inside = problems_of(Collider("post", *cube(0.15, (0.01, 0.02, 0.0))), sheet())
    assert through.sentence.startswith('"shirt" passes through "post" in ')
    assert through.sentence.endswith(". Move them apart at the first frame.")
    (other,) = through.others
    assert (through.object_name, other[0]) == ("shirt", "post")
    assert f"near vertex {through.elements[0]}." in through.sentence
    assert inside.sentence == (
        '2 vertices of "shirt" are inside "post", up to 25 mm deep; the first is 7. Move them out at the first frame.'
    )
    assert (inside.elements, inside.others) == ((7, 12), ())


def test_a_sheet_through_itself():
    item = sheet()
    item.positions[0] = item.positions[13] + [0.01, 0.01, 0.03]
    item.positions[1] = item.positions[13] + [0.01, 0.01, -0.03]
    item.positions[5] = item.positions[13] + [0.3, 0.01, -0.03]
    (problem,) = problems_of(item)
    assert problem.sentence.startswith('"shirt" passes through itself in ')
    assert problem.others == ()


def test_exact_contact_asks_for_room():
    floor = Collider("floor", [[-5, -5, 0], [5, -5, 0], [0, 5, 0]], [[0, 1, 2]])
    (problem,) = problems_of(sheet(0.0), floor)
    assert problem.sentence.startswith('"shirt" touches "floor" exactly in ')
    assert "Leave a little room" in problem.sentence
    assert problem.elements == tuple(range(20))


def test_what_does_not_collide_is_not_reported():
    post = cube(0.15, (0.01, 0.02, 0.0))
    assert problems_of(sheet(collision_groups=1), Collider("post", *post, collision_groups=2)) == []
    assert problems_of(sheet(0.5), Collider("a", *post), Collider("b", *cube(0.2))) == []


def test_pins_inside_a_collider_are_told_apart():
    post = Collider("post", *cube(0.15, (0.01, 0.02, 0.0)))
    for problem in problems_of(sheet(pinned=np.arange(20)), post):
        assert problem.sentence.endswith("The animation holds them there, so that nothing can part them.")


def test_one_body_inside_another():
    (problem,) = problems_of(RigidBody("pea", *cube(0.02)), RigidBody("pod", *icosphere(2, 0.2)))
    assert problem.sentence.startswith('8 vertices of "pea" are inside "pod", up to 0.1')
    assert problem.object_name == "pea"


def test_roots_below_the_scalp_are_no_problem():
    scalp = icosphere(3, 1.0, (0, 0, -1.02))
    places = (0.013, 0.007), (0.053, 0.004)  # on no edge
    rooted = strands(*places, pinned=[0, 1, 5, 6])
    assert problems_of(rooted, Collider("head", *scalp)) == []
    free = strands(*places)
    through, inside = problems_of(free, Collider("head", *scalp))
    told = '"groom" passes through "head" in 2 places, up to 2[0-9] mm deep; the first near point 0.'
    assert re.match(told, through.sentence)
    assert re.match('2 points of "groom" are inside "head", up to 7[5-9] mm deep; the first is 0.', inside.sentence)


def rope_on_a_lamp(height, *attachments):
    """A rope that hangs down onto the top of a box, at the given height above it, and the box."""
    scene = Scene()
    scene.add(Hair("rope", [(0.01, 0.02, 0.2 + height + 0.1 * i) for i in range(4)], [0, 4]))
    scene.add(RigidBody("lamp", *cube(0.4)))
    scene.attachments += attachments
    assert check_scene(scene) == []
    return start_problems(scene)


@pytest.mark.parametrize("height", [0.0, -1e-9, -0.01, 1e-9])
def test_ends_of_ropes_that_are_tied_to_a_body_may_touch_it(height):
    corners, triangles = cube(0.4)
    top = next(row for row in triangles.tolist() if (corners[row, 2] > 0.0).all())
    tie = Attachment("rope", [0], "lamp", [top], [[1 / 3, 1 / 3, 1 / 3]], keeps_distance=True)
    assert rope_on_a_lamp(height, tie) == []
    assert bool(rope_on_a_lamp(height)) == (height <= 0.0), "it is the tie that allows it"


def test_a_tied_rope_is_told_where_it_passes_through_elsewhere():
    """Its second segment lies in the box, too."""
    tie = Attachment("rope", [0], "lamp", [[0, 1, 2]], [[1 / 3, 1 / 3, 1 / 3]], keeps_distance=True)
    sentences = [problem.sentence for problem in rope_on_a_lamp(-0.15, tie)]
    assert any(sentence.startswith('"rope" passes through "lamp" in') for sentence in sentences)
    assert any(sentence.startswith('1 point of "rope" is inside "lamp"') for sentence in sentences)


def test_strands_in_each_other():
    thick = HairMaterial(radius=0.01)
    (problem,) = problems_of(strands((0, 0), (0.015, 0), (1, 0), material=thick))
    # 4 segments beside 4, and 3 times 2 that end beside each other
    assert problem.sentence == (
        'Strands of "groom" overlap each other in 10 places, the worst by 25 % of their thickness; '
        "the first near point 0. Spread them, or lower the radius or the thickness."
    )
    assert problem.elements == tuple(range(10))


def test_too_thick_by_choice_is_told():
    (problem,) = problems_of(sheet(thickness=0.3))
    assert "thick for its mesh" in problem.sentence


@pytest.mark.parametrize("order", [1, -1])
def test_the_collider_is_named_last(order):
    problems = problems_of(*[sheet(), Collider("post", *cube(0.15, (0.01, 0.02, 0.0)))][::order])
    assert {problem.object_name for problem in problems} == {"shirt"}
