"""Contacts around a folded sheet, and the time at which a turning edge meets another, against plain geometry."""

import numpy as np
import pytest

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.contact_features import POINT_EDGE, POINT_TRIANGLE
from stiction.solver.collision.continuous import NEAR_ENOUGH, edge_edge_time
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.surface_parts import join_parts
from tests.solver.collision.parts import part
from tests.verification.pictures import EXACT, picture

SECTION = np.array([[-1.0, 0.2], [-0.4, 0.0], [0.0, 0.5], [0.4, 0.0], [1.0, 0.2]])  # x and z of a folded sheet [m]
REACH, SEPARATION = 0.16, 0.02  # [m]
COLORS = {POINT_TRIANGLE: "tab:blue", POINT_EDGE: "tab:orange"}


def folded_sheet():
    """The section, drawn out along y: points (n, 3) and triangles."""
    count = len(SECTION)
    rest = np.concatenate([np.insert(SECTION, 1, y, axis=1) for y in (-1.0, 1.0)])
    here = np.arange(count - 1)
    lower = np.column_stack([here, here + 1, here + count])
    return rest, np.concatenate([lower, np.column_stack([here + 1, here + count + 1, here + count])])


def nearest_on_section(point):
    """The nearest point of the section to a point (x, z)."""
    start, along = SECTION[:-1], np.diff(SECTION, axis=0)
    share = np.clip(((point - start) * along).sum(axis=1) / (along * along).sum(axis=1), 0.0, 1.0)
    feet = start + share[:, None] * along
    return feet[np.argmin(np.linalg.norm(feet - point, axis=1))]


def tips_around():
    """Points (n, 2) at many distances above, below and beside the section, off the planes where two sides tie."""
    x, z = np.meshgrid(np.linspace(-1.13, 1.12, 19), np.linspace(-0.13, 0.67, 9))
    return np.column_stack([x.ravel(), z.ravel()])


def test_nearest_contacts_around_a_folded_sheet():
    """Each tip within reach has a contact at its distance from the section, pointing at it."""
    rest, triangles = folded_sheet()
    sheet = part("sheet", rest, triangles, nodes=None, weights=None, is_given=np.ones(len(rest), bool))
    tips = tips_around()
    # A strand a tip; it runs on along y, as the sheet does, but ends at the tip only.
    ends = np.insert(tips, 1, 0.1, axis=1)
    strands = np.stack([ends, ends + [0.0, 9.0, 0.0]], axis=1).reshape(-1, 3)
    hair = part("tips", strands, segments=np.arange(len(strands)).reshape(-1, 2), radii=np.zeros(len(strands)))
    hair.self_collides = False
    surface, positions = join_parts([hair, sheet]), np.concatenate([strands, rest])
    candidates = StepCandidates(surface)
    candidates.search(positions, positions, REACH)
    contacts = touching(surface, candidates, positions, REACH)
    of_tip = contacts.kept((contacts.kinds == POINT_TRIANGLE) | (contacts.kinds == POINT_EDGE))
    of_tip = of_tip.kept((of_tip.points[:, 0] < len(strands)) & (of_tip.points[:, 0] % 2 == 0))
    for number, tip in enumerate(tips):
        foot = nearest_on_section(tip)
        distance = np.linalg.norm(tip - foot)
        own = np.flatnonzero(of_tip.points[:, 0] == 2 * number)
        if distance >= REACH:
            continue
        nearest = own[np.argmin(of_tip.distances[own])]
        assert of_tip.distances[nearest] == pytest.approx(distance)
        assert of_tip.normals[nearest][[0, 2]] == pytest.approx((tip - foot) / distance)
    times, apart, found, wanted = turning_edge()
    picture("collision", lambda *axes: _draw(axes, tips, of_tip, times, apart, found, wanted), columns=2)


def turning_edge():
    """Times, distances, time of contact and wanted separation of an edge that falls and turns across another."""
    starts = np.array([[-1.0, 0.0, 0.5], [1.0, 0.3, 0.6], [0.2, -1.0, 0.0], [0.3, 1.0, 0.0]])
    ends = starts + [[0.3, 0.9, -1.4], [-0.5, -0.2, -0.6], [0.0, 0.0, 0.1], [0.0, 0.0, -0.1]]
    found, _ = edge_edge_time(_tuples(starts), _tuples(ends), SEPARATION, 1.0)
    times = np.linspace(0.0, 1.0, 2001)
    places = np.linspace(0.0, 1.0, 101)[:, None]
    apart = []
    for time in times:
        a, b, c, d = starts + time * (ends - starts)
        # Distances of sampled points from the second edge; exact across it, to the sampling along the first.
        points = a + places * (b - a)
        share = np.clip((points - c) @ (d - c) / ((d - c) @ (d - c)), 0.0, 1.0)[:, None]
        apart.append(np.linalg.norm(points - c - share * (d - c), axis=1).min())
    return times, np.array(apart), found, SEPARATION


def _tuples(corners):
    return tuple(tuple(corner) for corner in corners.tolist())


def test_a_turning_edge_is_stopped_just_before_its_separation():
    times, apart, found, wanted = turning_edge()
    sampled = 0.02  # half the way between two samples of an edge of about two metres, at most; squared over 2 wanted
    slack = sampled**2 / (2 * wanted)
    first = times[np.argmax(apart <= wanted)]
    assert apart.min() <= wanted  # they do meet
    assert found <= first
    assert np.interp(found, times, apart) <= wanted + NEAR_ENOUGH * (apart[0] - wanted) + slack


def _draw(axes, tips, contacts, times, apart, found, wanted):
    sheet, course = axes
    sheet.plot(*SECTION.T, **EXACT)
    drawn = np.unique(contacts.kinds)
    for kind in drawn:
        chosen = contacts.kept(contacts.kinds == kind)
        ends = tips[chosen.points[:, 0] // 2]
        feet = ends - chosen.distances[:, None] * chosen.normals[:, [0, 2]]
        sheet.plot(*np.stack([feet, ends], axis=1).transpose(2, 1, 0), color=COLORS[kind], linewidth=1)
        sheet.plot([], [], color=COLORS[kind], label="point, face" if kind == POINT_TRIANGLE else "point, edge")
    sheet.plot(*tips.T, "k.", markersize=2)
    sheet.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="contacts within reach of a folded sheet")
    sheet.legend(loc="upper right")
    course.plot(times, apart, **EXACT)
    course.axhline(wanted, color="0.3", linewidth=1, linestyle="--", label="wanted separation ξ")
    course.axvline(found, color="tab:blue", linewidth=1, label="time of contact")
    course.set(xlabel="share of the step", ylabel="distance [m]", title="an edge falls and turns across another")
    course.legend()
