"""Steps with contacts solved by conjugate residuals: closed forms, ADMM's result, and refusals."""

import numpy as np
import pytest
import scipy.sparse as sparse

from stiction.solver import Cloth, Collider, Hair, HairMaterial, Scene, Simulation, SoftBody
from stiction.solver.contact.carried_impulses import KnownImpulses, known_impulses
from stiction.solver.contact.conjugate_residual import CrSettings, MixedSolver
from stiction.solver.contact.contact_ellipsoids import any_tangents
from stiction.solver.contact.impulse_guess import impulses_from_nodes
from stiction.solver.contact.mixed_problem import mixed_problem
from stiction.solver.contact.nodal_contacts import NodalContacts
from stiction.solver.integrator.contact_set import ContactSet
from stiction.solver.integrator.linearized_steps import frames_of
from stiction.solver.reference.friction import solve_exactly

from .colliding import box, sheet
from .problems import general_form, random_problem

THICKNESS = 2e-3


def tilted_scene(angle, friction):
    """A soft cube at rest on the ground, with gravity that leans by an angle."""
    scene = Scene(gravity=(9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle)))
    scene.add(
        Collider("floor", *box((4.0, 4.0, 1.0), (0, 0, -0.5 - THICKNESS)), friction=friction, thickness=THICKNESS)
    )
    cube = box(0.1, (0, 0, 0.05 + 1e-5))
    scene.add(SoftBody("cube", *cube, resolution=2, friction=friction, thickness=THICKNESS))
    return scene


def run(scene, seconds, method="cr"):
    simulation = Simulation(scene, contact_method=method)
    for _ in range(round(seconds / scene.time_step)):
        simulation.advance()
    return simulation


@pytest.mark.slow
def test_a_soft_cube_slides_only_above_the_friction_angle():
    friction, seconds = 0.5, 0.125
    held = run(tilted_scene(np.arctan(0.45), friction), seconds)
    assert np.abs(held.state.velocities.mean(axis=0)[0]) < 1e-3
    angle = np.arctan(0.8)
    moving = run(tilted_scene(angle, friction), seconds)
    expected = 9.81 * (np.sin(angle) - friction * np.cos(angle)) * seconds
    assert moving.state.velocities.mean(axis=0)[0] == pytest.approx(expected, rel=0.03)
    assert moving.integrator.report.sticking == 0


@pytest.mark.slow
def test_a_sheet_on_a_box_ends_where_admm_lets_it():
    ends = {}
    for method in ("admm", "cr"):
        scene = Scene()
        scene.add(Collider("table", *box(0.2, (0, 0, 0)), thickness=THICKNESS))
        scene.add(Cloth("sheet", *sheet(7, 0.25, 0.105), thickness=THICKNESS))
        simulation = run(scene, 0.15, method)
        ends[method] = simulation.state.positions
        assert simulation.integrator.report.contact_count > 5
    assert np.abs(ends["cr"] - ends["admm"]).max() < 2e-3


def test_a_run_that_goes_on_with_a_frame_has_the_same_bits():
    """Impulses of contacts are carried from step to step, and stored with the state."""
    scene = tilted_scene(0.3, 0.5)
    scene.steps_per_frame = 3
    through = Simulation(scene, contact_method="cr")
    ends = [through.state.copy() for _ in through.frames(1, 4)]
    again = Simulation(scene, contact_method="cr")
    again.restore(ends[1].copy())
    for _ in again.frames(3, 4):
        pass
    assert np.array_equal(again.state.positions, ends[3].positions)
    assert np.array_equal(again.state.impulses, ends[3].impulses)
    assert through.integrator.report.contact_count > 3


def tipping_scene():
    """A soft cube that slides and turns over the rim of a table."""
    scene = Scene(steps_per_frame=8)
    scene.add(Collider("table", *box(0.4, (-0.2, 0, -0.2 - THICKNESS)), friction=0.3, thickness=THICKNESS))
    cube = box(0.1, (0.03, 0, 0.05 + 1e-5))
    scene.add(SoftBody("cube", *cube, resolution=2, friction=0.3, thickness=THICKNESS, start_velocity=(1.0, 0.0, 0.0)))
    return scene


@pytest.mark.parametrize("has_rope", [False, True])
def test_contacts_that_push_are_at_the_end_where_they_say(monkeypatch, has_rope):
    """Also where a rope lies on the table, whose own contacts stay as they were found."""
    scene = tipping_scene()
    if has_rope:
        line = np.linspace([-0.1, -0.1, 2e-3], [-0.1, 0.1, 2e-3], 6)
        scene.add(Hair("rope", line, [0, 6], material=HairMaterial(radius=1e-3, bending_modulus=1e7), friction=0.3))
    answers, relinearize = [], ContactSet.relinearize

    def watched(contact_set, ends, is_pushing, distance):
        answers[-1].append(relinearize(contact_set, ends, is_pushing, distance))
        return answers[-1][-1]

    monkeypatch.setattr(ContactSet, "relinearize", watched)
    simulation = Simulation(scene, contact_method="cr")
    for _ in range(12):
        answers.append([])
        simulation.advance()
    assert sum(len(step) > 1 for step in answers) > 3  # some were off, and were solved again
    assert all(step[-1] is None for step in answers)


def nodal(node_sets, normals):
    offsets = np.cumsum([0, *map(len, node_sets)], dtype=np.int32)
    nodes, count = np.concatenate(node_sets).astype(np.int32), len(node_sets)
    numbers = np.zeros((count, 3)), *(np.zeros(count) for _ in range(3))
    return NodalContacts(offsets, nodes, np.ones(len(nodes)), normals, *numbers)


def test_impulses_are_carried_to_contacts_that_are_the_same():
    rng = np.random.default_rng(0)
    sets = [rng.choice(50, size, replace=False) for size in (1, 2, 4, 4, 3, 1)]
    sets[5] = sets[0]  # a node that touches in two directions
    normals = np.eye(3)[[0, 1, 2, 0, 1, 2]]
    impulses = rng.normal(size=(6, 3))
    known = KnownImpulses.unpacked(known_impulses(nodal(sets, normals), impulses, 0.1).packed())
    order = np.array([3, 5, 0, 4, 2])
    turned = [np.roll(sets[contact], 1) for contact in order]
    after = nodal([*turned, np.array([60])], np.vstack([normals[order], normals[:1]]))
    carried = known.of(after, 0.05)
    assert carried[:5] == pytest.approx(0.5 * impulses[order])
    assert carried[5] == pytest.approx([0.0, 0.0, 0.0])
    twice = known.of(nodal([sets[2], sets[2], sets[3]], normals[[2, 2, 1]]), 0.1)
    assert twice[0] + twice[1] == pytest.approx(impulses[2]) and not twice[2].any()


@pytest.mark.parametrize("seed", range(4))
def test_a_start_from_the_solution_is_the_solution(seed):
    problem = random_problem(seed, nodes=40, contacts=25, friction=0.4)
    first = MixedSolver(mixed_problem(problem), CrSettings(1e-9, 2000))
    first.free_velocities()
    first.solve()
    second = MixedSolver(mixed_problem(problem), CrSettings(1e-9, 2000))
    second.begin(first.state.v, first.rows.impulses, first.force_scale, first.velocity_scale)
    second.solve()
    assert len(second.history) <= 10 and second.is_solved
    assert second.state.v == pytest.approx(first.state.v, abs=1e-7)


def test_contacts_that_nothing_can_move_are_left_out():
    problem = general_form(random_problem(1, nodes=10, contacts=6))
    rows = problem.J.toarray()
    rows[3:6] = 0.0
    problem.J, problem.k[1] = sparse.csr_array(rows), [-1.0, 0.2, 0.1]
    solver = MixedSolver(mixed_problem(problem), CrSettings(1e-8, 2000))
    solver.free_velocities()
    solver.solve()
    assert solver.is_solved and np.isfinite(solver.state.v).all()
    assert solver.rows.impulses[1] == pytest.approx([0.0, 0.0, 0.0])


@pytest.mark.parametrize("seed", range(4))
def test_impulses_on_nodes_tell_those_of_contacts(seed):
    """Where contacts are independent, exactly; and never outside of the cone."""
    problem = random_problem(seed, nodes=40, contacts=12, friction=0.4)
    _, r = solve_exactly(problem)
    guess = impulses_from_nodes(mixed_problem(problem), problem.J.T @ r.ravel())
    assert guess == pytest.approx(r, abs=0.02 * np.abs(r).max())
    assert (np.linalg.norm(guess[:, 1:], axis=1) <= 0.4 * guess[:, 0] + 1e-12).all()


@pytest.mark.parametrize("has_tangents", [False, True])
def test_frames_are_orthonormal(has_tangents):
    normals = np.random.default_rng(0).normal(size=(50, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    tangents = any_tangents(normals[:, ::-1])[:, ::-1] if has_tangents else np.zeros((0, 3))
    frames = frames_of(nodal([[0]] * 50, normals)._replace(tangents=tangents))
    assert not has_tangents or np.array_equal(frames[:, 1], tangents)
    assert frames[:, 0] == pytest.approx(normals)
    assert np.einsum("mij,mkj->mik", frames, frames) == pytest.approx(np.tile(np.eye(3), (50, 1, 1)), abs=1e-12)
    assert np.linalg.det(frames) == pytest.approx(np.ones(50))
