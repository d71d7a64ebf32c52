"""What is wrong with the start of a scene where its objects touch, in the artist's words."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..errors import Problem
from ..scene import Scene
from .errors import TooMuchIntersects
from .intersections import Crossings, Insides, Intersections, find_intersections
from .scene_surface import start_surface
from .strand_overlaps import Overlaps
from .surface import CollisionSurface
from .surface_parts import thinned_points

HELD = " The animation holds them there, so that nothing can part them."


def start_problems(scene: Scene) -> list[Problem]:
    """Warnings about what intersects at the start of a valid scene; objects that do not collide may."""
    surface, positions = start_surface(scene)
    try:
        problems = describe_intersections(surface, find_intersections(surface, positions))
    except TooMuchIntersects as too_much:
        problems = [Problem(too_much.object_name, str(too_much), is_warning=True)]
    chosen = {item.name for item in scene.objects.values() if item.thickness is not None}
    return problems + [problem for problem in thinned_points(surface) if problem.object_name in chosen]


def describe_intersections(surface: CollisionSurface, found: Intersections) -> list[Problem]:
    """A warning for each two objects that intersect, and each way in which they do."""
    return [
        *_passing_through(surface, found.crossings),
        *_lying_inside(surface, found.insides),
        *_overlapping(surface, found.overlaps),
    ]


class _Pair(NamedTuple):
    """Two objects and what they have to do with each other."""

    first: int
    second: int
    rows: np.ndarray  # of the findings


def _pairs(surface, objects) -> Iterator[_Pair]:
    """Findings (k, 2) by the two objects that they are about, if these collide; colliders are named last."""
    is_collider = np.diff(surface.nodes.offsets[surface.firsts]) == 0
    keys = np.sort(objects, axis=1)
    for first, second in np.unique(keys, axis=0):
        if surface.meets[first, second]:
            rows = np.flatnonzero((keys == (first, second)).all(axis=1))
            yield _Pair(second, first, rows) if is_collider[first] else _Pair(first, second, rows)


def _passing_through(surface, crossings: Crossings):
    for pair, sentence, own, others in described_crossings(surface, crossings):
        remedy = " Move them apart at the first frame."
        if crossings.is_touching[pair.rows].all():
            remedy = " Leave a little room between them."
        yield _warning(surface, pair, sentence + (remedy if crossings.collides[pair.rows].any() else HELD), own, others)


def described_crossings(surface: CollisionSurface, crossings: Crossings) -> Iterator[tuple]:
    """For each two objects: the pair, a sentence about how many, how deep and where, and the vertices of both."""
    for pair in _pairs(surface, crossings.objects):
        edges, triangles = crossings.edges[pair.rows], crossings.triangles[pair.rows]
        own, others = _vertices(surface, pair, np.column_stack([surface.edges[edges], surface.triangles[triangles]]))
        whom = "itself" if pair.first == pair.second else f'"{surface.names[pair.second]}"'
        what = f"passes through {whom} in {_places(pair)}, up to {_length(crossings.depths[pair.rows].max())} deep"
        if crossings.is_touching[pair.rows].all():
            what = f"touches {whom} exactly in {_places(pair)}"
        near = f"the first near {_word(surface, pair.first, 1)} {own[0]}"
        yield pair, f'"{surface.names[pair.first]}" {what}; {near}.', own, others


def _lying_inside(surface, insides: Insides):
    """Two rings may each have points in the other: the order of the two objects matters here."""
    for inner, outer in np.unique(insides.objects, axis=0):
        pair = _Pair(inner, outer, np.flatnonzero((insides.objects == (inner, outer)).all(axis=1)))
        if not surface.meets[inner, outer]:
            continue
        own, _ = _vertices(surface, pair, insides.points[pair.rows])
        sentence = (
            f'{len(own)} {_word(surface, inner, len(own))} of "{surface.names[inner]}" '
            f'{"is" if len(own) == 1 else "are"} inside "{surface.names[outer]}", up to '
            f"{_length(insides.depths[pair.rows].max())} deep; the first is {own[0]}."
        )
        remedy = " Move them out at the first frame." if insides.collides[pair.rows].any() else HELD
        yield _warning(surface, pair, sentence + remedy, own, ())


def _overlapping(surface, overlaps: Overlaps):
    ends = surface.edges[overlaps.edges]
    for pair in _pairs(surface, surface.points.objects[ends[:, :, 0]]):
        own, others = _vertices(surface, pair, ends[pair.rows])
        whom = "each other" if pair.first == pair.second else f'those of "{surface.names[pair.second]}"'
        sentence = (
            f'Strands of "{surface.names[pair.first]}" overlap {whom} in {_places(pair)}, the worst by '
            f"{100 * overlaps.shares[pair.rows].max():.0f} % of their thickness; the first near point {own[0]}. "
            "Spread them, or lower the radius or the thickness."
        )
        yield _warning(surface, pair, sentence, own, others)


def _warning(surface, pair, sentence, own, others) -> Problem:
    further = ((surface.names[pair.second], others),) if others else ()
    return Problem(surface.names[pair.first], sentence, own, True, further)


def _vertices(surface, pair, points):
    """Those of the points that belong to each of two objects, by the objects' own numbers; none twice."""
    numbers = dict.fromkeys((pair.first, pair.second))
    own = [np.unique(points[surface.points.objects[points] == number]) - surface.firsts[number] for number in numbers]
    return tuple(own[0].tolist()), tuple(own[1].tolist()) if len(own) > 1 else ()


def _places(pair):
    return "1 place" if len(pair.rows) == 1 else f"{len(pair.rows)} places"


def _word(surface, number, count):
    is_strand = surface.points.strands[surface.firsts[number]] >= 0
    singular, plural = ("point", "points") if is_strand else ("vertex", "vertices")
    return singular if count == 1 else plural


def _length(metres):
    return f"{metres * 1000:.2g} mm" if metres < 0.1 else f"{metres:.2g} m"
