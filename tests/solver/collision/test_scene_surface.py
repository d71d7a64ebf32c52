"""The surface of a scene: thickness, roots, insides, and points that move with their nodes."""

import numpy as np
import pytest

from stiction.solver import (
    Attachment,
    Cloth,
    Collider,
    Hair,
    HairMaterial,
    PairFriction,
    RigidBody,
    Roots,
    Scene,
    SoftBody,
)
from stiction.solver.bodies.placement import place
from stiction.solver.collision.scene_friction import pair_friction_at
from stiction.solver.collision.scene_surface import (
    THICKNESS,
    contact_radii,
    given_positions,
    start_surface,
    surface_of,
)
from stiction.solver.collision.surface import NOTHING
from stiction.solver.collision.surface_parts import point_positions
from stiction.solver.model_builder import build
from tests.solver.conftest import cube, grid, strands
from tests.solver.volume.shapes import icosphere


def scene_of(*objects):
    scene = Scene()
    for item in objects:
        scene.add(item)
    return scene


def moved_surface(scene):
    """The surface of a scene among the nodes of its model, and where its points start."""
    model, state, _ = build(scene)
    surface = surface_of(scene, place(scene), model.is_free)
    return surface, point_positions(
        surface, state.positions, given_positions(scene, 0.0), np.empty((surface.firsts[-1], 3))
    )


def test_points_of_every_kind_start_where_the_vertices_do(scene):
    surface, points = moved_surface(scene)
    plain, start = start_surface(scene)
    assert surface.names == plain.names == tuple(scene.objects)
    # bodies find their vertices again among their nodes to within a few roundings
    assert points == pytest.approx(start, abs=1e-12)
    for first, second in ((surface.edges, plain.edges), (surface.triangles, plain.triangles)):
        assert np.array_equal(first, second)


def test_what_is_given(scene):
    for surface in (moved_surface(scene)[0], start_surface(scene)[0]):
        given = {
            name: np.flatnonzero(surface.points.is_given[first:end]).tolist()
            for name, first, end in zip(surface.names, surface.firsts[:-1], surface.firsts[1:])
        }
        assert given["shirt"] == [0, 4]
        assert given["groom"] == [0, 1, 5, 6, 10, 11]
        assert given["jelly"] == given["prop"] == []
        assert given["body"] == list(range(8))


def test_given_positions_follow_the_time(scene):
    *simulated, body = given_positions(scene, 0.5)
    assert simulated == [None] * 4
    assert body == pytest.approx(cube(0.5)[0] + [0, 0, 0.5])


def test_closed_solids_have_an_inside_and_cloth_has_none():
    points, triangles = cube()
    scene = scene_of(
        SoftBody("soft", points, triangles),
        RigidBody("turned", points + [3, 0, 0], triangles[:, ::-1]),
        Cloth("cushion", points + [6, 0, 0], triangles),
        Collider("open", points + [9, 0, 0], triangles[1:]),
        Collider("closed", points, triangles),
    )
    surface, positions = start_surface(scene)
    assert surface.has_inside.tolist() == [True, True, False, False, True]
    own = surface.triangles[(surface.points.objects[surface.triangles] == 1).all(axis=1)]
    a, b, c = (positions[own] - [3, 0, 0]).swapaxes(0, 1)
    assert (np.einsum("ti,ti->t", a, np.cross(b, c)) > 0).all()  # outwards now


def test_thickness():
    assert contact_radii(Cloth("a", *grid(spacing=0.1))) == pytest.approx(np.full(20, THICKNESS / 2))
    assert contact_radii(Cloth("a", *grid(spacing=0.001))) == pytest.approx(np.full(20, 0.05 * 0.001))
    assert contact_radii(Cloth("a", *grid(), thickness=0.02)) == pytest.approx(np.full(20, 0.01))
    assert contact_radii(Hair("h", *strands(), material=HairMaterial(radius=0.003))) == pytest.approx(
        np.full(15, 0.003)
    )
    tapered = np.linspace(0.002, 0.001, 15)
    assert np.array_equal(contact_radii(Hair("h", *strands(), radii=tapered)), tapered)
    assert contact_radii(Hair("h", *strands(), radii=tapered, thickness=0.5)) == pytest.approx(np.full(15, 0.25))


def test_friction_by_vertex_and_by_pair():
    painted = np.linspace(0, 1, 20)
    scene = scene_of(Cloth("a", *grid(), friction=painted), Collider("b", *cube(), friction=0.7))
    scene.pair_friction.append(PairFriction("b", "a", 0.9))
    surface, _ = start_surface(scene)
    assert surface.points.friction == pytest.approx([*painted, *[0.7] * 8])
    for table in pair_friction_at(scene, 0.0):
        assert (table[0, 1], table[1, 0]) == (0.9, 0.9)
        assert np.isnan(np.diag(table)).all()


def test_groups_and_self_collision():
    scene = scene_of(
        Cloth("a", *grid(), collision_groups=3, self_collision=False),
        Cloth("b", *grid(), collision_groups=2),
        Collider("c", *cube(), collision_groups=1),
    )
    assert start_surface(scene)[0].meets.tolist() == [[0, 1, 1], [1, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("height", "pinned", "ground"),
    [(0.0, True, "head"), (0.015, True, "head"), (0.05, True, None), (0.0, False, None)],
)
def test_pinned_hair_grows_on_the_collider_that_it_starts_at(height, pinned, ground):
    """Segments are 0.02 m long."""
    positions, offsets = strands(spacing=0.02)
    hair = Hair("groom", positions + [0, 0, height], offsets, pinned=[0, 1, 5, 6, 10, 11] if pinned else [])
    head = Collider("head", *cube(1.0, (0.0, 0.0, -0.5)))
    scene = scene_of(Collider("floor", *cube(1.0, (0, 0, -3.0))), head, hair)
    surface, _ = start_surface(scene)
    grounds = surface.points.grows_on[surface.firsts[2] :].reshape(3, 5)
    if ground is None:
        assert (grounds == NOTHING).all()
    else:
        assert (grounds[:, :3] == 1).all() and (grounds[:, 3:] == NOTHING).all()


def test_thick_skin_frees_more_of_the_root():
    hair = Hair("groom", *strands(spacing=0.02), pinned=[0, 1, 5, 6, 10, 11], thickness=0.002)
    head = Collider("head", *cube(1.0, (0.0, 0.0, -0.5)), thickness=0.064)
    surface, _ = start_surface(scene_of(hair, head))
    # 2 (0.001 + 0.032) m reach beyond the third segment
    assert (surface.points.grows_on[:15].reshape(3, 5) == [1, 1, 1, 1, NOTHING]).all()


def test_hair_grows_on_the_simulated_object_of_its_roots():
    points, triangles = icosphere(1, 0.1, (0, 0, -0.1))
    top = points[:, 2].argmax()
    corners = triangles[(triangles == top).any(axis=1)][:1]
    positions, offsets = strands(count=1)
    hair = Hair("groom", positions, offsets, roots=Roots("ball", corners, (corners == top).astype(float)))
    scene = scene_of(hair, RigidBody("ball", points, triangles))
    for surface in (start_surface(scene)[0], moved_surface(scene)[0]):
        assert surface.points.grows_on[:5].tolist() == [1, 1, 1, NOTHING, NOTHING]
        assert surface.points.is_given[:5].tolist() == [True, True, False, False, False]


def test_what_is_tied_does_not_collide_where_it_is():
    rope = Hair("rope", *strands(1, 8))
    cloth = Cloth("cloth", *grid(4))
    scene = scene_of(rope, cloth)
    scene.attachments.append(Attachment("rope", [7], "cloth", [[0, 1, 4]], [[1 / 3, 1 / 3, 1 / 3]]))
    scene.attachments.append(Attachment("cloth", [0], "cloth", [[15]], [[1.0]]))
    surface, _ = start_surface(scene)
    assert surface.points.grows_on[:8].tolist() == [NOTHING] * 7 + [1]
    assert surface.points.grows_on[8] == 1 and (surface.points.grows_on[9:] == NOTHING).all()
