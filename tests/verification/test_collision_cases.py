"""The kinds of contact, one small scene each: what is found, and where, is what geometry says."""

from typing import NamedTuple

import numpy as np
import pytest

from stiction.solver.collision.candidates import StepCandidates
from stiction.solver.collision.contact_features import EDGE_EDGE, POINT_EDGE, POINT_POINT, POINT_TRIANGLE
from stiction.solver.collision.proximity import touching
from stiction.solver.collision.surface_parts import SurfacePart, join_parts
from tests.solver.collision.parts import part
from tests.solver.conftest import cube
from tests.verification.pictures import picture

REACH = 0.3  # [m]
TENT = [[0, 0, 0.4], [1, 0, 0.4], [0, -0.7, 0], [1, -0.7, 0], [0, 0.7, 0], [1, 0.7, 0]]
TENT_TRIANGLES = [[2, 3, 1], [2, 1, 0], [0, 1, 5], [0, 5, 4]]
VIEW = np.array([[0.87, -0.35], [0.5, 0.6], [0.0, 0.8]])  # of x, y, z on the paper


class Case(NamedTuple):
    title: str
    first: SurfacePart
    second: SurfacePart
    kind: int
    foot: list[float]  # where the nearest point of the second lies [m]
    tip: list[float]  # where that of the first lies [m]
    distance: float  # [m]


def strand(*points):
    return part("strand", points, segments=[[0, 1]], radii=np.zeros(2))


def ground(rest, triangles=(), segments=(), **changes):
    given = {"nodes": None, "weights": None, "is_given": np.ones(len(rest), bool), "radii": np.zeros(len(rest))}
    return part("ground", rest, triangles, segments, **(given | changes))


TENT_PART = ground(TENT, TENT_TRIANGLES)
CASES = [
    Case(
        "point and triangle",
        *(strand([0.5, 0.1, 0.2], [0.5, 0.6, 1.4]), ground([[0, -0.5, 0], [1.2, -0.5, 0], [0.4, 0.9, 0]], [[0, 1, 2]])),
        *(POINT_TRIANGLE, [0.5, 0.1, 0.0], [0.5, 0.1, 0.2], 0.2),
    ),
    Case(
        "edge and edge",
        *(strand([-0.2, -0.4, 0.2], [1.0, 0.4, 0.2]), ground([[0.4, -0.6, 0], [0.4, 0.6, 0]], segments=[[0, 1]])),
        *(EDGE_EDGE, [0.4, 0.0, 0.0], [0.4, 0.0, 0.2], 0.2),
    ),
    Case(
        "edges side by side: the middle",
        *(strand([0.3, 0.2, 0], [1.3, 0.2, 0]), ground([[0, 0, 0], [1, 0, 0]], segments=[[0, 1]])),
        *(EDGE_EDGE, [0.65, 0.0, 0.0], [0.65, 0.2, 0.0], 0.2),
    ),
    Case(
        "point above a ridge: once",
        *(strand([0.4, 0.0, 0.6], [0.4, 0.3, 1.2]), TENT_PART),
        *(POINT_EDGE, [0.4, 0.0, 0.4], [0.4, 0.0, 0.6], 0.2),
    ),
    Case(
        "point and point",
        *(strand([1.12, 0.0, 0.56], [1.7, 0.0, 1.1]), TENT_PART),
        *(POINT_POINT, [1.0, 0.0, 0.4], [1.12, 0.0, 0.56], 0.2),
    ),
    Case(
        "inside: the normal leads out",
        *(strand([0.1, -0.25, 0.4], [0.1, -0.25, 0.0]), ground(*cube(1.0), has_inside=True)),
        *(POINT_TRIANGLE, [0.1, -0.25, 0.5], [0.1, -0.25, 0.4], -0.1),
    ),
]


def contact_of(case: Case):
    """The nearest contact, side A being the strand."""
    surface = join_parts([case.first, case.second])
    positions = np.concatenate([case.first.rest, case.second.rest])
    candidates = StepCandidates(surface)
    candidates.search(positions, positions, REACH)
    contacts = touching(surface, candidates, positions, REACH)
    nearest = np.argsort(np.abs(contacts.distances))[0]
    return contacts.kept(np.array([nearest])), positions


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_every_kind_of_contact_is_where_geometry_puts_it(case):
    contact, positions = contact_of(case)
    weights, corners = contact.weights[0], positions[contact.points[0]]
    assert contact.kinds[0] == case.kind
    assert contact.distances[0] == pytest.approx(case.distance)
    assert np.maximum(weights, 0.0) @ corners == pytest.approx(np.array(case.tip))
    assert np.maximum(-weights, 0.0) @ corners == pytest.approx(np.array(case.foot))
    outward = np.subtract(case.tip, case.foot) / case.distance
    assert contact.normals[0] == pytest.approx(outward)


def test_pictures_of_all_kinds():
    picture("collision_cases", _draw, columns=len(CASES), size=(2.6, 2.6))


def _draw(*axes):
    for axis, case in zip(axes, CASES):
        contact, _ = contact_of(case)
        for piece, color in ((case.second, "0.55"), (case.first, "black")):
            for corners in (*piece.triangles, *piece.segments):
                outline = piece.rest[np.append(corners, corners[0])] @ VIEW
                axis.fill(*outline.T, facecolor="0.9", alpha=0.5, edgecolor=color, linewidth=1.2)
        tip, foot = np.array(case.tip) @ VIEW, np.array(case.foot) @ VIEW
        axis.plot(*np.stack([tip, foot]).T, color="tab:orange", linewidth=2.5, marker="o", markersize=4)
        arrow = (np.array(case.foot) + 0.45 * contact.normals[0]) @ VIEW
        axis.plot(*arrow, alpha=0.0)  # so that there is room for the arrow
        axis.annotate("", arrow, foot, arrowprops={"arrowstyle": "->", "color": "tab:blue", "linewidth": 1.5})
        axis.set_title(f"{case.title}\nd = {case.distance:g} m", fontsize=8)
        axis.set(aspect="equal")
        axis.axis("off")
