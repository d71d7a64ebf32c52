"""Every refusal of a scene, in the artist's words, before any work is done."""

import numpy as np

from .contact_validation import check_pair_friction, contact_troubles
from .degenerate_elements import segments_without_length, triangles_without_area
from .errors import Problem, SceneRefused
from .field_validation import check_air
from .material_validation import material_troubles
from .method_validation import check_contact_method, check_rigid_bodies
from .motion import moments_of, positions_at
from .rest_validation import rest_troubles, segment_words
from .scene import (
    INTEGRATORS,
    NO_CONTACTS,
    SPLITTING,
    Cloth,
    Collider,
    Hair,
    RigidBody,
    Scene,
    SimulatedObject,
    SoftBody,
    SurfaceObject,
)
from .tie_validation import check_ties, soft_pin_troubles

KIND_WORDS = {
    Cloth: "Cloth",
    Hair: "Hair",
    SoftBody: "Soft body",
    RigidBody: "Rigid body",
    Collider: "Collider",
}
FASTEST_START = 299_792_458.0  # [m/s]; light


def check_scene(scene: Scene) -> list[Problem]:
    """All problems of a scene, warnings included; an empty list means that it can be baked."""
    problems = _check_settings(scene) + check_air(scene)
    if not scene.simulated:
        problems.append(Problem("", "Nothing to simulate: mark an object as hair, cloth, soft body or rigid body."))
    for item in scene.objects.values():
        problems += _Checker(item).run()
    if not any(problem for problem in problems if not problem.is_warning):  # each object is sound by itself
        problems += check_ties(scene) + check_pair_friction(scene) + check_rigid_bodies(scene)
    return problems


def refuse_bad_scene(scene: Scene) -> list[Problem]:
    """Raise SceneRefused if the scene cannot be simulated; otherwise the warnings."""
    problems = check_scene(scene)
    errors = [problem for problem in problems if not problem.is_warning]
    if errors:
        raise SceneRefused(errors)
    return problems


def refuse_empty_range(first_frame: int, last_frame: int) -> None:
    """Raise SceneRefused if there is no frame between the two."""
    if last_frame < first_frame:
        sentence = f"There are no frames to bake: the last frame ({last_frame}) is before the first ({first_frame})."
        raise SceneRefused([Problem("", sentence)])


def _check_settings(scene):
    problems = []
    for words, vector in (("Gravity", scene.gravity), ("The wind", scene.wind)):
        bad = [moment for moment, value in moments_of(vector) if value.shape != (3,) or not np.isfinite(value).all()]
        if bad:
            problems.append(Problem("", f"{words} must be three finite numbers, but is not{bad[0]}."))
    if not (np.isfinite(scene.frames_per_second) and scene.frames_per_second > 0):
        problems.append(Problem("", f"The frame rate must be above zero (it is {scene.frames_per_second})."))
    if scene.steps_per_frame < 1:
        problems.append(Problem("", f"There must be at least one step a frame (there are {scene.steps_per_frame})."))
    if scene.linearizations is not None and scene.linearizations < 1:
        problems.append(Problem("", f"A step is linearized at least once (not {scene.linearizations} times)."))
    for words, count in (("iterations", scene.contact_iterations), ("sweeps", scene.contact_sweeps)):
        if count is not None and count < 1:
            problems.append(Problem("", f"Contacts need at least one of their {words} (there are {count})."))
    tolerance = scene.contact_tolerance
    if tolerance is not None and not (np.isfinite(tolerance) and tolerance > 0.0):
        problems.append(Problem("", f"The tolerance of contacts must be above zero (it is {tolerance:g} m)."))
    problems += [*_check_integrator(scene), *check_contact_method(scene)]
    if scene.relaxes_first and scene.contact_method != NO_CONTACTS:
        sentence = (
            "Relax First does not know of collisions: objects may sag into each other before the first frame, and are "
            "let go there until they have come apart."
        )
        problems.append(Problem("", sentence, is_warning=True))
    return problems


def _check_integrator(scene):
    if scene.integrator not in INTEGRATORS:
        integrators = ", ".join(f'"{integrator}"' for integrator in INTEGRATORS)
        return [Problem("", f'There is no integrator "{scene.integrator}"; there are {integrators}.')]
    if scene.integrator == SPLITTING and scene.contact_method != NO_CONTACTS:
        others = [item for item in scene.simulated if not isinstance(item, Hair)]
        words = "The ADMM integrator knows contacts of hair only, and {} is simulated too. Choose Newton's method."
        return [Problem(item.name, words.format(f'{KIND_WORDS[type(item)].lower()} "{item.name}"')) for item in others]
    return []


class _Checker:
    """Collects the problems of one object."""

    def __init__(self, item):
        self.item = item
        self.title = f'{KIND_WORDS[type(item)]} "{item.name}"'
        self.problems: list[Problem] = []

    def run(self):
        positions = self._start_positions()
        if positions is None:
            return self.problems
        if isinstance(self.item, SimulatedObject):
            self._check_pins(len(positions))
            self._check_material()
        if isinstance(self.item, Hair):
            self._check_strands(positions)
        else:
            self._check_triangles(positions)
        for sentence, elements in contact_troubles(self.item, positions):
            self._add(sentence, elements)
        if isinstance(self.item, SimulatedObject) and not self.problems:
            for trouble in rest_troubles(self.item):
                self._add(*trouble)
        return self.problems

    def _add(self, sentence, elements=(), is_warning=False):
        elements = tuple(int(element) for element in elements)
        self.problems.append(Problem(self.item.name, f"{self.title}: {sentence}", elements, is_warning))

    def _start_positions(self):
        motion = self.item.positions
        positions = positions_at(motion, 0.0)
        if positions.ndim != 2 or positions.shape[1] != 3:
            self._add(f"positions must be rows of three numbers, not an array of shape {positions.shape}.")
            return None
        if len(positions) == 0:
            what = "strands" if isinstance(self.item, Hair) else "mesh"
            self._add(f"it is empty. Add geometry to its {what}, or remove the object from the simulation.")
            return None
        bad = np.flatnonzero(~np.isfinite(positions).all(axis=1))
        if len(bad):
            self._add(f"{_count(bad, 'vertex', 'vertices')} not finite (first: {bad[0]}). "
                      "Delete it, or undo the edit or modifier that made it.", bad)  # fmt: skip
            return None
        return positions

    def _check_pins(self, vertex_count):
        pinned = self.item.pinned
        outside = (pinned < 0) | (pinned >= vertex_count)
        if outside.any():
            self._add(f"pinned vertex {pinned[outside][0]} does not exist; the object has {vertex_count} vertices.")
        if self.item.soft_pins is not None:
            for sentence in soft_pin_troubles(self.item.soft_pins, vertex_count):
                self._add(sentence)
        if self.item.pin_motion is None:
            return
        targets = positions_at(self.item.pin_motion, 0.0)
        if targets.shape != (len(pinned), 3):
            self._add(f"the motion of the pins has shape {targets.shape}, but {len(pinned)} vertices are pinned.")
        elif not np.isfinite(targets).all():
            self._add("the motion of its pins is not finite at the start frame.")

    def _check_material(self):
        for sentence in material_troubles(self.item.material):
            self._add(sentence)
        fastest = np.abs(self.item.start_velocity).max()
        if not np.isfinite(fastest):
            self._add("its start velocity is not finite.")
        elif fastest > FASTEST_START:
            self._add(f"its start velocity of {fastest:.3g} m/s is faster than light. Lower it.")

    def _check_strands(self, positions):
        offsets = self.item.strand_offsets
        if len(offsets) < 2 or offsets[0] != 0 or offsets[-1] != len(positions) or (np.diff(offsets) < 0).any():
            self._add(f"its strand offsets do not run from 0 to the {len(positions)} points.")
            return
        short = np.flatnonzero(np.diff(offsets) < 2)
        if len(short):
            self._add(f"{_count(short, 'strand', 'strands')} of fewer than two points (first: {short[0]}). "
                      "Delete it, or give it more points.", offsets[short])  # fmt: skip
        bad = segments_without_length(positions, offsets)
        if len(bad):
            self._add(f"{_count(bad, 'segment', 'segments')} without length (first: {segment_words(bad[0], offsets)}). "
                      "Delete the doubled points, or resample the curves.", bad)  # fmt: skip

    def _check_triangles(self, positions):
        triangles = self.item.triangles
        if len(triangles) == 0:
            self._add("it has no faces. Add faces, or remove the object from the simulation.")
            return
        if triangles.min() < 0 or triangles.max() >= len(positions):
            self._add(f"a face names vertex {triangles.max()}, but there are only {len(positions)} vertices.")
            return
        if isinstance(self.item, SurfaceObject):
            self._check_loose(positions)
            self._check_doubled(positions)
        if isinstance(self.item, Cloth) and triangles_without_area(positions[triangles]).all():
            self._add("it has no area: all its faces lie on a point or a line. Give it a shape, or remove the object "
                      "from the simulation.")  # fmt: skip

    def _check_loose(self, positions):
        used = np.zeros(len(positions), bool)
        used[self.item.triangles.ravel()] = True
        loose = np.flatnonzero(~used)
        if len(loose):
            self._add(f"{_count(loose, 'vertex', 'vertices')} in no face (first: {loose[0]}). "
                      "Delete loose vertices, or remove the object.", loose)  # fmt: skip

    def _check_doubled(self, positions):
        order = np.lexsort(positions.T)
        same = (np.diff(positions[order], axis=0) == 0).all(axis=1)
        doubled = np.sort(order[1:][same])
        if len(doubled):
            sentence = (f"{_count(doubled, 'vertex', 'vertices')} exactly on top of another (first: {doubled[0]}); "
                        "it will come apart there. Merge by Distance if it should not.")  # fmt: skip
            self._add(sentence, doubled, is_warning=True)


def _count(elements, singular, plural):
    return f"1 {singular} is" if len(elements) == 1 else f"{len(elements)} {plural} are"
