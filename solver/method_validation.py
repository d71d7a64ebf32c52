"""Refusals of what the chosen contact method does not solve."""

import numpy as np

from .degenerate_elements import triangles_without_area
from .errors import Problem
from .scene import ADMM, CONTACT_METHODS, NO_CONTACTS, PROX, SPLITTING, Cloth, Collider, Hair, RigidBody, Scene

RELAXED = "ica"  # the method that solves the dynamics by relaxation, too
HEAVIEST, LIGHTEST = 1e15, 1e-15  # [kg]; beyond, products of masses and lengths lose their digits


def check_contact_method(scene: Scene) -> list[Problem]:
    """Problems of objects and settings with the scene's contact method."""
    method = scene.contact_method
    if method not in CONTACT_METHODS:
        methods = ", ".join(f'"{method}"' for method in CONTACT_METHODS)
        return [Problem("", f'There is no contact method "{method}"; there are {methods}.')]
    if method == NO_CONTACTS:
        return []
    problems = [] if method == PROX else [*_ellipsoid_problems(scene, method.upper())]
    if method == ADMM:
        return problems
    problems += _object_problems(scene, method.upper())
    if scene.integrator == SPLITTING:
        problems.append(Problem("", f"Contact by {method.upper()} needs Newton's method, not the ADMM integrator."))
    return problems


def check_rigid_bodies(scene: Scene) -> list[Problem]:
    """Problems of rigid bodies, each sound as a mesh, that are to have six unknowns."""
    if not scene.is_truly_rigid:
        return []
    return [
        Problem(item.name, f'Rigid body "{item.name}": {sentence}')
        for item in _of_kind(scene, RigidBody)
        for sentence in _rigid_troubles(item)
    ]


def _ellipsoid_problems(scene, words):
    for item in (item for item in scene.objects.values() if isinstance(item, RigidBody | Collider)):
        if item.spin_friction > 0.0:
            yield Problem(item.name, f'"{item.name}" has spin friction, which is known to PROX only, not to {words}. '
                                     "Choose PROX, or set Spin Friction to zero.")  # fmt: skip
        if item.friction_ratio != 1.0:
            yield Problem(item.name, f'"{item.name}" has friction that differs between directions, which is known to '
                                     f"PROX only, not to {words}. Choose PROX, or set Friction Ratio to one."
                          )  # fmt: skip


def _object_problems(scene, words):
    for name, carrier in _carried_hair(scene):
        yield Problem(name, f'"{name}" is held by the simulated "{carrier}", and contact by {words} does not know '
                            "hair that something simulated carries. Choose ADMM.")  # fmt: skip
    for item in _of_kind(scene, Cloth):
        if item.is_sealed:
            yield Problem(item.name, f'Cloth "{item.name}" holds sealed air, which contact by {words} does not know. '
                                     "Choose ADMM.")  # fmt: skip
        if scene.contact_method == RELAXED:
            yield Problem(item.name, f'Cloth "{item.name}" may slide too easily: stiff cloth is more than contact by '
                                     f"{words} ends in its iterations. Raise the steps per frame, or choose ADMM.",
                          is_warning=True)  # fmt: skip
    for item in _of_kind(scene, RigidBody) if scene.relaxes_first else ():
        yield Problem(item.name, f'Relax First does not know rigid bodies that contact by {words} has, and '
                                 f'"{item.name}" is one. Turn it off, or choose ADMM.')  # fmt: skip


def _carried_hair(scene):
    """Names of hair, each with that of a simulated object on which it grows, or to which it is tied."""
    hair = {item.name: item for item in _of_kind(scene, Hair)}
    carriers = {name: item.roots.surface for name, item in hair.items() if item.roots is not None}
    carriers |= {tied.first: tied.second for tied in scene.attachments if tied.first in hair}
    return carriers.items()


def _rigid_troubles(item):
    from .frames.moments import moments_of_surface

    corners = item.positions[item.triangles]
    if triangles_without_area(corners).all():
        yield (
            "all its faces lie on a point or a line, so that nothing says how hard it is to turn. Give it a shape, "
            "or remove it from the simulation."
        )
        return
    with np.errstate(over="ignore"):
        mass = item.material.density * float(moments_of_surface(item.positions, item.triangles).volume)
    if not LIGHTEST < mass < HEAVIEST:
        yield f"its mass of {mass:.3g} kg is beyond what can be simulated. Look at its size and density."


def _of_kind(scene, kind):
    return [item for item in scene.simulated if isinstance(item, kind)]
