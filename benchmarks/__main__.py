"""`python -m benchmarks [PART…]`: the report, whole or some parts of it; stderr tells how long each has taken."""

import importlib
import os
import sys
import tempfile
import time

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="stiction-bench-"))

PARTS = (
    *("reading_and_writing", "addon_share", "interpreter_lock", "blender_cloth", "memory", "kernels"),
    *("banded_solves", "sparse_solves", "elastic_steps", "collision_search"),
    *("contact_projection", "contact_iterations", "contact_relaxation", "region_speed", "anticipation_growth"),
    *("method_table", "prox_quartiles", "refinement_passes", "clothed_frames", "hairy_ball_frames", "bunny_steps"),
    *("mixed_rows", "delassus_growth", "step_lengths"),
)


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(PARTS))
    if unknown:
        sys.exit(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
    from .blender_scenes import registered

    with registered():
        print("# Stiction benchmarks")
        for name in names or PARTS:
            start = time.perf_counter()
            _print_part(importlib.import_module(f".{name}", __package__))
            print(f"{name}: {(time.perf_counter() - start) / 60:.1f} minutes", file=sys.stderr, flush=True)


def _print_part(part):
    """Parts with more than one table print them themselves."""
    from .report import print_table

    if hasattr(part, "report"):
        part.report()
    else:
        print_table(part.TITLE, part.measure())


if __name__ == "__main__":
    main(sys.argv[1:])
