"""`python -m benchmarks`: the report."""

import os
import tempfile

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="stiction-bench-"))


def main():
    from .blender_scenes import registered

    with registered():
        _report()


def _report():
    from . import (
        addon_share,
        anticipation_growth,
        banded_solves,
        blender_cloth,
        bunny_steps,
        clothed_frames,
        collision_search,
        contact_iterations,
        contact_projection,
        contact_relaxation,
        delassus_growth,
        elastic_steps,
        hairy_ball_frames,
        interpreter_lock,
        kernels,
        memory,
        method_table,
        mixed_rows,
        prox_quartiles,
        reading_and_writing,
        refinement_passes,
        region_speed,
        sparse_solves,
        step_lengths,
    )
    from .report import print_table

    print("# Stiction benchmarks")
    print_table("Reading and writing, a frame", reading_and_writing.measure())
    print_table(addon_share.TITLE, addon_share.measure())
    print_table(interpreter_lock.TITLE, interpreter_lock.measure())
    print_table(blender_cloth.TITLE, blender_cloth.measure())
    print_table("Memory", memory.measure())
    print_table("Starting up", kernels.measure())
    print_table("Linear systems of strands", banded_solves.measure())
    print_table("Linear systems of cloth and solids", sparse_solves.measure())
    print_table("A Newton iteration of elastic bodies", elastic_steps.measure())
    print_table("Collision: candidates and continuous check of a step", collision_search.measure())
    print_table(contact_projection.TITLE, contact_projection.measure())
    print_table(contact_iterations.TITLE, contact_iterations.measure())
    print_table(contact_relaxation.TITLE, contact_relaxation.measure())
    print_table(region_speed.TITLE, region_speed.measure())
    print_table(anticipation_growth.TITLE, anticipation_growth.measure())
    method_table.report()
    prox_quartiles.report()
    print_table(refinement_passes.TITLE, refinement_passes.measure())
    print_table(clothed_frames.TITLE, clothed_frames.measure())
    print_table(hairy_ball_frames.TITLE, hairy_ball_frames.measure())
    print_table(bunny_steps.TITLE, bunny_steps.measure())
    print_table(mixed_rows.TITLE, mixed_rows.measure())
    print_table(delassus_growth.TITLE, delassus_growth.measure())
    print_table(step_lengths.TITLE, step_lengths.measure())


main()
