"""Refusals of what objects are made of, in the artist's words."""

from collections.abc import Iterator

import numpy as np

from .materials import CLOTH_LAWS, SOLID_LAWS, STIFFNESSES, Material
from .motion import moments_of

LAWS = {"cloth_law": CLOTH_LAWS, "solid_law": SOLID_LAWS}
MAY_BE_ZERO = {"air_drag", "normal_drag", "damping"}


def material_troubles(material: Material) -> Iterator[str]:
    """A sentence for each number that no material has."""
    for name, value in vars(material).items():
        words = name.replace("_", " ")
        if name in LAWS:
            if value not in LAWS[name]:
                yield f"its {words} must be one of {', '.join(LAWS[name])} (it is {value})."
        elif name in STIFFNESSES:
            yield from _stiffness_troubles(words, value)
        elif callable(value):
            yield f"its {words} cannot change with the time. Give it one number."
        else:
            yield from _number_troubles(name, words, value)


def _stiffness_troubles(words, value):
    for moment, number in moments_of(value):
        if number.ndim or not (np.isfinite(number) and number > 0):
            is_one = "" if number.ndim else f" (it is {number:g}{moment})"
            yield f"its {words} must be above zero{is_one}. Raise it."
            return


def _number_troubles(name, words, value):
    if name == "poisson_ratio":
        if not -1.0 < value < 0.5:
            yield f"its {words} must lie between -1 and 0.5 (it is {value:g}). Try 0.3."
    elif name in MAY_BE_ZERO:
        if not (np.isfinite(value) and value >= 0):
            yield f"its {words} must not be negative (it is {value:g}). Set it to zero or more."
    elif not (np.isfinite(value) and value > 0):
        yield f"its {words} must be above zero (it is {value:g}). Raise it."
