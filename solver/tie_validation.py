"""Refusals of what ties objects: soft pins, roots on simulated surfaces, attachments."""

import numpy as np

from .attachment import Attachment
from .errors import Problem
from .motion import moments_of, positions_at
from .scene import Hair, Roots, Scene, SimulatedObject, SoftPins

MOST_CORNERS = 3  # of what a point of hair is attached to


def check_ties(scene: Scene) -> list[Problem]:
    """Problems of all ties between objects of a scene."""
    problems = []
    for item in scene.simulated:
        if isinstance(item, Hair) and item.roots is not None:
            problems += [_about(item.name, sentence) for sentence in _root_troubles(scene, item, item.roots)]
    for tied in scene.attachments:
        problems += [_about(tied.first, sentence) for sentence in _attachment_troubles(scene, tied)]
    return problems


def soft_pin_troubles(pins: SoftPins, vertex_count: int) -> list[str]:
    """Sentences about the soft pins of one object."""
    if _outside(pins.vertices, vertex_count):
        return ["a soft pin names a vertex that does not exist."]
    if not (pins.stiffness >= 0.0).all():
        return ["the stiffness of its soft pins must not be negative."]
    if not (np.isfinite(pins.half_stiffness) and pins.half_stiffness >= 0.0):
        return ["the stiffness of its soft pins at a weight of one half must not be negative."]
    for moment, strength in moments_of(pins.strength):
        if strength.ndim or not 0.0 <= strength <= 1.0:
            return [f"the strength of its pins must lie between 0 and 1, but does not{moment}."]
    if pins.motion is not None:
        targets = positions_at(pins.motion, 0.0)
        if targets.shape != (len(pins.vertices), 3) or not np.isfinite(targets).all():
            return ["the motion of its soft pins does not fit them."]
    return []


def _about(name, sentence):
    return Problem(name, f'"{name}": {sentence}')


def _root_troubles(scene, hair: Hair, roots: Roots):
    surface = scene.objects.get(roots.surface)
    strand_count = len(hair.strand_offsets) - 1
    if not isinstance(surface, SimulatedObject) or isinstance(surface, Hair):
        yield f'its roots grow on "{roots.surface}", which is not a simulated mesh. Mark that, or choose another.'
    elif roots.triangles.shape != (strand_count, 3) or roots.weights.shape != (strand_count, 3):
        yield f"there must be one root for each of its {strand_count} strands."
    elif _outside(roots.triangles, len(surface.positions)) or not np.isfinite(roots.weights).all():
        yield f'a root is not on "{roots.surface}". Attach the curves to the surface anew.'
    elif len(np.intersect1d(hair.pinned, np.concatenate([hair.strand_offsets[:-1], hair.strand_offsets[:-1] + 1]))):
        yield f'its roots are pinned and grow on "{roots.surface}" at once. Unpin them.'


def _attachment_troubles(scene, tied: Attachment):
    ends = [scene.objects.get(name) for name in (tied.first, tied.second)]
    for name, item in zip((tied.first, tied.second), ends, strict=True):
        if not isinstance(item, SimulatedObject):
            yield f'it is attached to "{name}", which is not simulated. Mark that, or pin the vertices instead.'
            return
    first, second = ends
    count = len(tied.first_vertices)
    if tied.second_vertices.ndim != 2 or tied.second_vertices.shape != tied.second_weights.shape:
        yield "an attachment has other numbers of vertices and weights."
    elif len(tied.second_vertices) != count:
        yield f"an attachment has {count} points on one side and {len(tied.second_vertices)} on the other."
    elif _outside(tied.first_vertices, len(first.positions)) or _outside(tied.second_vertices, len(second.positions)):
        yield "an attachment names a vertex that does not exist."
    elif not np.allclose(tied.second_weights.sum(axis=1), 1.0, atol=1e-6):
        yield "the weights of an attached point must sum to one."
    elif isinstance(second, Hair):
        yield f'a mesh cannot be attached to the hair "{tied.second}": attach the hair to the mesh instead.'
    elif isinstance(first, Hair) and tied.second_vertices.shape[1] > MOST_CORNERS:
        yield f"a point of hair can be attached to {MOST_CORNERS} vertices at most."
    elif not (np.isfinite(tied.stiffness) and tied.stiffness > 0.0):
        yield f"the stiffness of an attachment must be above zero (it is {tied.stiffness:g})."


def _outside(vertices, count):
    return bool(len(vertices)) and bool(vertices.min() < 0 or vertices.max() >= count)
