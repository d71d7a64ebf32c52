"""Refusals and warnings about the air and the force fields, in the artist's words."""

import numpy as np

from .errors import Problem
from .force_fields import FALLOFF_KINDS, FIELD_KINDS, FIELD_SHAPES, IGNORED_KINDS, IGNORED_SHAPES, ForceField
from .scene import Scene

FASTEST_WIND = 100.0  # [m/s]; no storm blows faster, but Blender's own cloth needs such strengths
ROWS_OF_MOTION = (3, 3)


def check_air(scene: Scene) -> list[Problem]:
    """All problems of the wind's gusts and of the force fields."""
    problems = _check_turbulence(scene)
    for field in scene.force_fields:
        errors = [_problem(field, sentence) for sentence in _errors(field)]
        problems += errors or [_problem(field, sentence, is_warning=True) for sentence in _warnings(field)]
    return problems


def _check_turbulence(scene):
    sentences = []
    if not (np.isfinite(scene.turbulence) and scene.turbulence >= 0):
        sentences.append(f"The turbulence must not be negative (it is {scene.turbulence:g}).")
    if scene.turbulence and not (np.isfinite(scene.turbulence_size) and scene.turbulence_size > 0):
        sentences.append(f"The size of the turbulence must be above zero (it is {scene.turbulence_size:g}).")
    if scene.turbulence_seed < 0:
        sentences.append(f"The seed of the turbulence must not be negative (it is {scene.turbulence_seed}).")
    return [Problem("", sentence) for sentence in sentences]


def _problem(field, sentence, is_warning=False):
    return Problem(field.name, f'Force field "{field.name}": {sentence}', is_warning=is_warning)


def _errors(field: ForceField):
    """Of fields that have an effect, or would have one if they were well spelt."""
    if field.kind in IGNORED_KINDS or field.shape in IGNORED_SHAPES:
        return
    for name, known in (("kind", FIELD_KINDS), ("shape", FIELD_SHAPES), ("falloff_kind", FALLOFF_KINDS)):
        if getattr(field, name) not in known:
            words = name.replace("_", " ")
            yield f"its {words} must be one of {', '.join(known)} (it is {getattr(field, name)})."
    rows = field.rows_at(0.0)
    if rows.shape != ROWS_OF_MOTION:
        yield f"its motion must have the shape {ROWS_OF_MOTION}, not {rows.shape}."
    elif not np.isfinite(rows).all():
        yield "its place or its settings are not finite. Look for a broken driver or constraint."
    else:
        yield from _bad_numbers(field, *rows[2])


def _bad_numbers(field, strength, flow, size):
    if flow < 0:
        yield f"its flow or damping must not be negative (it is {flow:g}). Set it to zero or more."
    if field.kind == "drag" and strength < 0:
        yield f"its drag must not be negative (it is {strength:g}). Set it to zero or more."
    if field.kind == "turbulence" and size <= 0:
        yield f"the size of its turbulence must be above zero (it is {size:g})."
    for falloff in (field.falloff, field.radial_falloff):
        ends = [falloff.power, falloff.least, *([] if falloff.greatest is None else [falloff.greatest])]
        if not (np.isfinite(ends).all() and min(ends) >= 0):
            yield "its falloff and its distances must not be negative."
    if not field.falloff_unit > 0:
        yield f"the unit of its falloff must be above zero (it is {field.falloff_unit:g})."


def _warnings(field: ForceField):
    if field.kind in IGNORED_KINDS:
        yield (f"fields of the type {field.kind.replace('_', ' ').title()} have no effect here. "
               f"Types that have: {', '.join(kind.title() for kind in FIELD_KINDS)}.")  # fmt: skip
    elif field.shape in IGNORED_SHAPES:
        yield "it has no effect: its shape must be Point, Line or Plane."
    elif field.kind in ("wind", "turbulence") and abs(field.rows_at(0.0)[2, 0]) > FASTEST_WIND:
        yield (f"it blows with {abs(field.rows_at(0.0)[2, 0]):.0f} m/s. Here the strength of wind and turbulence is "
               "the speed of the air: try 5.")  # fmt: skip
