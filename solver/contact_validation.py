"""Refusals of what objects are like where they touch: friction, thickness, groups."""

from collections.abc import Iterator

import numpy as np

from .contact_settings import ContactSettings
from .errors import Problem
from .scene import Scene

Trouble = tuple[str, tuple[int, ...]]  # a sentence, and the vertices that it is about


def contact_troubles(item: ContactSettings, positions: np.ndarray) -> Iterator[Trouble]:
    """Sentences about the friction, thickness and groups of one object, whose vertices start at positions (n, 3)."""
    yield from _friction_troubles(item.friction, len(positions))
    if item.thickness is not None:
        yield from _thickness_troubles(item.thickness, positions)
    if not isinstance(item.collision_groups, int | np.integer) or item.collision_groups < 0:
        yield f"its collision groups must be bits of a whole number, zero or more (not {item.collision_groups}).", ()


def check_pair_friction(scene: Scene) -> list[Problem]:
    """Problems of frictions that are set for two objects."""
    problems = []
    seen = set()
    for pair in scene.pair_friction:
        names = frozenset((pair.first, pair.second))
        problems += [Problem("", sentence) for sentence in _pair_troubles(scene, pair, names in seen)]
        seen.add(names)
    return problems


def _friction_troubles(friction, vertex_count):
    values = np.atleast_1d(friction)
    is_painted = np.ndim(friction) > 0
    if is_painted and values.shape != (vertex_count,):
        counts = " × ".join(map(str, values.shape))
        yield f"its friction is given for {counts} vertices, but it has {vertex_count}.", ()
        return
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0.0)))
    if len(bad) and is_painted:
        words = "1 vertex" if len(bad) == 1 else f"{len(bad)} vertices"
        yield (f"its friction is negative or no number at {words} (first: {bad[0]}). Set it to zero or more.",
               tuple(bad.tolist()))  # fmt: skip
    elif len(bad):
        yield f"its friction must not be negative (it is {friction:g}). Set it to zero or more.", ()


def _thickness_troubles(thickness, positions):
    size = float(np.linalg.norm(np.ptp(positions, axis=0)))
    if not (np.isfinite(thickness) and thickness > 0.0):
        yield f"its thickness must be above zero (it is {thickness:g} m). Raise it, or let it be automatic.", ()
    elif thickness > size:
        yield (f"its thickness of {thickness:g} m is more than the size of the whole object, {size:g} m. "
               "Lower it, or let it be automatic."), ()  # fmt: skip


def _pair_troubles(scene, pair, is_double):
    title = f'The friction between "{pair.first}" and "{pair.second}"'
    for name in dict.fromkeys((pair.first, pair.second)):
        if name not in scene.objects:
            yield f'{title}: there is no object "{name}" in the scene. Correct the name, or remove the entry.'
    if not (np.isfinite(pair.friction) and pair.friction >= 0.0):
        yield f"{title} must not be negative (it is {pair.friction:g}). Set it to zero or more."
    if is_double:
        yield f"{title} is given twice. Remove one of the two."
