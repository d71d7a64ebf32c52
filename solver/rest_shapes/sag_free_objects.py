"""The objects of a scene that are to keep their pose, and what to tell the artist about it."""

from collections.abc import Sequence

import numpy as np

from ..bodies.body import Body
from ..rods.rods import RodFrames, Rods
from ..scene import Cloth, Hair
from .report import SagFreeReport

STIFFENED = 1.01  # more than this is worth a word
STARTS = 0.1  # [m/s²]; an acceleration beyond this can be seen


def keep_pose(cloth: Cloth, body: Body, gravity: np.ndarray) -> None:
    """Give a garment rest shapes that hold it where it starts, and warnings where they cannot."""
    from .sag_free_body import sag_free_body  # compiled when it is asked for

    is_free = np.ones(len(body.positions), bool)
    is_free[cloth.held] = False
    body.laws, report = sag_free_body(body.laws, body.positions, body.masses, is_free, gravity)
    sentences = _sentences(report, "part", "parts")
    if not sentences and report.acceleration > STARTS:
        sentences = ["no rest shape holds it in this pose, and it will move as the shot begins. Pin more of it."]
    body.warnings += sentences


def rods_in_pose(
    hairs: Sequence[Hair], rods: Rods, frames: RodFrames, gravity: np.ndarray
) -> tuple[Rods, dict[str, list[str]]]:
    """Natural shapes that hold the strands of those grooms that ask for it; warnings by name."""
    from .sag_free_rods import sag_free_rods

    positions = np.concatenate([hair.positions for hair in hairs])
    found, report = sag_free_rods(rods, frames, positions, gravity)
    is_asked = np.repeat([hair.is_sag_free for hair in hairs], [len(hair.positions) for hair in hairs])
    merged = {
        name: np.where(is_asked if before.ndim == 1 else is_asked[:, None], after, before)
        for name, before, after in zip(rods._fields, rods, found, strict=True)
        if before is not after and len(before) == len(is_asked)
    }
    return rods._replace(**merged), _by_object(hairs, report)


def _by_object(hairs, report):
    warnings, first = {}, 0
    for hair in hairs:
        end = first + len(hair.strand_offsets) - 1
        if hair.is_sag_free:
            own = report._replace(
                limited=report.limited[(report.limited >= first) & (report.limited < end)],
                unheld=report.unheld[(report.unheld >= first) & (report.unheld < end)],
                stiffening=report.stiffening[first:end],
            )
            warnings[hair.name] = _sentences(own, "strand", "strands")
        first = end
    return warnings


def _sentences(report: SagFreeReport, singular, plural):
    """What keeps an object from staying put."""
    sentences = []
    if len(report.limited):
        what = f"1 {singular} is" if len(report.limited) == 1 else f"{len(report.limited)} {plural} are"
        sentences.append(f"{what} too weak to keep the pose against gravity, and will sag. Make the material stiffer.")
    if len(report.unheld):
        sentences.append("some of it hangs on nothing, and will fall. Pin it, or switch Sag-Free off.")
    stiffened = int((report.stiffening > STIFFENED).sum())
    if stiffened:
        what = f"1 {singular} was" if stiffened == 1 else f"{stiffened} {plural} were"
        sentences.append(f"{what} made stiffer to keep the pose, by up to {report.stiffening.max():.3g} times.")
    return sentences
