"""The integrator of a scene whose objects collide."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..collision.scene_friction import SceneFriction
from ..collision.scene_surface import given_positions, surface_of
from ..model import Model
from ..scene import BY_NAME, MIXED, NEWTON, Scene
from ..stage_timer import StageTimer
from .constraint_refinement import ConstraintRefinement
from .contact_newton import ContactNewton
from .contact_solver import ContactSolver
from .linearizations import linearizations_of

if TYPE_CHECKING:  # what is not imported is not compiled
    from ..bodies.placement import Placed


def contact_integrator(
    scene: Scene, placed: list[Placed], model: Model, positions: np.ndarray, timer: StageTimer
) -> ConstraintRefinement:
    """For nodes that start at positions (n, 3) [m]."""
    surface = surface_of(scene, placed, model.is_free)
    solver = _contact_solver(scene, model, positions, timer)
    if scene.integrator == NEWTON:
        solver.settings.newton_iterations = linearizations_of(scene, model)
    return ConstraintRefinement(
        model, surface, lambda time: given_positions(scene, time), SceneFriction(scene, surface), solver, timer
    )


def _contact_solver(scene, model, positions, timer) -> ContactSolver:
    if scene.contact_method == MIXED or scene.contact_method in BY_NAME:
        return _linearized_solver(scene, model, positions, timer)
    solver = _admm_solver(scene, model, positions, timer)
    solver.settings.admm = _admm_settings(scene, solver.settings.admm)
    return solver


def _admm_solver(scene, model, positions, timer) -> ContactSolver:
    if scene.integrator == NEWTON:
        return ContactNewton(model, positions, timer)
    from .contact_splitting import ContactSplitting  # compiled when it is asked for

    return ContactSplitting(model, timer)


def _linearized_solver(scene, model, positions, timer):
    solver = _new_linearized(scene.contact_method, model, positions, timer)
    if scene.contact_iterations is not None:
        solver.settings.iterations = scene.contact_iterations
    if scene.contact_tolerance is not None:
        solver.settings.ask_for(scene.contact_tolerance)
    return solver


def _new_linearized(method, *settings):
    if method == MIXED:
        from .contact_mixed import ContactMixed

        return ContactMixed(*settings)
    from .contact_by_method import ContactByMethod

    return ContactByMethod(method, *settings)


def _admm_settings(scene, settings):
    """The integrator's own, with what the scene asks for."""
    asked = {
        "iterations": scene.contact_iterations,
        "sweeps": scene.contact_sweeps,
        "tolerance": scene.contact_tolerance,
    }
    return replace(settings, **{name: number for name, number in asked.items() if number is not None})
