"""Relax First: what something holds is at rest when the simulation begins."""

from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from .errors import Problem, warning_about
from .integrator.relaxation import RelaxationSettings, relax, still_model
from .integrator.static_forces import static_forces
from .model import Kinematics, Model
from .motion import positions_at
from .state import State

START_TIME = 0.0  # [s]


def relax_first(model: Model, state: State, before_step: Callable[[int, int], None]) -> list[Problem]:
    """Bring the start state to rest, in place, and return warnings; velocities are to start as they were asked.

    `before_step` is told how many steps are done, and how many there are at most; what it raises ends the relaxation.
    """
    settings = RelaxationSettings()
    is_held = held_nodes(model)
    standing = _standing(model, state.positions, is_held)
    velocities = state.velocities.copy()
    report = relax(
        standing,
        state,
        START_TIME,
        settings,
        before_step=lambda done: before_step(done, settings.most_steps),
    )
    warnings = _unheld_warnings(model, is_held)
    if not report.is_at_rest:
        warnings += _unrest_warnings(standing, state, settings.acceleration)
    state.velocities[:] = velocities
    return warnings


def held_nodes(model: Model) -> np.ndarray:
    """Nodes (n,) bool that elements, strands and ties connect to something with a given motion."""
    count = len(model.masses)
    starts, ends = (np.concatenate(side) for side in zip(*_links(model), strict=True))
    links = coo_array((np.ones(len(starts), bool), (starts, ends)), (count, count))
    piece_count, pieces = connected_components(links, directed=False)
    return np.bincount(pieces, _is_anchored(model), minlength=piece_count)[pieces] > 0


def _links(model):
    """Pairs of nodes, as two arrays, that move together."""
    strand_count, first = len(model.rods.masses), model.body_nodes.start
    is_edge = np.ones(strand_count, bool)
    is_edge[model.rods.offsets[1:] - 1] = False
    edges = np.flatnonzero(is_edge)
    yield edges, edges + 1
    for law, _ in model.laws:
        yield np.repeat(law.nodes[:, 0], law.nodes.shape[1]) + first, law.nodes.ravel() + first
    bound = model.bound_points
    if bound is not None:
        yield np.repeat(bound.points, bound.nodes.shape[1]), bound.nodes.ravel() + first


def _is_anchored(model):
    is_anchored = np.zeros(len(model.masses), bool)
    for moved in model.kinematics:
        is_anchored[moved.nodes] = True
    for springs in model.node_springs:
        is_anchored[springs.nodes[positions_at(springs.stiffness, START_TIME) > 0.0]] = True
    for tethers in model.moved_tethers:
        elements = tethers.law.elements
        is_anchored[elements.nodes[elements.stiffness > 0.0].ravel() + model.body_nodes.start] = True
    return is_anchored


def _standing(model, positions, is_held):
    """The model where all that nothing holds stays put: it would fall for ever."""
    is_free = model.is_free & is_held
    stopped = np.flatnonzero(model.is_free & ~is_held).astype(np.int32)
    strand_count = len(model.rods.masses)
    of_strands, of_bodies = stopped[stopped < strand_count], stopped[stopped >= strand_count]
    kinematics = tuple(Kinematics(nodes, positions[nodes]) for nodes in (of_strands, of_bodies) if len(nodes))
    rows = model.strand_nodes
    rods = model.rods._replace(
        is_free=np.ascontiguousarray(is_free[rows]),
        is_free_edge=model.rods.is_free_edge & is_held[rows],
    )
    return model._replace(is_free=is_free, kinematics=model.kinematics + kinematics, rods=rods)


def _unheld_warnings(model, is_held):
    return [
        warning_about(span.name, f"nothing holds {_whole_or_parts(part)}, so it cannot come to rest, and starts as it "
                                 "is. Pin it to have it relaxed.")
        for span in model.spans
        if not (part := is_held[span.first : span.end]).all()
    ]  # fmt: skip


def _whole_or_parts(is_held):
    return "a part of it" if is_held.any() else "it"


def _unrest_warnings(model, state, enough):
    forces = static_forces(still_model(model, START_TIME), state, START_TIME)
    pushes = np.linalg.norm(forces.nodes, axis=1)
    accelerations = np.divide(pushes, model.masses, out=np.zeros_like(pushes), where=model.masses > 0.0)
    largest = {span: float(accelerations[span.first : span.end].max(initial=0.0)) for span in model.spans}
    return [
        warning_about(span.name, f"it did not come to rest before the first frame (it starts to move with "
                                 f"{_acceleration_words(value)}), and goes on from where it got. Make its material "
                                 "stiffer, or switch Relax First off.")
        for span, value in largest.items()
        if value > enough
    ]  # fmt: skip


def _acceleration_words(value):
    return f"{value:.2g} m/s²" if np.isfinite(value) else "a force beyond all bounds"
