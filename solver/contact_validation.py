"""Refusals of what objects are like where they touch: friction, thickness, groups."""

from collections.abc import Iterator

import numpy as np

from .contact_settings import ContactSettings, SolidContactSettings
from .errors import Problem
from .motion import SampledMotion, moments_of
from .over_time import value_at
from .scene import Scene

Trouble = tuple[str, tuple[int, ...]]  # a sentence, and the vertices that it is about


def contact_troubles(item: ContactSettings, positions: np.ndarray) -> Iterator[Trouble]:
    """Sentences about the friction, thickness and groups of one object, whose vertices start at positions (n, 3)."""
    troubles = [*_friction_troubles("friction", item.friction, len(positions))]
    if item.kinetic_friction is not None:
        troubles += _friction_troubles("kinetic friction", item.kinetic_friction, len(positions))
        troubles += [] if troubles else _order_troubles("its", item)
    yield from troubles
    for words, value, unit in (("cohesion", item.cohesion, "N"), ("compliance", item.compliance, "m/N")):
        if not (np.isfinite(value) and value >= 0.0):
            yield f"its {words} must not be negative (it is {value:g} {unit}). Set it to zero or more.", ()
    if not 0.0 <= item.restitution <= 1.0:
        yield f"its restitution must lie between 0 and 1 (it is {item.restitution:g}): no impact makes speed.", ()
    if isinstance(item, SolidContactSettings):
        yield from _ellipsoid_troubles(item)
    if item.thickness is not None:
        yield from _thickness_troubles(item.thickness, positions)
    if not isinstance(item.collision_groups, int | np.integer) or item.collision_groups < 0:
        yield f"its collision groups must be bits of a whole number, zero or more (not {item.collision_groups}).", ()


def _ellipsoid_troubles(item):
    numbers = ("spin friction", item.spin_friction, " m"), ("friction ratio", item.friction_ratio, "")
    for words, value, unit in numbers:
        if not (np.isfinite(value) and value >= 0.0):
            yield f"its {words} must not be negative (it is {value:g}{unit}). Set it to zero or more.", ()
    if item.friction_ratio != 1.0:
        length = np.linalg.norm(item.start_direction)
        if not (np.isfinite(length) and length > 0.0):
            yield "its friction direction points nowhere. Give it a length above zero, or set its ratio to one.", ()


def check_pair_friction(scene: Scene) -> list[Problem]:
    """Problems of frictions that are set for two objects."""
    problems = []
    seen = set()
    for pair in scene.pair_friction:
        names = frozenset((pair.first, pair.second))
        problems += [Problem("", sentence) for sentence in _pair_troubles(scene, pair, names in seen)]
        seen.add(names)
    return problems


def _friction_troubles(words, friction, vertex_count):
    for moment, values in moments_of(friction):
        is_painted = np.ndim(values) > 0
        values = np.atleast_1d(values)
        if is_painted and values.shape != (vertex_count,):
            counts = " × ".join(map(str, values.shape))
            yield f"its {words} is given for {counts} vertices, but it has {vertex_count}.", ()
            return
        bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0.0)))
        if len(bad) and is_painted:
            count = "1 vertex" if len(bad) == 1 else f"{len(bad)} vertices"
            where = f"at {count}{moment} (first: {bad[0]})"
            yield f"its {words} is negative or no number {where}. Set it to zero or more.", tuple(bad.tolist())
            return
        if len(bad):
            yield f"its {words} must not be negative (it is {values[0]:g}{moment}). Set it to zero or more.", ()
            return


def _order_troubles(whose, item):
    """What slides is never held firmer than what rests: it would stop and start without end."""
    moving = [friction for friction in (item.friction, item.kinetic_friction) if isinstance(friction, SampledMotion)]
    for time in (time for friction in moving for time in friction.times) if moving else (0.0,):
        static, kinetic = (value_at(friction, time) for friction in (item.friction, item.kinetic_friction))
        if (kinetic > static).any():
            yield (f"{whose} kinetic friction ({np.max(kinetic):g}) is above its friction ({np.min(static):g}). "
                   "Lower it: what slides is not held firmer than what rests."), ()  # fmt: skip
            return


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
    frictions = [pair.friction] if pair.kinetic_friction is None else [pair.friction, pair.kinetic_friction]
    bad = [
        value
        for friction in frictions
        for _, value in moments_of(friction)
        if not (np.isfinite(value) and value >= 0.0)
    ]
    if bad:
        yield f"{title} must not be negative (it is {bad[0]:g}). Set it to zero or more."
    elif pair.kinetic_friction is not None:
        yield from (sentence for sentence, _ in _order_troubles(f"{title}:", pair))
    if is_double:
        yield f"{title} is given twice. Remove one of the two."
