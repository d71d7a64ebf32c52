"""Forces, stick and slip, and stretch at the vertices: against the weight of what lies still, and closed forms."""

import numpy as np
import pytest

from stiction.solver import Cloth, Collider, Hair, Scene, Simulation
from stiction.solver.bake import bake, prepare_store
from stiction.solver.fingerprint import describe
from stiction.solver.stretch import StretchMeter
from stiction.solver.touch_states import OPENS, SLIPS, STICKS
from stiction.solver.vertex_measures import MEASURES, with_measures

from .conftest import cube, grid, strands

HEIGHT = 1.0  # of the sheet that `grid` makes [m]


def sheet_on_a_table(friction=0.5, slope=0.0):
    """A sheet just above a table; gravity leans by the slope, as if the table did."""
    scene = Scene(contact_method="admm", gravity=(9.81 * np.sin(slope), 0.0, -9.81 * np.cos(slope)))
    sheet = scene.add(Cloth("sheet", *grid(), friction=friction, thickness=0.01))
    table, faces = cube(4.0, (0.0, 0.0, HEIGHT - 2.0 - 0.0101))
    scene.add(Collider("table", table, faces, friction=friction, thickness=0.01))
    return scene, sheet


def touch_after(scene, frames):
    simulation = Simulation(scene)
    for _ in simulation.frames(1, frames):
        pass
    contacts, points = simulation.touch()
    return contacts.of_vertices(), contacts.marks(points)


def test_forces_carry_the_weight_and_what_lies_still_sticks():
    scene, sheet = sheet_on_a_table()
    touched, marks = touch_after(scene, 8)
    area = 0.4 * 0.3
    weight = sheet.material.area_density * area * 9.81
    assert touched["sheet"].forces.sum(axis=0) == pytest.approx([0.0, 0.0, weight], abs=1e-2 * weight)
    assert touched["table"].forces.sum(axis=0) == pytest.approx([0.0, 0.0, -weight], abs=1e-2 * weight)
    assert set(touched["sheet"].states) <= {0.0, OPENS, STICKS} and (touched["sheet"].states == STICKS).sum() >= 4
    is_borne = np.linalg.norm(marks.forces, axis=1) > 1e-3 * weight
    assert np.allclose(marks.positions[is_borne, 2], HEIGHT, atol=0.02)


def test_friction_is_at_its_limit_where_something_slips():
    scene, _ = sheet_on_a_table(friction=0.3, slope=np.arctan(0.6))
    touched, _ = touch_after(scene, 4)
    forces = touched["sheet"].forces.sum(axis=0)
    assert (touched["sheet"].states == SLIPS).any()
    assert -forces[0] / forces[2] == pytest.approx(0.3, rel=0.02)


def test_what_lifts_off_is_open_and_bears_nothing():
    scene, sheet = sheet_on_a_table()
    scene.gravity, sheet.start_velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 1e-3)
    touched, marks = touch_after(scene, 2)
    assert set(touched["sheet"].states) <= {0.0, OPENS} and (touched["sheet"].states == OPENS).any()
    assert (marks.states == OPENS).all() and not marks.forces.any()


def test_nothing_touches_without_contacts_and_before_the_first_step():
    scene, _ = sheet_on_a_table()
    assert Simulation(scene).touch() is None
    assert Simulation(scene, contact_method="none").touch() is None


def test_stretch_is_that_of_the_edges():
    positions, triangles = grid()
    meter = StretchMeter(Cloth("sheet", positions, triangles))
    assert np.allclose(meter.measure(1.25 * positions), 0.25)
    assert np.allclose(meter.measure(positions + [1.0, 2.0, 3.0]), 0.0)
    points, offsets = strands(count=2, points=4)
    meter = StretchMeter(Hair("groom", points, offsets))
    longer = points.copy()
    longer[4:, 2] *= 1.5  # the second strand
    assert np.allclose(meter.measure(longer), [0.0] * 4 + [0.5] * 4)


def test_a_bake_keeps_what_was_measured(tmp_path):
    scene, sheet = sheet_on_a_table()
    counts = with_measures({"sheet": len(sheet.positions)})
    store = prepare_store(tmp_path, counts, (1, 3), describe(scene), False)
    bake(Simulation(scene), store)
    simulation = Simulation(scene)
    meter = StretchMeter(sheet)
    for frame in simulation.frames(1, 3):
        forces, others = np.split(store.positions("sheet" + MEASURES, frame.number), 2)
        assert np.allclose(others[:, 1], meter.measure(frame.positions["sheet"]), atol=1e-6)
        if frame.number > 1:
            touch = simulation.touch()[0].of_vertices()["sheet"]
            assert np.allclose(forces, touch.forces, atol=1e-6) and np.array_equal(others[:, 0], touch.states)
        else:
            assert not forces.any()
    assert store.verify() == []
