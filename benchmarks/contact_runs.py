"""Contact methods on one and the same captured step, watched from outside."""

import time
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

from stiction.solver.contact.admm import AdmmSettings, run_admm
from stiction.solver.contact.ica import IcaSettings, run_ica, unconstrained_velocities
from stiction.solver.contact.projection import Projection
from stiction.solver.contact.residuals import Residuals, judge
from stiction.solver.integrator.weighted_system import quotients

from .scenes.friction_problems import CapturedStep, friction_problem

TOLERANCE = 1e-5  # of δ∞ [m] [Daviet 2020, table 3]
REFERENCE_TOLERANCE, REFERENCE_SWEEPS = 1e-8, 10  # of δ∞ [m], and in each iteration, for what counts as the solution
MOST_ITERATIONS = 2000


class Run(NamedTuple):
    iterations: int  # until δ∞ was within the tolerance, or the run ended
    history: list[float]  # δ∞ of each iteration [m]
    errors: list[float]  # way to the solution at its end, of the node that is farthest [m]
    seconds: float
    residuals: Residuals
    projection_seconds: float = 0.0

    @property
    def error(self) -> float:
        """When these iterations were done [m]; a method that has converged may not have looked any more."""
        return self.errors[min(self.iterations, len(self.errors)) - 1]


class ContactRuns:
    """Methods start cold, from the velocities without contacts and no impulses, or warm as in the simulation."""

    def __init__(self, step: CapturedStep):
        self.step, self.problem = step, friction_problem(step)
        self.rows = step.node_rows[:, None] + np.arange(3)
        self.start = unconstrained_velocities(self.problem)
        self.warm_start = self._pushed_velocities()
        self.solution = self._solution()

    def error(self, velocities: np.ndarray) -> float:
        """Of nodes with velocities (j, 3) [m/s]: the farthest way to the solution [m]."""
        return self.step.time_step * float(np.abs(velocities - self.solution).max())

    def admm(self, weights: float = 1.0, tolerance: float = TOLERANCE, is_warm: bool = False, **settings) -> Run:
        """With the weights of the step times a number."""
        errors: list[float] = []

        def between(_, projected):
            errors.append(self.error(projected))
            return False

        dynamics, contacts = self._parts(weights)
        start = time.perf_counter()
        result = self._run_admm(dynamics, contacts, is_warm, between, tolerance=tolerance, **settings)
        seconds = time.perf_counter() - start
        impulses = np.einsum("mij,mj->mi", self.problem.nodal_form.frames, contacts.projection.impulses)
        residuals = judge(self.problem, dynamics.unknowns, impulses)
        iterations = next((i for i, delta in enumerate(result.history, 1) if delta < tolerance), result.iterations)
        return Run(iterations, result.history, errors, seconds, residuals, contacts.seconds)

    def ica(
        self, is_pyramid: bool, near: float = 0.0, tolerance: float = TOLERANCE, most: int = MOST_ITERATIONS
    ) -> Run:
        """Until δ∞ is within the tolerance, or the solution as near as asked [m]."""
        errors: list[float] = []

        def is_near(velocities):
            errors.append(self.error(velocities[self.rows]))
            return errors[-1] <= near

        settings, start = IcaSettings(iterations=most, tolerance=tolerance), time.perf_counter()
        result = run_ica(self.problem, self.start, self.step.time_step, settings, is_pyramid, is_near)
        seconds = time.perf_counter() - start
        residuals = judge(self.problem, result.velocities, result.impulses)
        return Run(result.iterations, result.history, errors, seconds, residuals)

    def _pushed_velocities(self):
        """With the impulses of the last step's contacts."""
        pushed = self.step.f.copy()
        pushed[self.rows] += self.step.impulses
        return unconstrained_velocities(replace(self.problem, f=pushed))

    def _solution(self):
        settings = {"tolerance": REFERENCE_TOLERANCE, "sweeps": REFERENCE_SWEEPS, "sleeps": False}
        return self._run_admm(*self._parts(1.0), False, **settings).velocities

    def _run_admm(self, dynamics, contacts, is_warm, *between, **settings):
        start = (self.warm_start if is_warm else self.start)[self.rows]
        multipliers = quotients(self.step.impulses, dynamics.weights) if is_warm else np.zeros_like(start)
        admm = AdmmSettings(**{"iterations": MOST_ITERATIONS, **settings})
        return run_admm(dynamics, contacts, start, multipliers, self.step.time_step, admm, *between)

    def _parts(self, weights):
        weights = weights * self.step.weights
        return _Dynamics(self.step, weights, self.rows), _TimedContacts(self.step, weights)


class _Dynamics:
    def __init__(self, step, weights, rows):
        self.f, self.weights, self.rows = step.f, weights, rows
        diagonal = np.zeros(len(step.f))
        diagonal[rows] = weights[:, None]
        matrix = sparse.csc_array(step.A + sparse.diags_array(diagonal))
        self.factor = splu(matrix, permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        self.unknowns = np.zeros(len(step.f))

    def solve(self, targets, velocities_out):
        right = self.f.copy()
        right[self.rows] += self.weights[:, None] * targets
        self.unknowns = self.factor.solve(right)
        velocities_out[:] = self.unknowns[self.rows]


class _TimedContacts:
    def __init__(self, step, weights):
        self.projection = Projection(step.contacts, np.where(weights > 0.0, weights, 1.0))
        self.seconds = 0.0

    def project(self, velocities, sweeps, sleep_below):
        start = time.perf_counter()
        self.projection.project(velocities, sweeps, sleep_below)
        self.seconds += time.perf_counter() - start
