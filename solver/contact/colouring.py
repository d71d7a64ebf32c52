"""Contacts in stages: those of a stage touch no node together, so that threads may solve them at once.

Greedy, in the order of the contacts; what fits in none of the stages is left for one thread. The stages, and with them
the result, do not depend on the number of threads [Daviet 2020, section 6.2.8].
"""

import numpy as np
from numba import int32, int64, uint8

from ..jit_cache import kernel

STAGES = 8


def stages_of(offsets: np.ndarray, nodes: np.ndarray, node_count: int) -> np.ndarray:
    """The stage of each contact (m,) uint8, STAGES for those left over; offsets (m + 1,) and nodes (q,) int32."""
    stages = np.empty(len(offsets) - 1, np.uint8)
    choose_stages(offsets, nodes, np.zeros(node_count, np.uint8), stages)
    return stages


@kernel((int32[::1], int32[::1], uint8[::1], uint8[::1]))
def choose_stages(offsets, nodes, taken, stages_out):
    """`taken` (n,) zeros: becomes a bit for each stage that touches a node."""
    for contact in range(len(offsets) - 1):
        mask = int64(0)
        for place in range(offsets[contact], offsets[contact + 1]):
            mask |= taken[nodes[place]]
        stage = 0
        while stage < STAGES and mask >> stage & 1:
            stage += 1
        stages_out[contact] = stage
        if stage < STAGES:
            for place in range(offsets[contact], offsets[contact + 1]):
                taken[nodes[place]] |= uint8(1 << stage)
